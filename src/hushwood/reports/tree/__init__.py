"""The report on a published tree."""
