"""Part `scale`: deduplication within little memory, and on Spark, beside others and w3lib in a function of Python."""

import dedupe
from dedupe import report

__all__ = ["measure", "report"]


def measure(config, quick, rng, say):
    """As part `dedupe`, with the engines and lines of this part."""
    return dedupe.measure(config, quick, rng, say, name="scale")
