"""Tables, their schema, and the files and frames they are read from and written to.

The rest of the package sees only arrays and a schema; file formats, separators and frame libraries are known here and
nowhere else. Nothing is imported at this level, so that the command starts fast.
"""
