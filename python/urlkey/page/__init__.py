"""A web page as the systems see it: its encoding, its links, what it says to robots. Needs the extra `page`."""

from urlkey.page.encoding import PageEncoding, page_encoding
from urlkey.page.head import Head, HeadLink, HeadMeta
from urlkey.page.html import Anchor, Page
from urlkey.page.refresh import Refresh, refresh

__all__ = ["Anchor", "Head", "HeadLink", "HeadMeta", "Page", "PageEncoding", "Refresh", "page_encoding", "refresh"]
