"""A release in memory is judged by its laws, as its folder is, and not if the table is another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushwood as hw
from support.foreign_releases import people

ROLES: Any = {"name": "identifier"}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"technique": "forest-framework"},
        {"coarsen": {"age": "5"}, "rare": "group"},
        {"shuffle_rows": True},
        {"technique": "cart-synthesis"},
    ],
    ids=["default", "noise", "coarse", "shuffled", "synthesis"],
)
def test_a_release_in_memory_is_judged_as_its_folder(options: dict[str, Any], tmp_path: Path) -> None:
    """By its own laws, on the table as it was prepared, and made-up records as made up."""
    table = hw.read_table(people(), target="ill", roles=ROLES)
    given = dict(evidence="none", seed="7" * 64, **options)
    done = hw.release(table, **given)
    hw.release(table, output=tmp_path / "out", **given)
    only = ["reidentification_entropy", "class_entropy", "sers", "linkage", "singling_out"]

    found, of_folder = (hw.audit(table, what, only=only) for what in (done, tmp_path / "out"))

    assert found.document["measures"] == of_folder.document["measures"]
    assert found.document["attacks"] == of_folder.document["attacks"]
    if not options:
        assert found["reidentification_entropy"].details["likelihood"] == "laws"


def test_another_table_is_not_judged_by_the_laws_of_a_release() -> None:
    table = hw.read_table(people(), target="ill", roles=ROLES)
    done = hw.release(table, evidence="none", seed="7" * 64)
    other = table.with_columns({"age": np.append(table.columns["age"][1:], 40.0)})
    found = hw.audit(other, done, match="rows", only=["reidentification_entropy"])
    assert any("another version" in note for note in found.evaluation.release.warnings)
    assert found["reidentification_entropy"].details["likelihood"] == "fitted"


def test_a_frame_is_read_as_for_the_release() -> None:
    """The name is not among the columns that are compared, although only the release was told that it identifies."""
    done = hw.release(people(), target="ill", roles=ROLES, evidence="none", seed="7" * 64)
    found = hw.audit(people(), done, only=["reidentification_entropy"])
    assert found["reidentification_entropy"].details["likelihood"] == "laws"
    assert done.made is not None
    assert "key" not in repr(done)
