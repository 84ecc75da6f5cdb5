"""What `inspect` says about links."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.errors import InputError
from hushwood.jobs.inspected_links import inspected_links
from hushwood.tables.links.links import Order
from hushwood.tables.reading import read
from support.hospital import LINKS, hospital

TABLE = read(hospital(), target="back").table


def test_links_are_listed_with_their_support_and_how_to_turn_them_off() -> None:
    found = inspected_links(TABLE, "auto")
    lines = found.lines()
    assert set(found.schema.links) == set(LINKS)
    assert lines[0] == "Links between columns:"
    assert "- city determines state: 2,000 records, 24 values of city" in lines
    assert any(line.startswith("- if sex is male, pregnant is no: 1,0") for line in lines)
    assert "keep = false" in lines[-1]


def test_declared_and_loose_links_are_told_apart() -> None:
    schema = replace(TABLE.schema, links=(LINKS[3],), unlinked=(Order(("admitted", "discharged")),))
    found = inspected_links(replace(TABLE, schema=schema), "auto")
    assert "- admitted <= discharged (turned off by the schema)" in found.lines()
    only = inspected_links(replace(TABLE, schema=schema), "declared")
    assert only.lines()[:2] == ["Links between columns:", "- cost = drugs + ward (declared)"]


def test_without_links_nothing_is_said() -> None:
    assert inspected_links(TABLE, "none").lines() == []
    with pytest.raises(InputError, match="no choice of links 'all'"):
        inspected_links(TABLE, "all")
