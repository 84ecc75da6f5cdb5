"""The keywords that Python functions share, for type checkers and editors.

Written by `python -m website.keyword_types` from the declared options; not to be edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from hushwood.tables.schema import Role, Schema


class TableKeywords(TypedDict, total=False):
    """Keywords of all that reads a table."""

    schema: Schema | Path | str | None
    roles: Mapping[str, Role] | None
    missing: Sequence[str]
    encoding: str
    separator: str | None
    decimal: str | None
    date_format: str | Sequence[str]
    sheet: str | None
    infinite: Literal["refuse", "missing"]
    class_bins: int | None
    class_threshold: float | None
    weight: str | None


class ReadKeywords(TableKeywords, total=False):
    """Keywords of `read_table`."""

    target: str | int | Sequence[str | int] | None
    response: Literal["auto", "class", "number"]


class PeopleKeywords(TableKeywords, total=False):
    """Keywords of what knows of people with several rows."""

    response: Literal["auto", "class", "number"]
    person: str | None
    household: str | None


class TuneKeywords(PeopleKeywords, total=False):
    """Keywords of `tune`, and of `release`."""

    coarsen: Mapping[str, Any] | Sequence[str]
    top_code: Mapping[str, Any] | Sequence[str]
    bottom_code: Mapping[str, Any] | Sequence[str]


class ReleaseKeywords(TuneKeywords, total=False):
    """Keywords of `release`."""

    k: int | None
    redraw: float | None
    noise_by_column: Mapping[str, float]
    noise_influential: float | None
    noise_innocent: float | None
    noise_of: str
    boundary: str
    distribution: str
    capt: str
    probability: float
    pram_matrix: Mapping[str, Mapping[str, Mapping[str, float]]]
    value_clusters: str
    teacher: str | None
    correlated: str | None
    blur: int | None
    rare: str | None
    rare_below: int | None
    suppress: Sequence[str]
    hierarchies: Mapping[str, Any]
    settings: Mapping[str, Mapping[str, Any]]
    trees: int | None
    min_leaf: int | None
    variant: str
    criterion: str
    confidence: float
    goodness: float
    separation: float
    min_gain_ratio: float
    forest_rows: int
    part_rows: int
    engine: str
    chunk_rows: int | None
    threads: int


class AuditKeywords(PeopleKeywords, total=False):
    """Keywords of `audit`."""

    variant: str | None
    criterion: str | None
    min_leaf: int | None
    confidence: float | None
    trees: int | None
    goodness: float | None
    separation: float | None
    min_gain_ratio: float | None


class ReconstructKeywords(TypedDict, total=False):
    """Keywords of `reconstruct`."""

    intervals: int
    method: str
    strategy: str
    private: bool


class PublishKeywords(TableKeywords, total=False):
    """Keywords of `publish_tree`."""

    mode: str
    min_leaf: int
    max_leaves: int | None
    max_depth: int | None
    thresholds: str
    stop_at_first_failure: bool
    class_in_groups: bool
    missing_numbers: str
    threads: int
