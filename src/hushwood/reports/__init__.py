"""The room of pages: an evaluation in, HTML and terminal lines out; nothing is measured here."""
