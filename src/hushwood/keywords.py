"""Keywords of Python functions, from where the command's options are declared: their names, defaults and meaning.

    @keywords(ReleaseRequest, options=[PerturbOptions], table="The table to release.")
    def release(table, *, seed=None, **options): ...

The function then has a signature without `**options`, and a list of all its parameters in its docstring.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import MISSING, fields
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from hushwood.errors import unknown_name
from hushwood.parameters import INTERNAL, options_of
from hushwood.python_words import in_python, speaking_python

Given = ParamSpec("Given")
Result = TypeVar("Result")
_WIDTH = 100


def keywords(
    *declared: Any, options: Sequence[Any] = (), but: Collection[str] = (), **texts: str
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Give a function the fields of the dataclasses `options` for its `**options`, all but some, and describe all.

    Errors name keywords. What a parameter means is said by the first dataclass that has a field of its name, be it one
    of the `options` or otherwise `declared`, or by `texts`.
    """

    def decorated(function: Callable[Given, Result]) -> Callable[Given, Result]:
        own = inspect.signature(function)
        named = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        taken = {p.name for p in named} | set(but)
        more = [parameter for one in options for parameter in _parameters(one)]
        signature = own.replace(parameters=[*named, *(p for p in more if p.name not in taken)])

        @wraps(function)
        def checked(*given: Given.args, **named: Given.kwargs) -> Result:
            for name in named:
                if name not in signature.parameters:
                    raise unknown_name("option", name, tuple(signature.parameters))
            with speaking_python():
                return function(*given, **named)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        meaning = {**dict(_meanings(*options, *declared)), **texts}
        checked.__doc__ = _with_list(function.__doc__ or "", signature, meaning)
        return checked

    return decorated


def _parameters(declared: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(declared, include_extras=True)
    for field in fields(declared):
        hint = hints[field.name]
        if INTERNAL in get_args(hint):
            continue
        plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        default = field.default if field.default_factory is MISSING else field.default_factory()
        yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=plain)


def _meanings(*declared: Any) -> Iterator[tuple[str, str]]:
    """What the command says about every option, and how it names the default."""
    for one in reversed(declared):  # the first one wins
        for name, option in options_of(one).items():
            if option.help:
                default = f" Default: {option.default}." if option.default else ""
                yield name, in_python(option.help.removesuffix(" May be repeated.") + default)


def _with_list(doc: str, signature: inspect.Signature, meaning: dict[str, str]) -> str:
    lines = []
    for parameter in signature.parameters.values():
        default = parameter.default
        shown = "" if default in (parameter.empty, None) else f", default {default!r}"
        lines.append(f"{parameter.name}{shown}")
        text = meaning.get(parameter.name, "")
        lines += textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{inspect.cleandoc(doc)}\n\nParameters\n----------\n" + "\n".join(lines) + "\n"
