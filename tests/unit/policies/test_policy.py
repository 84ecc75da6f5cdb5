"""Policies: the numbers of the built-in ones, files of one's own, and other limits in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError
from hushwood.policies.policy import (
    OVERRIDDEN,
    Limit,
    Policy,
    Quantity,
    built_in_names,
    limit_from_text,
    policy_from_toml,
    policy_named,
    quantity_from_text,
    thresholds_in,
)

LINKED, WORST, ALONE = "linkage.excess", "outlier_linkage.excess", "singling_out.excess"
PARTS, GUESSED, MEMBER = "linkability.excess", "attribute_inference.excess", "membership.advantage"
FAR = "extremes"
IDENTITY = (LINKED, WORST, ALONE)
BY_LIST = "list_membership.advantage"
LISTED = {
    BY_LIST: 0.1,
    "list_membership.at_1_percent": 0.03,
    "list_membership.at_10_percent": 0.18,
    "list_membership.worst_off_advantage": 0.2,
    "list_membership.worst_off_at_1_percent": 0.06,
    "list_membership.worst_off_at_10_percent": 0.36,
}
NUMBERS: dict[str, dict[str, float]] = {
    "public": {LINKED: 0.05, WORST: 0.09, ALONE: 0.05, FAR: 0.0, GUESSED: 0.05, MEMBER: 0.1, **LISTED},
    "ema-0070": {**dict.fromkeys(IDENTITY, 0.09), FAR: 0.0},
    "health-canada": {**dict.fromkeys(IDENTITY, 0.09), FAR: 0.0},
    "internal": {**dict.fromkeys(IDENTITY, 0.2), FAR: 0.0, GUESSED: 0.2},
    "ontario-2025-high": {**dict.fromkeys(IDENTITY, 0.05), FAR: 0.0, GUESSED: 0.05, MEMBER: 0.1},
    "ontario-2025-low": {**dict.fromkeys(IDENTITY, 0.09), FAR: 0.0, GUESSED: 0.05, MEMBER: 0.1},
    "ontario-2025-medium": {**dict.fromkeys(IDENTITY, 0.075), FAR: 0.0, GUESSED: 0.05, MEMBER: 0.1},
    "research": {**dict.fromkeys(IDENTITY, 0.09), FAR: 0.0, GUESSED: 0.1, MEMBER: 0.1, BY_LIST: 0.25},
    "wp29": {ALONE: 0.05, FAR: 0.0, PARTS: 0.05, GUESSED: 0.05},
}
OWN = """
title = "Ours"
recipient = "the archive"
says = "For the archive."
source = "the board"

