"""Publish the data and the model: tables from which others rebuild exactly the published tree (TPP)."""
