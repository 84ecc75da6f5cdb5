"""Forests as files: our JSON, and PMML."""
