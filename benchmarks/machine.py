"""What the figures were measured on: the machine, its load, and the versions of what was run."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = (
    "hushwood",
    "numpy",
    "scipy",
    "numba",
    "polars",
    "pyarrow",
    "scikit-learn",
    "lightgbm",
    "pyspark",
    "python-weka-wrapper3",
)


@dataclass(frozen=True)
class Machine:
    """Processor, cores that may be used, bytes of memory, and the system."""

    processor: str
    cores: int
    memory_bytes: int
    system: str

    def __str__(self) -> str:
        gigabytes = f"{self.memory_bytes / 2**30:.0f} GiB"
        return f"{self.processor}, {self.cores} core{'s' * (self.cores != 1)}, {gigabytes}, {self.system}"


def this_machine() -> Machine:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(_processor(), cores, memory, f"{platform.system()} {platform.release()}")


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text("utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def versions() -> Mapping[str, str]:
    """Python and the libraries that are installed here; a peer in an environment of its own reports its version."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
