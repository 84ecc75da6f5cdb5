"""Ours: records alone in a segment, and linkage attacks."""
