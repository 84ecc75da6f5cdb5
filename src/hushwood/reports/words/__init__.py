"""Numbers and names in words."""
