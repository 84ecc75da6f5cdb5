"""Distances between records whose columns are numbers and categories."""
