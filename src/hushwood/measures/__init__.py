"""What a release is worth and what it gives away, one measure a file; `registry` lists them."""
