"""One release of four tables in each of the three ways; all runs are in docs/reproduction/tree-builders.json."""

from __future__ import annotations

import pytest

from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.running import measured_here
from hushwood_papers.tree_builders.releases import WAYS, key, scaled
from hushwood_papers.tree_builders.tree_builders import EXPERIMENT
from support.real_data import data_folder


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(data_folder()))


# c45, see5, c45 with doubled leaves
@pytest.mark.parametrize(
    ("table", "what", "wanted"),
    [
        ("wbc", "segments", (22, 22, 8)),
        ("crx", "segments", (22, 14, 12)),
        ("cmc", "segments", (50, 24, 24)),
        ("abalone", "segments", (21, 20, 14)),
        ("cmc", "leaves of one tree", (12, 7, 3)),
        ("cmc", "leaves of one tree, unpruned", (16, 12, 3)),
        ("cmc", "records alone in their segment", (10 / 1031, 3 / 1031, 0.0)),
        ("cmc", "rules found again, reader c45", (0.460718, 0.809893, 0.0)),
        ("cmc", "rules found again, reader see5", (0.710960, 0.358875, 0.0)),
        ("abalone", "rules found again, reader see5", (0.0, 0.0, 0.0)),
        ("crx", "EDUDS, reader c45", (0.746714, 0.744177, 0.744177)),
        ("abalone", "EDUDS, reader see5", (0.916863, 0.919829, 0.806606)),
        ("wbc", "EDUSC, reader see5", (0.870221, 0.870221, 0.815037)),
        ("cmc", "EDUSC, reader c45", (0.993738, 0.990353, 0.977569)),
        ("wbc", "accuracy on unseen records, reader see5", (192 / 205, 192 / 205, 191 / 205)),
        ("crx", "unchanged cells", (0.427243, 0.419174, 0.423824)),
        ("cmc", "changed classes", (541 / 1031, 560 / 1031, 572 / 1031)),
        ("abalone", "SERS", (11.497297, 11.497125, 11.496846)),
        ("crx", "entropy of re-identification", (5.393652, 5.627185, 5.748158)),
        ("cmc", "linked, all attributes known", (39 / 1031, 18 / 1031, 15 / 1031)),
        ("wbc", "linked, all attributes known", (4 / 478, 4 / 478, 6 / 478)),
    ],
)
def test_one_run_of_each_table(
    measured: Measured, table: str, what: str, wanted: tuple[float, float, float]
) -> None:
    found = [value for way in WAYS for value in measured.numbers[key(table, way, what)]]
    assert found == pytest.approx([scaled(what, value) for value in wanted], abs=scaled(what, 1e-6))


def test_one_run_decides_nothing(measured: Measured) -> None:
    assert measured.claims == {}
    assert measured.numbers["Utility, See5 against C4.5: pairs of table and measure, undecided"] == [4 * 8]
    assert measured.numbers["Risk, See5 against C4.5: pairs of table and measure, undecided"] == [4 * 7]
