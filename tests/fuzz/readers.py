"""Every reader of Hushwood with a way to damage what it reads. A case is a number: it decides everything."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import hushwood
from fuzz import seeds
from fuzz.mutations import CELLS, bytes_damaged, json_damaged, text_damaged
from hushwood.cli.inspect import inspect
from hushwood.evaluation.levels import settings_from_texts as measure_settings
from hushwood.jobs.folder.keys import streams_for
from hushwood.parameters import settings_from_texts
from hushwood.policies.policy import limit_from_text, policy_named
from hushwood.random_streams import secret_from_hex
from hushwood.releasing.coarse_options import hierarchy_files
from hushwood.releasing.noise_texts import share_from_text
from hushwood.releasing.recipes import SETTABLE
from hushwood.tables.formats.matrix_file import read_matrix
from hushwood.tables.reading import read
from hushwood.tables.recoding.taxonomies import read_hierarchies, read_hierarchy
from hushwood.tables.sql.addresses import address_of, is_address
from hushwood.techniques.laws.redraw import named_matrix
from hushwood.techniques.suppression import check_names, parsed_rules
from hushwood.tree_publishing.options import plan_from_text
from hushwood.trees.model_file import read_forest

RELEASED = 0.1  # share of the tables that can be read which are also released
KEPT = 0.7  # share of these whose columns are all kept; the gate looks at the columns of the others
Reader = Callable[[Path, Path, Random], object]


def _table(path: Path, chance: Random, **form: Any) -> None:
    """Read, inspect and now and then release a table."""
    reading = read(path, **form)
    target = chance.choice((None, *reading.table.schema.names))
    with contextlib.redirect_stdout(io.StringIO()):
        inspect(
            table=path, target=target, separator=form.get("separator"), encoding=form.get("encoding", "utf-8")
        )
    if chance.random() < RELEASED:
        table = read(path, target=target or seeds.CLASS, **form).table
        keep = dict.fromkeys(table.schema.names, "damaged on purpose") if chance.random() < KEPT else {}
        hushwood.release(table, keep=keep, evidence="none", seed=seeds.SECRET)


def delimited(folder: Path, sample: Path, chance: Random) -> None:
    """CSV in all dialects, packed and not."""
    del sample
    separator = chance.choice(",,;\t|")
    text = seeds.csv_text().replace(",", separator)
    if chance.random() < 0.7:
        text = text_damaged(text, chance, (*CELLS, separator, "\n", '"', separator * 20, text[:40]))
    text = text.replace("\n", chance.choice(("\n", "\n", "\r\n", "\r")))
    encoding = chance.choice(("utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16", "cp1252"))
    data = text.encode(encoding, errors="replace")
    data = bytes_damaged(data, chance) if chance.random() < 0.4 else data
    name = "t.csv"
    if chance.random() < 0.2:
        name, data = "t.csv.gz", seeds.packed(data)
        data = bytes_damaged(data, chance) if chance.random() < 0.7 else data
    (folder / name).write_bytes(data)
    form: dict[str, Any] = {"encoding": encoding if chance.random() < 0.8 else "utf-8"}
    if chance.random() < 0.3:
        form["separator"] = separator
    _table(folder / name, chance, **form)


def binary(folder: Path, sample: Path, chance: Random) -> None:
    """Parquet and Arrow files of several writers."""
    del sample
    name, data = chance.choice(sorted(seeds.binary_files().items()))
    if chance.random() < 0.01:
        name, data = "rare.parquet", seeds.rare_parquet()
    (folder / name).write_bytes(bytes_damaged(data, chance))
    _table(folder / name, chance)


def other(folder: Path, sample: Path, chance: Random) -> None:
    """JSON lines, spreadsheets, files of statistics packages, and text in other packings."""
    del sample
    name, data = chance.choice(sorted(seeds.other_files().items()))
    (folder / name).write_bytes(bytes_damaged(data, chance) if chance.random() < 0.95 else data)
    _table(folder / name, chance)


def schema(folder: Path, sample: Path, chance: Random) -> None:
    """Schema files."""
    tokens = (
        *CELLS,
        *(
            "[[attribute]]",
            "[attribute]",
            "name = 1",
            '"',
            "=",
            "categories = []",
            "nan",
            "1979-05-27",
            "07:32:00",
        ),
        *(
            "9" * 5_000,
            "[" * 5_000,
            "{a=" * 500,
            "0.1e400",
            "true",
            '"numeric"',
            '"categorical"',
            '"Decimal[99, 2]"',
        ),
        *(
            '"identifier"',
            '"class"',
            '"Enum"',
            '"Datetime[us, Mars/Base]"',
            "low",
            "high",
            "precision = 9",
            "bins = [1]",
        ),
    )
    text = text_damaged(seeds.schema_text(), chance, tokens)
    data = bytes_damaged(text.encode(), chance) if chance.random() < 0.1 else text.encode()
    (folder / "s.toml").write_bytes(data)
    read(sample / "people.csv", schema=folder / "s.toml")


def _release_with(name: str, damage: Callable[[bytes, Random], bytes]) -> Reader:
    """A reader of a release folder in which one file is damaged."""

    def reader(folder: Path, sample: Path, chance: Random) -> None:
        copy = folder / "release"
        shutil.copytree(sample / "release", copy)
        path = copy / name
        path.write_bytes(damage(path.read_bytes(), chance))
        original = sample / "people.csv"
        hushwood.verify(copy, original)
        hushwood.audit(original, copy, only=["unchanged_cells"], evidence="quick")
        if name.endswith("forest.json") and chance.random() < 0.2:
            how: Any = {"keep": seeds.KEEP, "evidence": "none", "seed": seeds.SECRET}
            hushwood.release(original, target=seeds.CLASS, forest=path, **how)

    return reader


def received(folder: Path, sample: Path, chance: Random) -> None:
    """The shared files as a miner has them, with a damaged manifest."""
    copy = folder / "received"
    shutil.copytree(sample / "release" / "not-cleared", copy)
    path = copy / "manifest.json"
    path.write_bytes(json_damaged(path.read_text("utf-8"), chance))
    hushwood.reconstruct(copy)


def _json(data: bytes, chance: Random) -> bytes:
    return json_damaged(data.decode(), chance)


def _order(data: bytes, chance: Random) -> bytes:
    """The header's text, or the numbers."""
    if chance.random() < 0.5:
        return bytes_damaged(data, chance)
    words = (b"<i8", b"False", f"({seeds.ROWS},)".encode(), b"descr")
    others = (
        b"|O",
        b"<f8",
        b"True",
        b"(1152921504606846976,)",
        b"(60,1)",
        b"()",
        b"<i4",
        b"x",
        b"(" * 300,
        b"-1",
    )
    return data.replace(chance.choice(words), chance.choice(others))


