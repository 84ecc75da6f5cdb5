"""Clusterings that find similar categories; CAPT draws among them."""
