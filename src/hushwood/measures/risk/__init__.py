"""What an intruder learns: measures of how much of the people the release still shows."""
