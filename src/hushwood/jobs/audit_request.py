"""What can be asked of `hushwood audit`; light to import, because the command reads its options from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hushwood.jobs.requests import LimitsGiven
from hushwood.jobs.shared_options import Links, Memory
from hushwood.parameters import THREADS, Checked, OneOf, Option, Settings, available_threads
from hushwood.releasing.coarse_options import hierarchy_files
from hushwood.trees.builder_options import BuilderOptions

if TYPE_CHECKING:
    from hushwood.policies.policy import Policy
    from hushwood.tables.recoding.taxonomies import Taxonomy
else:  # these load numpy, which takes longer than `hushwood audit --help`
    Taxonomy = Policy = object

_RUN, _POLICY = "Run", "Policy"


def _stripped_names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _measure_settings(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    from hushwood.evaluation.levels import settings_from_texts

    return settings_from_texts(texts)


@dataclass(frozen=True, slots=True)
class AuditRequest(Checked):
    """What to judge, and how; `holdout` is a file or a frame of people who were never in the table."""

    match: Annotated[
        str | None,
        Option(
            "How rows correspond: by position, not at all, or by a column that identifies people.",
            metavar="rows|none|COLUMN",
            default="by position if rows there are alike",
        ),
    ] = None
    holdout: Annotated[
        object,
        Option("Held-out people who were never in the table: the control for the attacks.", metavar="FILE"),
    ] = None
    made_up: Annotated[
        bool,
        Option(
            "The records were made up and stand for no one, as in a synthetic table of another tool: linkage then "
            "says nothing, and singling out, inference and membership count."
        ),
    ] = False
    only: Annotated[
        tuple[str, ...],
        Option(
            'Only these measures and attacks: "sers,linkage".',
            metavar="NAMES",
            default="all",
            reads=_stripped_names,
        ),
    ] = ()
    evidence: Annotated[
        str,
        OneOf(("quick", "full")),
        Option("The main numbers in seconds, or everything.", metavar="quick|full"),
    ] = "full"
    links: Links = "auto"
    fail_if: Annotated[
        tuple[str, ...],
        Option(
            'End with exit code 1 if this holds: "linkage>0.05", "attribute_inference.excess>0.05", or '
            '"reidentification_entropy.below(3)>5%": more than 5 % of the records have fewer than 3 bits. The upper '
            "end of the interval counts. May be repeated.",
            metavar="LIMIT",
            panel=_POLICY,
        ),
    ] = ()
    hierarchies: Annotated[
        Mapping[str, Taxonomy | Path | str],
        Option(
            "Hierarchy of a column, as ARX writes it (CSV). May be repeated.",
            spelling=("--hierarchy",),
            metavar="COLUMN=FILE",
            reads=hierarchy_files,
        ),
    ] = field(default_factory=dict)
    settings: Annotated[
        Settings,
        Option(
            'A parameter of a measure or attack: "membership.members=0.8". May be repeated.',
            spelling=("--set",),
            metavar="MEASURE.PARAMETER=VALUE",
            reads=_measure_settings,
        ),
    ] = field(default_factory=dict)
    policy: Annotated[
        str | Path | Policy | None,
        Option(
            "Judge by a policy and end with exit code 1 unless it clears the release.",
            metavar="NAME|FILE",
            panel=_POLICY,
        ),
    ] = None
    limits: LimitsGiven = ()
    builder: BuilderOptions = field(default_factory=BuilderOptions)
    memory: Memory = 2_000_000_000
    engine: Annotated[
        str,
        OneOf(("auto", "memory", "streaming")),
        Option(
            "Where the tables are: in memory; or on disk, read in batches, and measured on a sample where counting is "
            "not enough. auto chooses by size.",
            metavar="auto|memory|streaming",
            panel=_RUN,
        ),
    ] = "auto"
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)
