"""Groups of similar records for the techniques that generalise or aggregate."""
