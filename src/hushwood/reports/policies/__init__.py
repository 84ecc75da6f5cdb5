"""The policies in words, for the command that lists them."""
