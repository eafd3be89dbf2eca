"""A web page as the systems see it: its encoding, its links, what it says to robots. Needs the extra `page`."""

from urlkey.page.encoding import PageEncoding, page_encoding
from urlkey.page.html import Anchor, Page

__all__ = ["Anchor", "Page", "PageEncoding", "page_encoding"]
