"""The part of `hushwood inspect` about people with several rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from hushwood.tables.reading import Reading


def show_persons(console: Console, reading: Reading) -> None:
    """How many persons or households there are, and which columns are constant in them."""
    from hushwood.errors import visible
    from hushwood.tables.persons.units import described_people

    for sentence in described_people(reading.table):
        console.print(visible(sentence), markup=False, highlight=False)
