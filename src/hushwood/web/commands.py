"""A form as the command that does the same, and as lines of Python; the command shown is the command that is run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from hushwood.errors import visible
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.requests import SENSITIVE, PublishRequest, ReleaseRequest, TuneRequest
from hushwood.parameters import Option, options_of, spellings
from hushwood.web.dialects import dialect_values, dialect_words
from hushwood.web.fields import BadField, number, whole_number

Words = list[str]


@dataclass(frozen=True)
class Command:
    """The words after `hushwood`, and the same in Python."""

    words: tuple[str, ...]
    python: tuple[str, ...] = ()
    output: str = ""  # the folder that it makes
    shown_as: Mapping[str, str] = field(
        default_factory=dict
    )  # files of the session by the names they came with

    @property
    def line(self) -> str:
        """The command as one types it."""
        return visible(shlex.join(["hushwood", *(self.shown_as.get(word, word) for word in self.words)]))

    @property
    def lines(self) -> str:
        """The lines of Python."""
        return visible_lines(self.python)


def visible_lines(lines: Sequence[str]) -> str:
    """Lines in which no character is hidden."""
    return "\n".join(map(visible, lines))


@dataclass(frozen=True)
class Source:
    """The table that a command reads: where it is, what it is called, its schema file, its class, what is kept.

    `dialect` says how the file is written, where that cannot be found in it.
    """

    path: str
    name: str
    schema: str = ""
    classes: tuple[str, ...] = ()
    keep: Mapping[str, str] = field(default_factory=dict)
    dialect: Mapping[str, str] = field(default_factory=dict)

    def words(self) -> Words:
        """The table and how it is read, without what is kept."""
        path = f"./{self.path}" if self.path.startswith("-") else self.path
        written = [word for name, text in dialect_words(self.dialect) for word in option(name, text)]
        return [path, *written, *option("--schema", self.schema), *options("--class", self.classes)]

    def shown_as(self) -> dict[str, str]:
        """An uploaded file is shown by its name."""
        return {self.path: self.name}

    def python(self) -> str:
        """The line that reads it."""
        target = self.classes[0] if len(self.classes) == 1 else list(self.classes) or None
        written = dialect_values(self.dialect)
        asked = arguments(self.name, target=target, schema=self.schema or None, **written)
        return f"table = hw.read_table({asked})"


def option(name: str, value: str) -> Words:
    """An option with its value, if it has one; a value that looks like an option is tied to its name."""
    if not value:
        return []
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def options(name: str, values: Sequence[str]) -> Words:
    """The option once for every value."""
    return [word for value in values for word in option(name, value)]


def arguments(*given: Any, **named: Any) -> str:
    """Arguments of a Python call; what is None is left out.

    >>> arguments("people.csv", target="ill", schema=None)
    "'people.csv', target='ill'"
    """
    named_texts = [f"{name}={value!r}" for name, value in named.items() if value is not None]
    return ", ".join([*map(repr, given), *named_texts])


def asked_words(declared: Mapping[str, Option], asked: Mapping[str, Any]) -> Words:
    """The declared options that say what is asked, by the names of their fields; what is empty is left out.

    >>> asked_words({"settings": Option("", ("--set",)), "k": Option("")}, {"settings": {"gadp": {"rho": 0.5}}, "k": 9})
    ['--set', 'gadp.rho=0.5', '--k', '9']
    """
    return [
        word
        for name, value in asked.items()
        for word in options(spellings(name, declared[name])[0], _texts(value))
    ]


def _texts(value: Any) -> list[str]:
    """A value as the command takes it: a list by repetition, a mapping by its names."""
    if isinstance(value, Mapping):
        return [
            f"{name}{'.' if isinstance(inner, Mapping) else '='}{text}"
            for name, inner in value.items()
            for text in _texts(inner)
        ]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [] if value is None else [f"{value:g}" if isinstance(value, float) else str(value)]


def hushwood_lines(*lines: str) -> tuple[str, ...]:
    """Lines of Python that can be run as they are."""
    return ("import hushwood as hw", "", *lines)


def listed(form: Mapping[str, str], name: str) -> list[str] | None:
    """The texts of a field that takes several, separated by semicolons."""
    return [text.strip() for text in form.get(name, "").split(";") if text.strip()] or None


def release_command(source: Source, form: Mapping[str, str], technique: Mapping[str, Any]) -> Command:
    """`release` with a strength that was set by hand, or `tune`, which finds it."""
    output, evidence, rare = form["output"], form.get("evidence", "quick"), form.get("rare") or None
    asked: dict[str, Any] = {
        "policy": form["policy"],
        "purpose": form.get("purpose", "").strip() or None,
        "rows_are_people": form.get("rows_are_people", "").strip() or None,
        "evidence": None if evidence == "quick" else evidence,
        "keep": dict(source.keep) or None,
        "rare": rare,
        "top_code": listed(form, "top_code"),
        "bottom_code": listed(form, "bottom_code"),
    }
    name: str = technique["name"]
    if form.get("strength") == "tune":
        if rare is not None:
            raise BadField(
                "rare",
                "The search decides about rare levels; leave them as usual, or set the strength by hand.",
            )
        del asked["rare"]
        asked |= {"techniques": None if form.get("try_all") else [name], "output": output}
        in_python = {key: value for key, value in asked.items() if key != "purpose"}
        return _making("tune", source, options_of(TuneRequest), asked, in_python)
    asked |= {"technique": name, **_strength(form, technique), "output": output}
    return _making("release", source, options_of(ReleaseRequest), asked, asked)


def _making(
    job: str,
    source: Source,
    declared: Mapping[str, Option],
    asked: Mapping[str, Any],
    in_python: Mapping[str, Any],
) -> Command:
    """A job that makes a folder of a table, and the same in Python."""
    words = (job, *source.words(), *asked_words(declared, {"keep": None, **asked}))
    call = f"hw.{job.replace('-', '_')}({arguments(Code('table'), **in_python)})"
    result = "done.forest, done.frame" if job == "publish-tree" else "done.cleared, done.verdict, done.frame"
    lines = hushwood_lines(source.python(), f"done = {call}", result)
    return Command(words, lines, asked["output"], source.shown_as())


class Code(str):
    """A name in Python, not a text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _strength(form: Mapping[str, str], technique: Mapping[str, Any]) -> dict[str, Any]:
    """The dial of the technique, and what goes with a smallest segment, where values were given."""
    dial, text = technique["dial"], form.get("dial", "")
    settings: dict[str, Any] = {}
    if dial == "k":
        given = {
            "redraw": number(form, "redraw", "The redraw"),
            "blur": whole_number(form, "blur", "The blur"),
        }
        settings = {name: value for name, value in given.items() if value is not None}
    if dial is None or not text.strip():
        return settings
    if dial == "noise":
        return {"noise": number(form, "dial", "The noise")}
    value = whole_number(form, "dial", "The strength")
    owner, dot, parameter = dial.rpartition(".")
    return {"settings": {owner: {parameter: value}}} if dot else {dial: value, **settings}


