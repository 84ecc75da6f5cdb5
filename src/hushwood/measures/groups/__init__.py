"""Groups of records that look alike."""
