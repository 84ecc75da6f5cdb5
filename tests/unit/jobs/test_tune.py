"""The tune job: the release of the winner, its map, a search that goes on where it was stopped, and refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.jobs import tune as tuning_job
from hushwood.jobs.release import release
from hushwood.jobs.requests import ReleaseRequest, TuneOptions, TuneRequest
from hushwood.jobs.tune import NOTES, Tuned, tune
from hushwood.policies.policy import Policy
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.reading import Reading, read
from hushwood.tuning import search
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Ground, Score, score
from support.people_files import SEED, write_people
from support.tuned_scores import QUICKLY, two_checks

TECHNIQUES = ("copula-synthesis", "cart-synthesis")


def people_of(folder: Path, count: int = 120) -> Reading:
    return read(write_people(folder, count=count), target="ill")


def wanted(folder: Path, policy: Policy | None = None, **more: Any) -> ReleaseRequest:
    request = TuneRequest(
        TuneOptions(threads=1), folder / "out", policy=policy or two_checks(), ledger=folder / "ledger"
    )
    return replace(request.as_release(), **more)


def tuned(folder: Path, policy: Policy | None = None, **more: Any) -> Tuned:
    return tune(people_of(folder), wanted(folder, policy, **more), TECHNIQUES, thoroughness=QUICKLY)


def test_the_winner_is_released_with_the_map_of_all_that_was_tried(tmp_path: Path) -> None:
    found = tuned(tmp_path)
    assert found.cleared
    assert found.release.folder == tmp_path / "out"
    assert found.release.manifest["technique"] == found.winner.candidate.technique
    assert found.winner.candidate.label in found.why
    private = tmp_path / "out" / "private"
    written = json.loads((private / "tuning.json").read_text("utf-8"))
    assert [point["score"]["label"] for point in written["points"]] == [
        p.candidate.label for p in found.points
    ]
    assert found.winner.candidate.label in (private / "map.html").read_text("utf-8")
    # Both are sealed with the rest, and nothing is left next to the folder.
    assert {"private/map.html", "private/tuning.json"} <= set(found.release.manifest["private_files"])
    assert not (tmp_path / f"out{NOTES}").exists()
    # In Python it shows itself.
    assert repr(found).startswith(f"<Tuned: {found.winner.candidate.label}, cleared, ")
    frame = found.to_frame()
    assert frame.filter(frame["winner"])["label"].to_list() == [found.winner.candidate.label]
    assert frame.height == len(found.points) + 2
    assert found.winner.candidate.label in found._repr_html_()
    assert "Risk and utility" in found.plot().to_dict()["title"]["text"]


def test_the_verdict_on_the_release_is_the_one_that_the_search_saw(tmp_path: Path) -> None:
    found = tuned(tmp_path)
    seen = [(risk.check, risk.status, risk.value, risk.high) for risk in found.winner.score.risks]
    checks = found.release.verdict.checks
    ends = [(None, 0.0) if c.estimate is None else (c.estimate.value, c.estimate.high) for c in checks]
    assert seen == [(c.name, c.status, *end) for c, end in zip(checks, ends, strict=True)]


def test_nothing_cleared_is_held_back_and_explained(tmp_path: Path) -> None:
    found = tuned(tmp_path, two_checks(1e-6, 1e-6))
    assert not found.cleared
    assert not found.outcome.cleared
    assert found.why.startswith("No release was found that the policy two clears.")
    assert (tmp_path / "out" / "not-cleared").is_dir()
    assert (tmp_path / "out" / "private" / "map.html").is_file()


def test_a_search_that_was_stopped_goes_on_to_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    whole.mkdir()
    stopped.mkdir()
    tries: list[str] = []

    def until_the_fourth(one: Candidate, ground: Ground) -> Score:
        if len(tries) == 3:
            raise KeyboardInterrupt
        tries.append(one.label)
        return score(one, ground)

    monkeypatch.setattr(search, "score", until_the_fourth)
    with pytest.raises(KeyboardInterrupt):
        tuned(stopped)
    notes = stopped / f"out{NOTES}"
    key = json.loads(notes.read_text("utf-8").splitlines()[0])["key"]
    assert not (stopped / "out").exists()

    def counted(one: Candidate, ground: Ground) -> Score:
        tries.append(one.label)
        return score(one, ground)

    monkeypatch.setattr(search, "score", counted)
    tries.clear()
    again = tuned(stopped)
    assert not notes.exists()
    resumed = list(tries)
    tries.clear()
    uninterrupted = tuned(whole, seed=key)
    assert len(resumed) == len(tries) - 3
    assert again.outcome == uninterrupted.outcome
    assert (stopped / "out/private/key").read_text("utf-8") == (whole / "out/private/key").read_text("utf-8")


def test_another_table_starts_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(one: Candidate, ground: Ground) -> Score:
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "corner", lambda kind, ground: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path)
    first = (tmp_path / f"out{NOTES}").read_text("utf-8").splitlines()
    monkeypatch.setattr(search, "score", stop)
    with pytest.raises(KeyboardInterrupt):
        tune(people_of(tmp_path, 130), wanted(tmp_path), TECHNIQUES, thoroughness=QUICKLY)
    second = (tmp_path / f"out{NOTES}").read_text("utf-8").splitlines()
    assert len(first) > 1
    assert len(second) == 1
    assert json.loads(first[0])["about"] != json.loads(second[0])["about"]


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    reading = people_of(tmp_path)
    found = tune(
        reading, wanted(tmp_path, output=None, seed=SEED), ["copula-synthesis"], thoroughness=QUICKLY
    )
    assert found.release.folder is None
    assert found.release.frame.height == 120
    assert {path.stem for path in tmp_path.iterdir()} == {"ledger", "people"}


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"evidence": "none"}, "use --evidence quick or full"),
        ({"options": PerturbOptions(k=20)}, "omit --k"),
        ({"forest": Path("forest.json")}, "omit --forest"),
    ],
)
def test_what_tuning_decides_cannot_be_given(tmp_path: Path, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        tuned(tmp_path, **more)
    assert not (tmp_path / f"out{NOTES}").exists()


def test_a_folder_that_is_taken_is_refused_before_the_search(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="out"):
        tuned(tmp_path)


def test_a_key_of_another_table_is_refused_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(people_of(tmp_path, 130), wanted(tmp_path, seed=SEED, output=tmp_path / "other", evidence="none"))
    monkeypatch.setattr(search, "score", lambda *given: pytest.fail("nothing must be computed"))
    with pytest.raises(InputError, match="seed already made"):
        tuned(tmp_path, seed=SEED)


def test_columns_that_look_identifying_are_refused_before_the_search(tmp_path: Path) -> None:
    path = write_people(tmp_path)
    lines = path.read_text("utf-8").splitlines()
    mails = [f"{line},p{place}@example.org" for place, line in enumerate(lines[1:])]
    path.write_text("\n".join([f"{lines[0]},email", *mails]) + "\n", "utf-8")
    with pytest.raises(InputError, match="email"):
        tune(read(path, target="ill"), wanted(tmp_path), TECHNIQUES, thoroughness=QUICKLY)


def test_a_release_is_tuned_within_the_technique_that_it_names() -> None:
    named = tuning_job._named(PerturbOptions(technique="framework"), ())
    assert named == ("framework",)
    assert tuning_job._named(PerturbOptions(), ()) == ()
    assert tuning_job._named(PerturbOptions(), ["gadp"]) == ("gadp",)
