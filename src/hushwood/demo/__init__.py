"""The generated Credit Risk table, and the whole job on it."""
