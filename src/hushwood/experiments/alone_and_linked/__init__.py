"""Ours: who is alone in a segment, and what linkage finds."""
