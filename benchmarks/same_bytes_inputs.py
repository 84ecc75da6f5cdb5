"""The tables that `same_bytes.py` releases: a hospital's records in every form that can be read, small and made up.

They are made without Hushwood, by generators with a fixed seed, so that both versions get the same bytes.
"""

from __future__ import annotations

import gzip
import os
import sqlite3
import tomllib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

TABLES = ("adult", "wbc", "crx", "wine", "bupa")
# Of adult the first records, so that forty-seven recipes take seconds.
ADULT_ROWS = 4000


def write_inputs(folder: Path) -> None:
    """Write every input once; what is there already stays."""
    done = folder / "complete"
    if done.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in public_tables().items():
        whole = (Path(os.environ["HUSHWOOD_DATA"]) / entry["file"]).read_bytes()
        (folder / f"{name}.csv").write_bytes(b"".join(whole.splitlines(keepends=True)[: ADULT_ROWS + 1]))
        if name == "adult":
            (folder / "whole-adult.csv").write_bytes(whole)
    frame = hospital(500)
    _texts(frame, folder)
    _other_formats(frame, folder)
    _databases(frame, folder)
    _people(folder)
    _long(folder)
    done.touch()


def public_tables() -> dict[str, dict[str, Any]]:
    """What is known of the five public tables."""
    about = tomllib.loads((Path(os.environ["HUSHWOOD_DATA"]) / "tables.toml").read_text())
    return {name: about[name] for name in TABLES}


def hospital(rows: int, seed: int = 7) -> pl.DataFrame:
    """Records with linked columns: city and state, sex and pregnancy, dates in order, costs and their sum."""
    chance = np.random.default_rng(seed)
    city, male = chance.integers(0, 12, rows) ** 2 // 12, chance.random(rows) < 0.5
    age = np.clip(chance.normal(52, 18, rows), 18, 95).round()
    came, stay = chance.integers(0, 700, rows), chance.geometric(0.12, rows)
    drugs = np.round(chance.gamma(2.0, 120.0, rows), 2)
    ward = np.round(stay * 210.0 + chance.gamma(2.0, 60.0, rows), 2)
    first = date(2023, 1, 15)
    return pl.DataFrame(
        {
            "number": [f"N{place:05}" for place in chance.permutation(rows)],
            "age": pl.Series(age.astype(int)).set(pl.Series(chance.random(rows) < 0.04), None),
            "sex": np.where(male, "male", "female").tolist(),
            "pregnant": np.where(~male & (age < 45) & (chance.random(rows) < 0.4), "yes", "no").tolist(),
            "city": [f"city {place:02}" for place in city],
            "state": np.array(["north", "east", "south", "west"])[city // 3].tolist(),
            "admitted": [first + timedelta(days=int(days)) for days in came],
            "discharged": [first + timedelta(days=int(days)) for days in came + stay],
            "drugs": drugs,
            "ward": ward,
            "cost": np.round(drugs + ward, 2),
            "weight": np.round(chance.gamma(4.0, 0.5, rows) + 0.2, 3),
            "diagnosis": chance.choice(
                ["I10.0", "I21.9", "E11.2", "J45.0"], rows, p=[0.4, 0.3, 0.29, 0.01]
            ).tolist(),
            "back": np.where(
                (age - 52) / 18 + (stay - 8) / 8 + chance.normal(0, 0.8, rows) > 0.3, "yes", "no"
            ).tolist(),
        }
    )


def _texts(frame: pl.DataFrame, folder: Path) -> None:
    """The table as offices of several countries save it."""
    plain = frame.write_csv()
    (folder / "people.csv").write_text(plain, newline="")
    (folder / "people.csv.gz").write_bytes(gzip.compress(plain.encode(), mtime=0))
    (folder / "question.csv").write_text(frame.write_csv(null_value="?"), newline="")
    (folder / "tabs.tsv").write_text(frame.write_csv(separator="\t"), newline="")
    (folder / "bars.txt").write_text(frame.write_csv(separator="|", quote_style="non_numeric"), newline="")
    (folder / "crlf.csv").write_bytes(frame.write_csv(line_terminator="\r\n").encode("utf-8-sig"))
    german = frame.with_columns(
        pl.col("city").str.replace("city", "Köln"), pl.col("admitted", "discharged").dt.strftime("%d.%m.%Y")
    ).rename({"age": "Größe"})
    semicolons = german.write_csv(separator=";", decimal_comma=True, line_terminator="\r\n")
    for encoding in ("cp1252", "utf-16", "cp850", "utf-8"):
        (folder / f"german-{encoding}.csv").write_bytes(semicolons.encode(encoding))
    american = frame.with_columns(
        pl.col("admitted", "discharged").dt.strftime("%-m/%-d/%Y"),
        pl.col("cost").map_elements(lambda amount: f"{amount:,.2f}", return_dtype=pl.String),
    )
    (folder / "american.csv").write_text(american.write_csv(), newline="")
    two_digits = frame.with_columns(
        pl.col("admitted").dt.strftime("%d.%m.%y"),
        pl.col("discharged").cast(pl.Datetime).dt.strftime("%Y-%m-%d %H:%M:%S"),
    )
    (folder / "moments.csv").write_text(two_digits.write_csv(), newline="")
    parts = folder / "in-parts"
    parts.mkdir(exist_ok=True)
    for place in range(3):
        part = frame.slice(place * 170, 170)
        part.write_csv(parts / f"part-{place}.csv")


def _other_formats(frame: pl.DataFrame, folder: Path) -> None:
    """Every format that the library can write; `[files]` reads the last four."""
    import pyreadstat

    typed = frame.with_columns(pl.col("sex").cast(pl.Categorical), pl.col("age").cast(pl.Int16))
    typed.write_parquet(folder / "people.parquet", row_group_size=120)
    typed.write_ipc(folder / "people.arrow")
    frame.write_ndjson(folder / "people.jsonl")
    frame.write_excel(folder / "people.xlsx")
    panda = frame.to_pandas()
    for column in ("admitted", "discharged"):
        panda[column] = panda[column].astype("datetime64[s]").dt.date
    labels = {"sex": {1.0: "male", 2.0: "female"}}
    panda["sex"] = panda["sex"].map({"male": 1.0, "female": 2.0})
    pyreadstat.write_dta(panda, folder / "people.dta", variable_value_labels=labels)
    pyreadstat.write_sav(panda, folder / "people.sav", variable_value_labels=labels)
    pyreadstat.write_xport(panda, folder / "people.xpt", table_name="PEOPLE")


def _databases(frame: pl.DataFrame, folder: Path) -> None:
    """The table in SQLite and DuckDB."""
    import duckdb

    texts = frame.with_columns(pl.col(pl.Date).dt.to_string("%Y-%m-%d"))
    kinds = {pl.Int64: "INTEGER", pl.Float64: "REAL", pl.Date: "DATE"}
    columns = ", ".join(f'"{name}" {kinds.get(type(kind), "TEXT")}' for name, kind in frame.schema.items())
    connection = sqlite3.connect(folder / "people.db")
    connection.execute(f"CREATE TABLE people ({columns})")
    connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * frame.width)})", texts.rows())  # noqa: S608
    connection.commit()
    connection.close()
    with duckdb.connect(str(folder / "people.duckdb")) as duck:
        duck.register("given", frame.to_arrow())
        duck.execute("CREATE TABLE people AS SELECT * FROM given")