def tree(folder: Path, sample: Path, chance: Random) -> None:
    """Published trees."""
    shared = sample / "tree" / "share"
    (folder / "tree.json").write_bytes(json_damaged((shared / "tree.json").read_text("utf-8"), chance))
    hushwood.verify_tree(shared / "released.csv", folder / "tree.json")


def model(folder: Path, sample: Path, chance: Random) -> None:
    """Forests on their own: cheaper than whole folders, so there are more of them."""
    text = (sample / "release" / "private" / "forest.json").read_text("utf-8")
    (folder / "forest.json").write_bytes(json_damaged(text, chance))
    read_forest(folder / "forest.json")


def hierarchy(folder: Path, sample: Path, chance: Random) -> None:
    """ARX hierarchies."""
    del sample
    text = text_damaged(seeds.HIERARCHY, chance, (*CELLS, ";", "\n", "*", "x;", '"'))
    data = text.encode("utf-8", errors="replace")
    name = "h.csv" if chance.random() < 0.8 else "h.csv.gz"
    data = data if name == "h.csv" else seeds.packed(data)
    (folder / name).write_bytes(bytes_damaged(data, chance) if chance.random() < 0.3 else data)
    read_hierarchy(folder / name, "group")


def matrix(folder: Path, sample: Path, chance: Random) -> None:
    """Matrices of PRAM."""
    del sample
    text = text_damaged(",a,b\na,0.9,0.1\nb,0.2,0.8\n", chance, (*CELLS, ",", "\n", '"', "1e999", ";"))
    data = text.encode("utf-8", errors="replace")
    (folder / "m.csv").write_bytes(bytes_damaged(data, chance) if chance.random() < 0.3 else data)
    named_matrix("group", read_matrix(folder / "m.csv"))


