"""Taxonomies from files and from the data."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.recoding.taxonomies import (
    Taxonomy,
    automatic_taxonomy,
    check_complete,
    check_taxonomy,
    code_taxonomy,
    leaves_under,
    read_hierarchy,
    with_codes,
)
from hushwood.tables.schema import Attribute, Schema
from support.mixed_tables import category


def taxonomy(*ways: str) -> Taxonomy:
    """Ways such as "F C A", by their values."""
    return Taxonomy("letter", {way.split()[0]: tuple(way.split()) for way in ways})


SURVEY = taxonomy("D B A", "E B A", "F C A", "G C A", "H C A")


def test_leaves_and_height_of_the_surveys_figure() -> None:
    check_taxonomy(SURVEY)
    assert SURVEY.height == 2
    assert leaves_under(SURVEY) == {"B": ["D", "E"], "C": ["F", "G", "H"], "A": ["D", "E", "F", "G", "H"]}


def test_a_value_may_stay_itself_on_the_way() -> None:
    chain = taxonomy("D D A", "F C A", "G C A")
    check_taxonomy(chain)
    assert leaves_under(chain) == {"A": ["D", "F", "G"], "C": ["F", "G"]}


def test_a_group_may_keep_its_name_over_several_levels() -> None:
    chain = taxonomy("D B B", "E B B")
    check_taxonomy(chain)
    assert leaves_under(chain) == {"B": ["D", "E"]}


def test_an_empty_taxonomy_has_no_height() -> None:
    assert Taxonomy("letter", {}).height == 0


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        (["D B A", "E A"], "'E' 2 levels and 'D' 3"),
        (["D B A", "E B X"], "'B' under both 'A' and 'X'"),
        (["D E A", "E C A"], "'E' for both a value and a group"),
    ],
)
def test_what_is_no_tree_is_refused(ways: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_taxonomy(taxonomy(*ways))


def test_all_categories_must_be_there() -> None:
    check_complete(SURVEY, ["D", "H"])
    with pytest.raises(InputError, match="no line for 'X', 'Y', 'Z' and others"):
        check_complete(SURVEY, ["D", "X", "Y", "Z", "Q"])


def written(folder: Path, text: str, name: str = "adult_hierarchy_marital-status.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_arx_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "Divorced;not present;*\nMarried;present;*\nWidowed;not present;*\n")
    found = read_hierarchy(path)
    assert found.attribute == "marital-status"
    assert found.levels == {
        "Divorced": ("Divorced", "not present", "*"),
        "Married": ("Married", "present", "*"),
        "Widowed": ("Widowed", "not present", "*"),
    }


def test_the_attribute_may_be_given(tmp_path: Path) -> None:
    assert read_hierarchy(written(tmp_path, "a;*\nb;*\n"), "status").attribute == "status"


def test_other_file_names_name_the_attribute(tmp_path: Path) -> None:
    assert read_hierarchy(written(tmp_path, "a;*\nb;*\n", "age.csv")).attribute == "age"


@pytest.mark.parametrize(
    "text", ["a,x,*\nb,x,*\n", "a, x, *\nb, x, *\n", '"a";"x";"*"\n"b";"x";"*"\n', "a;x;*\r\nb;x;*\r\n\r\n"]
)
def test_separators_quotes_and_line_ends(tmp_path: Path, text: str) -> None:
    assert read_hierarchy(written(tmp_path, text)).levels == {"a": ("a", "x", "*"), "b": ("b", "x", "*")}


def test_intervals_may_hold_commas(tmp_path: Path) -> None:
    path = written(tmp_path, "1;[1, 9[\n2;[1, 9[\n", "t_hierarchy_age.csv")
    assert read_hierarchy(path).levels == {"1": ("1", "[1, 9["), "2": ("2", "[1, 9[")}


def test_packed_files_and_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "x_hierarchy_city.csv.gz"
    path.write_bytes(gzip.compress("Köln;*\nBonn;*\n".encode("latin-1")))
    found = read_hierarchy(path, encoding="latin-1")
    assert (found.attribute, list(found.levels)) == ("city", ["Köln", "Bonn"])


@pytest.mark.parametrize(
    ("text", "way"), [("a;x\nb;y\n", ("a", "x", "*")), ("a\nb\n", ("a", "*")), ("a\n", ("a", "*"))]
)
def test_a_root_is_put_above_several_tops(tmp_path: Path, text: str, way: tuple[str, ...]) -> None:
    assert read_hierarchy(written(tmp_path, text)).levels["a"] == way


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a;x;*\na;y;*\n", "two lines for 'a'"),
        ("a;x;*\nb;*\n", "'b' 2 levels and 'a' 3"),
        ("a;x;*\nb;x;all\n", "'x' under both"),
        ("\n\n", "is empty"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_hierarchy(written(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no hierarchy file"):
        read_hierarchy(tmp_path / "gone.csv")


def test_the_encoding_of_a_file_is_found_or_it_is_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "x_hierarchy_city.csv"
    path.write_bytes("Bonn;*\nKöln;*\n".encode("latin-1"))
    assert list(read_hierarchy(path).levels) == ["Bonn", "Köln"]
    path.write_bytes(b"Bonn;*\nK\x81ln;*\n")
    with pytest.raises(InputError, match="line 2"):
        read_hierarchy(path)


@pytest.mark.parametrize("names", [(), ("a",), ("a", "b"), ("a", "b", "c")])
def test_few_values_go_straight_to_the_root(names: tuple[str, ...]) -> None:
    found = automatic_taxonomy(category("x", names), np.ones((len(names), 2)))
    assert found.levels == {name: (name, "*") for name in names}


def test_values_with_like_classes_are_grouped_first() -> None:
    counts = np.array([[9, 1], [1, 9], [8, 2], [20, 80]])
    found = automatic_taxonomy(category("x", "abcd"), counts)
    assert found.levels == {
        "a": ("a", "{a, c}", "*"),
        "b": ("b", "{b, d}", "*"),
        "c": ("c", "{a, c}", "*"),
        "d": ("d", "{b, d}", "*"),
    }


def test_values_without_records_go_with_the_whole_table() -> None:
    counts = np.array([[5, 5], [10, 0], [0, 10], [0, 0]])
    assert automatic_taxonomy(category("x", "abcd"), counts).levels["d"][1] == "{a, d}"


def test_tables_without_classes_or_with_very_many_values() -> None:
    assert automatic_taxonomy(category("x", "abcd"), np.zeros((4, 0))).height == 1
    many = tuple(map(str, range(2001)))
    assert automatic_taxonomy(category("x", many), np.ones((2001, 2))).height == 1


@given(st.integers(4, 40), st.integers(1, 4), st.integers(0, 99))
def test_every_level_halves_the_groups(size: int, classes: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 5, (size, classes))
    names = tuple(f"v{i}" for i in range(size))
    found = automatic_taxonomy(category("x", names), counts)
    check_taxonomy(found)
    check_complete(found, names)
    for level in range(found.height + 1):
        groups = {way[level] for way in found.levels.values()}
        assert len(groups) == -(-size // 2**level)
    assert leaves_under(found)["*"] == list(names)


ZIP = Attribute("zip", "categorical", categories=("01067", "10115", "10117"), hierarchy="prefix")
ICD = Attribute("icd", "categorical", categories=("C50.4", "I10.0", "none"), hierarchy="icd-10")


def test_codes_go_up_by_their_first_signs() -> None:
    found = code_taxonomy(ZIP)
    assert found is not None
    assert found.levels["10117"] == ("10117", "1011*", "101**", "10***", "1****", "*")
    assert found.levels["01067"][-2] == "0****"


def test_diagnoses_go_up_by_category_and_chapter_and_other_texts_stay() -> None:
    found = code_taxonomy(ICD)
    assert found is not None
    check_complete(found, ICD.categories)
    assert found.levels["I10.0"] == ("I10.0", "I10.-", "I00-I99 circulatory system", "*")
    assert found.levels["none"] == ("none", "none", "none", "*")


def test_there_is_none_without_codes_or_where_a_code_is_a_group() -> None:
    assert code_taxonomy(Attribute("a", "categorical", categories=("x", "y"))) is None
    own_group = Attribute("a", "categorical", categories=("AB1", "AB2", "AB*"), hierarchy="prefix")
    assert code_taxonomy(own_group) is None


def test_given_taxonomies_come_first() -> None:
    own = Taxonomy("zip", {code: (code, "*") for code in ZIP.categories})
    schema = Schema((ZIP, ICD, Attribute("age", "numeric")))
    assert set(with_codes({}, schema.names, schema)) == {"zip", "icd"}
    assert with_codes({"zip": own}, ["zip"], schema) == {"zip": own}
