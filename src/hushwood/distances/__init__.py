"""How far records are from each other when some columns are numbers and some are categories."""
