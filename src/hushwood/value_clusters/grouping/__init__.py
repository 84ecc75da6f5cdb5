"""What the clusterings share: records as tuples, neighbours, groups of values."""
