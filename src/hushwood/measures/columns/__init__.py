"""Statistics of columns and pairs of columns."""
