"""Releases of one table side by side."""
