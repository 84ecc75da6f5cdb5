"""Where the files of a release lie: share/ if a policy cleared it, not-cleared/ if not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hushwood.attacks.judging.pooled import BY_GUESSING

# Limits that nothing breaks, for tests of what is handed out, whatever an intruder learns from so few people.
NO_LIMITS = (
    "linkage<=1",
    "outlier_linkage<=1",
    "singling_out<=1",
    "attribute_inference<=1",
    "membership<=1",
    *(f"list_membership.{name}<=1" for name in BY_GUESSING),
)


def part_of(release: Path) -> str:
    """The folder that the files of a release lie in; a failed assertion if there are two."""
    (part,) = {path.name for path in release.iterdir()} & {"share", "not-cleared"}
    return part


def files_in(release: Path | str) -> Path:
    """That folder with its path."""
    return Path(release) / part_of(Path(release))


def manifest_of(release: Path | str) -> dict[str, Any]:
    """What the manifest of a release says."""
    read: dict[str, Any] = json.loads((files_in(release) / "manifest.json").read_text("utf-8"))
    return read
