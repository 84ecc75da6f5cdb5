"""People with several rows: which rows belong together, what is the same in all of them, and one record for each."""
