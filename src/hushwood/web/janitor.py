"""`python -m hushwood.web.janitor FOLDER` waits until the server has gone, and removes what it left in its folder.

A server that ends well removes its folder itself. One that is killed cannot, and the folder may hold uploaded tables.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hushwood.jobs.folder.work_folders import InUse, give_back, take
from hushwood.parent_process import child_environment


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """Have the folder removed should this process be killed; the janitor lives in a session of its own."""
    process = subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-m", "hushwood.web.janitor", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=child_environment(),
        start_new_session=True,
    )
    try:
        yield
    finally:
        assert process.stdin is not None  # noqa: S101 - it was asked for
        process.stdin.close()
        process.wait()


def main(folder: Path) -> None:
    """Wait for the end of standard input, then clear the folder, unless a server still holds it."""
    while os.read(0, 1):
        pass
    if folder.is_dir():
        with suppress(InUse, OSError):
            give_back(folder, take(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
