"""The room of decision trees: grown, pruned, voted, routed, drawn and written; trees themselves are plain data."""
