"""Compiled loops of the techniques."""
