"""Records drawn from a model of the table: what the syntheses share. No such record stands for one person."""
