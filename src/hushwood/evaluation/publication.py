"""A published tree as its report sees it, typed; `tree_publishing.document` makes the plain data that are read here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from hushwood.evaluation.plain_data import Key, from_plain
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json

What = Literal["generalised", "suppressed", "unchanged", "copied", "dropped"]
Score = Literal["accuracy", "r_squared"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that decide what is published; `columns` are those that each tree may test, if not all."""

    k: int
    l: float
    mode: Literal["anchored", "delta"]
    criteria: tuple[str, ...]
    min_leaf: int
    max_leaves: int | None
    max_depth: int | None
    thresholds: Literal["midpoint", "data"]
    stop_at_first_failure: bool
    class_in_groups: bool
    columns: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SensitiveColumn:
    """The l-diversity of a sensitive column in the worst group, and that of the whole table."""

    name: str
    l: float
    whole_table: float


@dataclass(frozen=True, slots=True)
class Privacy:
    """K of the release, with the class counted as known too, and of the original; its groups and their L."""

    k: int
    k_with_class: int
    original_k: int
    groups: int
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[SensitiveColumn, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Records with the same released quasi-identifiers: their values, number, L by column, and leaves."""

    values: Mapping[str, str]
    records: int
    l: Mapping[str, float]
    leaves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A released value, the original values that it stands for, and its records."""

    stands_for: str
    released: str | None
    records: int


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    """What became of a column: its different values before and after, and the first of its released values."""

    name: str
    role: str
    what: What
    before: int | None
    after: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """Leaves and closed leaves per tree, expansions tried and undone, and a sentence on why growth ended."""

    leaves: tuple[int, ...]
    closed: tuple[int, ...]
    tried: int
    barred: int
    stopped: str


@dataclass(frozen=True, slots=True)
class RebuiltTrees:
    """Whether the trees grow again from the released file, and the sentence of the check."""

    same: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class UnseenScores:
    """How well records are predicted that the trees were not grown on: with the promises, without, and naively."""

    published: float
    unlimited: float
    naive: float


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well the trees predict, on their own table and on unseen records; `sentence` says how that was found."""

    measure: Score
    on_the_table: float | None
    unseen: UnseenScores | None
    unseen_records: int
    unseen_leaves: tuple[int, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Publication:
    """All that the report of a published tree says.

    `one_order` tells that categories were cut in one order only, so that some ways to split them were never tried.
    """

    hushwood: str
    table: str
    records: int
    class_name: Annotated[str, Key("class")]
    classes: tuple[str, ...]
    regression: bool
    options: Asked
    forest: Forest
    privacy: Privacy
    groups: tuple[Group, ...]
    columns: tuple[PublishedColumn, ...]
    growth: Growth
    verified: RebuiltTrees
    accuracy: Accuracy
    warnings: tuple[str, ...]
    groups_left_out: int = 0
    one_order: bool = False

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Publication:
        """Read the document of a published tree."""
        return from_plain(cls, {**document, "forest": forest_from_json(document["forest"])})
