"""Compiled loops of the measures."""
