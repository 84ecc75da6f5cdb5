"""The room where a release is judged: numbers as plain data, from which the reports are made."""
