"""Measures of what a release keeps and what it reveals, one per file; `registry` lists them."""
