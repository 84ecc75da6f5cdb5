"""`python -m hushwood.cli.piped` runs the command whose words are a JSON list in the first line of standard input.

The web app starts its jobs so: other users of the machine can read the words of a running command, and purposes,
reasons and who takes responsibility are none of their business.
"""

from __future__ import annotations

import json
import os
import sys

from hushwood.cli.main import command


def main() -> None:
    """Run the command as if its words had been typed; standard input stays open for as long as the server lives."""
    line = bytearray()
    while not line.endswith(b"\n"):  # byte by byte: what follows is not ours to read
        byte = os.read(0, 1)
        if not byte:
            return
        line += byte
    sys.argv[:] = ["hushwood", *json.loads(line)]
    command()


if __name__ == "__main__":
    main()
