"""The names that Python users can ask for."""

from __future__ import annotations

from hushwood import api
from hushwood.registered_names import attacks, measures, techniques


def test_names_are_those_of_the_registries() -> None:
    assert "linkage" in attacks()
    assert "sers" in measures()
    assert "segment-shuffle" in techniques()
    assert (api.attacks, api.measures, api.techniques) == (attacks, measures, techniques)
