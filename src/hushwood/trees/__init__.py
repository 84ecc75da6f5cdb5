"""Decision trees: grown, pruned, routed, voting, drawn and written; trees themselves are plain data."""
