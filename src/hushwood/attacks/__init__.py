"""Attacks that try out what an intruder can do with a release, one per file; `registry` lists them."""
