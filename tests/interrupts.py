"""Interrupts of a call that is at work in native code, told by how often it listens: no clock is read."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt(Exception):
    """What the handler raises."""


@contextmanager
def interrupted() -> Iterator[None]:
    """Sends a signal every millisecond, whose third coming raises Interrupt.

    Signals that come while nobody listens are one, so a call that listens at its end alone returns as if nothing
    had been.
    """
    heard = 0

    def hear(_number: int, _frame: FrameType | None) -> None:
        nonlocal heard
        heard += 1
        if heard == 3:
            raise Interrupt

    before = signal.signal(signal.SIGALRM, hear)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
