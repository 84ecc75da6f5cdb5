"""Do two versions of Hushwood release the same bytes? Run `record` with each, then `compare` the two folders.

    PYTHONPATH=old/src python benchmarks/same_bytes.py record before
    PYTHONPATH=src python benchmarks/same_bytes.py record after
    python benchmarks/same_bytes.py compare before after

`record` releases five tables by every recipe under one key and judges some of the releases with full evidence;
SAME_BYTES_TABLES=wbc,crx takes fewer tables.
`compare` asks for equal bytes of tables, trees and private files, and for equal numbers, names and order in every
JSON document. Sentences may differ, and so may what hangs on them: the report, the dictionary, and their checksums.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SEED = "5a" * 32
TABLES = tuple(os.environ.get("SAME_BYTES_TABLES", "adult,wbc,crx,wine,bupa").split(","))
JUDGED = (
    "forest-framework",
    "framework",
    "extended-framework",
    "random-framework",
    "mondrian",
    "gadp",
    "pram",
    "mdav",
    "suppress",
    "rankswap",
)
PROSE = {"report.html", "dictionary.md"}
# These name or digest prose, the machine's folders or the version of the package.
LOOSE = {"files", "private_files", "mac", "hushwood", "checksum", "sha256"}


def main() -> None:
    """Carry out the command."""
    if sys.argv[1] == "record":
        record(Path(sys.argv[2]))
    elif sys.argv[1] == "compare":
        sys.exit(compare(Path(sys.argv[2]), Path(sys.argv[3])))


def record(into: Path) -> None:
    """Release every table by every recipe; a recipe that refuses a table leaves a file that says so."""
    import hushwood as hw

    data = Path(os.environ["HUSHWOOD_DATA"])
    about = tomllib.loads((data / "tables.toml").read_text())
    for name in TABLES:
        entry = about[name]
        table = data / entry["file"]
        roles: dict[str, Any] = dict.fromkeys(entry["identifiers"], "identifier")
        for technique in hw.techniques():
            folder = into / name / technique
            folder.parent.mkdir(parents=True, exist_ok=True)
            options: dict[str, Any] = {}
            if technique == "suppress":
                options["suppress"] = (f"{entry['numeric'][0]} >= 5 : {entry['numeric'][1]}",)
            if entry["class_is_numeric"]:
                options["class_bins"] = 3
            evidence = "none" if name == "adult" and technique not in JUDGED else "quick"
            try:
                hw.release(
                    table,
                    target=entry["class"],
                    roles=roles,
                    technique=technique,
                    seed=SEED,
                    output=folder,
                    ledger=into / "ledger.json",
                    reuse_key=True,
                    evidence=evidence,
                    **options,
                )
            except hw.HushwoodError as fault:
                folder.mkdir(exist_ok=True)
                (folder / "refused.txt").write_text(type(fault).__name__)
                continue
            if name != "adult" and technique in JUDGED:
                found = hw.audit(table, folder)
                (folder / "audit.json").write_text(found.to_json())
            print(name, technique, flush=True)
        published = into / name / "publish-tree"
        how = {"missing_numbers": "suppress", **_bins(entry)}
        hw.publish_tree(table, target=entry["class"], roles=roles, output=published, **how)
        print(name, "publish-tree", flush=True)


def _bins(entry: dict[str, Any]) -> dict[str, Any]:
    return {"class_bins": 3} if entry["class_is_numeric"] else {}


def compare(before: Path, after: Path) -> int:
    """Print what differs; 0 if nothing does."""
    names = {
        path.relative_to(folder)
        for folder in (before, after)
        for path in folder.rglob("*")
        if path.is_file() and path.name not in PROSE and path.name != "ledger.json"
    }
    bad = equal = 0
    sentences = 0
    for name in sorted(names):
        first, second = before / name, after / name
        if not (after / name.parts[0]).exists():
            continue  # a table that was not recorded again
        if not (first.exists() and second.exists()):
            print(f"{name}: only in {before if first.exists() else after}")
            bad += 1
            continue
        if "publish-tree" in name.parts and name.name != "tree.json":
            continue  # drawn under a fresh key
        if name.suffix == ".json":
            found, changed = _document_differences(first, second)
            sentences += changed
        else:
            found = [] if first.read_bytes() == second.read_bytes() else ["bytes differ"]
        for difference in found[:5]:
            print(f"{name}: {difference}")
        bad, equal = (bad + 1, equal) if found else (bad, equal + 1)
    print(f"{equal} files are equal, {bad} differ; {sentences} sentences in JSON files changed.")
    return 1 if bad else 0


def _document_differences(first: Path, second: Path) -> tuple[list[str], int]:
    """Where two documents differ in more than sentences, and how many sentences differ."""
    old, new = (list(_leaves(json.loads(path.read_text()), ())) for path in (first, second))
    found, sentences = [], 0
    old_at, new_at = dict(old), dict(new)
    if [path for path, _ in old] != [path for path, _ in new]:
        found.append(f"keys differ: {sorted(set(old_at) ^ set(new_at), key=str)[:5] or 'their order'}")
    for path in old_at.keys() & new_at.keys():
        if old_at[path] != new_at[path]:
            if isinstance(old_at[path], str) and " " in old_at[path]:
                sentences += 1
            else:
                found.append(f"{'.'.join(map(str, path))}: {old_at[path]!r} became {new_at[path]!r}")
    return found, sentences


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        # A published tree's untested numbers are drawn, and their one value is the whole domain.
        drawn = {"low", "high"} if value.get("low") == value.get("high") else set()
        for key, part in value.items():
            if key not in LOOSE | drawn:
                yield from _leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _leaves(part, (*path, place))
    else:
        yield path, value


if __name__ == "__main__":
    main()
