"""How attacks find what they look for."""
