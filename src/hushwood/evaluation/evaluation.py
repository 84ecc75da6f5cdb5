"""The evaluation of a release: all that was found out about it, typed; JSON at the border only.

`evaluate` makes it, reports, limits and policies work from it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from hushwood.errors import InputError
from hushwood.evaluation.answers import Answer, AttackAnswer, MeasureAnswer
from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.membership_law import LawFacts
from hushwood.evaluation.plain_data import OPTIONAL, from_plain, to_plain
from hushwood.evaluation.release_facts import (
    CoarsenedColumn,
    ColumnFacts,
    DrawnTogether,
    RareCategories,
    SegmentFacts,
    UniqueExtremes,
)
from hushwood.evaluation.whole_table import LinkFacts
from hushwood.measures.protocol import Details, Side
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, forest_to_json

if TYPE_CHECKING:
    import polars as pl


FORMAT = "hushwood-evaluation"
VERSION = 1
# Texts first: a column of nothing but gaps has its type, too.
_TEXTS = ("name", "title", "what", "side", "scenario", "better", "reason", "question")
_NUMBERS = (
    "value",
    "low",
    "high",
    "excess",
    "excess_low",
    "excess_high",
    "naive",
    "control",
    "untouched",
    "noise",
)


@dataclass(frozen=True, slots=True)
class About:
    """Names of the files, the version of Hushwood, and how the release was made where that is known."""

    table: Annotated[str, OPTIONAL] = ""
    released: Annotated[str, OPTIONAL] = ""
    hushwood: Annotated[str, OPTIONAL] = ""
    technique: Annotated[str, OPTIONAL] = ""
    noise: Annotated[float | None, OPTIONAL] = None
    why: Annotated[str, OPTIONAL] = ""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """What was done to some columns; `row_order` says how the technique orders the released records.

    Columns that are `linked` follow from what it made of others.
    """

    columns: tuple[str, ...]
    technique: str
    acronym: str
    says: str
    keeps_segment: bool
    row_order: Annotated[Literal["kept", "secret", "drawn", "none"], OPTIONAL] = "kept"
    linked: Annotated[bool, OPTIONAL] = False


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """How many records are still in their leaf, in all trees together and in each; `columns` are checked promises.

    If records are not `paired`, those are counted that find an original record of their own in the same leaf.
    """

    claimed: bool
    records: int
    kept: int
    per_tree: tuple[int, ...]
    columns: Annotated[Mapping[str, Details] | None, OPTIONAL] = None
    paired: Annotated[bool, OPTIONAL] = True
    together: Annotated[Mapping[str, Mapping[str, int]] | None, OPTIONAL] = None


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """The records of a longer table that were looked at, and the measures that were taken of all its records."""

    records: int
    of: int
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """How the release was made, and what counting says about it; None where that cannot be known.

    `records` are those of the table. What was counted is counted in the `sample`, if there is one. `coarsened` are the
    columns that were coarsened before all else, and what that took from them. `links` between columns are counted in
    both tables. `law` is what counts are expected to give away.
    """

    about: About
    records: int
    released_records: int
    plan: tuple[PlanStep, ...] = ()
    certificate: CertificateFacts | None = None
    segments: SegmentFacts | None = None
    drawn_together: DrawnTogether | None = None
    rare_categories: RareCategories | None = None
    unreleased_categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unique_extremes: UniqueExtremes | None = None
    distributions: tuple[Distribution, ...] = ()
    warnings: tuple[str, ...] = ()
    sample: Annotated[SampleFacts | None, OPTIONAL] = None
    coarsened: Annotated[tuple[CoarsenedColumn, ...], OPTIONAL] = ()
    links: Annotated[tuple[LinkFacts, ...], OPTIONAL] = ()
    law: Annotated[LawFacts | None, OPTIONAL] = None

    @property
    def counted_records(self) -> int:
        """The records in which things were counted."""
        return self.records if self.sample is None else self.sample.records

    def records_behind(self, measure: str) -> int:
        """The released records that a measure's number is about."""
        exact = self.sample is None or measure in self.sample.exact
        return self.released_records if exact or self.sample is None else self.sample.records


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that could not be compared, and why."""

    column: str
    reason: str

    @property
    def still_identifies(self) -> bool:
        """Whether it is an identifier that the release still has."""
        return self.reason == STILL_RELEASED


@dataclass(frozen=True, slots=True)
class PeopleFacts:
    """Persons or households with several rows: their column and its role, how many there are, and their rows."""

    column: str
    role: str
    count: int
    rows: int

    @property
    def words(self) -> str:
        """What they are called."""
        return f"{self.role}s"


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """How much was looked at: the evidence, the records and targets, and the columns that were not compared.

    `control` describes the people who were never in the table, `generalised` names the columns with coarser values,
    `builder` says how the trees that are compared were grown. Risks are those of `people`, where they have several
    rows; `records` are then theirs.
    """

    evidence: str
    records: int
    targets: int
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    control: str | None = None
    generalised: tuple[str, ...] = ()
    builder: Annotated[str, OPTIONAL] = ""
    people: Annotated[PeopleFacts | None, OPTIONAL] = None


@dataclass(frozen=True)
class Evaluation:
    """All that was found out about a release; `pairing` is "rows", "none" or the column by which rows were paired.

    `forests` are the certified one ("original") and those that measures grew to compare the two tables. `public`
    tells that only what outsiders may see is in it.
    """

    pairing: str
    columns: tuple[ColumnFacts, ...]
    measures: tuple[MeasureAnswer, ...]
    attacks: tuple[AttackAnswer, ...]
    forests: Mapping[str, Forest]
    release: ReleaseFacts
    audit: AuditFacts
    public: bool = False

    def named(self, name: str) -> tuple[Answer, ...]:
        """The answer of a measure, or those of an attack in all its scenarios."""
        answers: tuple[Answer, ...] = (*self.measures, *self.attacks)
        return tuple(answer for answer in answers if answer.name == name)

    def measure(self, name: str) -> MeasureAnswer | None:
        """A measure's answer, if it has a number."""
        return next((m for m in self.measures if m.name == name and m.reason is None), None)

    def answered(self, side: Side) -> tuple[MeasureAnswer, ...]:
        """The measures of one side that have a number."""
        return tuple(m for m in self.measures if m.measure.side == side and m.reason is None)

    @property
    def tried(self) -> tuple[AttackAnswer, ...]:
        """The attacks that were tried, one per scenario."""
        return tuple(attack for attack in self.attacks if attack.reason is None)

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "pairing": self.pairing,
            "schema": to_plain(self.columns),
            "measures": [answer.to_json() for answer in self.measures],
            "attacks": [answer.to_json() for answer in self.attacks],
            "forests": {name: forest_to_json(forest) for name, forest in self.forests.items()},
            "release": to_plain(self.release),
            "audit": to_plain(self.audit),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Evaluation:
        """Read what `to_json` gives.

        >>> Evaluation.from_json({"format": "something else"})
        Traceback (most recent call last):
        hushwood.errors.InputError: This is no evaluation that this program reads: ...
        """
        if (plain.get("format"), plain.get("version")) != (FORMAT, VERSION):
            raise InputError(
                f"This is no evaluation that this program reads: its format is {plain.get('format')!r}, version "
                f"{plain.get('version')!r}; expected {FORMAT!r}, version {VERSION}."
            )
        try:
            return cls(
                plain["pairing"],
                tuple(from_plain(ColumnFacts, column) for column in plain["schema"]),
                tuple(MeasureAnswer.from_json(entry) for entry in plain["measures"]),
                tuple(AttackAnswer.from_json(entry) for entry in plain["attacks"]),
                {name: forest_from_json(forest) for name, forest in plain["forests"].items()},
                from_plain(ReleaseFacts, plain["release"]),
                from_plain(AuditFacts, plain["audit"]),
            )
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise InputError(
                f"The evaluation is damaged ({type(wrong).__name__}: {wrong}); make it again with hushwood audit."
            ) from wrong


