"""Run a command and report its seconds, its peak memory and how it ended: `launched.py DESCRIPTOR COMMAND…`.

The system counts the memory of the process that starts another one into the other's peak. The benchmarks' own process
may have grown large; this one is small.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def main() -> None:
    descriptor, *arguments = sys.argv[1:]
    start = time.perf_counter()
    process = subprocess.Popen(arguments)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    code = os.waitstatus_to_exitcode(status)
    with os.fdopen(int(descriptor), "w") as report:
        json.dump({"seconds": seconds, "peak_bytes": usage.ru_maxrss * unit, "code": code}, report)


if __name__ == "__main__":
    main()
