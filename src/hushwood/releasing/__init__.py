"""From a plan to a perturbed table and its certificate."""
