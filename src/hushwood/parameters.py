"""Parameters as dataclasses declare them: what is allowed, how the command spells them, how text becomes a value.

    share: Annotated[float, Between(0, 1, open_low=True), Option("Share of the records.", metavar="P")] = 1 / 3

`check_parameters` refuses what a declaration does not allow; `settings_from_texts` reads "gadp.rho=0.5".
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hushwood.errors import InputError, unknown_name
from hushwood.value_types import fits, in_words

Settings = Mapping[str, Mapping[str, Any]]
Reader = Callable[[str], Any]
INTERNAL = "internal"  # marks a field that neither the command nor Python users can give
LARGEST_WHOLE = 2**31 - 1  # no count here is larger, and compiled loops know no larger ones


def available_threads() -> int:
    """The default of every `threads` parameter."""
    return min(os.cpu_count() or 1, 8)


@dataclass(frozen=True, slots=True)
class Option:
    """How the command shows a field: its help, spelling ("--field-name" unless given), metavar and panel.

    `reads` makes the value of what was typed: one text, or all texts for a mapping or an option that may be `repeated`.
    `default` describes the default where the value itself says nothing. A field may be read from what was typed for
    the option `of` another field, and then has no option of its own.
    """

    help: str
    spelling: tuple[str, ...] = ()
    metavar: str | None = None
    panel: str | None = None
    default: str | None = None
    reads: Callable[[Any], Any] | None = None
    repeated: bool = False
    of: str | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """A constraint on a word whose type is `str`; a Literal needs none."""

    words: tuple[str, ...]

    def allows(self, word: object) -> bool:
        """Whether it is one of them."""
        return word in self.words


@dataclass(frozen=True, slots=True)
class Between:
    """A constraint on a number, written into its type: `share: Annotated[float, Between(0, 1, open_low=True)]`.

    Infinite numbers are refused unless an end is infinite and closed. `meaning` says what the number is.
    """

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    meaning: str = ""

    def allows(self, number: float) -> bool:
        """Whether the number lies inside; no comparison with NaN does."""
        above = self.low < number if self.open_low else self.low <= number
        return above and (number < self.high if self.open_high else number <= self.high)

    def says(self) -> str:
        """What is allowed, in words that follow "must be"."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        ends = []
        if self.low > -math.inf and self.high < math.inf and not (self.open_low or self.open_high):
            ends = [f"between {low} and {high}"]
        elif self.low > -math.inf and math.isinf(self.high) and not self.open_low:
            ends = [f"{low} or more"]
        else:
            ends += [f"{'above' if self.open_low else 'at least'} {low}"] if self.low > -math.inf else []
            ends += [f"{'below' if self.open_high else 'at most'} {high}"] if self.high < math.inf else []
        return ", ".join(part for part in (self.meaning, " and ".join(ends)) if part) or "a finite number"


def AtLeast(low: float, meaning: str = "") -> Between:  # noqa: N802 - reads as a type does
    """A finite number that is not below `low`."""
    return Between(low, open_high=True, meaning=meaning)


def Above(low: float, meaning: str = "") -> Between:  # noqa: N802 - reads as a type does
    """A finite number above `low`."""
    return Between(low, open_low=True, open_high=True, meaning=meaning)


SHARE = Between(0, 1)
THREADS = Between(1, 1024)
FINITE = Between(open_low=True, open_high=True)


class Checked:
    """A dataclass whose values are checked against their types when it is made; see `check_parameters`."""

    __slots__ = ()

    def __post_init__(self) -> None:
        check_parameters(self)


def check_parameters(declared: Any) -> None:
    """Refuse values of a dataclass that its types do not allow: choices (Literal) and constrained numbers.

    Types may be optional, and items of a tuple or values of a mapping. A message names the command's option where
    the field has one, and the `acronym` of the class where that has one.

    >>> @dataclass(frozen=True)
    ... class Groups(Checked):
    ...     k: Annotated[int, AtLeast(2)] = 5
    >>> Groups(k=1)
    Traceback (most recent call last):
    hushwood.errors.InputError: k must be 2 or more; 1 was given.
    """
    kind: Any = type(declared)
    for name, label, hint in _declarations(kind):
        value = getattr(declared, name)
        _check(label, value, hint)
        if type(value).__module__ == "numpy" and isinstance(value, Real):
            plain = int(value) if isinstance(value, Integral) else float(value)
            object.__setattr__(declared, name, plain)  # numpy's numbers do not go into a JSON file


