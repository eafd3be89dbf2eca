"""Part `patterns`: what a match against a block list costs a URL from Python, with few patterns and with many, measured
as the part `calls` is."""

import answers
import calls


def measure(config, quick, rng, say):
    """The part's record."""
    return calls.measured("patterns", answers.check_patterns, config, quick, rng, say)


report = calls.report
