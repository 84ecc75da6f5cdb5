"""The engine for clusters: Spark hands out the blocks and parts of a table; only this folder imports PySpark."""
