"""Compiled loops over the values of tables."""
