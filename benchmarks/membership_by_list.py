"""How well a list of candidates tells who was in the table: `python benchmarks/membership_by_list.py [--only TEXT]`.

Every job is kept in docs/membership.json when it is done, and not done again: the truth (24 throw-away releases), what
quick evidence says under fresh keys, what drawing costs, the other techniques, and which parts of the default leak
beyond the law. `membership_page.py` writes the tables of the documents from that file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import numpy as np
import polars as pl
from membership_tables import table_named
from membership_utility import Coding, auc, distances, overlap

import hushwood as hw
from hushwood.attacks.judging import shadows
from hushwood.attacks.judging.targets import TriedRelease, scenarios_for
from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.case import Case
from hushwood.evaluation.controls import PARTS, Control, Effort, control_releases, split_of
from hushwood.evaluation.evaluate import _trial
from hushwood.evaluation.membership_law import law_facts
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.pairs.pairing import NONE, pair_up, paired_tables
from hushwood.tables.recoding.preparation import CoarseColumns, Preparation
from hushwood.tables.recoding.rare_levels import RareLevels
from hushwood.tables.table import Table
from hushwood.techniques import segment_shuffle

RESULTS = Path(__file__).parent.parent / "docs" / "membership.json"
ROUNDS, KEYS, TARGETS = 8, 3, 4_000
NULLS = 3
SECOND_SAMPLE_FROM = 3_000
SMALL = ("gbsg2", "kidney_transplant", "anes96", "made 1,000 × 6", "rossi", "wbc", "boston", "bupa", "wine")
LARGE = ("fair", "randhie", "made 10,000 × 40", "made 50,000 × 15")
RIVALS = (
    "forest-framework",
    "framework",
    "extended-framework",
    "forest-extended-framework",
    "cart-synthesis",
    "forest-synthesis",
    "copula-synthesis",
    "mondrian",
    "rankswap",
    "swap",
)
PEERS = ("arfpy", "python-synthpop")
RIVAL_TABLES = ("cmc", "gbsg2", "adult 4,000")
SLOW = {"made 50,000 × 15": 12, "made 10,000 × 40": 12}  # throw-away releases
ABLATED = ("made 1,000 × 6", "gbsg2")
WHOLE = {"leaves": "whole segment"}  # nothing is proposed that goes together
ABLATIONS: Sequence[Mapping[str, Any]] = (
    {},
    {"teacher": "none"},
    WHOLE,
    {"blur": 0},
    {"redraw": 0, "rare": "group", "rare_below": 15},
)


@dataclass(frozen=True)
class Job:
    """What is measured on which table, with which options or peer, under which key."""

    kind: str
    table: str
    options: Mapping[str, Any] = field(default_factory=dict)
    key: int = 0

    @property
    def name(self) -> str:
        return json.dumps([self.kind, self.table, dict(self.options), self.key])

    def run(self) -> dict[str, Any]:
        return JOBS[self.kind](self)


def streams_of(job: Job) -> Streams:
    return Streams(bytes([job.key + 1]) * 32)


def prepared(frame: pl.DataFrame, target: str, options: PerturbOptions) -> Table:
    """The table as a release would learn from it: rare levels are grouped before."""
    table = hw.read_table(frame, target=target)
    limit = options.rare_limit(table.rows)
    return Preparation(CoarseColumns(), RareLevels.of(table, options.rare_rule, limit)).on_table(table)


def truth(job: Job) -> dict[str, Any]:
    """What one learner over all ways finds on throw-away releases that never met the people it judges."""
    start = time.process_time()
    frame, target = table_named(job.table)
    releases, peer = int(job.options.get("releases", 3 * ROUNDS)), job.options.get("peer")
    given = {n: v for n, v in job.options.items() if n not in ("releases", "peer", "same_k", "leaves")}
    options = PerturbOptions(**given, threads=1)
    if job.options.get("same_k"):
        usual = PerturbOptions(threads=1)
        options = replace(options, k=usual.settled(prepared(frame, target, usual), frame.height).k)
    table = prepared(frame, target, PerturbOptions(rare="keep") if peer else options)
    streams, effort = streams_of(job), Effort(outsiders=10**9, releases=releases)
    if peer:
        controls = peer_releases(table, frame, target, str(peer), releases, streams)
    else:
        whole = patch.object(segment_shuffle, "smallest_leaf", one_leaf)
        with whole if job.options.get("leaves") else nullcontext():
            controls = control_releases(table, options, effort, streams)
    made = time.process_time() - start
    found = scored(table, controls, streams)
    excess = shadows.pooled(found, shadows.combined(found, streams), streams).excess(releases)
    said = {
        "rows": table.rows,
        "columns": len(table.columns),
        "releases": releases,
        "advantage": [excess.value, *excess.interval],
        **{name: list(value) for name, value in excess.further.items()},
        "null": nulls(found, streams, releases),
        "seconds": [made, time.process_time() - start - made],
    }
    return said | ({} if peer else predicted(table, options, effort, streams))


def one_leaf(_: int, records: int) -> int:
    """The smallest leaf of a proposal tree that is to have no other; no option asks for that."""
    return records


def scored(table: Table, controls: tuple[Control, ...], streams: Streams) -> shadows.Shadows:
    """Every candidate's score, of every way and release."""
    attack, tried = ATTACKS["list_membership"](), []
    case = Case(paired_tables(table, table), streams, controls=controls)
    for number, (other, own) in enumerate(zip(case.of_controls(), controls, strict=True)):
        scenario = scenarios_for(attack, other.pair.original.schema)[0]
        trial = _trial(attack, scenario, other, TARGETS)
        tried.append(TriedRelease(trial, own.inside, own.outside, number // PARTS))
    found = shadows.shadows_of(tried, table.rows)
    if found is None:
        raise ValueError("Nobody was inside or outside.")
    return found


def nulls(found: shadows.Shadows, streams: Streams, releases: int) -> list[list[float]]:
    """Advantage and rate at 1 % with the labels of other random thirds, three times."""
    chance, said = np.random.default_rng(0), []
    for _ in range(NULLS):
        wrong = np.ones_like(found.inside)
        for number in np.unique(found.rounds):
            parts = np.array_split(chance.permutation(found.inside.shape[1]), PARTS)
            for release, part in zip(np.flatnonzero(found.rounds == number), parts, strict=True):
                wrong[release, part] = False
        other = replace(found, inside=wrong)
        excess = shadows.pooled(other, shadows.combined(other, streams), streams).excess(releases)
        said.append([excess.value, excess.further["at_1_percent"][0]])
    return said


def predicted(table: Table, options: PerturbOptions, effort: Effort, streams: Streams) -> dict[str, Any]:
    """What the law says of a throw-away release, and how it was made."""
    settled = options.settled(table, table.rows)
    alike = replace(settled, k=settled.smallest_segment(table.rows))
    original = table.take(split_of(table.rows, effort, streams, 0)[0])
    made = perturb(original, alike, Streams(streams.derive("law", "", 0)))
    law, segments = law_facts(original, made), int(np.count_nonzero(made.segments.sizes))
    if law is None:
        return {"segments": segments}
    return {
        "k": settled.k,
        "segments": segments,
        "cells": law.cells,
        "people": law.people,
        "law": law.listed,
        "law_all_but_one": law.all_but_one,
    }


def peer_releases(
    table: Table, frame: pl.DataFrame, target: str, peer: str, releases: int, streams: Streams
) -> tuple[Control, ...]:
    """Throw-away releases of a peer in its own environment, judged as made-up tables."""
    from frontier.contenders import BY_NAME
    from frontier.releases import release
    from frontier.tables import Split

    found = []
    for number in range(releases):
        inside, outside = split_of(table.rows, Effort(releases=releases), streams, number)
        key = bytes([number + 1]) * 32
        made = release(BY_NAME[peer], Split(frame[inside], target, cast("Any", None)), key).frame
        made = made.select(frame.columns).cast(frame.schema, strict=False)
        pair = pair_up(table.take(inside), made, streams, match=NONE, holdout=frame[outside])
        found.append(Control(replace(pair, made_up=True), inside, outside))
    return tuple(found)


def verdict(job: Job) -> dict[str, Any]:
    """What `release` says of itself under a fresh key."""
    frame, target = table_named(job.table)
    table, start = hw.read_table(frame, target=target), time.process_time()
    done = hw.release(table, policy="public", evidence="quick", seed=1_000 + job.key, **job.options)
    checks = {}
    for check in done.verdict.checks:
        e = check.estimate
        checks[check.name] = [check.status, *((e.value, e.low, e.high) if e else ())]
    return {"status": done.verdict.status, "checks": checks, "seconds": time.process_time() - start}


def cost(job: Job) -> dict[str, Any]:
    """Utility of a release of some of the people, beside other people's table of the same size where there are any."""
    frame, target = table_named(job.table)
    order = np.random.default_rng(5).permutation(frame.height)
    second = frame.height >= SECOND_SAMPLE_FROM
    parts = np.array_split(order, 3)
    inside = parts[0] if second else np.concatenate(parts[:2])
    own, held = frame[np.sort(inside)], frame[np.sort(parts[2])]
    coding, said = Coding(own, target), {}
    settings: dict[str, Callable[[int], pl.DataFrame]] = {
        f"redraw {v}": lambda key, v=v: _released(own, target, v, key)  # type: ignore[misc]
        for v in (0, 1, 3)
    }
    settings["bootstrap"] = lambda key: own[np.random.default_rng(key).integers(0, own.height, own.height)]
    if second:
        settings["second sample"] = lambda _: frame[np.sort(parts[1])]
    for name, made in settings.items():
        frames = [made(key) for key in range(1 if name == "second sample" else KEYS)]
        each: list[dict[str, float | None]] = [
            {
                **distances(coding, own, one),
                "auc": auc(coding, one, held),
                **(overlap(own, one, target) or {}),
            }
            for one in frames
        ]
        said[name] = {part: _mean([one.get(part) for one in each]) for part in each[0]}
    return {"rows": own.height, "original_auc": auc(coding, own, held), **said}


def _mean(values: list[float | None]) -> float | None:
    there = [v for v in values if v is not None]
    return float(np.mean(there)) if there else None


def _released(frame: pl.DataFrame, target: str, redraw: float, key: int) -> pl.DataFrame:
    options = PerturbOptions(redraw=redraw, threads=1)
    table = prepared(frame, target, options)
    settled = options.settled(table, table.rows)
    return released_frame(perturb(table, settled, Streams(bytes([key + 50]) * 32)).table)


JOBS: Mapping[str, Callable[[Job], dict[str, Any]]] = {"truth": truth, "verdict": verdict, "cost": cost}


def jobs() -> list[Job]:
    """Everything, what matters most first: the truth, verdicts, costs, the other techniques."""
    held = [*SMALL, *LARGE]
    found = [Job("truth", name, _releases(name)) for name in held]
    found += [Job("verdict", name) for name in SMALL]
    found += [Job("cost", name) for name in held]
    found += [Job("verdict", name, {}, key) for key in range(1, KEYS) for name in SMALL]
    found += [
        Job("truth", name, given)
        for name in RIVAL_TABLES
        for given in ({"releases": 12}, {"redraw": 0, "releases": 12})
        if given.get("redraw") == 0 or name not in SMALL
    ]
    found += [
        Job("truth", name, {"technique": rival, "releases": 12}) for name in RIVAL_TABLES for rival in RIVALS
    ]
    for name in ABLATED:
        found += [Job("truth", name, {**given, "same_k": True, "releases": 12}) for given in ABLATIONS]
    found += [Job("verdict", name, {}, key) for name in LARGE for key in range(KEYS)]
    found += [Job("truth", name, {"redraw": 3, **_releases(name)}) for name in SMALL]
    found += [Job("verdict", name, {"redraw": 3}, key) for key in range(KEYS) for name in SMALL]
    return found + [
        Job("truth", name, {"peer": peer, "releases": 6}) for name in RIVAL_TABLES for peer in PEERS
    ]


def _releases(name: str) -> dict[str, Any]:
    return {"releases": SLOW[name]} if name in SLOW else {}


def results(file: Path = RESULTS) -> dict[str, dict[str, Any]]:
    if not file.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="jobs whose name holds this text")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--list", action="store_true", help="say what is not done")
    asked = parser.parse_args()
    for job in jobs():
        done = results(asked.results)
        if asked.only not in job.name or job.name in done:
            continue
        if asked.list:
            print(job.name)
            continue
        start = time.time()
        try:
            found = job.run()
        except (ValueError, RuntimeError, ArithmeticError, hw.HushwoodError) as error:
            found = {"failed": f"{type(error).__name__}: {error}"}
        print(f"{time.time() - start:6.1f} s {job.name} {_short(found)}", file=sys.stderr, flush=True)
        kept = {**results(asked.results), job.name: _rounded(found)}
        asked.results.write_text(json.dumps(kept, indent=0) + "\n", "utf-8")


def _short(found: Mapping[str, Any]) -> str:
    return json.dumps(
        {n: _rounded(v) for n, v in found.items() if n in ("advantage", "law", "failed", "status")}
    )


def _rounded(found: Any) -> Any:
    if isinstance(found, float):
        return round(found, 4)
    if isinstance(found, Mapping):
        return {name: _rounded(value) for name, value in found.items()}
    return [_rounded(value) for value in found] if isinstance(found, list | tuple) else found


if __name__ == "__main__":
    main()
