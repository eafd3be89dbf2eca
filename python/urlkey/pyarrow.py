"""Keys as compute functions of PyArrow: the public name of `urlkey.engines.pyarrow`."""

from urlkey.engines.pyarrow import FUNCTIONS, register

__all__ = ["FUNCTIONS", "register"]
