"""docs/frontier.json: every run's numbers, what was compared, and the versions; all that page and charts need."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from frontier.contenders import BY_NAME, CONTENDERS
from frontier.running import Run
from frontier.tables import APART, DEVELOPMENT, MOST_HELD_OUT, MOST_PEOPLE, SHARE
from frontier.yardstick import YARDSTICK

FORMAT = "hushwood-frontier"
LIBRARIES = ("hushwood", "numpy", "scipy", "scikit-learn", "polars", "numba")


@dataclass(frozen=True)
class Document:
    """All that was found; `skipped` gives reasons by contender, `contenders` family and description by name."""

    versions: Mapping[str, str]
    contenders: Mapping[str, Mapping[str, Any]]
    skipped: Mapping[str, str]
    runs: Sequence[Run]

    @property
    def seeds(self) -> int:
        return len({run.seed for run in self.runs})

    def tables(self, among: Sequence[str]) -> tuple[str, ...]:
        """Those of some tables that have runs."""
        present = {run.table for run in self.runs}
        return tuple(table for table in among if table in present)


def document_of(runs: Sequence[Run]) -> Document:
    """The document of these runs, in the order of tables, seeds and contenders."""
    tables, names = (*DEVELOPMENT, *APART), [contender.name for contender in CONTENDERS]
    ordered = sorted(runs, key=lambda r: (tables.index(r.table), r.seed, names.index(r.contender)))
    ran = [name for name in names if any(run.contender == name for run in ordered)]
    about = {
        name: {
            "family": BY_NAME[name].family,
            "partners": BY_NAME[name].partners,
            **BY_NAME[name].described(),
        }
        for name in ran
    }
    reasons = {c.name: c.missing() or "it was not asked for" for c in CONTENDERS if c.name not in ran}
    return Document(_versions(ran), about, reasons, ordered)


def _versions(names: Sequence[str]) -> dict[str, str]:
    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    found |= {library: version(library) for library in LIBRARIES}
    peers = [BY_NAME[name] for name in names if BY_NAME[name].peer]
    return found | {peer.name: _version_of_peer(peer.name, peer.variable) for peer in peers}


def _version_of_peer(package: str, variable: str) -> str:
    """Finished runs of a peer can be shown where it is not installed any more."""
    if not os.environ.get(variable):
        return "unknown"
    program = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([os.environ[variable], "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write_document(document: Document, path: Path) -> None:
    """One line for each run, so that changes can be read."""
    head = {
        "format": FORMAT,
        "yardstick": YARDSTICK,
        "split": {"people": SHARE, "most_people": MOST_PEOPLE, "most_held_out": MOST_HELD_OUT},
        "tables": {"development": document.tables(DEVELOPMENT), "apart": document.tables(APART)},
        "versions": document.versions,
        "contenders": document.contenders,
        "skipped": document.skipped,
    }
    text = json.dumps(head, indent=1, ensure_ascii=False)
    lines = ",\n".join(f"  {json.dumps(_as_json(run), ensure_ascii=False)}" for run in document.runs)
    path.write_text(f'{text[:-2]},\n "runs": [\n{lines}\n ]\n}}\n', "utf-8")


def _as_json(run: Run) -> dict[str, Any]:
    return {name: value for name, value in asdict(run).items() if value not in ({}, "")}


def read_document(path: Path) -> Document:
    found = json.loads(path.read_text("utf-8"))
    runs = [Run(**run) for run in found["runs"]]
    return Document(found["versions"], found["contenders"], found["skipped"], runs)
