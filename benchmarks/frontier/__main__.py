"""`make frontier`: run what is not in the cache, then write docs/frontier.json, docs/frontier.md and the pictures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from frontier.charts import picture
from frontier.contenders import BY_NAME, CONTENDERS
from frontier.document import Document, document_of, read_document, write_document
from frontier.page import ALL_TABLES, page, picture_name
from frontier.running import Cache, Run, Unit, run_all
from frontier.tables import APART, DEVELOPMENT, TABLES, available

ROOT = Path(__file__).parents[2]


def main(words: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(words)
    if asked.page_only:
        show(read_document(asked.docs / "frontier.json"), asked.docs)
        return 0
    cache = Cache(asked.cache / "runs.jsonl")
    units = chosen_units(asked.tables, asked.contenders, asked.seeds)
    if asked.fresh:
        cache.forget(units)
    runs, failures = run_all(units, asked.jobs, cache, say)
    for failure in failures:
        say(f"FAILED {failure}")
    if asked.docs and runs:
        publish(runs, asked.docs)
    return int(bool(failures))


def chosen_units(tables: Sequence[str], names: Sequence[str], seeds: int) -> list[Unit]:
    """All runs that are asked for and possible; what is not is printed with its reason."""
    ready = []
    for name in names:
        reason = BY_NAME[name].missing()
        if reason:
            say(f"{name} is skipped: {reason}.")
        else:
            ready.append(name)
    there = []
    for table in tables:
        if available(table):
            there.append(table)
        else:
            say(f"{table} is skipped: HUSHWOOD_DATA does not name a folder that holds it.")
    return [Unit(table, seed, name) for seed in range(seeds) for table in there for name in ready]


def publish(runs: Sequence[Run], docs: Path) -> None:
    document = document_of(runs)
    write_document(document, docs / "frontier.json")
    show(document, docs)


def show(document: Document, docs: Path) -> None:
    """The page and the pictures."""
    (docs / "frontier.md").write_text(page(document), "utf-8")
    pictures = docs / "pictures"
    pictures.mkdir(exist_ok=True)
    development = document.tables(DEVELOPMENT)
    if development:
        title = f"Means over {len(development)} development tables"
        (pictures / ALL_TABLES).write_text(picture(document, development, title), "utf-8")
    for table in document.tables((*DEVELOPMENT, *APART)):
        (pictures / picture_name(table)).write_text(picture(document, (table,), table), "utf-8")


def say(line: str) -> None:
    print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    names = [contender.name for contender in CONTENDERS]
    parser = argparse.ArgumentParser(prog="make frontier", description=__doc__)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES), metavar="TABLE")
    parser.add_argument("--contenders", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="splits of every table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument(
        "--cache",
        type=Path,
        default=ROOT / "build" / "frontier",
        metavar="DIR",
        help="where finished runs are kept",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="run again what is asked for, whatever is finished"
    )
    parser.add_argument(
        "--docs", type=Path, default=ROOT / "docs", metavar="DIR", help="where the results go"
    )
    parser.add_argument(
        "--page-only", action="store_true", help="write page and pictures from frontier.json again"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
