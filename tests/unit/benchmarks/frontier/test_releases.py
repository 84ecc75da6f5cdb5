from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
import pytest
from frontier import releases
from frontier.contenders import BY_NAME, Contender
from frontier.releases import decimals, release

from hushwood.errors import InputError
from support.frontier_people import split_people

SPLIT = split_people(300)
KEY = bytes(32)


def test_untouched_is_the_table() -> None:
    assert release(BY_NAME["untouched"], SPLIT, KEY).frame.equals(SPLIT.frame)


def test_a_bootstrap_sample_holds_two_thirds_of_the_people() -> None:
    drawn = release(BY_NAME["bootstrap"], SPLIT, KEY).frame
    assert drawn.height == SPLIT.frame.height
    assert set(drawn["first"]) < set(SPLIT.frame["first"])
    assert 0.55 < drawn["first"].n_unique() / drawn.height < 0.72


def test_noise_keeps_ranges_and_levels_alone() -> None:
    drawn = release(BY_NAME["noise"], SPLIT, KEY).frame
    assert drawn.columns == SPLIT.frame.columns
    for before, after in zip(SPLIT.frame.iter_columns(), drawn.iter_columns(), strict=True):
        assert after.min() >= before.min()  # type: ignore[operator]
        assert after.max() <= before.max()  # type: ignore[operator]
    assert not set(drawn["first"]) & set(SPLIT.frame["first"])


def test_a_recipe_releases_in_the_order_of_the_people_and_is_certified() -> None:
    done = release(BY_NAME["framework"], SPLIT, KEY)
    assert done.kept == 1.0
    assert done.frame.shape == SPLIT.frame.shape
    swapped = release(Contender("", "masking", "rankswap", {"blur": 0}), SPLIT, KEY)
    assert swapped.frame["kind"].equals(SPLIT.frame["kind"])
    assert sorted(swapped.frame["first"]) == sorted(SPLIT.frame["first"])


def test_sets_of_categories_and_means_come_out_of_generalisation() -> None:
    grouped = release(BY_NAME["mondrian"], SPLIT, KEY).frame
    assert grouped.select("first", "second").unique().height <= SPLIT.frame.height / 5
    assert "{a, b}" in set(grouped["kind"])


def test_a_recipe_that_does_not_fit_refuses() -> None:
    numbers = type(SPLIT)(SPLIT.frame.drop("kind"), SPLIT.target, SPLIT.reference)
    with pytest.raises(InputError, match="finds no column"):
        release(BY_NAME["pram"], numbers, KEY)


def test_a_peer_reads_and_writes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that hands the table back, last row first, with what it was given about the columns."""
    (tmp_path / "mirror.py").write_text(
        "import json, sys\nfrom pathlib import Path\nfolder = Path(sys.argv[1])\n"
        "about = json.loads((folder / 'about.json').read_text())\n"
        "assert about['categories'] == ['kind', 'label'] and set(about['decimals']) == {'first', 'second'}\n"
        "head, *rows = (folder / 'in.csv').read_text().splitlines()\n"
        "(folder / 'out.csv').write_text('\\n'.join([head, *reversed(rows)]) + '\\n')\n"
    )
    (tmp_path / "broken.py").write_text("raise SystemExit('no such table')")
    monkeypatch.setattr(releases, "PEER_SCRIPTS", tmp_path)
    monkeypatch.setenv("HUSHWOOD_MIRROR", sys.executable)
    mirror = Contender("mirror", "peer", peer="mirror", variable="HUSHWOOD_MIRROR")
    assert release(mirror, SPLIT, KEY).frame.equals(SPLIT.frame.reverse())
    broken = Contender("broken", "peer", peer="broken", variable="HUSHWOOD_MIRROR")
    with pytest.raises(RuntimeError, match="broken ended with code 1: no such table"):
        release(broken, SPLIT, KEY)


def test_decimals() -> None:
    assert decimals(pl.Series([1, 2])) == 0
    assert decimals(pl.Series([1.25, 2.5])) == 2
    assert decimals(pl.Series([1 / 3])) == 12
