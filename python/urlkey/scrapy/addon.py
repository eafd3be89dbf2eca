"""The add-on: puts the parts into the settings of a crawl, where these do not say otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlkey.scrapy import evidence, robots, spidermiddleware
from urlkey.scrapy.dupefilter import KeyDupeFilter
from urlkey.scrapy.fingerprints import KeyFingerprinter
from urlkey.scrapy.scheduler import KeyScheduler

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_CLASSES: dict[str, Any] = {
    "REQUEST_FINGERPRINTER_CLASS": KeyFingerprinter,
    "DUPEFILTER_CLASS": KeyDupeFilter,
    "SCHEDULER": KeyScheduler,
}
# Orders are those of Scrapy's own; the docstring of each class says what it has to stand before and after.
_SPIDER: dict[Any, int] = {spidermiddleware.SpellingMiddleware: 10, spidermiddleware.TrapMiddleware: 950}
_DOWNLOADER: dict[Any, int] = {
    robots.RobotsGate: 99,
    robots.RobotsGateEnd: 101,
    evidence.AliasMiddleware: 540,
    evidence.PageMiddleware: 585,
    evidence.RedirectMiddleware: 605,
}

__all__ = ["Addon"]


class Addon:
    """Scrapy's add-on: `ADDONS = {"urlkey.scrapy.Addon": 500}`. Settings of a project or spider win over it."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Adds the parts."""
        for name, value in _CLASSES.items():
            settings.set(name, value, priority="addon")
        for name, classes in (("SPIDER_MIDDLEWARES", _SPIDER), ("DOWNLOADER_MIDDLEWARES", _DOWNLOADER)):
            for part, order in classes.items():
                settings.setdefault_in_component_priority_dict(name, part, order)
