"""Keys of DataFrames of Apache Spark: the public name of `urlkey.engines.spark`."""

from urlkey.engines.spark import Keep, components, dedupe, group, with_key

__all__ = ["Keep", "components", "dedupe", "group", "with_key"]
