"""Ours beside what the papers print: tasks run and kept, rows compared, results written and shown."""
