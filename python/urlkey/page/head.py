"""The head of a page: its links and metas, apart from those that only look so. URLs stand here as the page spells
them; must not know what becomes of them."""

from dataclasses import dataclass
from typing import Any

from urlkey.page.encoding import PageEncoding
from urlkey.page.tree import parsed

__all__ = ["Head", "HeadLink", "HeadMeta"]


@dataclass(frozen=True, slots=True)
class HeadLink:
    """A `<link>` with a `href`: the href, the tokens of `rel` in lower case, all attributes."""

    href: str
    rel: frozenset[str]
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class HeadMeta:
    """A `<meta>` with a name: what it is called (`name`, `property` or `http-equiv`, in lower case), what it says."""

    name: str
    content: str


class Head:
    """The head of a parsed page. Takes what `Page` takes, and costs as much. What stands in comments, scripts,
    templates and `<noscript>` is nothing; what stands in the body or in `<svg>` is misplaced. A head ends where
    browsers end it: at the first element that cannot stand there.

    >>> head = Head('<link rel=canonical href=/a><p><link rel=canonical href=/b>')
    >>> [link.href for link in head.links], [link.href for link in head.misplaced_links]
    (['/a'], ['/b'])
    """

    def __init__(self, html: bytes | str, content_type: str | None = None, encoding: str | None = None) -> None:
        found, tree = parsed(html, content_type, encoding, scripting=True)
        self.encoding: PageEncoding = found
        root = tree.root
        attributes = root.attributes if root is not None and root.tag == "html" else {}
        #: What `<html lang>` says, or None.
        self.language: str | None = attributes.get("lang") or None
        self.links: list[HeadLink] = []
        self.metas: list[HeadMeta] = []
        #: Outside the head.
        self.misplaced_links: list[HeadLink] = []
        self.misplaced_metas: list[HeadMeta] = []
        #: The `href` of the first `<base>` that has one, wherever it stands: browsers hear it anywhere.
        self.base: str | None = None
        head = tree.head
        inside = {child.mem_id for child in head.iter()} if head is not None else set()
        for node in tree.css("base,link,meta"):
            self._read(node, placed=node.mem_id in inside)

    def _read(self, node: Any, *, placed: bool) -> None:
        attributes = {name: value or "" for name, value in node.attributes.items()}
        if node.tag == "meta":
            name = next((attributes[at] for at in ("name", "property", "http-equiv") if attributes.get(at)), "")
            meta = HeadMeta(name.strip().lower(), attributes.get("content", ""))
            (self.metas if placed else self.misplaced_metas).append(meta)
        elif "href" in attributes:
            if node.tag == "base":
                self.base = attributes["href"] if self.base is None else self.base
                return
            rel = frozenset(attributes.get("rel", "").lower().split())
            link = HeadLink(attributes["href"], rel, attributes)
            (self.links if placed else self.misplaced_links).append(link)
