"""Generalised values: intervals, sets of categories, hierarchies."""
