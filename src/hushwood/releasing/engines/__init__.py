"""What carries out the steps of a plan: all of the interface, or not at all."""