@cache
def _declarations(declared: Any) -> tuple[tuple[str, str, Any], ...]:
    """Name, name in messages, and type of every field."""
    hints = get_type_hints(declared, include_extras=True)
    acronym = getattr(declared, "acronym", None)
    found = []
    for field in fields(declared):
        option = option_of(hints[field.name])
        of = f" of {acronym}" if isinstance(acronym, str) else ""
        label = f"{field.name}{of}" if option is None else spellings(field.name, option)[-1]
        found.append((field.name, label, hints[field.name]))
    return tuple(found)


def option_of(hint: Any) -> Option | None:
    """The command's option that a type declares."""
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((extra for extra in extras if isinstance(extra, Option)), None)


@cache
def options_of(declared: Any) -> dict[str, Option]:
    """The command's options by the fields of a dataclass that declare them; a field may be such a dataclass itself."""
    found: dict[str, Option] = {}
    for name, hint in get_type_hints(declared, include_extras=True).items():
        option, inside = option_of(hint), is_dataclass(hint)
        if option is not None:
            found[name] = option
        elif inside:
            found |= options_of(hint)
    return found


def spellings(name: str, option: Option) -> tuple[str, ...]:
    """How the command spells a field."""
    return option.spelling or (f"--{(option.of or name).replace('_', '-')}",)


def _check(label: str, value: Any, hint: Any) -> None:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        _check(label, value, parts[0])
        optional = NoneType in get_args(parts[0])
        for extra in parts[1:] if value is not None or not optional else ():
            if isinstance(extra, Between):
                _check_number(label, value, extra, whole=int in (parts[0], *get_args(parts[0])))
            elif isinstance(extra, OneOf) and not extra.allows(value):
                raise _not_among(label, value, extra.words)
    elif origin is Literal and value not in parts:
        raise _not_among(label, value, parts)
    elif origin in (Union, UnionType):
        inner = [part for part in parts if part is not NoneType]
        if value is not None and len(inner) == 1:
            _check(label, value, inner[0])
    elif hint == Settings and not fits(value, hint):
        raise InputError(
            f'{label} must give parameters by name, such as {{"gadp": {{"rho": 0.5}}}}; {value!r} was given.'
        )
    elif origin is Mapping:
        if not fits(value, Mapping[parts[0], Any]):  # type: ignore[valid-type]
            raise InputError(f"{label} must be {in_words(hint)}; {value!r} was given.")
        for key, item in value.items():
            _check(f"{label} for {key!r}", item, parts[1])
    elif origin is tuple and len(parts) == 2 and parts[1] is ... and isinstance(value, tuple | list):
        for item in value:
            _check(label, item, parts[0])


def _check_number(label: str, value: Any, allowed: Between, *, whole: bool) -> None:
    right_kind = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if right_kind and allowed.allows(value):
        if whole and value > LARGEST_WHOLE:
            raise InputError(f"{label} must be {LARGEST_WHOLE:,} or less; {value} was given.")
        return
    kind = ""
    if not right_kind:
        kind = "a whole number, " if whole else "a number, "
    elif not math.isfinite(value) and allowed != FINITE:
        kind = "a finite number, "
    shown = f"{value:g}" if isinstance(value, float) else repr(value)
    raise InputError(f"{label} must be {kind}{allowed.says()}; {shown} was given.")


