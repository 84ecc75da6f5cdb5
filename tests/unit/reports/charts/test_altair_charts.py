"""Charts of reports without a page: valid for Altair, in the page's light colours, with texts of the table as data."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hushwood.errors import InputError
from hushwood.evaluation.levels import QUICK
from hushwood.reports.charts import altair_charts
from hushwood.reports.charts.altair_charts import altair_chart, colours, picture, whole_spec
from hushwood.reports.charts.columns import distribution_chart
from hushwood.reports.charts.frame import AFTER, Chart, layer, layered, number_field, word_field
from hushwood.reports.charts.risk import attack_charts
from support.sample_release import credit_evaluation

ROWS = [{"name": "var(--ink)", "number": 1, "colour": "var(--bad)"}]


def small(title: str = "A title") -> Chart:
    marks = layer("bar", {"x": number_field("number"), "y": word_field("name")}, color=AFTER)
    return Chart(title, "What it shows.", layered([marks], ROWS, 50), ("name",), [("a",)])


def test_colours_are_those_of_the_page_in_light() -> None:
    assert colours()["card"] == "#ffffff"
    assert whole_spec([small()])["layer"][0]["mark"]["color"] == colours()["after"]


def test_values_of_a_table_stay_what_they_are() -> None:
    rows = whole_spec([small()])["data"]["values"]
    assert rows == [{"name": "var(--ink)", "number": 1, "colour": colours()["bad"]}]


def test_no_css_variable_is_left() -> None:
    evaluation = credit_evaluation(300, QUICK)
    charts = [*attack_charts(evaluation.tried), *map(distribution_chart, evaluation.release.distributions)]
    assert "var(--" not in json.dumps(whole_spec(charts))


def test_several_charts_stand_one_below_the_other() -> None:
    chart = altair_chart([small("One"), small("Two")])
    assert [part["title"]["text"] for part in chart.to_dict()["vconcat"]] == ["One", "Two"]


def test_a_chart_of_two_sides_is_read_side_by_side() -> None:
    one = small()
    both = Chart(
        one.title, one.says, one.spec, one.head, one.rows, second=one.spec, captions=("before", "after")
    )
    assert [part["title"] for part in altair_chart([both]).to_dict()["hconcat"]] == ["before", "after"]


def test_a_picture_is_an_image_that_cannot_run_anything() -> None:
    source = picture([small("<script>alert(1)</script>")])
    kind, _, data = source.partition(",")
    assert kind == "data:image/svg+xml;base64"
    root = ElementTree.fromstring(base64.b64decode(data))  # noqa: S314 - our own text
    assert not [part for part in root.iter() if part.tag.endswith("script")]
    assert "<script>alert(1)</script>" in "".join(root.itertext())


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(InputError, match=r"pip install '\.\[plots\]'"):
        altair_chart([small()])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(altair_charts, "_KEPT", tmp_path / "kept")
    altair_charts.vega_script.cache_clear()
    return tmp_path / "kept"


def test_the_script_can_stand_inside_a_page(folder: Path) -> None:
    script = altair_charts.vega_script()

    assert "</script" not in script
    assert "window.vegaEmbed" in script


def test_the_script_is_bundled_once(folder: Path) -> None:
    first = altair_charts.vega_script()
    (kept,) = folder.iterdir()
    assert kept.read_text(encoding="utf-8") == first
    kept.write_text("kept", encoding="utf-8")
    altair_charts.vega_script.cache_clear()
    assert altair_charts.vega_script() == "kept"
    altair_charts.vega_script.cache_clear()


def test_a_folder_that_cannot_be_written_is_no_fault(folder: Path) -> None:
    folder.write_text("a file in the way", encoding="utf-8")
    assert "vegaEmbed" in altair_charts.vega_script()
    altair_charts.vega_script.cache_clear()
