"""Who is attacked and what the intruder knows about them; the map back to the truth stays with the scorer.

Scenarios are proposed from the roles, or else the names, of a table's attributes. Targets come in an order that only
the key knows, as copies that cannot be written to, without row numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import ceil, floor
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.attacks.judging.scoring import Truth
from hushwood.attacks.protocol import Attack, Knowledge, Scenario
from hushwood.random_streams import Streams
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

MOST_WANTED = 4

# Attributes that neighbours, registers or colleagues often know: whole words, and parts of words.
_WORDS = re.compile(
    "age|sex|race|zip|city|town|job|area|dob|state|county|region|district|country|nation|family|children"
)
_PARTS = re.compile(
    "gender|postcode|postal|birth|marital|married|occupation|workclass|education|school|ethnic|religion|citizen|"
    "nationality|residence|relationship|profession|employ|household|height"
)
TARGETS = 2_000
_PURPOSE = "attack"


def scenarios_for(attack: Attack, schema: Schema) -> tuple[Scenario, ...]:
    """The scenarios in which to try an attack on releases with this schema; the intruder who knows most comes first."""
    match attack.goal:
        case "row":
            return _knowing(schema)
        case "value":
            return tuple(_wanting(schema))
        case "parts":
            return _two_sources(schema)
        case "member":
            says = (
                "The intruder has a list of candidates, two thirds of whom are in the table, knows all attributes of "
                "everybody on it, how the release was made, and the published tree."
                if attack.listed
                else "The intruder knows all attributes of a person and asks whether that person is in the table."
            )
            return (Scenario("whole record", says, tuple(a.name for a in schema.kept)),)
        case "predicate":
            return (
                Scenario(
                    "release alone",
                    "The intruder has the release and knows nothing about the people in it.",
                    (),
                ),
            )
        case "numbers":
            says = "The intruder has the release and knows what kind of noise was added."
            return (Scenario("release alone", says, ()),)


def known_to_others(schema: Schema) -> tuple[tuple[str, ...], str]:
    """The attributes that others may know about a person, and in words why.

    They are the declared quasi-identifiers; else those whose names suggest it; else the first third of the attributes.
    """
    declared = schema.in_role("quasi-identifier")
    if declared:
        return declared, "the declared quasi-identifiers"
    names = [a.name for a in schema.tested if a.role != "confidential"]
    public = tuple(name for name in names if _sounds_public(name))
    if public:
        return public, "the attributes that others often know, judged by their names"
    third = max(1, len(names) // 3)
    return tuple(names[:third]), "the first third of the attributes, as no quasi-identifiers are declared"


def _knowing(schema: Schema, wants: str | None = None) -> tuple[Scenario, ...]:
    """Intruders who know everything else, and those who know what others may know."""
    inputs = tuple(a.name for a in schema.inputs if a.name != wants)
    rest = _everything(schema) if wants is None else f"all other attributes and wants {wants!r}"
    proposed = [Scenario(_name("everything", wants), f"The intruder knows {rest}.", inputs, wants=wants)]
    known, source = known_to_others(schema)
    known = tuple(name for name in known if name != wants)
    wish = "" if wants is None else f", and wants {wants!r}"
    proposed.append(
        Scenario(_name("quasi-identifiers", wants), f"The intruder knows {source}{wish}.", known, wants=wants)
    )
    return tuple(proposed if known and known != inputs else proposed[:1])


def _everything(schema: Schema) -> str:
    classes = len(schema.classes)
    return f"all attributes{'' if not classes else ' except the class' if classes == 1 else ' except the classes'}"


def _wanting(schema: Schema) -> Iterable[Scenario]:
    """For the classes and the first confidential attributes: intruders who want to know them.

    Where there is neither, anything may be secret that others do not know.
    """
    wanted = [a.name for a in schema.classes]
    wanted += schema.in_role("confidential")[:MOST_WANTED]
    if not wanted:
        known, names = known_to_others(schema)[0], [a.name for a in schema.inputs]
        wanted = [name for name in names if name not in known][:MOST_WANTED] or names[-1:]
    for name in wanted:
        yield from _knowing(schema, name)


def _two_sources(schema: Schema) -> tuple[Scenario, ...]:
    """One source has the quasi-identifiers and one the rest; if there is no rest, each has every other attribute."""
    names = tuple(a.name for a in schema.inputs)
    first, source = known_to_others(schema)
    second = tuple(name for name in names if name not in first)
    if first and second:
        says = f"One source has {source}, another the rest; the intruder joins the two."
        return (Scenario("quasi-identifiers and rest", says, first, second),)
    if len(names) > 1:
        says = "Two sources have half of the attributes each; the intruder joins them."
        return (Scenario("two halves", says, names[::2], names[1::2]),)
    return (Scenario("two halves", "There are not enough attributes for two sources.", names),)


def _name(knows: str, wants: str | None) -> str:
    return knows if wants is None else f"{knows}, {wants}"


def _sounds_public(name: str) -> bool:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.findall(r"[^\W\d_]+", spaced.lower())
    return any(_WORDS.fullmatch(word) or _PARTS.search(word) for word in words)


@dataclass(frozen=True, slots=True)
class Trial:
    """One attack in one scenario on one release, with all that the scorer knows.

    `partner[i]` is the released row of original row i (-1: dropped), `holdout` are people who were never in the table,
    `method` is what the release says about how it was made. Without `luck` the attack is not tried blindly as well: its
    rate is the same, but its interval cannot be trusted. `naive_once` is for trials of which only the rate matters: the
    naive guesser then guesses once. If a release is `made_up`, no record stands for a
    person. `tree` is what was published with it.
    """

    attack: Attack
    scenario: Scenario
    original: Table
    released: Table
    _: KW_ONLY
    partner: Integers | None
    streams: Streams
    holdout: Table | None = None
    targets: int = TARGETS
    method: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1
    luck: bool = True
    naive_once: bool = False
    made_up: bool = False
    tree: Forest | None = None

    def streams_for(self, purpose: str, draw: int = 0) -> Streams:
        """Streams of the attack's own, from which the scorer's cannot be found."""
        return Streams(self.streams.derive(f"attack {purpose}", self.attack.name, draw))


@dataclass(frozen=True, slots=True)
class TriedRelease:
    """A release to attack, and who its people are: person numbers of the original's and the hold-out's rows.

    In the releases of one `round` everyone is outside once, so that two of them give the third away.
    """

    trial: Trial
    inside: Integers
    outside: Integers
    round: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """The knowledge that goes to an attack, and the truth that does not."""

    knowledge: Knowledge
    truth: Truth


def draw_rows(rows: Integers, count: int, streams: Streams, name: str = "targets") -> Integers:
    """Some of the rows, in keyed order."""
    return rows[streams.order(_PURPOSE, name, rows)[:count]]


def known_targets(trial: Trial) -> Known:
    """Targets from the original, and what the intruder knows about them."""
    if trial.attack.goal == "member" and trial.holdout is not None:
        if trial.attack.listed:
            return list_of_candidates(trial, trial.holdout)
        return members_and_others(trial, trial.holdout)
    shown = ceil(trial.targets / trial.attack.picks)
    rows = draw_rows(np.arange(trial.original.rows), shown, trial.streams)
    return known_rows(trial, trial.original, rows, trial.partner)


def known_rows(trial: Trial, table: Table, rows: Integers, partner: Integers | None) -> Known:
    """What the intruder knows about these rows of a table."""
    scenario, second_order, other = trial.scenario, None, {}
    if trial.attack.goal == "parts":
        order = draw_rows(np.arange(len(rows)), len(rows), trial.streams, "second parts")
        second_order = np.empty_like(order)
        second_order[order] = np.arange(len(order))
        other = _copies(table, rows[order], scenario.other)
    columns = _copies(table, rows, scenario.knows)
    knowledge = Knowledge(
        table.schema, len(rows), columns, other, scenario.wants, trial.method, trial.threads
    )
    partner_rows = None if partner is None else partner[rows]
    return Known(knowledge, Truth(table, rows, partner_rows, second_order, wants=scenario.wants))


def members_and_others(trial: Trial, holdout: Table, swapped: bool = False) -> Known:
    """People of the table in the attack's share of members, and others who were never in it, mixed in keyed order.

    Half of the hold-out can be among these others; the rest is the intruder's reference sample. `swapped` changes
    the two halves.
    """
    table, streams = trial.original, trial.streams
    rows = np.arange(table.rows)
    if trial.partner is not None:
        rows = rows[trial.partner >= 0]
    drawn = draw_rows(np.arange(holdout.rows), holdout.rows, streams, "others")
    others, reference = np.split(drawn, [ceil(holdout.rows / 2)])
    if swapped:
        others, reference = reference, others
    members, strangers = _group_sizes(trial.targets, trial.attack.members, len(rows), len(others))
    count = members + strangers
    inside, outside = draw_rows(rows, members, streams), others[:strangers]
    order = draw_rows(np.arange(count), count, streams, "members and others")
    target_rows = np.concatenate((inside, np.full(strangers, -1)))[order]
    holdout_rows = np.concatenate((np.full(members, -1), outside))[order]
    columns = {
        name: _locked(np.concatenate((table.columns[name][inside], holdout.columns[name][outside]))[order])
        for name in trial.scenario.knows
    }
    knowledge = Knowledge(
        table.schema,
        count,
        columns,
        method=trial.method,
        threads=trial.threads,
        reference=_copies(holdout, reference, trial.scenario.knows),
    )
    truth = Truth(table, target_rows, members=target_rows >= 0, holdout_rows=holdout_rows)
    return Known(knowledge, truth)


def list_of_candidates(trial: Trial, holdout: Table, wanted: Flags | None = None) -> Known:
    """Everybody in the table and in the hold-out, as a list in keyed order: the targets, and behind them the rest.

    `wanted` says who of the table, then of the hold-out, is a target; otherwise they are drawn by the key. Who was
    dropped from the release is not on the list.
    """
    table, streams = trial.original, trial.streams
    there = np.arange(table.rows) if trial.partner is None else np.flatnonzero(trial.partner >= 0)
    people = np.concatenate((there, table.rows + np.arange(holdout.rows)))
    people = draw_rows(people, len(people), streams, "list of candidates")
    if wanted is None:
        targets, rest = np.split(people, [trial.targets])
    else:
        targets, rest = people[wanted[people]], people[~wanted[people]]
    both = {
        name: np.concatenate((table.columns[name], holdout.columns[name])) for name in trial.scenario.knows
    }
    columns, reference = (
        {name: _locked(values[rows]) for name, values in both.items()} for rows in (targets, rest)
    )
    knowledge = Knowledge(
        table.schema,
        len(targets),
        columns,
        method=trial.method,
        threads=trial.threads,
        reference=reference,
        tree=trial.tree,
    )
    inside = targets < table.rows
    target_rows, holdout_rows = np.where(inside, targets, -1), np.where(inside, -1, targets - table.rows)
    return Known(knowledge, Truth(table, target_rows, members=inside, holdout_rows=holdout_rows))


def _group_sizes(targets: int, share: float, inside: int, outside: int) -> tuple[int, int]:
    """How many members and others make up the most targets in which members have that share; none if one is missing.

    >>> _group_sizes(2000, 0.5, 300, 100), _group_sizes(2000, 0.8, 300, 100), _group_sizes(100, 0.8, 300, 100)
    ((100, 100), (300, 75), (80, 20))
    """
    slack = 1e-9  # shares such as 0.8 are not exact
    total = min(targets, floor(inside / share + slack), floor(outside / (1 - share) + slack))
    members = min(floor(share * total + slack), inside)
    others = min(total - members, outside)
    return (members, others) if members and others else (0, 0)


def _copies(table: Table, rows: Integers, names: Sequence[str]) -> dict[str, Array]:
    return {name: _locked(table.columns[name][rows]) for name in names}


def _locked(values: Array) -> Array:
    values.flags.writeable = False
    return values
