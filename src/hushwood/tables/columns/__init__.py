"""What a column is: its kind, precision and class bins, what the user declared, and warnings about it."""
