"""Clusters of records, and how two groupings agree."""
