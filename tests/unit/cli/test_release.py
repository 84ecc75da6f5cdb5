"""What `hushwood release` prints, writes, keeps apart and leaves alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE
from support.command_line import Command, frame, refused, released
from support.people_files import OTHER_SEED, SEED, contents, write_people
from support.release_parts import NO_LIMITS, files_in, manifest_of


def test_what_is_printed_ends_with_what_to_send(hushwood: Command, people_csv: Path) -> None:
    limits = [word for limit in NO_LIMITS for word in ("--limit", limit)]
    done = hushwood("release", people_csv, "--class", "ill", "--redraw", 0, "-o", "out", *limits)
    assert done.code == 0
    *_, last = done.out.splitlines()
    assert "All 120 records still follow the same rules in the tree." in " ".join(done.out.split())
    assert last == "Send out/share; never send out/private, it can undo the release."
    assert "growing the forest ..." in done.err.splitlines()
    assert sorted(p.name for p in Path("out/share").iterdir()) == [
        "dictionary.md",
        "manifest.json",
        "released.csv",
        "report.html",
    ]
    assert "row_order.npy" in [path.name for path in Path("out/private").iterdir()]
    assert "Released with segment-shuffle. The default." in done.out


def test_quiet_prints_nothing(hushwood: Command, people_csv: Path) -> None:
    done = released(hushwood, people_csv, "--quiet")
    assert (done.out, done.err) == ("", "")


def test_a_dry_run_keeps_nothing(hushwood: Command, people_csv: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    dry = ("release", people_csv, "--class", "ill", "-o", "out", "--dry-run", "--evidence", "none")
    drawn, done = hushwood(*dry), hushwood(*dry, "--redraw", 0)
    assert drawn.code == done.code == 1
    for names in ("age, score", "group", "ill"):
        assert f"  {names}: Drawn from the values of its segment of at least" in drawn.out
        assert f"  {names}: Handed out again within its segment of at least 12 records" in done.out
    assert done.out.splitlines()[-1] == "This was a dry run: nothing was kept."
    assert contents(tmp_path) == before


def test_copied_columns_are_cried_out(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("release", people_csv, "--class", "ill", "-o", "out", "--technique", "linfapt")
    assert "WARNING: copied without any change: group, ill." in done.out
    assert "nothing to do there" in done.err


def test_the_input_is_never_written_to(hushwood: Command, people_csv: Path) -> None:
    before = people_csv.read_bytes(), people_csv.stat().st_mtime_ns
    released(hushwood, people_csv)
    refused(
        hushwood("release", files_in("out") / "released.csv", "--class", "ill", "-o", "out", "--force", "-q"),
        "belongs to the release in out",
    )
    assert (people_csv.read_bytes(), people_csv.stat().st_mtime_ns) == before


def test_the_same_seed_gives_the_same_bytes(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--seed", SEED)
    first = (files_in("out") / "released.csv").read_bytes()
    Path("key").write_text(SEED + "\n", "utf-8")
    released(hushwood, people_csv, "--seed-file", "key", "--chunk-rows", 7, "--force")
    assert (files_in("out") / "released.csv").read_bytes() == first
    released(hushwood, people_csv, "--seed", OTHER_SEED, "--force")
    assert (files_in("out") / "released.csv").read_bytes() != first
    keys = set()
    for _ in range(2):
        released(hushwood, people_csv, "--force")
        keys.add(Path("out/private/key").read_text("utf-8"))
    assert len(keys) == 2


def test_a_seed_on_the_command_line_is_warned_of(hushwood: Command, people_csv: Path) -> None:
    Path("key").write_text("0f1e2d3c4b5a69788796a5b4c3d2e1f0" + "00112233445566778899aabbccddeeff", "utf-8")
    exact = ("--redraw", 0)  # of drawn people, few records are one segment, of which a release warns
    given = released(hushwood, people_csv, *exact, "--seed", Path("key").read_text("utf-8"))
    assert "! Other users of this machine can read a command line" in given.err
    assert "repeats a few digits" not in given.err
    from_file = released(hushwood, people_csv, *exact, "--seed-file", "key", "--force")
    assert "!" not in from_file.err
    weak = released(hushwood, people_csv, "--seed", "0" * 64, "--force")
    assert "! The seed repeats a few digits" in weak.err


def test_shuffled_rows(hushwood: Command, people_csv: Path) -> None:
    given = ("--seed", SEED, "--technique", "forest-framework")
    released(hushwood, people_csv, *given)
    assert not Path("out/private/row_order.npy").exists()
    in_order = frame()
    released(hushwood, people_csv, *given, "--shuffle-rows", "--force", "--reuse-key")
    order = np.load("out/private/row_order.npy")
    assert sorted(order.tolist()) == list(range(120))
    assert frame().equals(in_order[order])
    assert not frame().equals(in_order)
    found = manifest_of("out")["certificate"]
    assert (found["claimed"], found["records"], found["kept"], found["per_tree"]) == (
        True,
        120,
        120,
        [120] * 3,
    )


def test_the_default_shuffles_rows_whether_asked_or_not(hushwood: Command, people_csv: Path) -> None:
    given = ("--seed", SEED, "--redraw", 0)
    released(hushwood, people_csv, *given)
    first = (files_in("out") / "released.csv").read_bytes(), Path("out/private/row_order.npy").read_bytes()
    released(hushwood, people_csv, *given, "--shuffle-rows", "--force")
    assert (
        (files_in("out") / "released.csv").read_bytes(),
        Path("out/private/row_order.npy").read_bytes(),
    ) == first
    drawn = []
    for more in ((), ("--shuffle-rows",)):
        released(hushwood, people_csv, "--seed", OTHER_SEED, *more, "--force")
        drawn.append((files_in("out") / "released.csv").read_bytes())
        assert not Path("out/private/row_order.npy").exists()
    assert drawn[0] == drawn[1]


def test_force_replaces_only_what_the_manifest_lists(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)
    foreign = [folder / "notes.txt" for folder in (Path("out"), files_in("out"), Path("out/private"))]
    for path in foreign:
        path.write_text("mine", "utf-8")
    released(hushwood, people_csv, "--force")
    assert [path.read_text("utf-8") for path in foreign] == ["mine"] * 3


def test_a_forest_can_be_used_again(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--technique", "forest-framework")
    Path("forest.json").write_bytes(Path("out/private/forest.json").read_bytes())
    released(hushwood, people_csv, "--force", "--forest", "forest.json", "--technique", "framework")
    assert Path("out/private/forest.json").read_bytes() == Path("forest.json").read_bytes()
    found = manifest_of("out")["certificate"]
    assert (found["claimed"], found["records"], found["kept"], found["per_tree"]) == (
        True,
        120,
        120,
        [120] * 3,
    )
    given = ["release", people_csv, "--class", "ill", "-o", "new", "--forest", "forest.json", "-q"]
    refused(hushwood(*given, "--technique", "framework", "--trees", 2), "The forest given has 3 trees")
    refused(hushwood(*given), "segment-shuffle uses the segments of one tree, but the forest given has 3")


def test_how_trees_are_grown_is_used_and_written_down(hushwood: Command, people_csv: Path) -> None:
    words = ["--criterion", "gini", "--confidence", "0.1", "--goodness", "0.9", "--separation", "0.1"]
    words += ["--min-gain-ratio", "0.02", "--min-leaf", "5", "--trees", "2"]
    released(hushwood, people_csv, "--technique", "forest-framework", *words)
    said = {
        "criterion": "gini",
        "confidence": 0.1,
        "min_leaf": 5,
        "trees": 2,
        "goodness": 0.9,
        "separation": 0.1,
    }
    model = json.loads(Path("out/private/forest.json").read_text("utf-8"))
    plan = json.loads(Path("out/private/plan.json").read_text("utf-8"))
    assert said.items() <= plan["options"].items()
    for grown in (model["grown"], manifest_of("out")["parameters"]["grown"]):
        assert said.items() <= grown.items()
        assert (grown["minimum_gain_ratio"], plan["options"]["min_gain_ratio"]) == (0.02, 0.02)
    first = model["trees"]
    released(
        hushwood, people_csv, "--force", "--technique", "forest-framework", "--min-leaf", 5, "--trees", 2
    )
    assert json.loads(Path("out/private/forest.json").read_text("utf-8"))["trees"] != first


def test_options_for_growing_a_forest_that_is_given_are_refused(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--technique", "forest-framework")
    given = ["release", people_csv, "--class", "ill", "-o", "new", "-q", "--technique", "forest-framework"]
    given += ["--forest", "out/private/forest.json"]
    for words in (["--goodness", "0.2"], ["--criterion", "gini"], ["--confidence", "0.1"]):
        refused(hushwood(*given, *words), f"{words[0]} has no use for a forest that is given; omit it")


def test_the_default_takes_a_tree_and_merges_its_small_leaves(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--technique", "framework", "--min-leaf", 2)
    Path("forest.json").write_bytes(Path("out/private/forest.json").read_bytes())
    released(hushwood, people_csv, "--force", "--forest", "forest.json", "--k", 30)
    sizes = [
        [
            sum(node["counts"])
            for node in json.loads(path.read_text("utf-8"))["trees"][0]["nodes"]
            if "test" not in node
        ]
        for path in (Path("forest.json"), Path("out/private/forest.json"))
    ]
    assert min(sizes[0]) < 30 <= min(sizes[1])
    assert sum(sizes[1]) == 120
    assert hushwood("verify", "out", people_csv, "-q").code == 0


def test_identifiers_leave_and_ignored_columns_stay(hushwood: Command, people_csv: Path) -> None:
    done = released(hushwood, people_csv, "--identifier", "group", "--ignore", "score", "--redraw", 0)
    assert "'score' is ignored" in done.err
    assert frame().columns == ["age", "score", "ill"]
    order = np.load("out/private/row_order.npy")
    assert frame()["score"].to_list() == pl.read_csv(people_csv)["score"][order].to_list()
    assert "'score' ties each row to the record that it was made from" in done.err
    kept = released(
        hushwood, people_csv, "--ignore", "score", "--technique", "forest-framework", "--force", "--reuse-key"
    )
    assert "ties each row" not in kept.err
    assert frame()["score"].to_list() == pl.read_csv(people_csv)["score"].to_list()


@pytest.mark.parametrize("kind", ["there already", "by a link", "by a dangling link", "here"])
def test_empty_folders_and_links_are_filled(hushwood: Command, people_csv: Path, kind: str) -> None:
    place = Path("real")
    if kind != "by a dangling link":
        place.mkdir()
    Path("out").symlink_to(place.resolve())
    words = {"there already": "real", "here": "."}.get(kind, "out")
    if kind == "here":
        os.chdir(place)
    done = hushwood("release", people_csv, "--class", "ill", "-o", words, "--evidence", "none", "-q")
    assert done.code == 1, done.err
    assert sorted(path.name for path in Path("." if kind == "here" else place).iterdir()) == [
        "not-cleared",
        "private",
    ]


def test_nothing_in_share_tells_the_secret_or_the_source(hushwood: Command) -> None:
    path = write_people(Path(), "very-secret-clinic.csv")
    text = path.read_text("utf-8") + '40,3.5,"the only lighthouse keeper",yes\n119,3.5,x,no\n'
    path.write_text(text, "utf-8")
    assert hushwood("release", path.resolve(), "--class", "ill", "-o", "out", "-q").code == 1
    key = Path("out/private/key").read_text("utf-8").strip()
    for shared in sorted(files_in("out").iterdir()):
        said = shared.read_text("utf-8")
        assert key not in said, shared
        assert "very-secret-clinic" not in said, shared
        assert str(path.resolve().parent) not in said, shared
        if shared.name != "released.csv":
            assert "lighthouse" not in said, shared


def test_every_option_has_a_help_text(hushwood: Command) -> None:
    from typer.main import get_command

    from hushwood.cli.main import app

    helped = hushwood("release", "--help")
    assert helped.code == 0
    assert "Example: hushwood release adult.csv" in helped.out
    commands = getattr(get_command(app), "commands")  # noqa: B009 - typer hides the group's type
    for name, command in commands.items():
        texts = {option.name: getattr(option, "help", None) for option in command.params}
        assert [option for option, text in texts.items() if not text] == [], name


def test_releases_keep_their_modes(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)
    assert Path("out/private").stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in Path("out/private").iterdir()} == {PRIVATE_FILE_MODE}
