"""The frameworks of thesis chapter 7 on its two tables."""
