"""What goes wrong with stores: one exception with a code, and refusals of keys that another policy made."""

from __future__ import annotations

from urlkey._native import Policy, UrlKeyError

CODES = {
    "busy": "another process is writing, and did not end in time",
    "corrupt": "the file is damaged",
    "full": "no room is left",
    "io": "reading or writing failed",
    "lost": "the connection to the server is lost",
    "newer": "the store was made by a later release",
    "not-a-store": "the file is no such store",
    "read-only": "the store cannot be written to",
}

__all__ = ["CODES", "StoreError", "check_policy", "mismatch"]


class StoreError(Exception):
    """A store that cannot be read or written. `code` is one of CODES; `path` says which store.

    What was acknowledged before is kept; what was not is as if it had not been asked for.

    >>> StoreError("busy", "seen.db").code, str(StoreError("busy", "seen.db"))
    ('busy', 'seen.db: another process is writing, and did not end in time')
    """

    def __init__(self, code: str, path: str, detail: str = "") -> None:
        self.code, self.path = code, path
        super().__init__(f"{path}: {CODES[code]}" + (f": {detail}" if detail else ""))


def mismatch(path: str, stored: str, wanted: str) -> UrlKeyError:
    """The error for keys that were made under another policy, `policy-mismatch`."""
    error = UrlKeyError(f"{path} holds keys of the policy {stored}, not of {wanted}")
    error.code = "policy-mismatch"
    return error


def check_policy(path: str, policy_id: str, text: str, given: str | Policy | None) -> Policy:
    """The policy that made a store's keys: `text` compiled, or the one that was given.

    Raises UrlKeyError ('policy-mismatch') if its id is not `policy_id`: another policy was given, or this
    release has other steps or data.
    """
    policy = Policy.from_text(text) if given is None else Policy(given)
    if policy.id != policy_id:
        raise mismatch(path, policy_id[:8], policy.short_id)
    return policy