[[limits]]
disclosure = "identity"
measure = "linkage.excess"
at_most = 0.03
source = "the board"
"""

HEAD = OWN.partition("[[")[0]


def numbers_of(policy: Policy) -> dict[str, float]:
    return {str(asked.quantity): asked.at_most for asked in policy.requirements}


def test_the_default_comes_first() -> None:
    assert built_in_names() == tuple(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_of_every_policy(name: str) -> None:
    policy = policy_named(name)
    assert (policy.name, policy.confidence) == (name, 0.95)
    assert numbers_of(policy) == NUMBERS[name]
    assert policy.title
    assert policy.says.endswith(".")
    assert policy.recipient in {"public", "named researchers", "internal"}
    attacks = [quantity.split(".")[0] for quantity in NUMBERS[name] if quantity != FAR]
    assert policy.attacks == tuple(dict.fromkeys(attacks))
    assert policy.measures == (FAR,)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_limit_has_a_source(name: str) -> None:
    for asked in policy_named(name).requirements:
        published = name not in {"public", "research", "internal"} and "ours: " not in asked.source
        assert asked.source
        assert published or asked.source.startswith("ours")
        # Only the Opinion itself was read; what others say was read in a source that quotes it.
        assert asked.secondary == (published and name != "wp29")
        others = {"outlier_linkage": "worst-off 5 %", FAR: "whoever stands out"}
        worst_off = asked.quantity.of_worst_off
        assert asked.people == others.get(
            asked.quantity.name, "worst-off 5 %" if worst_off else "average record"
        )
        disclosure = {GUESSED: "attribute", MEMBER: "membership"} | dict.fromkeys(LISTED, "membership")
        assert asked.disclosure == disclosure.get(str(asked.quantity), "identity")
        assert asked.not_shown_above == (0.0 if name == "wp29" and asked.quantity.is_attack else None)


def test_what_policies_do_not_limit_is_said() -> None:
    for name in ("ema-0070", "health-canada"):
        assert any("Membership" in note for note in policy_named(name).notes)
        assert any("Attribute disclosure" in note for note in policy_named(name).notes)


def test_other_limits_are_seen() -> None:
    policy = policy_named("public", ["linkage<=1%", "membership.advantage <= 0.3", "sers<=5"])
    expected = NUMBERS["public"] | {LINKED: 0.01, MEMBER: 0.3, "sers": 5.0}
    assert numbers_of(policy) == expected
    changed = {str(r.quantity): r.overrides for r in policy.requirements if r.source == OVERRIDDEN}
    assert changed == {LINKED: 0.05, MEMBER: 0.1, "sers": None}
    assert policy.measures == (FAR, "sers")
    assert numbers_of(policy_named("public")) == NUMBERS["public"]


def test_one_quantity_of_a_list_can_be_limited_alone() -> None:
    policy = policy_named("public", ["list_membership.at_1_percent<=0.02", "list_membership<=0.05"])
    expected = NUMBERS["public"] | {"list_membership.at_1_percent": 0.02, BY_LIST: 0.05}
    assert numbers_of(policy) == expected
    with pytest.raises(InputError, match="cannot be limited"):
        policy_named("public", ["membership.at_1_percent<=0.02"])


def test_policies_name_their_intruder() -> None:
    assert policy_named("public").intruder == "list of candidates"
    assert policy_named("research").intruder == "reference population"
    assert policy_named("wp29").intruder == ""
    assert policy_from_toml(OWN.replace("[[", 'intruder = "reference population"\n[[', 1), "own").intruder
    with pytest.raises(InputError, match="intruder"):
        policy_from_toml(OWN.replace("[[", 'intruder = "an elephant"\n[[', 1), "own")


def test_a_plain_name_stands_for_what_the_policy_limits() -> None:
    policy = policy_named("wp29", ["singling_out<=0.01"])
    (asked,) = (r for r in policy.requirements if r.source == OVERRIDDEN)
    assert (asked.quantity, asked.at_most) == (Quantity("singling_out", "excess"), 0.01)
    assert asked.not_shown_above == 0.0


def test_a_policy_can_be_given_whole() -> None:
    policy = policy_named("research")
    assert policy_named(policy) is policy
    assert numbers_of(policy_named(policy, ["linkage<=0.5"]))[LINKED] == 0.5


@pytest.mark.parametrize("text", ["linkage>0.01", "linkage<0.01", "linkage>=0.01"])
def test_only_ceilings_can_be_given(text: str) -> None:
    with pytest.raises(InputError, match="is a ceiling, such as"):
        policy_named("public", [text])


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "archive.toml"
    path.write_text(OWN + 'people = "everyone"\nsecondary = true\nnot_shown_above = 0\n', "utf-8")
    policy = policy_named(path)
    assert (policy.name, policy.recipient, policy.notes) == ("archive", "the archive", ())
    (asked,) = policy.requirements
    assert (str(asked.quantity), asked.at_most, asked.people) == (LINKED, 0.03, "everyone")
    assert (asked.secondary, asked.not_shown_above) == (True, 0.0)
    assert policy_named(str(path)) == policy


def test_the_confidence_can_be_set() -> None:
    assert policy_from_toml("confidence = 0.99" + OWN, "own").confidence == 0.99


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "The policy own is not valid TOML"),
        (OWN.replace('title = "Ours"', ""), "lacks the entry 'title'"),
        (OWN.replace('source = "the board"\n\n', "\n"), "lacks the entry 'source'"),
        (OWN.replace("at_most = 0.03", ""), "lacks the entry 'at_most'"),
        (OWN.replace("title", "titles"), "titles"),
        (OWN.replace("people", "peeple") + 'peeple = "x"\n', "peeple"),
        (OWN.replace('"identity"', '"identiti"'), "Did you mean 'identity'"),
        (OWN.replace("linkage.excess", "linkagee"), "Did you mean 'linkage'"),
        (OWN.replace("linkage.excess", "linkage.advantage"), "cannot be limited"),
        (OWN.replace("0.03", '"low"'), "an entry of the wrong kind"),
        (OWN.replace("0.03", "[0.03]"), "an entry of the wrong kind"),
        (OWN.replace("0.03", "nan"), "an entry of the wrong kind"),
        (OWN.replace("0.03", "inf"), "an entry of the wrong kind"),
        (OWN.replace("0.03", "true"), "an entry of the wrong kind"),
        (OWN + 'secondary = "false"\n', "an entry of the wrong kind"),
        ("limits = 3" + HEAD, "an entry of the wrong kind"),
        ("limits = [3]" + HEAD, "an entry of the wrong kind"),
        ('limits = "all"' + HEAD, "an entry of the wrong kind"),
        ('notes = "one"' + OWN, "an entry of the wrong kind"),
        ("limits = []" + HEAD, "would clear everything"),
        ("confidence = 0.3" + OWN, "from 0.5 to below 1"),
        ("confidence = 1" + OWN, "from 0.5 to below 1"),
        ("confidence = nan" + OWN, "an entry of the wrong kind"),
        ("title = " + "[" * 5_000, "not valid TOML"),
    ],
)
def test_wrong_files_are_one_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        policy_from_toml(text, "own")
    said = str(refused.value)
    assert said.endswith((".", "?"))
    assert "\n" not in said


def test_names_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Did you mean 'public'"):
        policy_named("pubic")
    with pytest.raises(InputError, match=r"There is no policy file .*none\.toml; check"):
        policy_named(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(InputError, match="it must be a text file"):
        policy_named(tmp_path / "bytes.toml")
    with pytest.raises(InputError, match="There is no policy"):
        policy_named(tmp_path)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("linkage>0.05", Limit(Quantity("linkage"), ">", 0.05)),
        (" sers <= 8 ", Limit(Quantity("sers"), "<=", 8.0)),
        ("linkage>=5%", Limit(Quantity("linkage"), ">=", 0.05)),
        ("means_and_variances>1e-3", Limit(Quantity("means_and_variances"), ">", 0.001)),
        ("attribute_inference.excess>0.05", Limit(Quantity("attribute_inference", "excess"), ">", 0.05)),
        ("membership.advantage<.1", Limit(Quantity("membership", "advantage"), "<", 0.1)),
        ("class_entropy.below>5%", Limit(Quantity("class_entropy", "below"), ">", 0.05)),
        (
            "reidentification_entropy.below( 2.45 ) > 5%",
            Limit(Quantity("reidentification_entropy", "below", 2.45), ">", 0.05),
        ),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    assert limit_from_text(text) == limit
    assert limit_from_text(str(limit)) == limit


@pytest.mark.parametrize(
    "text",
    [
        "linkage",
        "linkage>",
        ">0.05",
        "linkage=0.05",
        "linkage>0.0.5",
        "linkage.>1",
        "a.b.c>1",
        "linkage<=1e400",
        "",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="A limit is a name, a comparison and a number"):
        limit_from_text(text)


def test_a_misspelt_name_gets_a_proposal() -> None:
    with pytest.raises(InputError, match="linkage"):
        limit_from_text("linkagee>0.05")


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("sers.excess", "sers can"),
        ("membership.excess", "membership or membership.advantage can"),
        ("linkage.advantage", "linkage or linkage.excess can"),
        ("spectral_filtering.excess", "spectral_filtering can"),
        ("sers.below", "sers can"),
    ],
)
def test_not_everything_has_an_excess(text: str, can: str) -> None:
    with pytest.raises(InputError, match=f"'{text}' cannot be limited; {can}"):
        quantity_from_text(text)


def test_every_attack_can_be_limited_by_its_success() -> None:
    for name in ATTACKS:
        assert quantity_from_text(name).is_attack
    assert not quantity_from_text("sers").is_attack


@pytest.mark.parametrize("text", ["class_entropy.below(x)", "class_entropy.below()", "class_entropy.over(3)"])
def test_what_cannot_be_counted_names_what_can(text: str) -> None:
    with pytest.raises(
        InputError, match=r"cannot be limited; class_entropy or class_entropy\.below\(BITS\) can"
    ):
        quantity_from_text(text)
    with pytest.raises(InputError, match=r"cannot be limited; linkage or linkage\.excess can"):
        quantity_from_text("linkage.excess(3)")
    with pytest.raises(InputError, match=r"'3\.\.2' is not a number"):
        quantity_from_text("class_entropy.below(3..2)")


def test_thresholds_by_measure() -> None:
    texts = ("class_entropy.below(1)", "class_entropy.below", "sers", "class_entropy.below(0.5)")
    assert thresholds_in(map(quantity_from_text, texts)) == {"class_entropy": (1.0, 0.5)}
