"""Compiled functions that several rooms use."""
