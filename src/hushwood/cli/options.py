"""Command-line options made from the dataclasses that declare them, and the few that every command shares.

    @with_options
    def release(table: TableFile, request: ReleaseRequest, quiet: Quiet = False) -> None: ...

A parameter whose type is a dataclass becomes one option for each of its fields that declares an `Option`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import typer

from hushwood.parameters import Option, option_of, spellings
from hushwood.tables.sql.addresses import is_address

TableFile = Annotated[Path, typer.Argument(metavar="TABLE", help="CSV (also .gz), Parquet or Arrow file.")]


def _source(text: str) -> Path | str:
    """A path, or an address as it is: a path would lose one of its slashes."""
    return text if is_address(text) else Path(text)


TableSource = Annotated[
    Any,
    typer.Argument(
        metavar="TABLE",
        help="CSV (also .gz), Parquet or Arrow file, a folder of them, or a table in a database: "
        "postgresql://USER@SERVER/DATABASE?table=NAME, duckdb:///FILE?table=NAME, sqlite:///FILE?table=NAME.",
        parser=_source,
    ),
]
ClassColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="The class column: what the rules predict. May be repeated; a table may have none.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Command = Callable[..., None]


def _limit_bytes(command: typer.Context, limit: int | None) -> int | None:
    """Apply the limit until the command ends, to every file that it reads."""
    if limit is not None:
        from hushwood.tables.formats.input_files import max_bytes

        command.with_resource(max_bytes(limit))
    return limit


MaxBytes = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Maximum size of a table in bytes once it is unpacked.",
        show_default="4 GiB",
        callback=_limit_bytes,
    ),
]


class _Typed(NamedTuple):
    """An option as typer takes it: its type, its default there, and what makes the field's value of what was typed."""

    kind: Any
    default: Any
    value: Callable[[Any], Any]


def with_options(command: Command, /, **other: Option) -> Command:
    """The command with its dataclass parameters spread out into options; `other` replaces a field's declaration."""
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    groups = {name: hints[name] for name in signature.parameters if is_dataclass(hints[name])}

    @wraps(command)
    def run(**typed: Any) -> None:
        made = {name: _collected(kind, typed, other) for name, kind in groups.items()}
        command(**made, **typed)

    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name in groups:
            parameters += _parameters(groups[name], other)
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=parameter.KEYWORD_ONLY))
    parameters.sort(key=lambda parameter: parameter.default is not parameter.empty)
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _declared(kind: Any, other: Mapping[str, Option]) -> Iterator[tuple[Field[Any], Any, Option | None]]:
    """Fields, their types and their options; a field that is a group of options itself has no option."""
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        option = other.get(field.name) or option_of(hints[field.name])
        if option is not None or is_dataclass(hints[field.name]):
            yield field, hints[field.name], option


def _parameters(kind: Any, other: Mapping[str, Option]) -> Iterator[inspect.Parameter]:
    for field, hint, option in _declared(kind, other):
        if option is None:
            yield from _parameters(hint, other)
            continue
        if option.of is not None:
            continue
        typed = _typed(field, get_args(hint)[0], option)
        shown: Any = True if option.default is None else option.default
        asked = typer.Option(
            *spellings(field.name, option),
            metavar=option.metavar,
            help=option.help,
            show_default=shown,
            rich_help_panel=option.panel,
        )
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=typed.default,
            annotation=Annotated[(typed.kind, asked)],
        )


def _collected(kind: Any, typed: dict[str, Any], other: Mapping[str, Option]) -> Any:
    """The dataclass made of what was typed, which is taken out of `typed`."""
    given: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for field, hint, option in _declared(kind, other):
        if option is None:
            given[field.name] = _collected(hint, typed, other)
        else:
            how = _typed(field, get_args(hint)[0], option)
            name = option.of or field.name
            taken[name] = taken[name] if name in taken else typed.pop(name, how.default)
            given[field.name] = how.value(taken[name])
    return kind(**given)


def _typed(field: Field[Any], hint: Any, option: Option) -> _Typed:
    """How a field is typed: numbers, words and flags as they are, lists by repetition, other things as text."""
    default = field.default if field.default is not MISSING else None
    reads = option.reads
    if reads is not None and option.repeated:
        usual = [_fraction(default)] if isinstance(default, float) else None
        return _Typed(list[str] | None, usual, lambda texts: reads(texts or ()))
    if get_origin(hint) is Mapping or (get_origin(hint) is tuple and reads is None):
        read = reads or tuple
        return _Typed(list[str] | None, None, lambda texts: read(texts or ()))
    if reads is not None:
        text = _fraction(default) if isinstance(default, float) else default
        if text == ():
            # Given twice, typer would silently take the last of two texts.
            return _Typed(list[str] | None, None, lambda texts: reads(",".join(texts or ())))
        return _Typed(str if text else str | None, text, lambda text: None if text is None else reads(text))
    kinds = [kind for kind in (int, float, bool, Path, str) if kind is hint or kind in get_args(hint)]
    plain: Any = kinds[0] if kinds else (Path if default is None else str)
    return _Typed(plain if default is not None else plain | None, default, lambda value: value)


def _fraction(number: float) -> str:
    """A share as people write it.

    >>> _fraction(1 / 3), _fraction(0.25)
    ('1/3', '1/4')
    """
    below = next(n for n in range(1, 1001) if round(number * n) / n == number)
    return f"{round(number * below)}/{below}" if below > 1 else f"{number:g}"
