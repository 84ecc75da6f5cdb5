"""A small table of invented people as text, a few odd spellings of it, and snapshots of folders, for tests of jobs
and commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

HEADER = ("age", "score", "group", "ill")
SEED = "5" * 64
OTHER_SEED = "6" * 64


def people(count: int = 120) -> list[tuple[str, ...]]:
    """Records whose class follows age and score, so that there are rules to find."""
    records: list[tuple[str, ...]] = []
    for i in range(count):
        age, score = 18 + (i * 37) % 63, ((i * 53) % 1000) / 10
        group = "xyz"[(i * 7) % 3]
        ill = "yes" if age + score > 95 or (group == "z" and age > 60) else "no"
        records.append((str(age), str(score), group, ill))
    return records


def as_text(
    records: Iterable[tuple[str, ...]], header: tuple[str, ...] = HEADER, separator: str = ","
) -> str:
    return "".join(separator.join(record) + "\n" for record in (header, *records))


def write_people(folder: Path, name: str = "people.csv", count: int = 120) -> Path:
    path = folder / name
    path.write_text(as_text(people(count)), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file and folder below one, hidden ones too: bytes and time of the last change of each file."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        if path.is_file()
        else (b"", 0)
        for path in sorted(folder.rglob("*"))
    }
