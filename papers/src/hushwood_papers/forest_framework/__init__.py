"""The forest paper: Forest Framework and three others on five tables."""
