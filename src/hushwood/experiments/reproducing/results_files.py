"""The results of experiments as files: NAME.json and NAME.html each, and an index of all that are in the folder."""

from __future__ import annotations

import json
from pathlib import Path

from hushwood.experiments.registry import EXPERIMENTS
from hushwood.experiments.reproducing.kept_outcomes import KeptOutcomes
from hushwood.experiments.reproducing.page import index_page, page
from hushwood.experiments.reproducing.reproduction import Document, finished_document
from hushwood.jobs.whole_files import write_whole


def write_results(document: Document, folder: Path) -> Path:
    """Write both files of one experiment and bring the index up to date; the page is what to open."""
    name = document["experiment"]
    shown = folder / f"{name}.html"
    write_whole(page(document), shown)
    # The JSON file comes last: where it is, the experiment is done.
    write_whole(json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n", folder / f"{name}.json")
    KeptOutcomes.of(name, folder, {}).forget()
    found = [finished_document(folder, other) for other in EXPERIMENTS]
    write_whole(index_page([other for other in found if other is not None]), folder / "index.html")
    return shown
