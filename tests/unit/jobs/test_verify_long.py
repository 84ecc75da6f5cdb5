"""A certificate repeated in batches is the one that was written, whatever the order of the released rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs import verify_long
from hushwood.jobs.verify import verify
from hushwood.jobs.verify_request import VerifyRequest

TINY: Any = VerifyRequest(memory=1, threads=1)


def people(rows: int = 9_000) -> pl.DataFrame:
    draw = np.random.default_rng(1)
    age = draw.integers(20, 80, rows)
    return pl.DataFrame(
        {
            "id": np.arange(rows) * 7,
            "age": age,
            "city": draw.choice(["Mel", "Syd", "Bne"], rows),
            "ill": np.where(age + draw.normal(0, 10, rows) > 50, "yes", "no"),
        }
    )


def released(here: Path, source: str, **options: Any) -> Path:
    roles: Any = {"id": "identifier"}
    more: Any = {"technique": "framework", "min_leaf": 200, "evidence": "none", **options}
    hw.release(here / source, target="ill", roles=roles, output=here / "out", **more)
    return here / "out"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shuffle_rows": True},
        {"row_key": "id"},
        {"technique": "segment-shuffle"},
        {"technique": "copula-synthesis"},
    ],
    ids=str,
)
def test_the_certificate_is_the_same_in_batches(options: dict[str, Any], tmp_path: Path) -> None:
    people().write_parquet(tmp_path / "people.parquet")
    out = released(tmp_path, "people.parquet", **options)

    found = verify(out, tmp_path / "people.parquet", TINY)

    assert found.holds
    assert found.certificate == verify(out, tmp_path / "people.parquet").certificate
    assert verify_long.in_batches(hw_folder(out), tmp_path / "people.parquet", 1)


def hw_folder(out: Path) -> Any:
    from hushwood.jobs.folder.release_folder import release_folder

    return release_folder(out)


def test_a_record_that_was_changed_later_is_found(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    out = released(tmp_path, "people.csv")
    table = next(out.glob("*/released.csv"))
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], "79,Mel,no", *lines[2:]]) + "\n")

    found = verify(out, tmp_path / "people.csv", TINY)

    assert not found.holds
    table.write_text("\n".join(lines[:-1]) + "\n")
    assert not verify(out, tmp_path / "people.csv", TINY).holds
    table.write_text("\n".join([*lines, lines[-1]]) + "\n")
    assert not verify(out, tmp_path / "people.csv", TINY).holds
