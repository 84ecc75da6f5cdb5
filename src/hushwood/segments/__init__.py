"""Segments: the records that share rules, and the box that those rules describe."""
