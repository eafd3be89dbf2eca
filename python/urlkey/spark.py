"""Keys of DataFrames of Apache Spark, and rules learned from them: the public name of `urlkey.engines.spark` and
`urlkey.learn.spark`."""

from urlkey.engines.spark import Keep, components, dedupe, group, with_key
from urlkey.learn.spark import learn

__all__ = ["Keep", "components", "dedupe", "group", "learn", "with_key"]
