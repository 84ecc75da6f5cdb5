"""Releases checked against their manifests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.folder.manifests import file_checksum
from hushwood.jobs.folder.release_folder import release_folder
from hushwood.jobs.judging_requests import VerifyRequest
from hushwood.jobs.release import ReleaseRequest, release
from hushwood.jobs.verify import _same, in_batches, verify
from hushwood.policies.verdict import Verdict
from hushwood.releasing.perturb import PerturbOptions
from hushwood.tables.formats.files import read_frame, write_frame
from hushwood.tables.reading import read
from support.first_manifests import as_version_1
from support.foreign_releases import people
from support.held_back import accepted, make_held_back
from support.people_files import SEED
from support.release_parts import NO_LIMITS, files_in


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    people().write_csv(folder / "people.csv")
    reading = read(folder / "people.csv", target="ill", roles={"name": "identifier"})
    exact = PerturbOptions(redraw=0)
    assert release(reading, ReleaseRequest(exact, output=folder / "out", limits=NO_LIMITS)).cleared
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_release_that_nobody_touched_holds(here: Path) -> None:
    found = verify(here / "out", here / "people.csv")

    assert found.holds
    assert all(check.holds for check in found.checks)
    assert found.certificate == json.loads((here / "out/share/manifest.json").read_text())["certificate"]
    assert found.certificate is not None
    assert found.certificate["kept"] == 400


def test_without_the_original_only_files_are_checked(here: Path) -> None:
    found = verify(here / "out")

    assert found.holds
    assert found.certificate is None
    assert [check.holds for check in found.checks] == [True, True, True, True, True, None]


def test_the_shared_part_alone_can_be_checked(here: Path) -> None:
    shutil.rmtree(here / "out" / "private")

    for folder in (here / "out", here / "out" / "share"):
        found = verify(folder, here / "people.csv")
        assert found.holds
        assert "private part" in found.checks[-1].sentence
        assert found.checks[0].holds is None
        assert "only checksums can be vouched for" in found.checks[0].sentence


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        (None, "The release was not cleared."),
        (
            {"status": "not cleared", "policy": "public"},
            "The release was not cleared by the policy 'public'.",
        ),
        (
            {"status": "not proven", "policy": "public"},
            "The release was not cleared by the policy 'public': not enough is proven.",
        ),
    ],
)
def test_what_was_held_back_and_accepted(
    tmp_path: Path, verdict: dict[str, Any] | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Verdict, "publishable", lambda _: verdict)
    out = make_held_back(tmp_path)
    assert [check.sentence for check in verify(out).checks][1] == says
    found = verify(out, tmp_path / "people.csv")
    assert found.holds
    assert found.checks[1].holds is None
    assert "not-cleared/released.csv is as it was written." in [check.sentence for check in found.checks]

    accepted(out)

    by = " by the policy 'public'" if verdict else ""
    assert verify(out).checks[1].sentence == (
        f"The release was not cleared{by}; the data office accepted it on 2026-03-04, for this reason: for the archive "
        "only"
    )
    assert verify(out / "share", tmp_path / "people.csv").holds


def test_a_release_that_a_policy_cleared(here: Path) -> None:
    found = verify(here / "out").checks
    assert (found[0].holds, found[1].holds) == (True, True)
    assert found[1].sentence == "The release was cleared by the policy 'public'."


def test_a_release_that_nobody_judged(here: Path) -> None:
    edit(here / "out" / "share" / "manifest.json", lambda manifest: manifest.pop("verdict"))
    assert not any("cleared" in check.sentence for check in verify(here / "out").checks)


def test_a_verdict_that_was_written_over(tmp_path: Path) -> None:
    def cleared(manifest: dict[str, Any]) -> None:
        manifest["verdict"]["status"] = "cleared"

    out = make_held_back(tmp_path)
    edit(out / "not-cleared" / "manifest.json", cleared)
    assert verify(out).checks[0].holds is False  # nobody sealed that


def test_a_folder_renamed_by_hand_is_not_accepted(tmp_path: Path) -> None:
    out = make_held_back(tmp_path)
    (out / "not-cleared").rename(out / "share")
    for path in (out, out / "share"):
        found = verify(path)
        assert not found.holds
        assert found.checks[1].holds is False
        assert (
            "lies in share without having been accepted: rename it to not-cleared" in found.checks[1].sentence
        )


def test_a_changed_file_is_found(here: Path) -> None:
    path = here / "out" / "share" / "released.csv"
    path.write_text(path.read_text().replace("yes", "no", 1))

    found = verify(here / "out")

    assert not found.holds
    assert "released.csv" in next(c.sentence for c in found.checks if c.holds is False)


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), "utf-8")


def substitute(folder: Path) -> None:
    """Put another table in the place of the released one, and its checksum into the manifest."""
    path = folder / "share" / "released.csv"
    path.write_text(path.read_text().replace("yes", "no", 1))

    def with_checksum(manifest: dict[str, Any]) -> None:
        manifest["files"]["share/released.csv"] = manifest["output"]["sha256"] = file_checksum(path)

    edit(folder / "share" / "manifest.json", with_checksum)


def test_a_substituted_table_with_its_checksum_is_found(here: Path) -> None:
    substitute(here / "out")

    found = verify(here / "out")

    assert not found.holds
    assert [check.sentence for check in found.checks if check.holds is False] == [
        "The manifest is not the one that was written: its MAC does not fit the key."
    ]


def test_a_sealed_manifest_cannot_be_passed_off_as_one_from_before(here: Path) -> None:
    plan = (here / "out" / "private" / "plan.json").read_bytes()
    as_version_1(here / "out", here / "people.csv")
    substitute(here / "out")
    (here / "out" / "private" / "plan.json").write_bytes(plan)

    assert not verify(here / "out").holds


@pytest.mark.parametrize("name", ["forest.json", "plan.json", "schema.toml"])
def test_a_changed_private_file_is_found_and_not_used(here: Path, name: str) -> None:
    path = here / "out" / "private" / name
    path.write_bytes(path.read_bytes() + b"\n")

    found = verify(here / "out", here / "people.csv")

    assert not found.holds
    assert found.certificate is None
    assert f"private/{name} is not the file that was written" in found.checks[-2].sentence


def test_a_release_from_before_is_still_checked(here: Path) -> None:
    as_version_1(here / "out", here / "people.csv")

    found = verify(here / "out", here / "people.csv")

    assert found.holds
    assert found.certificate is not None
    assert found.checks[0].holds is None
    assert "from before manifests had a MAC" in found.checks[0].sentence
    assert [check.holds for check in found.checks[1:]] == [True] * 5
    assert hw.audit(here / "people.csv", here / "out", only=["sers"])["sers"].value > 0
    people(seed=5).write_csv(here / "other.csv")
    assert not verify(here / "out", here / "other.csv").holds


def test_a_missing_file_is_found(here: Path) -> None:
    (here / "out" / "share" / "dictionary.md").unlink()

    assert "dictionary.md is missing" in next(c.sentence for c in verify(here / "out").checks if not c.holds)


def test_a_record_that_left_its_rules_is_found(here: Path) -> None:
    path = here / "out" / "share" / "released.csv"
    oldest = pl.int_range(pl.len()) == pl.col("age").arg_max()
    moved = pl.read_csv(path).with_columns(age=pl.when(oldest).then(1 - pl.col("age")).otherwise("age"))
    moved.write_csv(path)

    found = verify(here / "out", here / "people.csv")

    assert found.certificate is not None
    assert found.certificate["kept"] <= 399
    assert "certificate differs" in found.checks[-1].sentence


def test_what_differs_is_named_where_the_counts_agree(here: Path) -> None:
    folder = release_folder(here / "out")
    assert folder is not None
    written = folder.manifest["certificate"]
    sentence = _same(folder, {**written, "per_tree": []}).sentence
    assert sentence.startswith("The certificate differs in per_tree, although 400 of 400 records")
    assert (
        "; the manifest says 7."
        in _same(
            replace(folder, manifest={**folder.manifest, "certificate": {**written, "kept": 7}}), written
        ).sentence
    )


def test_another_table_is_found(here: Path) -> None:
    people(seed=5).write_csv(here / "other.csv")

    found = verify(here / "out", here / "other.csv")

    assert not found.holds
    assert any("keyed checksum differs" in check.sentence for check in found.checks)


@pytest.mark.parametrize("technique", ["forest-framework", "segment-shuffle"])
def test_a_shuffled_release_is_put_back_in_order(tmp_path: Path, technique: str) -> None:
    people().write_csv(tmp_path / "people.csv")
    hw.release(
        tmp_path / "people.csv",
        target="ill",
        keep={"name": "invented"},
        technique=technique,
        output=tmp_path / "out",
        evidence="none",
        shuffle_rows=True,
    )

    assert verify(tmp_path / "out", tmp_path / "people.csv").holds


def test_missing_texts_are_remembered(tmp_path: Path) -> None:
    people().with_columns(pl.col("town").fill_null("?")).write_csv(tmp_path / "people.csv")
    table = hw.read_table(tmp_path / "people.csv", target="ill", missing=["?"])
    assert (table.columns["town"] < 0).any()
    from hushwood.jobs.release import ReleaseRequest, release
    from hushwood.tables.reading import read

    reading = read(tmp_path / "people.csv", target="ill", missing=["?"])
    release(reading, ReleaseRequest(output=tmp_path / "out", evidence="none", keep={"name": "invented"}))

    assert verify(tmp_path / "out", tmp_path / "people.csv").holds


def test_an_audit_does_not_believe_a_broken_seal(here: Path) -> None:
    substitute(here / "out")

    found = hw.audit(here / "people.csv", here / "out", only=["sers"])

    assert any("is NOT as it was written" in note for note in found.document["release"]["warnings"])


def test_files_outside_of_the_release_are_not_read(here: Path) -> None:
    def elsewhere(manifest: dict[str, Any]) -> None:
        manifest["output"]["file"] = "../../people.csv"

    edit(here / "out" / "share" / "manifest.json", elsewhere)
    with pytest.raises(InputError, match="damaged"):
        verify(here / "out")


@pytest.mark.parametrize("name", ["people.csv", ".people.csv", "more/people.csv"])
def test_a_file_that_the_manifest_does_not_name(here: Path, name: str) -> None:
    """It would be handed out with the rest; here it is the original."""
    path = here / "out" / "share" / name
    path.parent.mkdir(exist_ok=True)
    shutil.copy(here / "people.csv", path)
    for folder in (here / "out", here / "out" / "share"):
        found = verify(folder)
        assert [check.sentence for check in found.checks if check.holds is False] == [
            f"{name.partition('/')[0]} is not a file of the release and would go out with it; move it away."
        ]


def test_a_manifest_that_names_something_twice_is_refused(here: Path) -> None:
    file = here / "out" / "share" / "manifest.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("{", f'{{"technique": {json.dumps(json.loads(text)["technique"])}, ', 1))
    with pytest.raises(InputError, match="cannot be read, so the release is damaged"):
        verify(here / "out")


@pytest.mark.parametrize("text", [None, "{", "[]", '{"format": "x"}'])
def test_what_is_no_release_is_refused(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "share").mkdir()
        (tmp_path / "share" / "manifest.json").write_text(text)

    with pytest.raises(InputError):
        verify(tmp_path)


def test_a_broken_promise_is_found(here: Path) -> None:
    path = here / "out" / "share" / "released.csv"
    pl.read_csv(path).with_columns(ill=pl.col("ill").first()).write_csv(path)

    found = verify(here / "out", here / "people.csv")

    assert not found.holds
    (broken,) = [check.sentence for check in found.checks if "promise" in check.sentence]
    assert broken.startswith(
        "A promise is broken: column 'ill' has other counts of its values than the original"
    )


def test_manifests_without_promises_are_still_read(here: Path) -> None:
    as_version_1(here / "out", here / "people.csv")
    edit(
        here / "out" / "share" / "manifest.json",
        lambda manifest: manifest["certificate"].pop("columns", None),
    )

    found = verify(here / "out", here / "people.csv")

    assert found.holds
    assert found.certificate == {"claimed": True, "records": 400, "kept": 400, "per_tree": [400]}


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
@pytest.mark.parametrize("technique", ["forest-framework", "extended-framework"])
def test_numbers_with_twelve_decimals(tmp_path: Path, suffix: str, technique: str) -> None:
    """Their schema was written but not read, and Decimals with more places than values left their grid."""
    steps = np.random.default_rng(8).integers(0, 10**12, 200)
    fine = pl.Series("fine", [Decimal(int(step)).scaleb(-12) for step in steps], dtype=pl.Decimal(20, 12))
    price = pl.Series("price", [Decimal(int(s)).scaleb(-2) for s in steps], dtype=pl.Decimal(30, 12))
    ill = pl.Series("ill", np.where(steps % 7 < 2, "no", np.where(steps > 5 * 10**11, "yes", "no")))
    path = tmp_path / f"numbers{suffix}"
    write_frame(pl.DataFrame([fine, price, ill]), path)
    reading = read(path, target="ill")
    assert (reading.table.schema["fine"].precision, reading.table.schema["price"].precision) == (12, 2)

    options = PerturbOptions(technique=technique, min_leaf=10)
    release(reading, ReleaseRequest(options=options, output=tmp_path / "out", seed=SEED, evidence="none"))

    assert verify(tmp_path / "out", path).holds
    out = read_frame(files_in(tmp_path / "out") / f"released{suffix}", as_text=("fine", "price"))
    for name, places in (("fine", 12), ("price", 2)):
        texts = out[name].cast(pl.String).str.strip_chars_end("0")
        assert max(len(text.partition(".")[2]) for text in texts if "e" not in text) <= places
        moved = out[name].cast(pl.Float64).to_numpy() != reading.table.columns[name]
        assert np.mean(moved) > 0.5


TINY: Any = VerifyRequest(memory=1, threads=1)


def many_people(rows: int = 9_000) -> pl.DataFrame:
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
    many_people().write_parquet(tmp_path / "people.parquet")
    out = released(tmp_path, "people.parquet", **options)

    found = verify(out, tmp_path / "people.parquet", TINY)

    assert found.holds
    assert found.certificate == verify(out, tmp_path / "people.parquet").certificate
    assert in_batches(hw_folder(out), tmp_path / "people.parquet", 1)


def hw_folder(out: Path) -> Any:
    from hushwood.jobs.folder.release_folder import release_folder

    return release_folder(out)


def test_a_record_that_was_changed_later_is_found(tmp_path: Path) -> None:
    many_people().write_csv(tmp_path / "people.csv")
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
