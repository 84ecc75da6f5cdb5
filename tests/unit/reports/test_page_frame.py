"""What all pages share: both have the same head, header and footer, and what a template lacks is an error."""

from __future__ import annotations

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.page_frame import rendered
from hushwood.reports.tree.page import tree_report
from support.page_reader import read
from support.sample_publication import two_trees


def test_a_page_brings_its_style_script_and_chart_settings() -> None:
    page = tree_report(Publication.from_json(two_trees()))

    assert page.startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    assert "default-src 'none'" in page
    assert "--paper:" in page
    assert "vegaEmbed" in page
    assert "chart-config" in read(page).ids
    assert "Made by Hushwood 0.5.0." in page


def test_what_a_template_needs_must_be_given() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        rendered("tree_report.html.j2", {})
