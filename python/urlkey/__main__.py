"""`python -m urlkey`: the command line."""

from urlkey.cli import main

raise SystemExit(main())
