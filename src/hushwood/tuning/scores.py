"""One candidate on one ground: what the policy's checks find, and how useful it is, on splits that all share.

Risks are those of the release's own evidence. Utility is the mean place of a few measures between pure noise (0) and
the untouched table (1), on throw-away releases whose held-out records test the models. Scores are written down as they
are found, so that a search that was stopped goes on where it ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean
from threading import Lock
from typing import Any

from hushwood.errors import InputError
from hushwood.evaluation.case import Case, noise_table
from hushwood.evaluation.controls import (
    FEWEST_FOR_CONTROL,
    PARTS,
    Control,
    Effort,
    control_releases,
    evidence_streams,
    pair_of,
    split_rows,
)
from hushwood.evaluation.evaluate import evaluate
from hushwood.evaluation.evaluation import About, AuditFacts, Evaluation, ReleaseFacts
from hushwood.evaluation.levels import Level
from hushwood.evaluation.release_facts import column_facts
from hushwood.json_texts import parsed_json
from hushwood.measures.models.grown import builder_for
from hushwood.measures.protocol import Measure, Measurement
from hushwood.measures.registry import MEASURES
from hushwood.policies.policy import Policy, built_in_names, policy_named
from hushwood.policies.verdict import Check, CheckStatus, Status, verdict_on
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, perturb
from hushwood.reports.release.judgement import place_between
from hushwood.tables.pairs.pairing import Pair, paired_tables
from hushwood.tables.recoding.rare_levels import RareLevels, without_rare_levels
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate

SMALLEST_LIMIT = 0.01  # a stricter limit is taken for this one where risks are shown as shares of their limit
UNTOUCHED, NOISE = "the untouched table", "pure noise"
FORMAT = "hushwood-tuning-notes"
_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Risk:
    """One check of the policy; without a value, `reason` says why there is none."""

    check: str
    at_most: float
    status: CheckStatus
    value: float | None = None
    low: float = 0.0
    high: float = 0.0
    reason: str = ""
    not_shown_above: float | None = None

    @staticmethod
    def of(check: Check) -> Risk:
        """What a verdict says."""
        asked, found = check.requirement, check.estimate
        bare = Risk(
            check.name,
            asked.at_most,
            check.status,
            reason=check.reason,
            not_shown_above=asked.not_shown_above,
        )
        return bare if found is None else replace(bare, value=found.value, low=found.low, high=found.high)

    def share(self, number: float) -> float:
        """A risk as a share of its limit."""
        return max(number, 0.0) / max(self.at_most, SMALLEST_LIMIT)


@dataclass(frozen=True, slots=True)
class Score:
    """What was found about a candidate; `splits` holds its utility on every shared split.

    `measures` are the means of the yardsticks, `cleared_by` the built-in policies that would clear the same evidence.
    """

    label: str
    records: int
    releases: int
    status: Status
    risks: tuple[Risk, ...]
    splits: tuple[float, ...]
    measures: Mapping[str, float] = field(default_factory=dict)
    cleared_by: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()

    @property
    def utility(self) -> float:
        """The mean over the splits."""
        return fmean(self.splits)

    @property
    def cleared(self) -> bool:
        """Whether the policy clears it."""
        return self.status == "cleared"

    @property
    def weight(self) -> float:
        """How many records stand behind it, counted once for every throw-away release."""
        return float(self.records * self.releases)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Score:
        """What `to_json` gave."""
        risks = tuple(Risk(**risk) for risk in plain["risks"])
        lists = {name: tuple(plain[name]) for name in ("splits", "cleared_by", "blocking")}
        return Score(**{**plain, **lists, "risks": risks})


@dataclass(frozen=True)
class Ground:
    """Where candidates are compared: a table or a sample of it, the evidence to collect, and the shared seeds.

    `streams` are the release's, so that on the whole table a candidate is judged as its release will be; `judging`
    draws targets. Utility is measured on `splits` throw-away releases or more.
    """

    table: Table
    policy: Policy
    level: Level
    streams: Streams
    judging: Streams
    splits: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        if self.table.rows < FEWEST_FOR_CONTROL:
            raise InputError(
                f"The table has {self.table.rows} records, and tuning needs {FEWEST_FOR_CONTROL} or more to hold some "
                "back; choose a technique yourself with hushwood release."
            )

    @property
    def name(self) -> str:
        """What tells it from other grounds of the same search."""
        return f"{self.table.rows} records, {self.releases} and {self.splits} releases, {self.level.targets} targets"

    @property
    def releases(self) -> int:
        """The throw-away releases on which risk is measured."""
        return self.level.effort.number(self.table.rows)

    @property
    def outsiders(self) -> int:
        """How many people were outside of them."""
        return self.releases * (min(self.table.rows, self.level.effort.most_records) // PARTS)

    @property
    def effort(self) -> Effort:
        """The throw-away releases on which utility is measured; the first of them are those for risk."""
        number = max(self.releases, self.splits)
        return replace(self.level.effort, outsiders=number * self.table.rows, releases=number)

    @property
    def evidence(self) -> Streams:
        """What throw-away releases are made with."""
        return evidence_streams(self.streams)

    @cached_property
    def ends(self) -> Mapping[str, tuple[float, float]]:
        """What every yardstick says of the untouched table and of pure noise, as means over all parts of the table."""
        steadier = replace(self, splits=max(self.splits, PARTS))
        untouched, noise = (
            _means([_measured(control.pair, self) for control in _references(steadier, kind)])
            for kind in (UNTOUCHED, NOISE)
        )
        return {name: (untouched[name], noise[name]) for name in untouched if name in noise}


def score(candidate: Candidate, ground: Ground) -> Score:
    """Release the ground's table by a candidate, and parts of it, and judge them."""
    options = replace(candidate.options, threads=ground.threads)
    rare = RareLevels.of(ground.table, options.rare_rule, options.rare_limit(ground.table.rows))
    table = without_rare_levels(ground.table, rare)
    perturbed = perturb(table, options, ground.streams)
    controls = control_releases(table, options, ground.effort, ground.evidence)
    return _judged(candidate.label, ground, pair_of(table, perturbed), controls, perturbed)


