"""Whole jobs, which the command and the API call; folders appear whole or not at all."""
