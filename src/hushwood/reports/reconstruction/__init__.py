"""What a miner wins back from a release, for the terminal and as JSON."""
