"""Loops over the values of long columns, compiled by numba."""
