"""Numbers drawn together: correlated noise, shuffling, rotation, and what small segments get."""
