"""What a store must do, whatever its engine: run by `test_store.py` on SQLite and by `services/test_store_postgres.py`
on PostgreSQL, each with its own fixtures `place`, `new_place`, `make_newer` and `migrations`."""

from stores.aliases import *  # noqa: F403
from stores.columns import *  # noqa: F403
from stores.keys import *  # noqa: F403
from stores.rekeying import *  # noqa: F403
from stores.whole import *  # noqa: F403
