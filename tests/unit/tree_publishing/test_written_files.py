"""What lies on disk is looked at again before anybody sees it: rules, tree, K and L."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.errors import BrokenCertificate, InternalFault
from hushwood.jobs.publish_tree import PublishRequest, TreePublication, publish_tree
from hushwood.tables.reading import Reading, read
from hushwood.tree_publishing import rebuild
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.rebuild import TreeVerdict
from support.people_files import contents, write_people
from support.published_people import ugly_people


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path), target="ill")


def published(reading: Reading, output: Path | None = None, **options: Any) -> TreePublication:
    return publish_tree(reading, PublishRequest(PublishOptions(**options), output))


def spoilt(change: Callable[[pl.DataFrame], pl.DataFrame], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written differs from what was published."""
    from hushwood.tables.formats import files

    write = files.write_frame
    monkeypatch.setattr(files, "write_frame", lambda frame, path, **how: write(change(frame), path, **how))


FLIPPED = pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("yes")).otherwise("ill").alias("ill")


@pytest.mark.parametrize(
    ("change", "fault", "says"),
    [
        (pl.lit(18).alias("age"), BrokenCertificate, "nothing was released"),
        (FLIPPED, InternalFault, "does not give the tree: Node 0"),
        (pl.lit(1).alias("more"), InternalFault, "cannot be read back: The released table has other columns"),
    ],
    ids=["rules broken", "another tree", "not readable"],
)
def test_a_file_that_is_not_what_was_published_is_not_shown(
    tmp_path: Path,
    reading: Reading,
    monkeypatch: pytest.MonkeyPatch,
    change: pl.Expr,
    fault: type[Exception],
    says: str,
) -> None:
    spoilt(lambda frame: frame.with_columns(change), monkeypatch)
    before = contents(tmp_path)
    with pytest.raises(fault, match=says):
        published(reading, tmp_path / "out")
    assert contents(tmp_path) == before


def test_a_release_that_breaks_k_is_not_shown(
    tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = published(reading)
    free = next(c["name"] for c in done.document["columns"] if c["what"] == "suppressed")
    assert free == "group"
    monkeypatch.setattr(rebuild, "verdict", lambda forest, table: TreeVerdict(None, 1, 1, 0))
    monkeypatch.setattr(rebuild, "read_released", lambda forest, released: None)
    alone = pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("x")).otherwise("group").alias("group")
    spoilt(lambda frame: frame.with_columns(alone), monkeypatch)
    with pytest.raises(InternalFault, match="The smallest group has 1 records, fewer than K = 5"):
        published(reading, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_release_that_breaks_l_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "counted", lambda *given: (5, {"job": 1.9}))
    with pytest.raises(InternalFault, match=r"'job' has L = 1\.9 in some group, less than 2"):
        published(read(ugly_people().drop("pay"), target="ill", roles={"job": "confidential"}), l=2.0)


def test_counting_again_by_hand() -> None:
    people = pl.DataFrame(
        {
            "a": [1, 1, 1, 2, 2, None, None],
            "b": ["x"] * 7,
            "s": ["p", "p", "q", None, None, "p", "q"],
            "c": list("yynynyn"),
        }
    )
    original = read(people, target="c", roles={"s": "confidential"}).table
    assert rebuild.counted(original, people, ["a", "b"]) == (2, {"s": 1.0})
    assert rebuild.counted(original, people, ["b"]) == (7, {"s": 7 / 3})
    assert rebuild.counted(original, people, []) == (7, {"s": 7 / 3})
