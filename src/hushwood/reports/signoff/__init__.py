"""The sign-off: what someone answers for with a signature, on two printed pages."""
