"""The engine for tables of any length: batches on disk."""
