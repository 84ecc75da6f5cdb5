"""Compiled loops of the clusterings."""