def answer_frame(evaluation: Evaluation) -> pl.DataFrame:
    """All answers as a Polars frame; a number that could not be computed is null, and `reason` says why."""
    import polars as pl

    rows = [*map(_of_measure, evaluation.measures), *map(_of_attack, evaluation.attacks)]
    types = {**dict.fromkeys(_TEXTS, pl.String), **dict.fromkeys(_NUMBERS, pl.Float64)}
    order = ("name", "title", "what", "side", "scenario", *_NUMBERS, "better", "reason", "question")
    return pl.DataFrame(rows, schema={name: types[name] for name in order})


def _of_measure(answer: MeasureAnswer) -> dict[str, Any]:
    measure = answer.measure
    low, high = answer.interval or (None, None)
    return {
        "name": measure.name,
        "title": measure.title,
        "what": "measure",
        "side": measure.side,
        "value": answer.value,
        "low": low,
        "high": high,
        "untouched": answer.untouched,
        "noise": answer.noise,
        "better": measure.better,
        "reason": answer.reason,
        "question": measure.question,
    }


def _of_attack(answer: AttackAnswer) -> dict[str, Any]:
    attack, excess = answer.attack, answer.excess
    low, high = answer.interval or (None, None)
    more_low, more_high = excess.interval if excess else (None, None)
    return {
        "name": attack.name,
        "title": attack.title,
        "what": "attack",
        "side": "risk",
        "scenario": answer.scenario.name if answer.scenario else None,
        "value": answer.success,
        "low": low,
        "high": high,
        "excess": excess.value if excess else None,
        "excess_low": more_low,
        "excess_high": more_high,
        "naive": answer.naive if answer.scenario else None,
        "control": answer.control,
        "untouched": answer.untouched,
        "noise": answer.noise,
        "better": "lower",
        "reason": answer.reason,
        "question": attack.question,
    }
