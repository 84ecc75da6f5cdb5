"""The search for the most useful release that a policy clears, and the risk-utility map that it draws on the way."""
