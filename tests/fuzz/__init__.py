"""Fuzz targets of the Python package: what each asserts, and its inputs from a seed."""
