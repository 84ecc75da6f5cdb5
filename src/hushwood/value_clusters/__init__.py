"""The room that finds out which categories are alike; CAPT draws among them."""
