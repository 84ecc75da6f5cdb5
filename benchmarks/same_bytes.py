"""Do two versions of Hushwood release the same bytes? `make same-bytes BEFORE=REVISION` compares this with an older.

    python benchmarks/same_bytes.py against REVISION [--only PATTERN]       records both versions and compares them
    python benchmarks/same_bytes.py record FOLDER [--source CHECKOUT]       runs the cases with one version
    python benchmarks/same_bytes.py compare BEFORE AFTER [--only PATTERN]   compares two such folders

The cases are in `same_bytes_cases.py`: each is some commands under one key, in a folder of its own. Everything that
they write is compared: bytes of tables, trees and private files; keys, order, types and numbers of JSON documents.
Measured numbers may differ in their last digits, because a loop that was compiled just now rounds otherwise than one
from the cache: that is so within one version, too. No released value and no model depends on it.
Sentences may differ, in documents, in what a command prints, and in pages; they are counted, and shown with --words.
PATTERN is a part of cases' names, such as `recipes/wbc`, `csv`, or several with commas.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import re
import runpy
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
GIT = ("git", "-C", str(ROOT))
# These digest pages and sentences, or name the version of the package.
LOOSE = {"mac", "hushwood", "checksum", "sha256"}
CHECKSUMS = {"files", "private_files"}
PAGES = {".html", ".md"}
ROUNDING = {"rel_tol": 1e-5, "abs_tol": 1e-6}
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def main() -> None:
    """Carry out one of the three commands."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--only", default="", help="only cases whose names have this in them")
    shared.add_argument("--words", action="store_true", help="also show sentences that changed")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    against = commands.add_parser(
        "against", parents=[shared], help="record an older version and this, and compare"
    )
    against.add_argument(
        "revision", nargs="?", help="default: where the branch left main, or the commit before"
    )
    against.add_argument("--keep", type=Path, help="keep both records in this folder")
    one = commands.add_parser("record", parents=[shared], help="run the cases with one version")
    one.add_argument("into", type=Path)
    one.add_argument("--source", type=Path, default=ROOT, help="the checkout whose src/ is run")
    one.add_argument("--inputs", type=Path, help="inputs that another record wrote; default: INTO/inputs")
    both = commands.add_parser("compare", parents=[shared], help="compare two records")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    asked = parser.parse_args()
    if asked.command == "record":
        record(
            asked.into.resolve(), asked.source.resolve(), asked.inputs and asked.inputs.resolve(), asked.only
        )
    elif asked.command == "compare":
        sys.exit(compare(asked.before, asked.after, asked.only, asked.words))
    else:
        sys.exit(compare_with(asked.revision or _usual_revision(), asked.keep, asked.only, asked.words))


def compare_with(revision: str, keep: Path | None, only: str, words: bool) -> int:
    """Record a revision, in a worktree that is removed afterwards, and this checkout, and compare."""
    with tempfile.TemporaryDirectory(prefix="same-bytes-") as scratch:
        folder = (keep or Path(scratch)).resolve()
        older = Path(scratch) / "checkout"
        subprocess.run([*GIT, "worktree", "add", "--detach", "--quiet", older, revision], check=True)
        try:
            for name, source in (("before", older), ("after", ROOT)):
                how: list[str | Path] = ["--source", source, "--inputs", folder / "inputs", "--only", only]
                subprocess.run([sys.executable, HERE, "record", folder / name, *how], check=True)
        finally:
            subprocess.run([*GIT, "worktree", "remove", "--force", older], check=False)
        return compare(folder / "before", folder / "after", only, words)


def _usual_revision() -> str:
    """Where this branch left main; on main the commit before."""
    base, head = (
        subprocess.run([*GIT, *words], capture_output=True, text=True, check=True).stdout.strip()
        for words in (["merge-base", "main", "HEAD"], ["rev-parse", "HEAD"])
    )
    return "HEAD~1" if base == head else base


def record(into: Path, source: Path, inputs: Path | None, only: str) -> None:
    """Run every case that is asked for, in two processes; a case that is there already is run again."""
    wanted = f"{source / 'src'}"
    if os.environ.get("PYTHONPATH", "").split(os.pathsep)[0] != wanted:
        os.environ["PYTHONPATH"] = os.pathsep.join([wanted, str(HERE.parent)])
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - this program, with the other version
    from same_bytes_cases import all_cases
    from same_bytes_inputs import write_inputs

    inputs = inputs or into / "inputs"
    write_inputs(inputs)
    into.mkdir(parents=True, exist_ok=True)
    (into / "day.txt").write_text(datetime.now(UTC).date().isoformat())
    names = [name for name in all_cases() if matches(name, only)]
    started = time.perf_counter()
    # A fork of a process whose libraries have threads may hang.
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        jobs = {pool.submit(run_case, name, into, inputs): name for name in names}
        for place, job in enumerate(as_completed(jobs), 1):
            print(f"{place}/{len(names)} {jobs[job]}: {job.result():.1f} s", flush=True)
    print(f"{len(names)} cases in {time.perf_counter() - started:.0f} s.")


