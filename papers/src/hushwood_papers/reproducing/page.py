"""The results of experiments as HTML pages that open offline: one per experiment, and an index.

Made from results documents alone; frame, style and charts are those of the other reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood.reports.page_frame import rendered
from hushwood.reports.wording import Tone, count, things
from hushwood_papers.reproducing.comparison import (
    ABOUT_PRINTED,
    DIFFERS,
    MEANINGS,
    NOT_PRINTED,
    TONES,
    about_printed,
    counted,
    in_words,
    shown,
)
from hushwood_papers.reproducing.joint import joint_sentence

View = dict[str, Any]
Document = Mapping[str, Any]
Row = Mapping[str, Any]

# Longer tables are folded, except for what differs.
LONGEST = 25
_OWN_OPEN = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """One line of a table, in words."""

    what: str
    source: str
    theirs: str
    ours: str
    reach: str
    runs: str
    verdict: str
    tone: Tone
    sentence: str


@dataclass(frozen=True, slots=True)
class Group:
    """The lines of one printed table or figure: those shown, those folded, and a summary of the folded ones."""

    title: str
    says: str
    shown: Sequence[Compared]
    folded: Sequence[Compared] = ()
    summary: str = ""


def everything(document: Document) -> View:
    """Everything on the page of one experiment."""
    numbers, claims, own = split_rows(document)
    charts = [_chart_of(chart) for chart in document["charts"] if chart["rows"]]
    titles = {
        "done": "What was done",
        "charts": "Charts" if charts else "",
        "numbers": "Printed numbers and ours" if numbers else "",
        "claims": _claims_title(document) if claims else "",
        "own": "Not printed" if own else "",
        "again": "How it was run",
    }
    return {
        "about": {"hushwood": document["hushwood"]},
        "public": True,
        "sections": [(name, title) for name, title in titles.items() if title],
        "titles": titles,
        "title": document["title"],
        "source": document["source"],
        "paper": "" if is_ours(document) else document["paper"],
        "ours": is_ours(document),
        "lead": lead_sentences(document),
        "counts": shares_of(document),
        "meanings": [(name, MEANINGS[name]) for name in ABOUT_PRINTED if document["counts"][name]],
        "paragraphs": document["about"],
        "charts": charts,
        "groups": [
            grouped(
                source, rows, [joint_sentence(one) for one in document["joint"] if one["source"] == source]
            )
            for source, rows in by_source(numbers)
        ],
        "joint": bool(document["joint"]),
        "claims": grouped("", claims),
        "own": [compared(row) for row in own],
        "own_open": len(own) <= (_OWN_OPEN if numbers or claims else LONGEST),
        **_run(document),
    }


def split_rows(document: Document) -> tuple[list[Row], list[Row], list[Row]]:
    """Rows about printed numbers, about printed sentences, and about numbers that are not printed."""
    about_print = [row for row in document["rows"] if row["verdict"] != NOT_PRINTED]
    return (
        [row for row in about_print if row["theirs"] is not None],
        [row for row in about_print if row["theirs"] is None],
        [row for row in document["rows"] if row["verdict"] == NOT_PRINTED],
    )


def by_source(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Rows grouped by table or figure, in order of first appearance."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["source"], []).append(row)
    return list(found.items())


def grouped(source: str, rows: Sequence[Row], joint: Sequence[str] = ()) -> Group:
    """A table; a long one shows what differs and folds the rest under a summary. `joint` are its joint tests."""
    says = " ".join([f"{things(len(rows), 'row')}: {verdicts_counted(rows)}.", *joint])
    lines = [compared(row) for row in rows]
    if len(rows) <= LONGEST:
        return Group(source, says, lines)
    open_ = [line for line in lines if line.verdict == DIFFERS][:LONGEST]
    kept = {id(line) for line in open_}
    folded = [(line, row) for line, row in zip(lines, rows, strict=True) if id(line) not in kept]
    others = "other row" if open_ else "row"
    summary = f"{things(len(folded), others)}: {verdicts_counted([row for _, row in folded])}"
    return Group(source, says, open_, [line for line, _ in folded], summary)


def compared(row: Row) -> Compared:
    """A row of the document in words."""
    ours, unit = row["ours"], row["unit"]
    reach = runs = ""
    if ours and ours["runs"] > 1:
        middle = f"median {shown(ours['median'], '')}; " if ours["runs"] > 2 else ""
        reach = f"{middle}{shown(ours['low'], '')} to {shown(ours['high'], unit)}"
        runs = things(ours["runs"], "run")
    return Compared(
        row["what"],
        row["source"],
        "" if row["theirs"] is None else shown(row["theirs"], unit),
        shown(ours["mean"], unit) if ours else "",
        reach,
        runs,
        row["verdict"],
        TONES[row["verdict"]],
        row["sentence"],
    )


def verdicts_counted(rows: Sequence[Row]) -> str:
    """How many rows have which verdict, in words."""
    return in_words(counted(row["verdict"] for row in rows))


def is_ours(document: Document) -> bool:
    """Whether no paper has this experiment; its sentences are then our own expectations."""
    return not document["paper"]


def lead_sentences(document: Document) -> str:
    """What was done, and how many rows agree, in two sentences."""
    counts, small = document["counts"], document["size"]["small"]
    total, own = about_printed(counts), counts[NOT_PRINTED]
    what = f"a small version of {document['experiment']}, which proves nothing" if small else _whole(document)
    done = f"Hushwood {document['hushwood']} ran {what}{_times(document)}."
    if not total:
        return f"{done} No paper prints its numbers; {things(own, 'number')} of ours {_are(own)} below."
    compared_rows = (
        things(total, "expectation of ours", "expectations of ours")
        if is_ours(document)
        else _printed_things(total)
    )
    return f"{done} Of {compared_rows}, {in_words(counts)}."


def total_sentence(documents: Sequence[Document]) -> str:
    """How many printed numbers and sentences of all experiments agree, not counting our own expectations."""
    papers = [document for document in documents if not is_ours(document)]
    counts = {name: sum(document["counts"][name] for document in papers) for name in ABOUT_PRINTED}
    of_papers, own = things(len(papers), "experiment"), len(documents) - len(papers)
    more = f" {things(own, 'more experiment')} {_are(own)} of our own." if own else ""
    return f"{of_papers} of the papers, {_printed_things(about_printed(counts))}: {in_words(counts)}.{more}"


def shares_of(document: Document) -> list[View]:
    """The verdicts that occur, with their numbers and shares, for the bar at the top."""
    counts = document["counts"]
    total = about_printed(counts)
    return [
        {"verdict": name, "number": counts[name], "share": counts[name] / total, "tone": TONES[name]}
        for name in ABOUT_PRINTED
        if counts[name]
    ]


def run_again(document: Document) -> str:
    """The command that gives the same numbers."""
    size = document["size"]
    asked = " --small" if size["small"] else ""
    asked += "".join(f" --{name} {size[name]}" for name in ("folds", "repeats") if size[name] is not None)
    folder = " --data FOLDER" if any(table["sha256"] for table in document["tables"]) else ""
    return f"hushwood reproduce {document['experiment']}{asked}{folder}"


def time_taken(seconds: float) -> str:
    """A span of time in words.

    >>> time_taken(0.4), time_taken(42.3), time_taken(600), time_taken(9000)
    ('under a second', '42 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 1:
        return "under a second"
    for size, name in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= 1.5 * size or size == 1:
            number = f"{seconds / size:.1f}".removesuffix(".0") if name == "hour" else f"{seconds / size:.0f}"
            return f"{number} {name}{'' if number == '1' else 's'}"
    raise AssertionError


def _run(document: Document) -> View:
    size = document["size"]
    return {
        "command": run_again(document),
        "needs_folder": "--data" in run_again(document),
        "version": document["hushwood"],
        "folds": "–" if size["folds"] is None else str(size["folds"]),
        "repeats": "–" if size["repeats"] is None else str(size["repeats"]),
        "time": time_taken(document["seconds"]),
        "with_records": any(table.get("records") for table in document["tables"]),
        "tables": [
            {
                "name": table["name"],
                "records": count(table["records"]) if table.get("records") else "",
                "sha256": table["sha256"] or "",
            }
            for table in document["tables"]
        ],
    }


def _printed_things(number: int) -> str:
    return things(number, "printed number or sentence", "printed numbers and sentences")


def _claims_title(document: Document) -> str:
    return "What we expected" if is_ours(document) else "What the paper says in words"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _whole(document: Document) -> str:
    """The experiment and its tables."""
    names = [table["name"] for table in document["tables"]]
    listed = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
    return f"{document['experiment']}{' on ' if names else ''}{listed}"


def _times(document: Document) -> str:
    size = document["size"]
    parts = [
        things(size[name], name.removesuffix("s")) for name in ("folds", "repeats") if size[name] is not None
    ]
    return f", with {' and '.join(parts)}" if parts else ""


def chart_as_json(chart: Chart) -> dict[str, Any]:
    """A chart in a results document, where the second picture has another key."""
    return {"beside" if name == "second" else name: value for name, value in asdict(chart).items()}


def _chart_of(document: Mapping[str, Any]) -> Chart:
    return Chart(**{"second" if name == "beside" else name: value for name, value in document.items()})


def page(document: Mapping[str, Any]) -> str:
    """One experiment: printed numbers and ours, charts, verdicts, and how to run it again."""
    return rendered("reproduction.html.j2", everything(document), "hushwood_papers")


def index_page(documents: Sequence[Mapping[str, Any]]) -> str:
    """All experiments, one line each, with links to their pages, NAME.html in the same folder."""
    made = list(dict.fromkeys(document["hushwood"] for document in documents))
    view = {
        "about": {"hushwood": ", ".join(made)},
        "public": True,
        "sections": [],
        "experiments": [_line(document) for document in documents],
        "total": total_sentence(documents),
    }
    return rendered("reproduction_index.html.j2", view, "hushwood_papers")


def _line(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": document["experiment"],
        "title": document["title"],
        "source": document["source"],
        "counts": shares_of(document),
        "ours": is_ours(document),
        "own": document["counts"][NOT_PRINTED],
    }
