"""An original and its release, made comparable and paired row by row."""
