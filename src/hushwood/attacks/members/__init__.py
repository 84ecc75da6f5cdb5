"""Ways to judge who was in the table: each gives every target a score, higher for likelier members."""
