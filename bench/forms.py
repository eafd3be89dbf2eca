"""Part `forms`: what a SURT and a lookup in a blocklist cost a URL from Python, measured as the part `calls` is."""

import answers
import calls


def measure(config, quick, rng, say):
    """The part's record."""
    return calls.measured("forms", answers.check_forms, config, quick, rng, say)


report = calls.report
