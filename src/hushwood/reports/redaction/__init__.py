"""What of an evaluation may be published."""
