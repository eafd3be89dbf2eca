"""Keys in pandas: the public name of `urlkey.engines.pandas`."""

from urlkey.engines.pandas import UrlKeyAccessor

__all__ = ["UrlKeyAccessor"]
