"""Trees as C4.5 and J48 grow them."""
