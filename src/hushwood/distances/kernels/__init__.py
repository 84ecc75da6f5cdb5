"""Compiled loops over pairs of records."""
