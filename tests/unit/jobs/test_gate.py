"""No table goes out with columns that identify people unless each is declared, and ordinary tables pass."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import HushwoodWarning, InputError
from hushwood.evaluation.controls import Effort, control_releases
from hushwood.jobs.gate import check_declared, rare_levels_kept, said_of_groups, with_people_apart
from hushwood.jobs.publish_tree import publish_tree
from hushwood.jobs.release import release_any
from hushwood.jobs.requests import InputOptions, PublishRequest, ReleaseRequest
from hushwood.jobs.shared_options import kept_columns
from hushwood.policies.advice import GROUPED
from hushwood.policies.policy import policy_named
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.sklearn import Anonymizer
from hushwood.tables.reading import read
from hushwood.tables.recoding.rare_levels import RareLevels
from hushwood.tree_publishing.options import PublishOptions
from support.people_files import write_people
from support.planted_identifiers import KINDS, TABLES, people_with_mail, planted_table
from support.real_data import data_folder
from support.repeated_people import one_with_many, repeated

SEED = "4f" * 32


def refusal(path: Path, options: list[str]) -> str:
    """What the gate says to a file with these options of the command; nothing if it lets the table pass."""
    named = tuple(options[1::2])
    assert options[::2] == ["--identifier"] * len(named)
    reading = read(path, **InputOptions(identifier=named).arguments("ill"))
    try:
        check_declared(reading.table, {})
    except InputError as refused:
        return str(refused)
    return ""


def proposed(sentence: str) -> list[str]:
    """The options that a refusal proposes, as a shell would read them."""
    found = re.search(r"with (--identifier .*?), or keep", sentence)
    assert found is not None, sentence
    return shlex.split(found[1])


def test_every_kind_is_planted() -> None:
    assert {column for number in range(TABLES) for column in planted_table(number).columns} == {
        k for k, _ in KINDS
    }


@pytest.mark.parametrize("number", range(TABLES))
def test_planted_columns_stop_and_the_proposed_options_let_the_table_pass(
    number: int, tmp_path: Path
) -> None:
    planted = planted_table(number)
    path = tmp_path / "people.csv"
    planted.frame.write_csv(path)
    sentence = refusal(path, [])
    options = proposed(sentence)
    assert set(options[1::2]) == set(planted.columns)
    assert all(f"{name!r} (" in sentence for name in planted.columns)
    assert refusal(path, options) == ""
    for left in planted.columns:  # one declaration less is one too few
        fewer = [word for name in planted.columns if name != left for word in ("--identifier", name)]
        assert proposed(refusal(path, fewer)) == ["--identifier", left]


@pytest.mark.parametrize(
    "name", ["abalone", "adult", "boston", "bupa", "cmc", "crx", "iris", "mushroom", "wbc", "wine"]
)
def test_the_tables_of_the_papers_pass_without_their_record_numbers(name: str) -> None:
    folder = data_folder()
    described = tomllib.loads((folder / "tables.toml").read_text("utf-8"))[name]
    table = read(folder / described["file"], target=described["class"], response="auto").table
    if described["identifiers"]:
        with pytest.raises(InputError, match="'Sample_code_number' \\(record numbers\\)"):
            check_declared(table, {})
    check_declared(table, dict.fromkeys(described["identifiers"], "the only record number of the ten tables"))


@pytest.fixture
def frame() -> pl.DataFrame:
    return people_with_mail()


def test_python_refuses_alike_for_frames_tables_and_pipelines(frame: pl.DataFrame) -> None:
    for given in (frame, hw.read_table(frame, target="ill"), frame.to_pandas()):
        with pytest.raises(InputError, match=r"'my mail' \(e-mail addresses\)"):
            hw.release(given, target="ill", evidence="none")
    with pytest.raises(ValueError, match="identifies people"):
        Anonymizer().fit_resample(frame.drop("ill").to_pandas(), frame["ill"].to_pandas())
    Anonymizer(keep={"my mail": "made up"}).fit_resample(
        frame.drop("ill").to_pandas(), frame["ill"].to_pandas()
    )
    done = hw.release(frame, target="ill", roles={"my mail": "identifier"}, evidence="none")
    assert "kept_columns" not in done.manifest
    assert "my mail" not in done.frame.columns


def test_which_declarations_count(frame: pl.DataFrame) -> None:
    for role in ("ordinary", "confidential", "ignored"):
        with pytest.raises(InputError, match="'my mail'"):
            check_declared(read(frame, target="ill", roles={"my mail": role}).table, {})
    for settling in ("identifier", "quasi-identifier"):
        check_declared(read(frame, target="ill", roles={"my mail": settling}).table, {})
    check_declared(read(frame, target="ill", roles={"my mail": "ignored"}).table, {"my mail": "made up"})


def test_a_class_that_names_people_is_not_dropped_but_replaced(frame: pl.DataFrame) -> None:
    table = read(frame, target="my mail").table
    with pytest.raises(
        InputError, match=r"\(e-mail addresses\); choose another class than 'my mail', or keep one"
    ):
        check_declared(table, {})
    check_declared(table, {"my mail": "made up"})


def test_trees_are_published_through_the_same_gate(frame: pl.DataFrame) -> None:
    reading, options = read(frame, target="ill"), PublishOptions(k=2)
    with pytest.raises(InputError, match="'my mail'"):
        publish_tree(reading, PublishRequest(options))
    done = publish_tree(reading, PublishRequest(options, keep={"my mail": "made up"}))
    assert done.manifest["kept_columns"] == {"my mail": "made up"}
    numbered = frame.drop("my mail").with_columns(pl.int_range(200).alias("id"))
    publish_tree(read(numbered, target="ill"), PublishRequest(options))  # numbers become intervals


@pytest.mark.parametrize(
    ("keep", "sentence"),
    [
        ({"mymail": "made up"}, "Did you mean 'my mail'"),
        ({"my mail": " "}, "No reason is given to keep column 'my mail'; add one: --keep 'my mail'="),
        ({"age": "both", "group": ""}, "No reason is given to keep column 'group'"),
    ],
)
def test_what_cannot_be_kept(frame: pl.DataFrame, keep: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_declared(read(frame, target="ill").table, keep)


def test_dropped_and_kept_is_a_contradiction(frame: pl.DataFrame) -> None:
    table = read(frame, target="ill", roles={"my mail": "identifier"}).table
    with pytest.raises(InputError, match="cannot be both dropped as identifier and kept"):
        check_declared(table, {"my mail": "made up"})


def test_kept_columns_are_typed_with_their_reasons() -> None:
    assert kept_columns(["a=b=c", "x y=z"]) == {"a": "b=c", "x y": "z"}
    with pytest.raises(InputError, match="Say why the column is kept"):
        kept_columns(["a"])


def test_warnings_of_a_release_are_python_warnings_once_each(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    with pytest.warns(HushwoodWarning) as given:
        done = hw.release(path, target="ill", roles={"group": "ignored"}, evidence="none", seed=SEED)
    assert tuple(str(each.message) for each in given) == done.warnings
    assert any("'group' is ignored" in sentence for sentence in done.warnings)
    assert {each.filename for each in given} == {__file__}


def test_published_trees_warn_too(frame: pl.DataFrame) -> None:
    plain: Any = frame.drop("my mail").sort("age")
    with pytest.warns(HushwoodWarning, match="sorted by 'age'"):
        hw.publish_tree(plain, target="ill", k=2)


@pytest.mark.parametrize(
    ("rule", "rare_class", "policy", "held", "settled"),
    [
        ("keep", False, "public", True, True),
        ("keep", True, "public", True, False),  # a class can only be kept
        ("group", False, "public", False, False),
        ("keep", False, "research", False, False),
    ],
)
def test_grouping_settles_rare_levels_unless_a_class_has_some(
    rule: str, rare_class: bool, policy: str, held: bool, settled: bool
) -> None:
    town = ["Ash"] * 30 + ["Elm"] * 29 + ["Oak"]
    ill = ["yes"] * 30 + ["no"] * 29 + (["maybe"] if rare_class else ["no"])
    table = read(pl.DataFrame({"town": town, "ill": ill}), target="ill").table
    found = rare_levels_kept(RareLevels.of(table, rule, 5), {}, table.schema, policy_named(policy))
    assert (bool(found.blocking), found.settling) == (held, (GROUPED,) if settled else ())


SEED_REPEATED_PEOPLE = "6e" * 32
COLUMNS = ("age", "sex", "income", "bmi", "region", "ill")
SIXTY = repeated(np.full(40, 60), 0, 3, COLUMNS)
STAYS = repeated(np.random.default_rng(1).integers(1, 6, 800), 2, 3, COLUMNS)
REASON = "every row is another day of the same machine"


def verbatim(frame: pl.DataFrame, done: hw.Release) -> float:
    """The share of people whose income stands beside their own body mass index in the release."""
    out = done.frame
    pairs = set(zip(out["income"], out["bmi"], strict=True))
    return float(np.mean([pair in pairs for pair in frame.unique("pat").select("income", "bmi").rows()]))


@pytest.mark.parametrize(
    ("frame", "roles", "sentence"),
    [
        (SIXTY, {"pat": "identifier"}, "Column 'pat' identifies people, who have about 60 rows each"),
        (SIXTY.drop("pat"), {}, "Rows evidently repeat people: .* in about 60 rows at a time"),
        (STAYS, {"pat": "identifier"}, 'person="pat"'),
        (STAYS.drop("pat"), {}, "in about 4 rows at a time"),
        (one_with_many(860, 368, 0), {}, "in about 3.. rows at a time"),
    ],
)
def test_rows_that_repeat_people_stop(frame: pl.DataFrame, roles: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as stopped:
        hw.release(frame, target="ill", roles=roles, policy="public")
    assert 'rows_are_people="reason"' in str(stopped.value)
    assert "--" not in str(stopped.value)


def test_without_the_stop_everybody_would_be_cleared_verbatim() -> None:
    """The attack that the stop is for, on what comes out if someone declares it away."""
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(
            SIXTY,
            target="ill",
            roles={"pat": "identifier"},
            policy="public",
            rows_are_people=REASON,
            redraw=0,
            evidence="none",
            seed=SEED_REPEATED_PEOPLE,
        )
        held = hw.release(SIXTY, target="ill", person="pat", redraw=0, evidence="none", seed="6f" * 32)
    assert verbatim(SIXTY, done) == 1.0
    assert verbatim(SIXTY, held) < 0.5
    assert done.manifest["rows_are_people"] == REASON
    assert "rows_are_people" not in held.manifest


def test_the_reason_is_in_the_manifest_and_on_the_sign_off(tmp_path: Path) -> None:
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(
            STAYS.head(300),
            target="ill",
            roles={"pat": "identifier"},
            rows_are_people=REASON,
            seed=SEED_REPEATED_PEOPLE,
            output=tmp_path / "out",
        )
    assert done.folder is not None
    manifest = next(done.folder.glob("*/manifest.json"))
    assert json.loads(manifest.read_text("utf-8"))["rows_are_people"] == REASON
    assert REASON in (done.folder / "private" / "signoff.html").read_text("utf-8")
    assert hw.verify(done.folder).holds


def test_a_reason_is_a_reason_and_no_contradiction() -> None:
    table = read(SIXTY, target="ill", roles={"pat": "person"})
    with_people_apart(table, None, {})
    with pytest.raises(InputError, match="says which rows belong together"):
        with_people_apart(table, "because", {})
    with pytest.raises(InputError, match="needs a reason"):
        with_people_apart(table, " ", {})


@pytest.mark.parametrize("roles", [{"pat": "identifier"}, {"pat": "ignored"}])
def test_throw_away_releases_leave_the_rows_of_one_on_one_side(roles: Any) -> None:
    told = with_people_apart(read(SIXTY, target="ill", roles=roles), REASON, {})
    assert "The 2,400 rows look like those of 40 people" in said_of_groups(told.table)[0]
    effort = Effort(outsiders=10**6, releases=3)
    outside = list[int]()
    for control in control_releases(
        told.table, PerturbOptions(k=50, teacher="none"), effort, Streams(bytes(32))
    ):
        people = [set(SIXTY["pat"].gather(rows)) for rows in (control.inside, control.outside)]
        assert not people[0] & people[1]
        assert len(control.inside) + len(control.outside) == 2_400
        outside += control.outside.tolist()
    assert sorted(outside) == list(range(2_400))


def test_what_is_dropped_stops_only_if_it_stands_for_people() -> None:
    draw = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 90, 900),
            "sex": draw.choice(["f", "m"], 900),
            "ill": draw.choice(["yes", "no"], 900),
            "Nachname": draw.choice([f"Name {i}" for i in range(200)], 900),
            "clinic": draw.choice([f"c{i}" for i in range(40)], 900),
            "PatID": draw.integers(1, 300, 900),
        }
    )

    def check(**roles: Any) -> None:
        rest = [name for name in ("Nachname", "clinic", "PatID") if name not in roles]
        with_people_apart(read(frame.drop(rest), target="ill", roles=roles), None, {})

    check(Nachname="identifier", clinic="identifier")
    with pytest.raises(InputError, match="--person PatID"):
        check(PatID="identifier")


def test_samples_of_a_few_people_who_came_again_pass() -> None:
    folder = data_folder()
    described = tomllib.loads((folder / "tables.toml").read_text("utf-8"))["wbc"]
    roles: Any = dict.fromkeys(described["identifiers"], "identifier")
    with_people_apart(read(folder / described["file"], target=described["class"], roles=roles), None, {})


def test_files_that_are_read_in_batches_stop_too(tmp_path: Path) -> None:
    SIXTY.drop("pat").write_csv(tmp_path / "rows.csv")
    request = ReleaseRequest(PerturbOptions(engine="streaming"), evidence="none")
    with pytest.raises(InputError, match="Rows evidently repeat people"):
        release_any(tmp_path / "rows.csv", {"target": "ill"}, request)
