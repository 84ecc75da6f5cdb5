"""Runs experiments, compares their numbers with the printed ones, and shows the results."""
