"""The room where data comes in and goes out: tables, their schema, and the files and frames they live in.

Everything behind this room sees arrays and a schema only; which file format, separator or frame library the
data came from is known here and nowhere else. Nothing is imported at this level: the command starts fast.
"""
