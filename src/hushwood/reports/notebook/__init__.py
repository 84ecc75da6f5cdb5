"""How results show themselves in notebooks: cards, and charts by name."""
