"""The page of the risk-utility map, and what a search found as lines for a terminal."""
