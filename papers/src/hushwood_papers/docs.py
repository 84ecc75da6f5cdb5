"""Writes all that docs/ says about the experiments' results: `make docs`, or `python -m hushwood_papers.docs [DOCS]`.

The results are the JSON files in docs/reproduction. Their sentences, rows and charts are derived again from the
outcomes of the tasks in them, the parts of other pages between marks (`<!-- name -->`) from these documents; the HTML
pages are built next to the JSON files. The tests check that nothing but the HTML pages would change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hushwood.reports.wording import count, things
from hushwood_papers.chances import UNLIKELY
from hushwood_papers.protocol import Measured
from hushwood_papers.registry import EXPERIMENTS, experiment_named
from hushwood_papers.reproducing.comparison import ABOUT_PRINTED, DIFFERS
from hushwood_papers.reproducing.joint import joint_verdict
from hushwood_papers.reproducing.page import Compared, compared, total_sentence
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.reproduction import Document, derived_again, finished_document, write_results

RESULTS = "reproduction"
_VERDICT_COLUMNS = f"{'---:|' * len(ABOUT_PRINTED)}\n"
# Further differences of an experiment are only on its page.
_LISTED = 12

Documents = Mapping[str, Document]


def committed_results(docs: Path) -> Documents:
    """The results of every experiment, by name."""
    found = {name: finished_document(docs / RESULTS, name) for name in EXPERIMENTS}
    return {name: document for name, document in found.items() if document is not None}


def pages_with_results(docs: Path, documents: Documents) -> dict[Path, str]:
    """What each page of the docs that shows results should say."""
    return {
        docs / name: between_marks((docs / name).read_text(encoding="utf-8"), parts(documents))
        for name, parts in _PAGES.items()
    }


def between_marks(page: str, parts: Mapping[str, str]) -> str:
    """The page with these texts between their marks.

    >>> between_marks("<!-- a -->\\nold\\n<!-- end of a -->\\n", {"a": "new"})
    '<!-- a -->\\nnew\\n<!-- end of a -->\\n'
    """
    for name, text in parts.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(start)
        page = f"{before}{start}{text.rstrip()}\n{end}{rest.split(end)[1]}"
    return page


def summary(documents: Sequence[Document]) -> str:
    """A table of all experiments, then what differs in each."""
    head = (
        "| Experiment | What | Agree | By construction | Possible | Differ | Cannot be compared |\n|---|---|"
    )
    lines = "".join(
        _row(_link(document), f"{_safe(document['title'])} ({_safe(document['source'])})", document=document)
        for document in documents
    )
    return f"{total_sentence(documents)}\n\n{head}{_VERDICT_COLUMNS}{lines}{''.join(map(_differences, documents))}"


def joint_table(documents: Sequence[Document]) -> str:
    """The joint test of every printed table, and how many of them chance alone would put below the limit."""
    tests = [(document["experiment"], one) for document in documents for one in document["joint"]]
    able = sum(one["lowest"] < UNLIKELY for _, one in tests)
    found = sum(one["chance"] < UNLIKELY for _, one in tests)
    head = "| Experiment | Table | Printed numbers | Printed runs | Our runs | p | Lowest p | Verdict |\n|---|---|"
    lines = "".join(
        f"| {name} | {_safe(one['source'])} | {one['numbers']} | {one['printed_runs']} | {one['runs']} "
        f"| {one['chance']:.2g} | {one['lowest']:.2g} | {joint_verdict(one)} |\n"
        for name, one in tests
    )
    return (
        f"{things(len(tests), 'test')}, of which {count(able)} can have a p below {UNLIKELY}; {count(found)} have. "
        f"Chance alone would give at most {UNLIKELY * able:.1f} on average.\n\n{head}{'---:|' * 5}---|\n{lines}"
    )


def experiments_table(documents: Sequence[Document]) -> str:
    """Every experiment with its source, its file and its counts, for docs/papers.md."""
    verdicts = "agree | by construction | possible | differ | cannot be compared"
    head = f"| experiment | printed in | file | {verdicts} |\n|---|---|---|{_VERDICT_COLUMNS}"
    rows = []
    for document in documents:
        name = document["experiment"]
        file = f"{EXPERIMENTS[name].folder}/{name.replace('-', '_')}.py"
        link = _link(document, f"`{name}`", f"{RESULTS}/README.md")
        rows.append(
            _row(
                link, document["source"], f"[{file}](../papers/src/hushwood_papers/{file})", document=document
            )
        )
    return head + "".join(rows)


def _row(*cells: str, document: Document) -> str:
    return f"| {' | '.join([*cells, *(str(document['counts'][verdict]) for verdict in ABOUT_PRINTED)])} |\n"


def _link(document: Document, text: str = "", page: str = "") -> str:
    """The name, with a link to what differs."""
    name = document["experiment"]
    anchor = f"#what-differs-in-{name}" if document["counts"][DIFFERS] else ""
    return f"[{text or name}]({page}{anchor})" if page or anchor else text or name


def _differences(document: Document) -> str:
    found = [compared(row) for row in document["rows"] if row["verdict"] == DIFFERS]
    if not found:
        return ""
    more = len(found) - _LISTED
    rest = f"- and {things(more, 'more row')} on its page\n" if more > 0 else ""
    return f"\n### What differs in {document['experiment']}\n\n{''.join(map(_difference, found[:_LISTED]))}{rest}"


def _difference(line: Compared) -> str:
    both = f": printed {line.theirs}, ours {line.ours}" if line.theirs else ""
    reach = f" ({line.reach} in {line.runs})" if line.theirs and line.reach else ""
    what = _safe(line.what).removesuffix(".")
    return f"- {_safe(line.source)}. {what}{both}{reach}. {_safe(line.sentence)}\n"


def _safe(text: str) -> str:
    """Text that neither ends a cell nor starts markup."""
    for sign in "\\|<>*_[]`":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _measured(name: str, documents: Documents) -> Measured:
    return experiment_named(name).measure(documents[name]["outcomes"])


def _frameworks(documents: Documents) -> dict[str, str]:
    from hushwood_papers.thesis_frameworks.charts_and_tables import framework_markdown

    names = ("frameworks-adult", "frameworks-wbc")
    return {name: framework_markdown(_measured(name, documents), printed(name).by_key()) for name in names}


def _findings(documents: Documents) -> dict[str, str]:
    from hushwood_papers.alone_and_linked.charts_and_tables import claims_markdown, finding_markdown

    measured = _measured("alone-and-linked", documents)
    says = {claim.key: claim.says for claim in printed("alone-and-linked").claims}
    return {"claims": claims_markdown(measured, says), "tables": finding_markdown(measured)}


def _builders(documents: Documents) -> dict[str, str]:
    from hushwood_papers.tree_builders.releases import C45, LARGER
    from hushwood_papers.tree_builders.tree_builders import builder_table, score_table

    measured = _measured("tree-builders", documents)
    scores = {f"see5 against {other}": score_table(measured, other) for other in (C45, LARGER)}
    return {**scores, "numbers by builder": builder_table(measured)}


def _methods(documents: Documents) -> dict[str, str]:
    from hushwood_papers.published_trees.tree_publishing_methods import methods_table

    return {"methods": methods_table(_measured("tree-publishing-methods", documents).numbers)}


_PAGES: Mapping[str, Callable[[Documents], Mapping[str, str]]] = {
    f"{RESULTS}/README.md": lambda documents: {
        "results": summary([*documents.values()]),
        "joint tests": joint_table([*documents.values()]),
    },
    "papers.md": lambda documents: {"experiments": experiments_table([*documents.values()])},
    "correlations.md": _frameworks,
    "findings.md": _findings,
    "trees.md": _builders,
    "publish-tree.md": _methods,
}


def main(words: Sequence[str]) -> None:
    """Write everything into the docs folder of this checkout, or the one that is named."""
    docs = Path(*words) if words else Path("docs")
    documents = {name: derived_again(found) for name, found in committed_results(docs).items()}
    for document in documents.values():
        write_results(document, docs / RESULTS)
    for path, text in pages_with_results(docs, documents).items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
