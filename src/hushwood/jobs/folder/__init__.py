"""The folders that jobs write: whole or not at all, with manifest, keys and ledger."""
