"""Noise on innocent attributes in proportion to the value: the first paper's experiments on WBC."""
