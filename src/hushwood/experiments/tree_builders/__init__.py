"""Ours: which builder stands behind a release."""
