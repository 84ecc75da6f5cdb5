"""Sentences about the command's options, as Python users read them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.python_words import in_python, speaking_python

SOURCE = Path(hw.__file__).parent
FUNCTIONS = (
    hw.release,
    hw.tune,
    hw.audit,
    hw.reconstruct,
    hw.publish_tree,
    hw.read_table,
    hw.clusters,
    hw.compare,
)
KEYWORDS = {name for function in FUNCTIONS for name in inspect.signature(function).parameters}
# What only the command has: it saves schemas, shows without keeping, and prints.
ONLY_COMMAND = {"save", "tune", "dry-run", "private", "json"}
# What is drawn has variables of its own, and the command and the web app speak for themselves.
ELSEWHERE = {"cli", "web", "charts", "drawing"}
DASHED = re.compile(r"(?<![\w-])--[a-z]")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("--k must be 2 or more; 1 was given.", "k must be 2 or more; 1 was given."),
        ("-k must be 2 or more.", "k must be 2 or more."),
        ("name it with --class to get a tree", "name it with target to get a tree"),
        ("Use --technique mdav --k 370 --blur 185", 'Use technique="mdav", k=370, blur=185'),
        (
            "drop with --identifier a --identifier 'b c'.",
            'drop with roles={"a": "identifier", "b c": "identifier"}.',
        ),
        (
            "drop it with --identifier or --ignore.",
            'drop it with roles={"COLUMN": "identifier"} or roles={"COLUMN": "ignored"}.',
        ),
        ("--keep 'b c'=\"a reason\".", 'keep={"b c": "a reason"}.'),
        (
            "name it with --person pat, or omit --person and --household.",
            'name it with person="pat", or omit person and household.',
        ),
        ("such as --noise age=0.1.", 'such as noise={"age": 0.1}.'),
        (
            "the dial --set gadp.noise, or --set a.bounded=false",
            'the dial settings={"gadp": {"noise": ...}}, or settings={"a": {"bounded": False}}',
        ),
        ("with --decimal , or --decimal .", 'with decimal="," or decimal="."'),
        (
            "use --links none, --encoding latin-1 and --date-format dd.mm.yyyy.",
            'use links="none", encoding="latin-1" and date_format="dd.mm.yyyy".',
        ),
        (
            'use --limit "linkage<=0.1" and -o DIR with --force',
            'use limits=["linkage<=0.1"] and output="DIR" with force=True',
        ),
        ("cut it with --class-bins N", "cut it with class_bins=N"),
        (
            "`hushwood release a.csv --k 5` says; --min-leaf leaves fewer",
            "`hushwood release a.csv --k 5` says; min_leaf leaves fewer",
        ),
        ("Column '--class' and a-k, 5 -k", "Column '--class' and a-k, 5 k"),
    ],
)
def test_options_are_spelt_as_keywords(said: str, expected: str) -> None:
    assert in_python(said) == expected
    assert in_python(expected) == expected


def _sentences() -> Iterator[tuple[Path, str]]:
    """Every text in the source that names an option, with what is filled in left out."""
    for path in SOURCE.rglob("*.py"):
        if ELSEWHERE & set(path.relative_to(SOURCE).parts):
            continue
        code = path.read_text("utf-8")
        for node in ast.walk(ast.parse(code)) if DASHED.search(code) else ():
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else " 7 " for p in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            if DASHED.search(text) and "\n" not in text:
                yield path, text


def test_every_option_that_a_sentence_names_is_a_keyword_somewhere() -> None:
    found = list(_sentences())
    assert len(found) > 150
    for path, text in found:
        assert not DASHED.search(re.sub("`[^`]*`", "", in_python(text))), (path, text)
        for option in (
            set(re.findall(r"(?<![\w'\"-])--([a-z][a-z-]*[a-z]|k)", re.sub("`[^`]*`", "", text)))
            - ONLY_COMMAND
        ):
            name = re.match(r"\w+", in_python(f"--{option}"))
            assert name is not None
            assert name[0] in KEYWORDS or name[0].startswith("max_bytes"), (path, text)


def test_errors_of_a_block_name_keywords_and_are_value_errors() -> None:
    with pytest.raises(ValueError, match=r"^k must be odd; use k=3\.$") as caught, speaking_python():
        raise InputError("--k must be odd; use --k 3.")
    assert type(caught.value) is InputError
