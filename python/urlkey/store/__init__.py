"""What is remembered under keys: `Seen`, which keys have come before, and `Store`, every spelling of each.

Both keep the policy that made their keys and refuse those of another. Importing this loads nothing but the
core; SQLite and psycopg are loaded when a store is opened.
"""

from urlkey.store.errors import StoreError
from urlkey.store.records import Edge, Entry, Fetch, Reject, Rekeyed, Sample, Spelling, Stats
from urlkey.store.seen import Seen
from urlkey.store.store import Store

__all__ = [
    "Edge",
    "Entry",
    "Fetch",
    "Reject",
    "Rekeyed",
    "Sample",
    "Seen",
    "Spelling",
    "Stats",
    "Store",
    "StoreError",
]