def matches(name: str, only: str) -> bool:
    return any(part in f"{name}/" for part in only.split(","))


def run_case(name: str, into: Path, inputs: Path) -> float:
    """Run the steps of a case in a fresh folder; returns the seconds that it took."""
    from same_bytes_cases import all_cases

    folder = into / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "in").symlink_to(inputs)
    os.chdir(folder)
    os.environ["HUSHWOOD_LEDGER"] = str(folder / "ledger.json")
    fresh = secrets.token_bytes
    started = time.perf_counter()
    try:
        # A key that would be fresh is the same in both versions.
        with mock.patch("secrets.token_bytes", lambda size: bytes(range(32)) if size == 32 else fresh(size)):
            for step in all_cases()[name]:
                _run_command(step) if isinstance(step, str) else step(_run_command)
    except Exception:  # noqa: BLE001 - one case that breaks must not stop the others
        (folder / "fault.txt").write_text(traceback.format_exc())
        print(f"{name} ended with a fault: see {folder / 'fault.txt'}.", flush=True)
    finally:
        os.chdir(into)
        (folder / "in").unlink()
        (folder / "ledger.json").unlink(missing_ok=True)
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    return time.perf_counter() - started


def _run_command(line: str) -> None:
    """Run `hushwood LINE` in this process; what it prints and its exit code go into `said.txt` and `ended.txt`."""
    said, code = io.StringIO(), 0
    sys.argv = ["hushwood", *shlex.split(line)]
    # The command ends its process itself.
    ends = mock.patch("os._exit", side_effect=sys.exit)
    with ends, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            runpy.run_module("hushwood", run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    with Path("said.txt").open("a") as file:
        file.write(f"$ hushwood {line}\n{said.getvalue()}\n")
    with Path("ended.txt").open("a") as file:
        file.write(f"{code} {line}\n")


@dataclass
class Differences:
    """What two files have that is not the same: values, which count as a fault, and words, which do not."""

    values: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def compare(before: Path, after: Path, only: str, words: bool) -> int:
    """Print what differs; 0 if nothing does but sentences."""
    files = {folder: _files(folder, only) for folder in (before, after)}
    cases = {name.parent for name in files[after]}
    days = [(folder / "day.txt").read_text() for folder in (before, after)]
    equal = bad = changed = 0
    for name in sorted(files[before] | files[after]):
        if not any(case in name.parents for case in cases) and not _recorded(after, name):
            continue  # a case that was not recorded again
        if name not in files[before] or name not in files[after]:
            print(f"{name}: only {'before' if name in files[before] else 'after'}")
            bad += 1
            continue
        differences = _compare_files(before / name, after / name, days)
        for sentence in differences.values[:5] + (differences.words[:5] if words else []):
            print(f"{name}: {sentence}")
        changed += len(differences.words)
        bad, equal = bad + bool(differences.values), equal + (not differences.values)
    print(f"{equal} files are equal, {bad} differ; {changed} sentences or pages changed.")
    return 1 if bad or not equal else 0


def _files(folder: Path, only: str) -> set[Path]:
    found = (
        path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
    )
    return {
        path
        for path in found
        if len(path.parts) > 2 and path.parts[0] != "inputs" and matches(path.as_posix(), only)
    }


def _recorded(folder: Path, name: Path) -> bool:
    """Was the case of this file run at all?"""
    return (folder / name.parts[0] / name.parts[1]).is_dir()


def _compare_files(first: Path, second: Path, days: list[str]) -> Differences:
    old, new = first.read_bytes(), second.read_bytes()
    if old == new:
        return Differences()
    if first.suffix == ".xlsx":
        return _compare_archives(old, new)
    if first.name == "record_risk.csv":
        return _compare_rounded(*(text.decode().replace(",", " ") for text in (old, new)))
    if first.suffix not in {".json", ".txt", *PAGES} or first.name.startswith(("ended", "sqlite", "duckdb")):
        return Differences([_first_difference(old, new)])
    was, now = (_without_days(text.decode(), day) for text, day in zip((old, new), days, strict=True))
    if first.suffix == ".json":
        return _compare_documents(json.loads(was), json.loads(now))
    return _compare_pages(was, now, printed=first.suffix == ".txt")


def _first_difference(old: bytes, new: bytes) -> str:
    lines = zip(old.splitlines(), new.splitlines(), strict=False)
    place = next((i for i, (a, b) in enumerate(lines) if a != b), min(old.count(b"\n"), new.count(b"\n")))
    shown = [(text.splitlines() + [b"(end)"] * (place + 1))[place][:90] for text in (old, new)]
    return f"line {place + 1}: {shown[0]!r} became {shown[1]!r}"


def _without_days(text: str, day: str) -> str:
    """Without the day of the record, and the day when a release is to be reviewed."""
    today = datetime.fromisoformat(day).date()
    for days in (0, 1, 365, 366):
        text = text.replace((today + timedelta(days=days)).isoformat(), "A-DAY")
    return text


def _compare_rounded(old: str, new: str) -> Differences:
    """Whether two texts have the same words, and nearly the same numbers between them."""
    same = NUMBER.split(old) == NUMBER.split(new) and _same_numbers(old, new)
    return Differences() if same else Differences([_first_difference(old.encode(), new.encode())])


def _same_numbers(old: str, new: str) -> bool:
    """Whether the numbers of two texts are the same, all but one in the third decimal or a later one."""
    numbers = [NUMBER.findall(text) for text in (old, new)]
    return len(numbers[0]) == len(numbers[1]) and all(map(_nearly, *numbers))


def _nearly(was: str, now: str) -> bool:
    decimals = min(len(each.partition(".")[2]) for each in (was, now))
    if was == now or decimals < 3 or was.count(".") + now.count(".") > 2 or "," in was + now:
        return was == now
    return abs(float(was) - float(now)) < 1.5 * 10.0**-decimals or math.isclose(
        float(was), float(now), **ROUNDING
    )


def _compare_archives(old: bytes, new: bytes) -> Differences:
    """Spreadsheets hold the moment that they were written in."""
    first, second = (
        {name: archive.read(name) for name in archive.namelist() if name != "docProps/core.xml"}
        for archive in map(zipfile.ZipFile, map(io.BytesIO, (old, new)))
    )
    different = [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)]
    return Differences([f"{name} differs" for name in sorted(different)])


