"""`python -m hushwood.web.child WHAT …` prints one JSON document for the server, which itself reads no table.

A table that breaks a library, or fills the memory, ends this process and not the server.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hushwood.errors import HushwoodError
from hushwood.parent_process import end_with_parent
from hushwood.web.dialects import dialect_values


def table(path: str, schema: str = "", dialect: str = "{}") -> dict[str, Any]:
    """What each column of a table is; `dialect` is JSON."""
    from hushwood.jobs.inputs import read_input
    from hushwood.jobs.requests import InputOptions
    from hushwood.web.shown import described_table

    written = dialect_values(json.loads(dialect))
    inputs = InputOptions(schema=Path(schema) if schema else None, **written)
    return described_table(read_input(Path(path), inputs.arguments(None)))


def choices() -> dict[str, Any]:
    """Techniques and policies."""
    from hushwood.web.shown import choices as found

    return found()


def release(folder: str) -> dict[str, Any]:
    """What a release folder says."""
    from hushwood.web.shown import release_view

    return release_view(Path(folder))


def compare(*folders: str) -> dict[str, Any]:
    """Releases side by side, with the titles of their rows."""
    from hushwood.jobs.compare import compare as job

    found = job([Path(folder) for folder in folders])
    rows = {row.name: row.title for row in (*found.checks, *found.measures)}
    return found.to_json() | {"titles": rows, "made": [one.made for one in found.releases]}


def demo(which: str, path: str) -> dict[str, Any]:
    """Write a table of invented people."""
    from hushwood.demo.synthetic_tables import credit_risk, customer_status
    from hushwood.random_streams import fresh_secret
    from hushwood.tables.formats.files import write_frame
    from hushwood.tables.frames.storage import frame_from_table

    made = {"credit-risk": credit_risk, "customer-status": customer_status}[which](2000, fresh_secret())
    write_frame(frame_from_table(made), Path(path))
    return {"class": made.schema.names[-1]}


WHAT: dict[str, Callable[..., dict[str, Any]]] = {
    each.__name__: each for each in (table, choices, release, compare, demo)
}


def main() -> None:
    """Print the document, or why there is none."""
    end_with_parent()
    try:
        answer: dict[str, Any] = {"found": WHAT[sys.argv[1]](*sys.argv[2:])}
    except HushwoodError as fault:
        answer = {"refused": str(fault)}
    except OSError as fault:
        answer = {"refused": f"The system refused: {fault.strerror or fault}."}
    except MemoryError:
        answer = {"refused": "The memory of this machine is not enough for this table."}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
