"""The TPP paper: published trees against InfoGain Mondrian."""
