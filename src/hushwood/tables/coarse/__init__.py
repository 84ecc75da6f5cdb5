"""Coarser values by declared rules: read, looked up for the columns of a table, and applied to it."""
