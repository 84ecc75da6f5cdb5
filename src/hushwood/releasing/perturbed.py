"""A perturbed table and how it was made: what measures, reports and the manifest need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hushwood.arrays import Codes, Integers
from hushwood.releasing.fitted import PreparedStep, Ways
from hushwood.releasing.forest_for import builder_of
from hushwood.releasing.noise_texts import ADDED
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan
from hushwood.segments.segments import Segments
from hushwood.tables.persons.units import Units
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Generalises
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder

# Parameters that a release makes public, and the shared option of the techniques that they belong to.
_PUBLIC = {
    **dict.fromkeys(("noise", "boundary", "distribution"), ADDED),
    **{
        name: frozenset({name})
        for name in ("capt", "value_clusters", "probability", "k", "teacher", "blur", "redraw")
    },
}
# Those that are only named where they were given.
_PUBLIC_IF_GIVEN = {
    **dict.fromkeys(("noise_by_column", "noise_of"), ADDED),
    **{name: frozenset({name}) for name in (*ADDED, "coarsen")},
    **dict.fromkeys(("top_code", "bottom_code"), frozenset({"coarsen"})),
}


@dataclass(frozen=True, slots=True)
class Learnt:
    """On how many of a table's rows its release was learnt, and in how many parts it was changed."""

    rows: int
    of: int
    parts: int = 1

    @property
    def sampled(self) -> bool:
        """Whether the table was too long to learn from all of it."""
        return self.rows < self.of

    def to_json(self) -> dict[str, int]:
        """For the manifest, where a table was too long to be treated as a whole."""
        learnt = {"learnt_on_rows": self.rows} if self.sampled else {}
        return learnt | ({"parts": self.parts} if self.parts > 1 else {})


@dataclass(frozen=True, slots=True)
class ReleasedUnits:
    """Persons or households that were released as one record each: their column, and the unit of every row.

    `original` are the rows before, `of_row` the rows after, None if they are not known; a unit has the same place in
    both. `numbers` are those that are released in the place of the units' names.
    """

    column: str
    original: Units
    of_row: Integers | None = None
    numbers: Integers | None = None


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A perturbed table and how it was made.

    `untouched` counts, for columns that the plan perturbs in some segments only, the records it leaves alone. `ways`
    counts the segments and records whose numbers were drawn together in each way. `relabelled` is the key of labels
    that parts of a long table gave to several values. Laws are not `exact_laws` if they name the values that segments
    of a sample hold, and records got those of the whole table. `units` are the persons or households whose rows stay
    together.
    """

    table: Table
    options: PerturbOptions
    plan: Plan
    forest: Forest
    segments: Segments
    steps: tuple[PreparedStep, ...]
    learnt: Learnt
    warnings: tuple[str, ...] = ()
    untouched: Mapping[str, int] = field(default_factory=dict)
    ways: Ways = field(default_factory=dict)
    relabelled: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None
    exact_laws: bool = True
    units: ReleasedUnits | None = None

    @property
    def builder(self) -> Builder:
        """What grew the forest."""
        return builder_of(self.forest, self.plan, self.options.builder(self.learnt.of))

    @property
    def segment_ids(self) -> Codes:
        """The segment of every record."""
        return self.segments.ids

    @property
    def paired(self) -> bool:
        """Whether every released record stands for the original one in the same row."""
        return self.plan.paired

    @property
    def laws_hold(self) -> bool:
        """Whether the steps' laws describe what became of each record.

        Not if it was made up or blanked afterwards, nor if parts of the table had laws of their own, or a sample has.
        """
        parts = self.learnt.parts > 1 or self.learnt.sampled
        parts = parts and any(step.technique.learnt_on == "part" for step in self.plan.steps)
        return self.paired and self.exact_laws and not self.options.blanks_afterwards and not parts

    @property
    def method(self) -> dict[str, Any]:
        """What the release says publicly about how it was made: its technique and that technique's parameters."""
        techniques = [step.technique for step in self.plan.steps]
        # Noise for records that are alone in their segment is a last resort and was never announced.
        taken = {name for t in techniques for field, name in t.options.items() if field != "alone"}
        options = self.options
        public = {name: self._public(name) for name, shared in _PUBLIC.items() if shared & taken}
        public |= {
            name: getattr(options, name)
            for name, shared in _PUBLIC_IF_GIVEN.items()
            if shared & taken and getattr(options, name) != getattr(PerturbOptions(), name)
        }
        used = {technique.acronym.lower() for technique in techniques}
        used |= {options.value_clusters} if "value_clusters" in taken else set()
        settings = {name: dict(given) for name, given in options.settings.items() if name in used}
        return {"technique": self.plan.recipe} | public | ({"settings": settings} if settings else {})

    def _public(self, option: str) -> Any:
        """An option as it was given or, if it was not, as the techniques that take it chose it."""
        given = getattr(self.options, option)
        chosen = (
            getattr(step.technique, field)
            for step in self.plan.steps
            for field, name in step.technique.options.items()
            if name == option
        )
        return next(chosen, None) if given is None else given

    @property
    def labels(self) -> dict[str, Mapping[str, Sequence[str]]]:
        """By column, the categories that released labels stand for which do not explain themselves."""
        if self.learnt.parts > 1:
            return dict(self.relabelled)
        return {name: key for each in self._generalising for name, key in each.labels.items()}

    def stands_for(self, original: Table) -> dict[str, Generalised]:
        """What released numbers stand for, in the order of the original's records; it need not show in the release.

        Nobody notes it for the parts of a long table.
        """
        schema = original.schema
        return {
            name: Generalised.of_ends(low, high, schema[name])
            for each in (self._generalising if self.learnt.parts == 1 else ())
            for name, (low, high) in each.intervals(original.columns).items()
        }

    @property
    def _generalising(self) -> list[Generalises]:
        return [step.perturber for step in self.steps if isinstance(step.perturber, Generalises)]

    def of_units(self) -> Perturbed:
        """The same with a record for every person or household; no law is stated for those."""
        if self.units is None:
            return self
        segments = replace(self.segments, ids=self.segments.ids[self.units.original.first])
        return replace(self, segments=segments, steps=(), units=None)

    def of_rows(self, rows: Integers | None) -> Perturbed:
        """The same for some of the original's rows; None for all."""
        if rows is None:
            return self
        steps = tuple(replace(step, segment_ids=step.segment_ids[rows]) for step in self.steps)
        return replace(self, segments=replace(self.segments, ids=self.segments.ids[rows]), steps=steps)
