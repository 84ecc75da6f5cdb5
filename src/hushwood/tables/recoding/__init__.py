"""Other values in the place of a table's own: coarser ones, rare levels together, texts that stand for several."""