def asked_again(view: Mapping[str, Any]) -> str:
    """The query of a plan with the changes that a result advises; all else is as the release was made.

    >>> asked_again({"technique": "mdav", "changes": [{"setting": "mdav.k", "value": 9}]})
    'technique=mdav&dial=9'
    """
    fields = {"technique", "evidence", "redraw", "blur", "rare", "top_code", "bottom_code"}
    changed = {
        one["setting"] if one["setting"] in fields else "dial": one["value"]
        if isinstance(one["value"], str | int | float)
        else "; ".join(one["value"])
        for one in view["changes"]
    }
    return urlencode({"technique": view["technique"]} | changed)


def repeated(command: Command, folder: str) -> Command:
    """The command that makes the same release again, with the same key, into another folder."""
    words = [*command.words[:-1], f"{folder}-again"]
    place = words.index("-o")
    words[place:place] = ["--seed-file", f"{folder}/private/key"]
    return Command(tuple(words), (), f"{folder}-again", command.shown_as)


def point_command(search: Command, chosen: str, output: str) -> Command:
    """The release of one point of a search: what the search was asked for, with the options of that point."""
    words: Words = []
    given = iter(search.words[1:])
    for word in given:
        if word in ("--technique", "-o"):
            next(given)  # which the point and the new folder replace
        else:
            words.append(word)
    made = ("release", *words, *shlex.split(chosen), "-o", output)
    return Command(made, (), output, search.shown_as)


def inspect_command(source: Source) -> Command:
    """`inspect`, which shows what the page of the table shows."""
    lines = hushwood_lines(source.python(), "table.schema")
    return Command(("inspect", *source.words()), lines, "", source.shown_as())


def compare_command(folders: Sequence[str]) -> Command:
    """`compare`."""
    lines = hushwood_lines(f"found = hw.compare({arguments(*folders)})", "found.to_json()")
    return Command(("compare", *folders), lines)


def verify_command(folder: str, original: Source | None = None) -> Command:
    """`verify`, the command that looks at a folder, with the original if it is there."""
    paths, names = ([original.path], [original.name]) if original else ([], [])
    lines = hushwood_lines(f"hw.verify({arguments(folder, *names)}).checks")
    return Command(("verify", folder, *paths), lines, "", original.shown_as() if original else {})


def accept_command(folder: str, reason: str, by: str) -> Command:
    """`accept`: a person takes responsibility."""
    words = ("accept", folder, *option("--reason", reason), *option("--by", by))
    return Command(words, hushwood_lines(f"hw.accept({arguments(folder, reason=reason, by=by)})"))


def audit_command(
    original: Source, released: Source, form: Mapping[str, str], report: Path, document: Path
) -> Command:
    """`audit`: the original and anybody's release of it."""
    asked = {"policy": form.get("policy") or None, "evidence": form.get("evidence", "quick")}
    words = (
        *("audit", original.path, released.path),
        *options("--class", original.classes),
        *asked_words(options_of(AuditRequest), asked),
        *("--json", str(document), "--report", str(report)),
    )
    shown = {str(report): "audit.html", str(document): "audit.json"}
    target = original.classes[0] if original.classes else None
    call = f"hw.audit({arguments(original.name, released.name, target=target, **asked)})"
    lines = hushwood_lines(f"found = {call}", "found.verdict, found.to_html()")
    return Command(words, lines, "", {**original.shown_as(), **released.shown_as(), **shown})


def tree_command(source: Source, form: Mapping[str, str], sensitive: Sequence[str]) -> Command:
    """`publish-tree`."""
    asked = {
        "k": whole_number(form, "k", "K") or 5,
        "l": number(form, "l", "L"),
        "sensitive": list(sensitive) or None,
        "missing_numbers": form.get("missing") or None,
        "keep": dict(source.keep) or None,
        "output": form["output"],
    }
    return _making(
        "publish-tree", source, options_of(PublishRequest) | {"sensitive": SENSITIVE}, asked, asked
    )