def _not_among(label: str, value: Any, allowed: Sequence[Any]) -> InputError:
    words = [str(word) for word in allowed]
    near = difflib.get_close_matches(str(value), words, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"{label} must be {_listed(words)}; {value!r} was given.{hint}")


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def settings_from_texts(
    texts: Sequence[str], declared: Mapping[str, Any], what: str, example: str
) -> dict[str, dict[str, Any]]:
    """The settings of every thing named; `declared` are the dataclasses by name, `what` says what they are."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        path, sign, value = text.partition("=")
        name, dot, field = path.strip().partition(".")
        if not (sign and dot):
            raise InputError(
                f'A setting is given as {what.upper()}.PARAMETER=VALUE, such as "{example}"; {text!r} was given.'
            )
        found.setdefault(name, {})[field] = _value(
            text, value.strip(), _reader_of(name, field, declared, what)
        )
    return found


def check_settings(settings: Settings, declared: Mapping[str, Any], what: str) -> None:
    """Refuse things and parameters that are not there, and values of another type than they declare.

    Values need not be what a text can say. What the class itself checks when it is made is left to it.
    """
    for name, given in settings.items():
        if name not in declared:
            raise unknown_name(what, name, tuple(declared))
        hints = get_type_hints(declared[name], include_extras=True)
        known = {field.name: hints[field.name] for field in fields(declared[name])}
        for parameter, value in given.items():
            if parameter not in known:
                raise unknown_name(f"parameter of {name}", parameter, tuple(known))
            hint = known[parameter]
            if not issubclass(declared[name], Checked):
                _check(f"{parameter} of {name}", value, hint)
            elif get_origin(hint) is Literal or any(
                isinstance(e, Between | OneOf) for e in get_args(hint)[1:]
            ):
                continue
            if not fits(value, hint):
                raise InputError(f"{parameter} of {name} must be {in_words(hint)}; {value!r} was given.")


def _reader_of(name: str, field: str, declared: Mapping[str, Any], what: str) -> Reader:
    if name not in declared:
        raise unknown_name(what, name, tuple(declared))
    readers = parameters_of(declared[name])
    if field not in readers:
        raise unknown_name(f"parameter of {name}", field, tuple(readers))
    return readers[field]


def parameters_of(declared: Any) -> dict[str, Reader]:
    """The parameters of a dataclass that can be given as text, and how each is read."""
    hints = get_type_hints(declared)
    found = {field.name: _reader(hints[field.name]) for field in fields(declared)}
    return {name: reader for name, reader in found.items() if reader is not None}


def _reader(hint: Any) -> Reader | None:
    """How a value of a declared type is read from text; None if it cannot be."""
    simple: dict[Any, Reader] = {int: _whole, float: float, str: str, bool: _truth}
    if hint in simple:
        return simple[hint]
    origin, parts = get_origin(hint), [part for part in get_args(hint) if part is not type(None)]
    if origin is Literal:
        return lambda value: _one_of(value, parts)
    if origin is tuple and parts[0] is str:
        return lambda value: tuple(part.strip() for part in value.split(",") if part.strip())
    if origin is tuple:
        return _matrix
    if hint == Mapping[str, float]:
        return _weights
    if origin is Union or type(hint).__name__ == "UnionType":
        return _reader(parts[0]) if len(parts) == 1 else None
    return None


def _value(text: str, value: str, reader: Reader) -> Any:
    try:
        return reader(value)
    except InputError:
        raise
    except ValueError:
        raise InputError(f"{value!r} is not a value of that parameter; {text!r} was given.") from None


def _one_of(value: str, allowed: Sequence[Any]) -> Any:
    if value not in allowed:
        raise unknown_name("value", value, tuple(str(word) for word in allowed))
    return value


def _whole(value: str) -> int:
    number = int(value)
    if abs(number) > LARGEST_WHOLE:
        raise ValueError(value)
    return number


def _truth(value: str) -> bool:
    if value.lower() not in {"true", "false"}:
        raise ValueError(value)
    return value.lower() == "true"


def _matrix(value: str) -> tuple[tuple[float, ...], ...]:
    """Rows between semicolons, numbers between commas."""
    return tuple(tuple(float(number) for number in row.split(",")) for row in value.split(";"))


def _weights(value: str) -> dict[str, float]:
    pairs = [part.rpartition(":") for part in value.split(",")]
    return {name.strip(): float(number) for name, _, number in pairs}
