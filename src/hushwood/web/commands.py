"""A form as the command that does the same, and as lines of Python; the command shown is the command that is run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from hushwood.errors import visible
from hushwood.web.dialects import dialect_values, dialect_words
from hushwood.web.fields import number, whole_number

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

    def kept(self) -> Words:
        """Why columns stay that look as if they identify people."""
        return options("--keep", [f"{column}={reason}" for column, reason in self.keep.items()])

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


def listed(form: Mapping[str, str], name: str) -> list[str]:
    """The texts of a field that takes several, separated by semicolons."""
    return [text.strip() for text in form.get(name, "").split(";") if text.strip()]


def release_command(source: Source, form: Mapping[str, str], technique: Mapping[str, Any]) -> Command:
    """`release` with a strength that was set by hand, or `tune`, which finds it."""
    output, evidence = form["output"], form.get("evidence", "quick")
    shared = [
        *option("--policy", form["policy"]),
        *option("--purpose", form.get("purpose", "").strip()),
        *option("--rows-are-people", form.get("rows_are_people", "").strip()),
        *option("--evidence", "" if evidence == "quick" else evidence),
        *option("--rare", form.get("rare", "")),
        *options("--top-code", listed(form, "top_code")),
        *options("--bottom-code", listed(form, "bottom_code")),
    ]
    asked: dict[str, Any] = {
        "policy": form["policy"],
        "purpose": form.get("purpose", "").strip() or None,
        "rows_are_people": form.get("rows_are_people", "").strip() or None,
        "evidence": None if evidence == "quick" else evidence,
        "keep": dict(source.keep) or None,
        "rare": form.get("rare") or None,
        "top_code": listed(form, "top_code") or None,
        "bottom_code": listed(form, "bottom_code") or None,
    }
    start = ["import hushwood as hw", "", source.python()]
    if form.get("strength") == "tune":
        tried = [] if form.get("try_all") else [technique["name"]]
        words = [
            "tune",
            *source.words(),
            *source.kept(),
            *shared,
            *options("--technique", tried),
            "-o",
            output,
        ]
        del asked["purpose"]
        call = f"hw.tune({arguments(Code('table'), **asked, techniques=tried or None, output=output)})"
    else:
        strength, settings = _strength(form, technique)
        words = [
            "release",
            *source.words(),
            *source.kept(),
            *shared,
            "--technique",
            technique["name"],
            *strength,
            "-o",
            output,
        ]
        asked |= {"technique": technique["name"], **settings, "output": output}
        call = f"hw.release({arguments(Code('table'), **asked)})"
    lines = (*start, f"done = {call}", "done.cleared, done.verdict, done.frame")
    return Command(tuple(words), lines, output, source.shown_as())


class Code(str):
    """A name in Python, not a text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _strength(form: Mapping[str, str], technique: Mapping[str, Any]) -> tuple[Words, dict[str, Any]]:
    """The dial of the technique and its blur, where values were given."""
    dial, text = technique["dial"], form.get("dial", "")
    blur = whole_number(form, "blur", "The blur") if dial == "k" else None
    words, settings = ([], {}) if blur is None else (["--blur", str(blur)], {"blur": blur})
    if dial is None or not text.strip():
        return words, settings
    if dial == "noise":
        share = number(form, "dial", "The noise")
        return ["--noise", f"{share:g}"], {"noise": share}
    value = whole_number(form, "dial", "The strength")
    owner, dot, parameter = dial.rpartition(".")
    if dot:
        return ["--set", f"{dial}={value}"], {"settings": {owner: {parameter: value}}}
    return [f"--{dial}", str(value), *words], {dial: value, **settings}


def asked_again(view: Mapping[str, Any]) -> str:
    """The query of a plan with the changes that a result advises; all else is as the release was made.

    >>> asked_again({"technique": "mdav", "changes": [{"setting": "mdav.k", "value": 9}]})
    'technique=mdav&dial=9'
    """
    fields = {"technique", "evidence", "blur", "rare", "top_code", "bottom_code"}
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
    lines = ("import hushwood as hw", "", source.python(), "table.schema")
    return Command(("inspect", *source.words()), lines, "", source.shown_as())


def compare_command(folders: Sequence[str]) -> Command:
    """`compare`."""
    lines = ("import hushwood as hw", "", f"found = hw.compare({arguments(*folders)})", "found.to_json()")
    return Command(("compare", *folders), lines)


def result_command(folder: str) -> Command:
    """`verify`, the command that looks at a folder."""
    return verify_command(folder, None)


def verify_command(folder: str, original: Source | None) -> Command:
    """`verify`, with the original if it is there."""
    names = [folder, *([original.path] if original else [])]
    lines = (
        "import hushwood as hw",
        "",
        f"hw.verify({arguments(folder, *([original.name] if original else []))}).checks",
    )
    return Command(("verify", *names), lines, "", original.shown_as() if original else {})


def accept_command(folder: str, reason: str, by: str) -> Command:
    """`accept`: a person takes responsibility."""
    words = ("accept", folder, *option("--reason", reason), *option("--by", by))
    return Command(
        words, ("import hushwood as hw", "", f"hw.accept({arguments(folder, reason=reason, by=by)})")
    )


def audit_command(
    original: Source, released: Source, form: Mapping[str, str], report: Path, document: Path
) -> Command:
    """`audit`: the original and anybody's release of it."""
    policy, evidence = form.get("policy", ""), form.get("evidence", "quick")
    words = [
        "audit",
        original.path,
        released.path,
        *options("--class", original.classes),
        *option("--policy", policy),
        *option("--evidence", evidence),
        *("--json", str(document), "--report", str(report)),
    ]
    shown = {
        **original.shown_as(),
        **released.shown_as(),
        str(report): "audit.html",
        str(document): "audit.json",
    }
    asked = {
        "target": original.classes[0] if original.classes else None,
        "policy": policy or None,
        "evidence": evidence,
    }
    lines = (
        "import hushwood as hw",
        "",
        f"found = hw.audit({arguments(original.name, released.name, **asked)})",
        "found.verdict, found.to_html()",
    )
    return Command(tuple(words), lines, "", shown)


def tree_command(source: Source, form: Mapping[str, str], sensitive: Sequence[str]) -> Command:
    """`publish-tree`."""
    k, l = whole_number(form, "k", "K") or 5, number(form, "l", "L")
    words = [
        "publish-tree",
        *source.words(),
        *source.kept(),
        *("-k", str(k)),
        *(["-l", f"{l:g}"] if l else []),
        *options("--sensitive", sensitive),
        *option("--missing-numbers", form.get("missing", "")),
        *("-o", form["output"]),
    ]
    asked = {"k": k, "l": l, "sensitive": list(sensitive) or None, "output": form["output"]}
    lines = (
        "import hushwood as hw",
        "",
        source.python(),
        f"done = hw.publish_tree({arguments(Code('table'), **asked)})",
        "done.forest, done.frame",
    )
    return Command(tuple(words), lines, form["output"], source.shown_as())
