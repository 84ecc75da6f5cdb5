"""One page for every technique, measure and attack, from what each says about itself and its section in docs/.

Nothing is described here: facts come from the registries, explanations from the pages that people wrote.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from hushwood.attacks.protocol import Attack
from hushwood.attacks.registry import ATTACKS
from hushwood.measures.protocol import Measure
from hushwood.measures.registry import MEASURES
from hushwood.parameters import Between, parameters_of
from hushwood.releasing.recipes import FRAMEWORKS
from hushwood.techniques.protocol import Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.value_types import in_words
from website.markdown_pages import section

Pages = dict[str, str]
Rows = Sequence[tuple[str, str]]
_KINDS = {
    "numeric": "numbers",
    "categorical": "categories",
    "class": "the class",
    "any": "columns of any kind",
}
_ORDERS = {
    "kept": "kept",
    "secret": "random, and only `private/` knows it",
    "none": "random: no record stands for one person",
}
_YES_NO = {True: "yes", False: "no"}


def registry_pages(docs: Path) -> Pages:
    """The texts of all these pages by their place in the site; links are those of a page in docs/."""
    return {
        **_family(
            "techniques", "Techniques", TECHNIQUES, lambda made: technique_page(made, docs), _technique_row
        ),
        **_family("measures", "Measures", MEASURES, lambda made: measure_page(made, docs), _measure_row),
        **_family("attacks", "Attacks", ATTACKS, lambda made: attack_page(made, docs), _attack_row),
    }


def _family(
    folder: str,
    title: str,
    registered: Mapping[str, Callable[..., Any]],
    page: Callable[[Any], str],
    row: Callable[[Any], tuple[str, str]],
) -> Pages:
    pages = {f"how/{folder}/{name.lower()}.md": page(make()) for name, make in registered.items()}
    lines = [
        f"| [{name}](how/{folder}/{name.lower()}.md) | " + " | ".join(map(_cell, row(make()))) + " |"
        for name, make in registered.items()
    ]
    head = ["| name | what | in short |", "|---|---|---|"]
    about = (
        f"All {len(registered)} of them, as they describe themselves. "
        f"[The long page]({folder}.md) also has what they share."
    )
    return {f"how/{folder}/index.md": "\n".join([f"# {title}", "", about, "", *head, *lines, ""])} | pages


def technique_page(technique: Technique, docs: Path) -> str:
    """What a technique does to a value, how far to trust the result, and its section of techniques.md."""
    name = technique.acronym
    used = [recipe for recipe, made in FRAMEWORKS.items() if name.lower() in made.techniques]
    facts = [
        ("What happens to a value", technique.says()),
        ("How far to trust the column", technique.trust),
        ("Changes", _KINDS[technique.perturbs]),
        ("Every record keeps its rules", _YES_NO[technique.keeps_segment]),
        ("Columns are drawn together", _YES_NO[technique.jointly]),
        ("Order of the rows", _ORDERS[technique.row_order]),
        ("Part of the recipes", ", ".join(f"`{recipe}`" for recipe in used) or "none; it can be used alone"),
        ("On its own", f"`--technique {name.lower()}`"),
    ]
    return _page(name, technique, facts, docs / "techniques.md", name)


def measure_page(measure: Measure, docs: Path) -> str:
    """What a measure asks, which way is better, and its section of measures.md."""
    low, high = (("no limit" if end is None else f"{end:g}") for end in measure.bounds)
    side = {"utility": "what analysts keep", "risk": "what an intruder learns"}[measure.side]
    facts = [
        ("Its question", measure.question),
        ("What the number says", measure.meaning.replace("{like}", "2 to the power of the number")),
        ("It is about", side),
        ("Better", measure.better),
        ("Smallest and largest", f"{low}, {high}"),
        ("Unit", measure.unit),
        ("In quick evidence", _YES_NO[measure.quick]),
        ("Counts in the one number for utility", _YES_NO[measure.yardstick]),
        ("Alone", f"`hushwood audit people.csv out --only {measure.name}`"),
    ]
    return _page(f"{measure.title} (`{measure.name}`)", measure, facts, docs / "measures.md", measure.name)


def attack_page(attack: Attack, docs: Path) -> str:
    """What an intruder tries, and its section of attacks.md."""
    facts = [
        ("Its question", attack.question),
        ("Family", f"{attack.family}; the strongest attack of a family is its headline"),
        ("In quick evidence", _YES_NO[attack.quick]),
        ("Alone", f"`hushwood audit people.csv out --only {attack.name}`"),
    ]
    return _page(f"{attack.title} (`{attack.name}`)", attack, facts, docs / "attacks.md", attack.name)


def _page(title: str, made: Any, facts: Rows, page: Path, heading: str) -> str:
    module = inspect.getmodule(type(made))
    said = inspect.cleandoc((module.__doc__ if module else None) or "")
    written = section(page.read_text("utf-8"), heading) or ""
    source = f"../src/{type(made).__module__.replace('.', '/')}.py"
    lines = [
        f"# {title}",
        "",
        *_paragraphs(said),
        "| in short | |",
        "|---|---|",
        *(f"| {name} | {_cell(text)} |" for name, text in facts),
        "",
        *_parameters(made),
        *(("## In detail", "", _from(written, page.name), "") if written else ()),
        f"[The page it is from]({page.name}) · [its source]({source})",
        "",
    ]
    return "\n".join(lines)


def _paragraphs(text: str) -> Iterator[str]:
    """A docstring as Markdown: what is indented is code already."""
    yield text.replace("<", "&lt;")
    yield ""


def _from(written: str, page: str) -> str:
    """A section that was cut out of a page: links within the page lead there."""
    return written.replace("](#", f"]({page}#").rstrip()


def _parameters(made: Any) -> Iterator[str]:
    settable = parameters_of(type(made))
    hints = get_type_hints(type(made), include_extras=True)
    rows = [
        f"| `{field.name}` | {_cell(_shown(getattr(made, field.name)))} | {_cell(_allowed(hints[field.name]))} |"
        for field in fields(made)
        if field.name in settable and (field.default is not MISSING or field.default_factory is not MISSING)
    ]
    if rows:
        yield from ("## Parameters", "", "| name | default | allowed |", "|---|---|---|", *rows, "")


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else "none" if value in (None, ()) else str(value)


def _allowed(hint: Any) -> str:
    """What a parameter may be, in the words of its own error message."""
    if get_origin(hint) is Annotated:
        limits = [extra.says() for extra in get_args(hint)[1:] if isinstance(extra, Between)]
        return limits[0] if limits else _allowed(get_args(hint)[0])
    words = [word for word in get_args(hint) if isinstance(word, str)]
    if words:
        return ", ".join(words)
    limited = [_allowed(part) for part in get_args(hint) if get_origin(part) is Annotated]
    return limited[0] if limited else in_words(hint).removesuffix(" or None")


def _technique_row(technique: Technique) -> tuple[str, str]:
    return _KINDS[technique.perturbs], technique.says()


def _measure_row(measure: Measure) -> tuple[str, str]:
    return f"{measure.side}, {measure.better} is better", measure.question


def _attack_row(attack: Attack) -> tuple[str, str]:
    return attack.family, attack.question


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
