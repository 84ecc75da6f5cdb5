"""Files of every format, read and written safely."""
