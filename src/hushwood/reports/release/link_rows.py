"""Links between columns in words: whether the release keeps them, and those that more records break than before."""

from __future__ import annotations

from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.link_facts import LinkFacts
from hushwood.reports.release.findings import NumberTable

NOT_COUNTED = "not counted"
FEW = "fewer than 5"
_HEAD = ("Link between columns", "Records that break it before", "after", "Kept")


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
    return NumberTable("Links between columns", says, _HEAD, tuple(link_rows(evaluation)))


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
