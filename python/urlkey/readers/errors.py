"""What goes wrong with files. Must not know any format."""

__all__ = ["LimitError", "ReadError"]


class ReadError(Exception):
    """A file that cannot be read as what it is said to be, or that is broken.

    `code` is a stable slug: `unreadable` for what is no such file, `broken` where it stops making sense. `at` is the
    place, in the unit that the message names (a byte, a line, a record), or None. `what` is the message without the
    name of the file.
    """

    def __init__(self, message: str, *, code: str = "unreadable", at: int | None = None) -> None:
        super().__init__(message)
        self.what = message
        self.code = code
        self.at = at

    def of(self, name: str) -> "ReadError":
        """The same error, the file named in front; itself where that is done."""
        message = str(self)
        if message.startswith(f"{name}: "):
            return self
        named = type(self)(f"{name}: {message}", code=self.code, at=self.at)
        named.what = message
        return named


class LimitError(ReadError):
    """A file that is refused, or not read further, because it asks for too much. `code` names the limit:
    `too-deep`, `too-dense`, `too-large`, `long-line`, `doctype`, `entity`."""
