"""What measures say about themselves on reports, and what of it outsiders may see."""