def policy(folder: Path, sample: Path, chance: Random) -> None:
    """Policies of one's own."""
    del sample
    tokens = (
        *CELLS,
        "[[limits]]",
        "at_most",
        "confidence = 0.99",
        '"linkage.excess"',
        "nan",
        "inf",
        "{a=",
        "true",
    )
    data = text_damaged(seeds.policy_text(), chance, tokens).encode("utf-8", errors="replace")
    (folder / "own.toml").write_bytes(bytes_damaged(data, chance) if chance.random() < 0.1 else data)
    policy_named(folder / "own.toml")


def seed_file(folder: Path, sample: Path, chance: Random) -> None:
    """Secrets in files and as texts."""
    del sample
    text = text_damaged(seeds.SECRET + "\n", chance, (*CELLS, "g", "5", " ", "\n"))
    if chance.random() < 0.5:
        secret_from_hex(text)
        return
    (folder / "key").write_bytes(bytes_damaged(text.encode("utf-8", errors="replace"), chance))
    streams_for(None, folder / "key")


def words(folder: Path, sample: Path, chance: Random) -> None:
    """Texts of options, as the command line takes them."""
    schema = read(seeds.frame(), target=seeds.CLASS).table.schema
    grammars: Sequence[tuple[str, Callable[[str], object]]] = (
        ("linkage > 5%", limit_from_text),
        ("membership.advantage<=.1", lambda text: policy_named("public", [text])),
        ('age >= 90 : "group", town', lambda text: check_names(parsed_rules([text]), schema)),
        ("born < 1990-12-31 : *", lambda text: check_names(parsed_rules([text]), schema)),
        ("gadp.rho=0.5", lambda text: settings_from_texts([text], SETTABLE, "technique", "gadp.rho=0.5")),
        (
            "cactus.alpha=1.15",
            lambda text: settings_from_texts([text], SETTABLE, "technique", "gadp.rho=0.5"),
        ),
        ("l_diversity.c=2", lambda text: measure_settings([text])),
        ("generalisation_loss.weights=age:2,town:0.5", lambda text: measure_settings([text])),
        ("1/3", share_from_text),
        ("postgresql://ann:a%40b@c:5/d?table=e", lambda text: is_address(text) and address_of(text)),
        ("sqlite:////a/b.db?table=c", lambda text: is_address(text) and address_of(text)),
        ("gini:age, score", plan_from_text),
        ("group=people.csv", lambda text: read_hierarchies(hierarchy_files([text]))),
    )
    text, use = chance.choice(grammars)
    use(text_damaged(text, chance, (*CELLS, "<=", ">", "=", ":", ",", ".", "/", "%", '"', "0", "9" * 5_000)))


READERS: dict[str, tuple[int, Reader]] = {
    "delimited": (30, delimited),
    "binary": (25, binary),
    "other": (15, other),
    "schema": (12, schema),
    "manifest.json": (4, _release_with("not-cleared/manifest.json", _json)),
    "received": (2, received),
    "plan.json": (4, _release_with("private/plan.json", _json)),
    "forest.json": (4, _release_with("private/forest.json", _json)),
    "row_order.npy": (3, _release_with("private/row_order.npy", _order)),
    "key": (1, _release_with("private/key", bytes_damaged)),
    "schema.toml": (1, _release_with("private/schema.toml", bytes_damaged)),
    "released.csv": (1, _release_with("not-cleared/released.csv", bytes_damaged)),
    "tree.json": (6, tree),
    "model": (8, model),
    "hierarchy": (6, hierarchy),
    "matrix": (4, matrix),
    "policy": (6, policy),
    "seed file": (4, seed_file),
    "words": (10, words),
}


def reader_of(case: int) -> tuple[str, Reader, Random]:
    """The reader that a case is for, and the numbers that the rest of it follows."""
    chance = Random(case)  # noqa: S311 - no secret: the same number gives the same case
    name = chance.choices(list(READERS), [weight for weight, _ in READERS.values()])[0]
    return name, READERS[name][1], chance
