"""Noise on the class: thesis chapters 4 and 9."""
