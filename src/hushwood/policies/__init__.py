"""Policies: limits that someone stands behind, and the verdict on an evaluation by them."""
