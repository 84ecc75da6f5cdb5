"""What can be asked of `hushwood verify`; light to import, because the command reads its options from here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from hushwood.jobs.shared_options import Memory
from hushwood.parameters import THREADS, Checked, available_threads


@dataclass(frozen=True, slots=True)
class VerifyRequest(Checked):
    """How much memory may be used: longer tables are certified in batches."""

    memory: Memory = 2_000_000_000
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)
