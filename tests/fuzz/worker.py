"""Runs fuzz cases whose numbers it is sent, one a line, and answers each with a line of JSON.

It is a process of its own, so that an abort is a finding and not the end of the run. To see one case again:
`PYTHONPATH=tests python -m fuzz.worker CASE` keeps the damaged file and shows where the error came from.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
import unicodedata
from pathlib import Path

from fuzz.readers import reader_of
from fuzz.seeds import write_release
from hushwood.errors import HushwoodError, InternalFault
from hushwood.jobs.folder.keys import VARIABLE

MOST_MEMORY = 12 << 30  # address space: an absurd size must fail here as it does on any machine

_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # they break lines, steer terminals or turn text around


def main() -> None:
    _limit_memory()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        os.environ[VARIABLE] = str(home / "ledger.json")
        write_release(home)
        os.chdir(home)  # so that texts can name files without this folder's chance name
        os.environ[VARIABLE] = str(home / "ledger of the case.json")
        if len(sys.argv) > 1:
            kept = Path(tempfile.mkdtemp(prefix="fuzz-"))
            print(f"The files of the case are in {kept}.")  # noqa: T201
            reader, read, chance = reader_of(int(sys.argv[1]))
            print(reader)  # noqa: T201
            read(kept, home, chance)
            return
        print(json.dumps({"ready": True}), flush=True)  # noqa: T201
        for line in sys.stdin:
            print(json.dumps(answer(int(line), home)), flush=True)  # noqa: T201


def answer(case: int, sample: Path) -> dict[str, str | None]:
    """What became of a case: read, refused, or a finding."""
    name, read, chance = reader_of(case)
    finding: str | None = None
    outcome = "read"
    with tempfile.TemporaryDirectory(dir=sample) as place:
        folder, aside = Path(place) / "case", Path(place) / "aside"
        folder.mkdir()
        aside.mkdir()
        tempfile.tempdir = str(aside)
        os.environ[VARIABLE] = str(Path(place) / "ledger.json")  # no case knows of another one's release
        try:
            read(folder, sample, chance)
        except HushwoodError as fault:
            outcome, finding = "refused", _badly_said(fault)
        except BaseException:  # noqa: BLE001 - panics of Rust are no Exception
            finding = traceback.format_exc(limit=-6)
        tempfile.tempdir = None
        left = [*aside.iterdir(), *folder.rglob(".*")]
        if left:
            finding = f"{finding or ''} left behind: {left[0].name}"
    return {"reader": name, "outcome": outcome, "finding": finding}


def _badly_said(fault: HushwoodError) -> str | None:
    """An error must be one line without controls about the request or the data, ending in a full stop."""
    text = str(fault)
    if isinstance(fault, InternalFault):
        return traceback.format_exc(limit=-6)
    controls = any(unicodedata.category(character) in _CONTROLS for character in text)
    well = text.endswith((".", "?")) and not controls
    return None if well else f"an odd sentence: {text[-200:]!r}"


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
