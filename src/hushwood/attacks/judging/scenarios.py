"""What an intruder might know: scenarios proposed from the roles, or else the names, of a table's attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hushwood.attacks.protocol import Attack, Scenario
from hushwood.tables.schema import Schema

MOST_WANTED = 4

# Attributes that neighbours, registers or colleagues often know: whole words, and parts of words.
_WORDS = re.compile(
    "age|sex|race|zip|city|town|job|area|dob|state|county|region|district|country|nation|family|children"
)
_PARTS = re.compile(
    "gender|postcode|postal|birth|marital|married|occupation|workclass|education|school|ethnic|religion|citizen|"
    "nationality|residence|relationship|profession|employ|household|height"
)


def scenarios_for(attack: Attack, schema: Schema) -> tuple[Scenario, ...]:
    """The scenarios in which to try an attack on releases with this schema; the intruder who knows most comes first."""
    match attack.goal:
        case "row":
            return _knowing(schema)
        case "value":
            return tuple(_wanting(schema))
        case "parts":
            return _two_sources(schema)
        case "member":
            says = (
                "The intruder knows all attributes of a person and asks whether that person is in the table."
            )
            return (Scenario("whole record", says, tuple(a.name for a in schema.kept)),)
        case "predicate":
            return (
                Scenario(
                    "release alone",
                    "The intruder has the release and knows nothing about the people in it.",
                    (),
                ),
            )
        case "numbers":
            says = "The intruder has the release and knows what kind of noise was added."
            return (Scenario("release alone", says, ()),)


def known_to_others(schema: Schema) -> tuple[tuple[str, ...], str]:
    """The attributes that others may know about a person, and in words why.

    They are the declared quasi-identifiers; else those whose names suggest it; else the first third of the attributes.
    """
    declared = schema.in_role("quasi-identifier")
    if declared:
        return declared, "the declared quasi-identifiers"
    names = [a.name for a in schema.tested if a.role != "confidential"]
    public = tuple(name for name in names if _sounds_public(name))
    if public:
        return public, "the attributes that others often know, judged by their names"
    third = max(1, len(names) // 3)
    return tuple(names[:third]), "the first third of the attributes, as no quasi-identifiers are declared"


def _knowing(schema: Schema, wants: str | None = None) -> tuple[Scenario, ...]:
    """Intruders who know everything else, and those who know what others may know."""
    inputs = tuple(a.name for a in schema.inputs if a.name != wants)
    rest = _everything(schema) if wants is None else f"all other attributes and wants {wants!r}"
    proposed = [Scenario(_name("everything", wants), f"The intruder knows {rest}.", inputs, wants=wants)]
    known, source = known_to_others(schema)
    known = tuple(name for name in known if name != wants)
    wish = "" if wants is None else f", and wants {wants!r}"
    proposed.append(
        Scenario(_name("quasi-identifiers", wants), f"The intruder knows {source}{wish}.", known, wants=wants)
    )
    return tuple(proposed if known and known != inputs else proposed[:1])


def _everything(schema: Schema) -> str:
    classes = len(schema.classes)
    return f"all attributes{'' if not classes else ' except the class' if classes == 1 else ' except the classes'}"


def _wanting(schema: Schema) -> Iterable[Scenario]:
    """For the classes and the first confidential attributes: intruders who want to know them.

    Where there is neither, anything may be secret that others do not know.
    """
    wanted = [a.name for a in schema.classes]
    wanted += schema.in_role("confidential")[:MOST_WANTED]
    if not wanted:
        known, names = known_to_others(schema)[0], [a.name for a in schema.inputs]
        wanted = [name for name in names if name not in known][:MOST_WANTED] or names[-1:]
    for name in wanted:
        yield from _knowing(schema, name)


def _two_sources(schema: Schema) -> tuple[Scenario, ...]:
    """One source has the quasi-identifiers and one the rest; if there is no rest, each has every other attribute."""
    names = tuple(a.name for a in schema.inputs)
    first, source = known_to_others(schema)
    second = tuple(name for name in names if name not in first)
    if first and second:
        says = f"One source has {source}, another the rest; the intruder joins the two."
        return (Scenario("quasi-identifiers and rest", says, first, second),)
    if len(names) > 1:
        says = "Two sources have half of the attributes each; the intruder joins them."
        return (Scenario("two halves", says, names[::2], names[1::2]),)
    return (Scenario("two halves", "There are not enough attributes for two sources.", names),)


def _name(knows: str, wants: str | None) -> str:
    return knows if wants is None else f"{knows}, {wants}"


def _sounds_public(name: str) -> bool:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.findall(r"[^\W\d_]+", spaced.lower())
    return any(_WORDS.fullmatch(word) or _PARTS.search(word) for word in words)