def _compare_pages(old: str, new: str, printed: bool) -> Differences:
    """What a command prints may say it better; in pages numbers must stay, and white space is nothing."""
    plain = [" ".join(text.split()) for text in (old, new)]
    if plain[0] == plain[1]:
        return Differences()
    where = _first_difference(*(re.sub(r"(?<=[.>]) ", "\n", text).encode() for text in plain))
    if not printed and not _same_numbers(*plain):
        return Differences([f"numbers: {where}"])
    return Differences(words=[] if NUMBER.split(plain[0]) == NUMBER.split(plain[1]) else [where])


def _compare_documents(old: Any, new: Any) -> Differences:
    """Where two documents differ in keys, order, types or values; sentences are apart."""
    old_leaves, new_leaves = list(_leaves(old, ())), list(_leaves(new, ()))
    old_at, new_at = dict(old_leaves), dict(new_leaves)
    found = Differences()
    if [path for path, _ in old_leaves] != [path for path, _ in new_leaves]:
        apart = sorted(map(str, old_at.keys() ^ new_at.keys()))[:3]
        found.values.append(f"keys differ: {', '.join(apart) or 'their order'}")
    for path in old_at.keys() & new_at.keys():
        was, now = old_at[path], new_at[path]
        if isinstance(was, float) and isinstance(now, float) and math.isclose(was, now, **ROUNDING):
            continue
        if was != now or type(was) is not type(now):
            sentence = isinstance(was, str) and " " in was and isinstance(now, str)
            kind = found.words if sentence else found.values
            kind.append(f"{'.'.join(map(str, path))}: {was!r} became {now!r}")
    return found


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        yield path, "{}"
        for key, part in value.items():
            if key in CHECKSUMS and isinstance(part, dict):
                yield (*path, key), sorted(part)
            elif key not in LOOSE:
                yield from _leaves(part, (*path, key))
    elif isinstance(value, list):
        yield path, "[]"
        for place, part in enumerate(value):
            yield from _leaves(part, (*path, place))
    else:
        yield path, value


if __name__ == "__main__":
    main()
