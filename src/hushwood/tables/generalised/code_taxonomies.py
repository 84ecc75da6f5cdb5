"""Taxonomies of codes, from the codes themselves: postcodes by their first digits, ICD-10 by category and chapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood.errors import InputError
from hushwood.tables.columns.codes import codes_in, prefix_levels
from hushwood.tables.generalised.taxonomies import ROOT, Taxonomy, check_taxonomy
from hushwood.tables.schema import Attribute, Schema


def code_taxonomy(attribute: Attribute) -> Taxonomy | None:
    """The taxonomy of a column of codes; None if it holds none, or if they do not form one.

    >>> zips = Attribute("zip", "categorical", categories=("101", "107", "801"), hierarchy="prefix")
    >>> code_taxonomy(zips).levels["107"]
    ('107', '10*', '1**', '*')
    """
    kind = codes_in(attribute)
    if kind is None:
        return None
    ways = prefix_levels(kind, attribute.categories)
    found = Taxonomy(attribute.name, {code: (*way, ROOT) for code, way in ways.items()})
    try:
        check_taxonomy(found)
    except InputError:
        return None  # such as a code that is itself the name of a group
    return found


def with_codes(given: Mapping[str, Taxonomy], names: Sequence[str], schema: Schema) -> dict[str, Taxonomy]:
    """The given taxonomies, and those of the columns of codes that have none."""
    own = {name: code_taxonomy(schema[name]) for name in names if name not in given}
    return {**{name: found for name, found in own.items() if found is not None}, **given}
