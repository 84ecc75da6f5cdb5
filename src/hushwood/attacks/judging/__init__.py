"""Runs attacks: makes the intruder's knowledge, scores guesses, estimates success."""
