"""An open store: the engine, the policy that it is held to, transactions, and what waits for the next one. Must not
know what is asked of a store.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from urlkey._native import Policy, StoreRows
from urlkey.store.errors import mismatch

if TYPE_CHECKING:
    from urlkey.store.engine import Engine

__all__ = ["OpenStore"]


class OpenStore:
    """What `urlkey.store.Store` stands on."""

    def __init__(self, engine: Engine, policy_id: str, policy: Policy) -> None:
        self._engine = engine
        self._lock = RLock()
        self._policy_id = policy_id
        self._policy = policy
        self._pending: list[tuple[bytes, int, int, int]] = []
        self._new: set[bytes] = set()
        self._changing = False

    @property
    def policy(self) -> Policy:
        """The policy of the keys, as this release has it."""
        return self._policy

    @property
    def policy_id(self) -> str:
        """The id under which the keys were made."""
        return self._policy_id

    def flush(self) -> None:
        """Returns when all that `add` was given is on the disk."""
        with self._lock:
            if self._pending:
                self._put(StoreRows.counted(self._pending, self._policy))
                self._pending, self._new = [], set()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Makes one change of all calls inside: on the disk at the end of the `with`, or, where it raises, as if none
        had been made. Other writers wait, so that what is read inside is true when it ends. Not for `rekey`."""
        with self._lock:
            if self._changing:
                yield
                return
            self.flush()
            try:
                with self._transaction(alone=True):
                    yield
                    self.flush()
            except BaseException:
                # What `add` was given inside waits no longer.
                self._pending, self._new = [], set()
                raise

    def close(self) -> None:
        """Flushes, and closes the store."""
        with self._lock:
            try:
                self.flush()
            finally:
                self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- for those that stand on it

    def _put(self, rows: StoreRows) -> list[Any]:
        with self._transaction():
            return self._engine.put(rows)

    def _entry_of(self, digest: bytes) -> Any:
        """What the entry of a digest is known by; None if there is none."""
        return next((entry for _, entry in self._engine.entries_of([digest])), None)

    def _check_policy(self) -> None:
        """Refuses keys of another policy: what this release makes of the store's, or what another process has."""
        ((stored,),) = self._engine.rows("SELECT policy_id FROM store")
        if stored != self._policy.id:
            raise mismatch(self._engine.path, stored[:8], self._policy.short_id)

    @contextmanager
    def _reading(self) -> Iterator[Engine]:
        with self._lock:
            self.flush()
            self._check_policy()
            yield self._engine

    @contextmanager
    def _writing(self) -> Iterator[Engine]:
        self.flush()
        with self._transaction():
            yield self._engine

    @contextmanager
    def _transaction(self, *, alone: bool = False) -> Iterator[None]:
        if self._changing:
            yield
            return
        with self._engine.writing(alone=alone):
            self._changing = True
            try:
                self._check_policy()
                yield
            finally:
                self._changing = False
