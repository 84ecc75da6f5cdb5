"""Options made from dataclasses, and texts that become their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from hushwood.cli.options import with_options
from hushwood.errors import InputError
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.requests import InputOptions, ReleaseRequest
from hushwood.parameters import Option, Settings
from hushwood.releasing.noise_texts import share_from_text


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    return dict(text.split("=") for text in texts)


@dataclass(frozen=True)
class Inner:
    """Options inside others."""

    share: Annotated[float, Option("A share.", reads=share_from_text)] = 0.25
    hidden: int = 7


@dataclass(frozen=True)
class Outer:
    """One option of every kind."""

    inner: Inner = field(default_factory=Inner)
    count: Annotated[int, Option("A count.", metavar="N", panel="Numbers")] = 3
    most: Annotated[int | None, Option("A limit.", default="no limit")] = None
    loud: Annotated[bool, Option("Shout.")] = False
    file: Annotated[Path | None, Option("A file.", spelling=("-f", "--file"))] = None
    names: Annotated[tuple[str, ...], Option("Names.", spelling=("--name",))] = ()
    pairs: Annotated[Mapping[str, str], Option("Pairs.", reads=_pairs)] = field(default_factory=dict)


def ran(*words: str, **other: Option) -> tuple[Outer, str]:
    """What a command with these options was given, and its help."""
    found: list[Outer] = []

    def command(table: Annotated[Path, typer.Argument()], given: Outer) -> None:
        found.append(given)

    app = typer.Typer()
    app.command()(with_options(command, **other))
    result = CliRunner().invoke(app, ["t.csv", *words])
    assert result.exit_code == 0, result.output
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "160"}).output
    return found[0], shown


def test_defaults_are_those_of_the_dataclass() -> None:
    found, shown = ran()
    assert found == Outer()
    for text in ("[default: 1/4]", "[default: 3]", "(no limit)", "Numbers", "A count.", "-f"):
        assert text in shown
    assert "hidden" not in shown


def test_every_kind_of_option() -> None:
    words = "--share=.5 --count=4 --most=9 --loud -f x --name=a --name=b --pairs=a=b --pairs=c=d"
    found, _ = ran(*words.split())
    assert found == Outer(Inner(0.5), 4, 9, True, Path("x"), ("a", "b"), {"a": "b", "c": "d"})


def test_a_command_may_spell_a_field_its_own_way() -> None:
    found, shown = ran("--who", "a", names=Option("People.", spelling=("--who",)))
    assert found.names == ("a",)
    assert "--name " not in shown


def value_of(kind: Any, name: str, text: Any) -> Any:
    """What an option's own reader makes of a text."""
    from typing import get_type_hints

    from hushwood.parameters import option_of

    option = option_of(get_type_hints(kind, include_extras=True)[name])
    assert option is not None and option.reads is not None
    return option.reads(text)


@pytest.mark.parametrize(
    ("kind", "name", "text", "value"),
    [
        (InputOptions, "separator", "tab", "\t"),
        (InputOptions, "separator", "\\t", "\t"),
        (InputOptions, "separator", ";", ";"),
        (InputOptions, "missing", "?,NA,", ("?", "NA")),
        (AuditRequest, "only", " sers, linkage", ("sers", "linkage")),
        (AuditRequest, "hierarchies", ["a=b=f.csv"], {"a=b": Path("f.csv")}),
        (AuditRequest, "settings", ["l_diversity.c=2"], {"l_diversity": {"c": 2.0}}),
    ],
)
def test_texts_of_the_jobs_options(kind: Any, name: str, text: Any, value: Settings) -> None:
    assert value_of(kind, name, text) == value


@pytest.mark.parametrize("text", ["town", "=f.csv", "town="])
def test_a_hierarchy_is_a_column_and_a_file(text: str) -> None:
    with pytest.raises(InputError, match="COLUMN=FILE"):
        value_of(AuditRequest, "hierarchies", [text])


def test_the_defaults_of_a_release_are_written_once() -> None:
    """The command and the Python API read them from the dataclasses."""
    import inspect

    import hushwood.api
    from hushwood.cli.release import release

    shown = inspect.signature(release).parameters
    called = inspect.signature(hushwood.api.release).parameters
    request = ReleaseRequest()
    assert shown["technique"].default == called["technique"].default == request.options.technique
    assert shown["evidence"].default == called["evidence"].default == request.evidence
    assert (shown["noise"].default, called["noise"].default) == (["1/3"], request.options.noise)
