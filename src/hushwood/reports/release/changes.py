"""What changed: the columns and the mean that moved furthest, links between columns, and what coarsening took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.whole_table import LinkFacts
from hushwood.measures.protocol import Details
from hushwood.measures.publishing import percent
from hushwood.measures.utility.means_and_variances import MeansAndVariances
from hushwood.reports.release.findings import NumberTable, plain_number, year_columns
from hushwood.reports.wording import amount, short_number

MOST = 5
_NOTHING = 0.01  # standard deviations
NOT_COUNTED = "not counted"
FEW = "fewer than 5"
_LINK_HEAD = ("Link between columns", "Records that break it before", "after", "Kept")
_COARSENING_HEAD = (
    "Column",
    "What became of it",
    "Values changed",
    "A cell covers of the domain",
    "Numbers moved by",
)


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column and the share of its values that would have to move to restore its distribution."""

    distribution: Distribution
    moved: float

    @property
    def says(self) -> str:
        """The share in words."""
        return f"{percent(self.moved)} moved"


def most_changed(evaluation: Evaluation, full: Evaluation | None = None) -> list[ColumnChange]:
    """The five columns whose distribution moved furthest, chosen by the full evaluation; none that did not move."""
    shown = {entry.column: entry for entry in evaluation.release.distributions}
    moved = {e.column: moved_share(e) for e in (full or evaluation).release.distributions}
    names = sorted((name for name, share in moved.items() if share > 0), key=lambda name: -moved[name])
    public = full is not None and full is not evaluation
    return [ColumnChange(shown[n], round(moved[n], 2) if public else moved[n]) for n in names[:MOST]]


def moved_share(entry: Distribution) -> float:
    """The total variation between before and after over the bins or categories that the entry has."""
    found = entry.histogram or entry.counts
    if found is None:
        return 0.0
    sides = [found.before, found.after]
    if entry.counts is not None:
        sides = [(*side, gone) for side, gone in zip(sides, entry.counts.missing, strict=True)]
    before, after = (_shares(side) for side in sides)
    return sum(abs(a - b) for a, b in zip(before, after, strict=True)) / 2


def distribution_sentence(changed: Sequence[ColumnChange]) -> str:
    """The distribution that moved furthest, by the name of its column."""
    if not changed:
        return "No column's distribution moved."
    first = changed[0]
    return (
        f"Largest shift of a distribution: {first.distribution.column}; {percent(first.moved)} of its values would "
        "have to change to undo it."
    )


def mean_sentence(evaluation: Evaluation, full: Evaluation | None = None) -> str:
    """The mean that moved furthest, chosen by the full evaluation; empty if means were not compared."""
    moved, shown = _means(full or evaluation), _means(evaluation)
    if not moved:
        return ""
    positive = {c.name for c in (full or evaluation).columns if c.domain and (c.domain.low or 0) >= 0}
    shares = {name: _share_moved(moved[name]) if name in positive else 0.0 for name in moved}
    # In a skewed column a mean that moves by a fourth moves by a small part of the standard deviation.
    name = max(moved, key=lambda column: max(abs(moved[column]["shift_in_sd"]), abs(shares[column])))
    if abs(moved[name]["shift_in_sd"]) < _NOTHING:
        return f"No mean moved by {_NOTHING:g} standard deviations or more."
    found = shown.get(name)
    if found is None:
        return f"Largest shift of a mean: {name}; its size would give away a number that is far out."
    by = _signed(f"{found['shift_in_sd']:+.2f} standard deviations")
    if found.get("mean_before") is None:
        return f"Largest shift of a mean: {name}, by {by}."
    text = plain_number if name in year_columns(evaluation) else short_number
    said = f"Largest shift of a mean: {name}, {text(found['mean_before'])} before and {text(found['mean_after'])} after"
    own = (
        f"{_signed(f'{100 * shares[name]:+.0f}')}\N{NO-BREAK SPACE}%, "
        if name in positive and shares[name]
        else ""
    )
    return f"{said} ({own}{by})."