def corner(kind: str, ground: Ground) -> Score:
    """The same for the untouched table or for pure noise in the place of a release."""
    released = _in_place_of(ground.table, kind, ground.judging)
    pair = paired_tables(ground.table, released, None)
    return _judged(kind, ground, pair, _references(ground, kind))


def _references(ground: Ground, kind: str) -> tuple[Control, ...]:
    """Throw-away releases that are the untouched table or pure noise."""
    made = []
    effort = ground.effort
    for number in range(effort.number(ground.table.rows)):
        inside, outside = split_rows(ground.table, effort, ground.evidence, number)
        original = ground.table.take(inside)
        released = _in_place_of(original, kind, ground.judging)
        made.append(Control(paired_tables(original, released, ground.table.take(outside)), inside, outside))
    return tuple(made)


def _in_place_of(table: Table, kind: str, streams: Streams) -> Table:
    return table if kind == UNTOUCHED else noise_table(table, streams)


def _judged(
    label: str, ground: Ground, pair: Pair, controls: Sequence[Control], perturbed: Perturbed | None = None
) -> Score:
    case = Case(
        pair, ground.judging, perturbed, controls=tuple(controls[: ground.releases]), threads=ground.threads
    )
    findings = evaluate(case, ground.level)
    evaluation = Evaluation(
        pair.match,
        column_facts(pair.original),
        findings.measures,
        findings.attacks,
        {},
        ReleaseFacts(About(), pair.original.rows, pair.released.rows),
        AuditFacts(ground.level.name, findings.pair.original.rows, ground.level.targets),
    )
    verdict = verdict_on(evaluation, ground.policy)
    measured = [_measured(control.pair, ground) for control in controls]
    others = (name for name in built_in_names() if verdict_on(evaluation, policy_named(name)).cleared)
    return Score(
        label,
        pair.original.rows,
        ground.releases,
        verdict.status,
        tuple(map(Risk.of, verdict.checks)),
        tuple(_utility(values, ground.ends) for values in measured),
        _means(measured),
        tuple(others),
        verdict.blocking,
    )


