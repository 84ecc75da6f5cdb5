"""The noise that was asked for, as parameters of the techniques that add it; what cannot be used is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hushwood.errors import InputError, unknown_name
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.protocol import Technique

INFLUENTIAL, INNOCENT = "noise_influential", "noise_innocent"
ADDED = frozenset({INFLUENTIAL, INNOCENT})
ALONE = "noise"  # for records that cannot be drawn together with others
_ANY = frozenset({*ADDED, ALONE})
# Options, and the shared options of the techniques that have a use for them. The first three are older, and there are
# releases by techniques that ignore them; only a technique with another dial refuses them.
_OLD = ("noise", "boundary", "distribution")
_USED_BY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(_OLD, _ANY),
    "noise_by_column": ADDED,
    "noise_of": ADDED,
    INFLUENTIAL: frozenset({INFLUENTIAL}),
    INNOCENT: frozenset({INNOCENT}),
}


def noise_parameters(options: PerturbOptions) -> dict[str, NoiseParameters]:
    """The parameters of every shared option that stands for noise."""
    plain = NoiseParameters(options.noise, options.boundary, options.distribution)  # type: ignore[arg-type]
    added = replace(plain, of=options.noise_of, columns=options.noise_by_column)  # type: ignore[arg-type]
    return {ALONE: plain} | {
        name: added if given is None else replace(added, noise=given)
        for name, given in ((INFLUENTIAL, options.noise_influential), (INNOCENT, options.noise_innocent))
    }


def check_noise(options: PerturbOptions, schema: Schema) -> None:
    """Refuse noise for columns that get none."""
    for name in options.noise_by_column:
        if name not in schema.names:
            raise unknown_name("column", name, schema.names)
        attribute = schema[name]
        if attribute.kind != "numeric" or attribute not in schema.inputs:
            what = (
                attribute.kind if attribute.role == "ordinary" else f"{attribute.kind} and {attribute.role}"
            )
            raise InputError(
                f"Noise is added to numeric columns that are perturbed, and {name!r} is {what}; omit its noise."
            )


def check_noise_used(recipe: str, techniques: Sequence[Technique], options: PerturbOptions) -> None:
    """Refuse options about noise for which no technique of the recipe has a use."""
    taken = {shared for technique in techniques for shared in technique.options.values()}
    usual = PerturbOptions()
    segments = any(technique.smallest_segment is not None for technique in techniques)
    for name, users in _USED_BY.items():
        unused = not users & taken and (segments or name not in _OLD)
        if unused and getattr(options, name) != getattr(usual, name):
            option, kind = _option(name, options), "techniques that add noise"
            why = f"{recipe} adds none"
            if name in ADDED:
                kind = "LINFAPT" if name == INFLUENTIAL else "LINNAPT"
                kind += f", the noise on {name.removeprefix('noise_')} attributes"
                why = f"{recipe} does not use it"
            elif ALONE in taken:
                kind, why = "noise on single columns", f"{recipe} draws columns together"
            raise InputError(
                f"{option} is for {kind}, and {why}{_own_setting(techniques)}. Omit it, or choose --technique "
                "forest-framework."
            )


def _option(name: str, options: PerturbOptions) -> str:
    """An option as it was typed."""
    if name != "noise_by_column":
        return f"--{name.replace('_', '-')}"
    column, share = next(iter(options.noise_by_column.items()))
    return f"--noise {column}={share:g}"


def _own_setting(techniques: Sequence[Technique]) -> str:
    """What to set instead, where techniques have a setting of their own."""
    for technique in techniques:
        if technique.smallest_segment is not None:
            return ": its dial is --k"
        if hasattr(technique, "noise"):
            return f" of this kind: its dial is --set {technique.acronym.lower()}.noise"
    return ""
