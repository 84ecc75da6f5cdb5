"""What miners keep: measures of how much of the original table's patterns the release still has."""