def _people(folder: Path) -> None:
    """Patients with several visits, and persons in households."""
    chance = np.random.default_rng(3)
    patients = 160
    age = chance.integers(20, 90, patients)
    whose = chance.permutation(np.repeat(np.arange(patients), 1 + chance.poisson(2, patients)))
    ill = np.where(chance.random(patients) < 1 / (1 + np.exp(-(age - 55) / 6)), "yes", "no")
    visits = pl.DataFrame(
        {
            "patient": [f"P{place:04}" for place in whose],
            "home": [f"H{place // 3:03}" for place in whose],
            "age": age[whose],
            "sex": np.array(["f", "m"])[whose % 2].tolist(),
            "pressure": np.round(120 + 0.5 * (age[whose] - 55) + chance.normal(0, 5, len(whose)), 1),
            "clinic": np.array(["A", "B", "C", "D"])[chance.integers(0, 4, len(whose))].tolist(),
            "ill": ill[whose].tolist(),
        }
    )
    visits.drop("home").write_csv(folder / "visits.csv")
    visits.write_csv(folder / "homes.csv")


def _long(folder: Path) -> None:
    """A table that is read in batches, sampled and changed in parts when options ask for it."""
    frame = hospital(5000, seed=11)
    frame.write_csv(folder / "long.csv")
    frame.write_parquet(folder / "long.parquet", row_group_size=900)
    parts = folder / "long-parts"
    parts.mkdir(exist_ok=True)
    for place in range(3):
        frame.slice(place * 1700, 1700).write_parquet(parts / f"part-{place}.parquet")
    lines = "".join(f"city {place:02},{'inland' if place % 2 else 'coast'},all\n" for place in range(12))
    (folder / "cities.csv").write_text(lines)
