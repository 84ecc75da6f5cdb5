"""What the sections of the page get, and which there are."""

from __future__ import annotations

from typing import Any

from hushwood.reports.sections import everything
from sample_entries import attack_entry, document_of, measure_entry, unanswered


def made_here() -> dict[str, Any]:
    return document_of(plan=[{"columns": [], "says": "", "acronym": "", "keeps_segment": True}])


def test_only_a_release_of_ours_has_a_section_about_its_rules() -> None:
    ours, theirs = everything(made_here()), everything(document_of())

    assert "rules" in dict(ours["sections"])
    assert "rules" not in dict(theirs["sections"])
    assert (ours["titles"]["columns"], theirs["titles"]["columns"]) == ("What was done", "The columns")
    assert [name for name, _ in ours["sections"]][:2] == ["miners", "intruder"]


def test_a_headline_that_speaks_of_attacks_is_not_repeated() -> None:
    assert everything(document_of(attack_entry()))["attacks_said"] == ""
    assert (
        "learns more than guessing" in everything(made_here() | {"attacks": [attack_entry()]})["attacks_said"]
    )


def test_a_sample_is_called_a_sample() -> None:
    document = document_of()
    assert everything(document)["sampled"] is None
    document["audit"]["records"] = 600
    assert everything(document)["sampled"] == 600


def test_charts_come_only_with_their_numbers() -> None:
    view = everything(document_of(measure_entry("correlations")))

    assert view["miners"]["heat_maps"] is None
    assert view["intruder"]["attack_chart"] is None
    assert (view["people"]["charts"], view["intruder"]["charts"]) == ([], [])


def test_reasons_are_gathered_by_section() -> None:
    view = everything(
        document_of(
            unanswered("eduds", "utility"), unanswered("linkage", None), unanswered("changed_classes")
        )
    )

    assert [item.title for item in view["miners"]["not_answered"]] == ["Same ranges (EDUDS)"]
    assert [item.title for item in view["intruder"]["not_answered"]] == [
        "Classes changed",
        "Nearest-record linkage",
    ]
    assert view["no_class_finding"] == "No pairs."