def usefulness(pairs: Sequence[Pair], ground: Ground) -> list[float]:
    """How useful throw-away releases are, from 0, pure noise, to 1, the untouched table."""
    return [_utility(_measured(pair, ground), ground.ends) for pair in pairs]


def yardsticks() -> tuple[Measure, ...]:
    """The measures that count in the utility of a release."""
    return tuple(measure for make in MEASURES.values() if (measure := make()).yardstick)


def _measured(pair: Pair, ground: Ground) -> dict[str, float]:
    """What the yardsticks say of a throw-away release; models are tested on its hold-out.

    The models are those of the table, whatever the release was made with.
    """
    # Rows are not paired: the hold-out is what the models are tested on.
    unpaired, builder = replace(pair, partner=None), builder_for(pair.original.rows)
    case = Case(unpaired, ground.judging, builder=builder, threads=ground.threads)
    answers = {one.name: case.result(one, brief=True)[0] for one in yardsticks()}
    return {name: one.value for name, one in answers.items() if isinstance(one, Measurement)}


def _utility(values: Mapping[str, float], ends: Mapping[str, tuple[float, float]]) -> float:
    places = [_place(name, value, ends) for name, value in values.items()]
    known = [place for place in places if place is not None]
    return fmean(known) if known else 0.0


def _place(name: str, value: float, ends: Mapping[str, tuple[float, float]]) -> float | None:
    """Where a number stands from pure noise, 0, to the untouched table, 1."""
    if name not in ends:
        return None
    untouched, noise = ends[name]
    return place_between(value, noise, untouched, MEASURES[name]().better)


def _means(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for values in measured for name in values)
    return {name: fmean(values[name] for values in measured if name in values) for name in names}


def key_of(path: Path | None, about: str) -> bytes | None:
    """The key in the notes of an earlier search for the same thing, if there are such notes."""
    head = None if path is None else _head(path)
    if head is None or head.get("about") != about:
        return None
    try:
        return bytes.fromhex(str(head["key"]))
    except (KeyError, ValueError):
        return None


class Notes:
    """The scores of a search by ground and candidate, in a file if there is a path.

    One line of JSON per score after a first line that says what they are about. A changed table, policy or setting
    starts over. The first line also holds the key under which the scores were found: only the owner may read the file.
    """

    def __init__(self, path: Path | None, about: str, key: bytes) -> None:
        self._path, self._lock = path, Lock()
        self._known: dict[tuple[str, str], Score] = {}
        if path is None:
            return
        head = {"format": FORMAT, "about": about, "key": key.hex()}
        if _head(path) == head:
            self._read(path)
        else:
            _check_ours(path)
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append(head)

    def get(self, ground: str, label: str) -> Score | None:
        """A score that is known."""
        return self._known.get((ground, label))

    def add(self, ground: str, found: Score) -> None:
        """Write a score down."""
        with self._lock:
            self._known[ground, found.label] = found
            if self._path is not None:
                self._append({"ground": ground, **found.to_json()})

    def close(self) -> None:
        """Delete the file: the search is done."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _read(self, path: Path) -> None:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        whole = lines[: -1 if lines and not lines[-1].endswith("\n") else None]
        for line in whole[1:]:
            entry = parsed_json(line)
            ground = entry.pop("ground")
            self._known[ground, entry["label"]] = Score.from_json(entry)
        if len(whole) < len(lines):  # the last line was cut off when the search was stopped
            path.write_text("".join(whole), "utf-8")

    def _append(self, entry: Mapping[str, Any]) -> None:
        if self._path is None:
            return
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _check_ours(path: Path) -> None:
    """Refuse to replace a file that does not hold notes, whole or cut off."""
    if path.exists() and not path.read_bytes().startswith(f'{{"format": "{FORMAT}"'.encode()):
        raise InputError(
            f"{path} is where tuning keeps its notes, and something else is there; move it away, or choose another "
            "folder with -o."
        )


def _head(path: Path) -> dict[str, Any] | None:
    try:
        with path.open(encoding="utf-8") as file:
            head = parsed_json(file.readline())
    except (OSError, ValueError):
        return None
    return head if isinstance(head, dict) and head.get("format") == FORMAT else None