def _share_moved(column: Details) -> float:
    """By which share of itself a mean moved, in a column without negative numbers."""
    before, after = column.get("mean_before"), column.get("mean_after")
    return (after - before) / before if before and after is not None else 0.0


def _signed(text: str) -> str:
    return text.replace("-", "−")


def _means(evaluation: Evaluation) -> dict[str, Details]:
    """What is known of every column whose mean was compared."""
    answer = evaluation.measure(MeansAndVariances.name)
    columns = answer.details.get("columns", ()) if answer else ()
    return {column["column"]: column for column in columns if column.get("shift_in_sd") is not None}


def _shares(side: Sequence[int | None]) -> list[float]:
    known = [number or 0 for number in side]
    total = sum(known)
    return [number / total if total else 0.0 for number in known]


def link_rows(evaluation: Evaluation) -> list[tuple[str, str, str, str]]:
    """A line for every link: what it says, and the records that break it before and after."""
    return [
        (
            link.says,
            _count(link.broken_before, link, evaluation),
            _count(link.broken_after, link, evaluation),
            _kept(link),
        )
        for link in evaluation.release.links
    ]


def _kept(link: LinkFacts) -> str:
    """Whether the release keeps it; what nobody promised may still hold."""
    if link.kept is None:
        return "–"
    return "yes" if link.kept else "not promised, but holds" if link.newly_broken == 0 else "no"


def link_table(evaluation: Evaluation) -> NumberTable:
    """The same as a table of the report."""
    says = "What holds between the values of a record, and how many records break it."
    return NumberTable("Links between columns", says, _LINK_HEAD, tuple(link_rows(evaluation)))


def link_sentences(evaluation: Evaluation) -> list[str]:
    """All links in short, and a sentence for every one that is broken in a new way."""
    links = evaluation.release.links
    counted = [link for link in links if link.newly_broken is not None]
    broken = [link for link in counted if link.newly_broken]
    held = len(counted) - len(broken)
    said = [f"{_links(held)} between columns hold{'s' if held == 1 else ''} as before."] if held else []
    said += [
        f"{link.says}: {link.broken_before:,} records broke this link before, {link.broken_after:,} do now."
        for link in broken
    ]
    rest = len(links) - len(counted)
    if rest:
        said.append(
            f"{_links(rest)} could not be counted, because values became ranges or groups, or a column is gone."
        )
    return said


def _links(count: int) -> str:
    return f"{count:,} link{'' if count == 1 else 's'}"


def _count(count: int | None, link: LinkFacts, evaluation: Evaluation) -> str:
    if count is not None:
        return f"{count:,}"
    withheld = evaluation.public and not (link.broken_after is None and link.newly_broken is None)
    return FEW if withheld else NOT_COUNTED


def coarsening_rows(evaluation: Evaluation) -> list[tuple[str, str, str, str, str]]:
    """A line for every coarsened column, against the table as it was read."""
    return [
        (
            one.column,
            one.says,
            percent(one.changed),
            percent(one.loss),
            "–" if one.moved is None else amount(one.moved, "deviations"),
        )
        for one in evaluation.release.coarsened
    ]


def coarsening_table(evaluation: Evaluation) -> NumberTable:
    """The same as a table of the report."""
    says = (
        "These columns were made coarser first. Everything else on this page compares with the coarser table; this is "
        "what coarsening itself took from the table as it was read."
    )
    return NumberTable("Coarser before all else", says, _COARSENING_HEAD, tuple(coarsening_rows(evaluation)))


def coarsening_sentences(evaluation: Evaluation) -> list[str]:
    """The same in a sentence each."""
    return [
        f"{column}: {says}. That changed {changed} of its values."
        for column, says, changed, _, _ in coarsening_rows(evaluation)
    ]
