"""Tune a release: search for the most useful one that the policy clears, then make it by the ordinary job.

The command and the Python API both call `tune`; so does `release --tune`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.jobs.folder.keys import Use, check_other_table, noticed
from hushwood.jobs.folder.made_again import RUN_OPTIONS, content_digest
from hushwood.jobs.gate import rare_levels_kept
from hushwood.jobs.inputs import read_input
from hushwood.jobs.judging import AUDIT_SECRET
from hushwood.jobs.key_order import with_row_key
from hushwood.jobs.preparing import prepared_reading
from hushwood.jobs.release import Release, checked, release
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, resolve_search
from hushwood.policies.advice import GROUPED
from hushwood.policies.policy import Policy
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.stages import Stage, silent
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.rare_levels import RareLevels
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate, candidates_for
from hushwood.tuning.outcome import Outcome, Point, map_points, outcome_of, page_of
from hushwood.tuning.scores import Notes, key_of
from hushwood.tuning.search import USUAL, Question, Thoroughness, search
from hushwood.version import __version__

if TYPE_CHECKING:
    import polars as pl


__all__ = ["Tuned", "tune"]

NOTES = ".tuning.jsonl"  # added to the name of the output folder


@dataclass(frozen=True)
class Tuned:
    """What a search found, and the release that was made of its winner.

    If nothing was cleared, the release is what comes nearest, and it is held back.
    """

    outcome: Outcome
    release: Release

    @property
    def points(self) -> tuple[Point, ...]:
        """Everything that was tried."""
        return self.outcome.points

    @property
    def front(self) -> tuple[Point, ...]:
        """The points that no other beats in both risk and utility."""
        return self.outcome.front

    @property
    def winner(self) -> Point:
        """What was released."""
        return self.outcome.winner

    @property
    def why(self) -> str:
        """Why the winner won, or why nothing was cleared and what would be."""
        return " ".join(self.outcome.why)

    @property
    def cleared(self) -> bool:
        """Whether the policy clears the release."""
        return self.release.cleared

    def __repr__(self) -> str:
        said = "cleared" if self.cleared else "nothing cleared"
        return f"<Tuned: {self.winner.candidate.label}, {said}, {len(self.points)} releases tried>"

    def _repr_html_(self) -> str:
        from hushwood.reports.notebook import map_card

        return map_card(map_points(self.outcome), self.outcome.why, cleared=self.cleared)

    def plot(self) -> Any:
        """The risk-utility map as an Altair chart."""
        from hushwood.reports.charts.altair_charts import altair_chart
        from hushwood.reports.charts.risk_utility import map_chart

        return altair_chart([map_chart(map_points(self.outcome))])

    def to_frame(self) -> pl.DataFrame:
        """Every release that was tried, and the corners of the map, as a Polars frame; risk as a share of its limit."""
        import polars as pl

        return pl.DataFrame([asdict(point) for point in map_points(self.outcome)])


def tune_any(
    source: object,
    arguments: Mapping[str, Any],
    request: ReleaseRequest | Resolved,
    techniques: Sequence[str] = (),
    stage: Stage = silent,
) -> Tuned:
    """The same for a table that is read with the arguments of `reading.read`."""
    asked = resolve_search(request, source, arguments, techniques)
    arguments = with_row_key(arguments, asked.request.row_key)
    return tune(read_input(source, arguments), asked, techniques, stage)


def tune(
    reading: Reading,
    request: ReleaseRequest | Resolved,
    techniques: Sequence[str] = (),
    stage: Stage = silent,
    thoroughness: Thoroughness = USUAL,
) -> Tuned:
    """Search, then release the winner; a search that was stopped goes on where it ended."""
    asked = resolve_search(request, reading, reading.form, techniques)
    request, policy = asked.request, asked.policy
    known = checked(reading, request)
    options = _for_everyone(known.table, request, policy)
    candidates = candidates_for(known.table, _named(options, techniques), options)
    about = _about(known.table, policy, candidates, (request.evidence, request.links), thoroughness)
    path = None if request.output is None else request.output.with_name(request.output.name + NOTES)
    streams = _streams(asked, path, about)
    _check_key(streams, known, request)
    notes = Notes(path, about, streams.secret)
    # Rare levels are the business of every candidate.
    sample = sampled_rows(range(known.table.rows), request.options.forest_rows, streams)
    known = prepared_reading(known, request, sample, group_rare=False)[0]
    question = Question(
        known.table, policy, streams, Streams(AUDIT_SECRET), request.evidence, request.options.threads
    )
    outcome = outcome_of(search(question, candidates, thoroughness, notes, stage), policy)
    stage("releasing the best", 0, 1)
    winner = replace(outcome.winner.candidate.options, threads=request.options.threads)
    if request.seed_file is None:
        request = replace(request, seed=streams.secret)
    done = release(
        reading,
        replace(request, options=winner, tune=False),
        stage,
        {
            "tuning.json": json.dumps(outcome.to_json(), ensure_ascii=False, indent=1) + "\n",
            "map.html": page_of(outcome, reading.name, known.table.rows),
        },
    )
    notes.close()
    return Tuned(outcome, done)


def _for_everyone(table: Table, request: ReleaseRequest, policy: Policy) -> PerturbOptions:
    """The options of all candidates, with rare levels put together where they would hold every one of them back."""
    options = request.options
    rare = RareLevels.of(table, options.rare_rule, options.rare_limit(table.rows))
    grouped = GROUPED in rare_levels_kept(rare, request.keep, table.schema, policy).settling
    return replace(options, rare=GROUPED.value) if grouped else options


def _check_key(streams: Streams, reading: Reading, request: ReleaseRequest) -> None:
    """Refuse a key of another release before the search, not after it."""
    if request.key_has_a_past:
        check_other_table(streams, reading, request.output, request.seed_file)
        noticed(request.ledger, Use(streams.key_id, content_digest(reading.table)), request.reuse_key)


def _named(options: PerturbOptions, techniques: Sequence[str]) -> tuple[str, ...]:
    """The techniques to try; of a release, another one than the default was named on purpose."""
    usual = options.technique == PerturbOptions().technique
    return tuple(techniques) or (() if usual else (options.technique,))


def _streams(asked: Resolved, path: Path | None, about: str) -> Streams:
    """The key of the release: given, or that of the search that was stopped, or a fresh one."""
    given = asked.request.seed is not None or asked.request.seed_file is not None
    earlier = None if given else key_of(path, about)
    return asked.streams if earlier is None else Streams(earlier)


def _about(
    table: Table,
    policy: Policy,
    candidates: Sequence[Candidate],
    asked: tuple[str, ...],
    thoroughness: Thoroughness,
) -> str:
    """What recognises a search: the same table, policy and settings."""
    settings: list[Any] = [
        __version__,
        content_digest(table).hex(),
        asdict(policy),
        asked,
        asdict(thoroughness),
        [
            {name: value for name, value in asdict(one.options).items() if name not in RUN_OPTIONS}
            for one in candidates
        ],
    ]
    return hashlib.sha256(json.dumps(settings, default=str, sort_keys=True).encode()).hexdigest()
