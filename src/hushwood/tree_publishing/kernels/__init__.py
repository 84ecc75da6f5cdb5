"""Compiled loops of tree publishing."""
