"""Trees as See5 and C5.0 grow them."""
