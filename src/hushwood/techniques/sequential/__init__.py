"""Columns released one after the other, each by a tree that knows those before it."""
