"""Noise on categories: thesis chapter 6."""
