"""The forest paper: Forest Framework beside three others on five tables."""
