"""Trees, forests and other models that measures grow to compare two tables."""
