"""A PostgreSQL server of its own for tests: a new cluster in a temporary folder, on a Unix socket alone."""

import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg

_PORT = 5432


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    assert on_path, "PostgreSQL is not installed: apt-get install postgresql"
    return Path(on_path).parent


class Cluster:
    """Starts at `__enter__`, is stopped and removed at `__exit__`."""

    def __init__(self, **settings: object) -> None:
        self._settings = {"listen_addresses": "", "fsync": "off", "max_connections": 40} | settings
        self._numbers = count()
        self._running = False
        self._bin = programs()
        # The server refuses to run as root.
        self._user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}

    def _run(self, program: str, *arguments: str) -> None:
        # A server inherits what its starter has open: no pipes.
        with (self._folder / "out").open("ab") as out:
            done = subprocess.run(
                [self._bin / program, "-D", self._folder / "data", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd="/",
                check=False,
                **self._user,
            )
        assert done.returncode == 0, (self._folder / "out").read_text(errors="replace")

    def __enter__(self) -> "Cluster":
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))
        if self._user:
            shutil.chown(self._folder, "postgres", "postgres")
        try:
            self._run(
                "initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--data-checksums", "--no-sync"
            )
            self.start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._running:
            self.stop("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self._folder / "data"

    def start(self) -> None:
        settings = {"unix_socket_directories": self._folder, "port": _PORT} | self._settings
        options = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self._run("pg_ctl", "--wait", "--log", f"{self._folder}/log", "--options", options, "start")
        self._running = True

    def stop(self, mode: str) -> None:
        """`immediate` is as if the machine had failed."""
        self._run("pg_ctl", "--wait", "--mode", mode, "stop")
        self._running = False

    def url(self, schema: str = "public") -> str:
        """The URL of a schema."""
        host = quote(str(self._folder), safe="")
        return f"postgresql://postgres@/postgres?host={host}&port={_PORT}&options=-csearch_path%3D{schema}"

    def place(self) -> str:
        """The URL of a new, empty schema."""
        name = f"store{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {name}")
        return self.url(name)
