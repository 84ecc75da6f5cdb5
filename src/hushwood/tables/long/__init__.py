"""Tables of any length, read in batches."""
