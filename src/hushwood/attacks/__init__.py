"""What an intruder can do with a release, tried out; one attack a file, `registry` lists them."""
