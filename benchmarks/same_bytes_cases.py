"""What `same_bytes.py` runs: cases by name, each some command lines in a folder of its own, next to the inputs `in/`.

A step is a command line after `hushwood`, or a function for what a command line cannot say. Releases get one fixed key.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl
from same_bytes_inputs import public_tables

Run = Callable[[str], None]
Steps = tuple[str | Callable[[Run], None], ...]
Cases = Iterator[tuple[str, Steps]]
SEED = "5a" * 32
QUIET = f"--seed {SEED} --reuse-key --evidence none"
LOUD = f"--seed {SEED} --reuse-key --evidence quick"
AUDIT = "--evidence quick --json audit.json --report audit.html"
LONG = "--engine streaming --chunk-rows 700 --forest-rows 1500 --part-rows 1000"
SPARK = "--engine spark --spark-master local[2] --chunk-rows 700 --forest-rows 1500 --part-rows 1000"
# The hospital's records: what is what, so that nothing depends on what the gate doubts.
FREE = "--identifier number --keep admitted=agreed --keep discharged=agreed"
HOSPITAL = f"--class back {FREE}"
# Recipes of every kind stand for the others where a release is judged or long.
CHOSEN = [
    *(
        "segment-shuffle",
        "forest-framework",
        "framework",
        "extended-framework",
        "random-framework",
        "cart-synthesis",
    ),
    *("mondrian", "gadp", "pram", "mdav", "rankswap"),
]
DIALECTS = {
    "people.csv": "",
    "people.csv.gz": "",
    "question.csv": "--missing '?'",
    "tabs.tsv": "",
    "bars.txt": "--separator '|'",
    "crlf.csv": "--escape-formulas",
    "german-cp1252.csv": "",
    "german-utf-16.csv": "",
    "german-utf-8.csv": "--decimal ,",
    "german-cp850.csv": "--encoding cp850",
    "american.csv": "",
    "moments.csv": "--date-format admitted=dd.mm.yy",
    "in-parts": "",
}
COARSE = (
    "--coarsen age=5 --coarsen city=in/cities.csv:2 --coarsen admitted=month --coarsen diagnosis=chapter "
    "--top-code cost=95% --bottom-code age=25"
)
# What is asked of the table of people; those in LOUD_WAYS are judged.
WAYS = {
    "links-auto": "--links auto",
    "links-none": "--links none",
    "links-noise": "--technique forest-framework",
    "links-synthesis": "--technique cart-synthesis",
    "weight": "--weight weight",
    "weight-dropped": "--weight weight --drop-weight --technique framework",
    "coarse": COARSE,
    "coarse-noise": "--technique framework --coarsen age=5 --coarsen city=6characters --top-code cost=2000",
    "rare-group": "--rare group --rare-below 20",
    "rare-suppress": "--rare suppress --rare-below 20 --technique framework",
    "classes": "--class sex --technique forest-framework",
    "noise": "--technique framework --noise 0.2 --noise age=0.05 --distribution laplace --boundary reflect",
    "trees": "--technique forest-framework --trees 2 --variant j48 --min-leaf 25 --confidence 0.1",
    "see5": "--technique framework --variant see5",
    "credal": "--technique framework --variant credal",
    "settings": "--technique gadp --set gadp.rho=0.5",
    "capt": "--technique framework --value-clusters cactus --set cactus.alpha=1.15",
    "suppress": "--technique suppress --suppress 'age >= 80 : sex, ward' --suppress 'cost > 5000 : *'",
    "mondrian": "--technique mondrian --hierarchy city=in/cities.csv",
    "formulas": "--escape-formulas --shuffle-rows --technique framework",
    "quasi": "--quasi-identifier age --quasi-identifier city --confidential diagnosis",
    "policy": "--policy public --limit 'linkage<=0.2' --purpose 'for research'",
    "blur": "--blur 0 --k 20 --teacher none",
}
LOUD_WAYS = {
    "links-auto",
    "links-noise",
    "weight",
    "weight-dropped",
    "coarse",
    "rare-group",
    "classes",
    "policy",
    "quasi",
}


def all_cases() -> dict[str, Steps]:
    """Every case that this machine can run, the slow ones first."""
    makers = (_spark, _databases, _long, _judged, _recipes, _texts, _formats, _people, _columns, _others)
    return {name: steps for maker in makers for name, steps in maker()}


def lines(text: str) -> Steps:
    """One step a line."""
    return tuple(line.strip() for line in text.strip().splitlines())


def _recipes() -> Cases:
    """Every recipe on five tables; some are judged, with quick evidence and an audit."""
    import hushwood as hw

    for name, entry in public_tables().items():
        roles = "".join(f" --identifier {column}" for column in entry["identifiers"])
        bins = " --class-bins 3" if entry["class_is_numeric"] else ""
        asked = f"in/{name}.csv --class {entry['class']}{roles}{bins}"
        for technique in hw.techniques():
            first, second = entry["numeric"][:2]
            needed = {
                "suppress": f" --suppress '{first} >= 5 : {second}'",
                "coarsen": f" --coarsen {first}=2",
            }
            rules = needed.get(technique, "")
            judged = name == "wbc" and technique in {*CHOSEN, "suppress"}
            evidence = LOUD if judged else QUIET
            steps: Steps = (f"release {asked} --technique {technique}{rules} -o out {evidence}",)
            if judged:
                steps += (f"audit in/{name}.csv out {AUDIT}", f"verify out in/{name}.csv")
            yield f"recipes/{name}/{technique}", steps
        publish = f"publish-tree {asked} --missing-numbers suppress -k 5 -o out"
        yield f"publish-tree/{name}", (publish, "verify-tree out/share/released.csv out/share/tree.json")
    yield (
        "recipes/adult-whole",
        lines(f"""
        release in/whole-adult.csv --class income -o out {LOUD}
        release in/whole-adult.csv --class income -o second --technique forest-framework {QUIET}"""),
    )


def _texts() -> Cases:
    """Dialects of CSV: encodings, separators, decimal commas, dates, what is missing."""
    for name, how in DIALECTS.items():
        evidence = LOUD if "cp1252" in name else QUIET
        steps = lines(f"""
            release in/{name} {HOSPITAL} {how} -o out --technique framework {evidence}
            release in/{name} {HOSPITAL} {how} -o shuffled {QUIET}
            verify out in/{name}""")
        if name != "in-parts":
            steps += (f"inspect in/{name} --class back {how} --save schema.toml",)
        yield f"csv/{name}", steps


def _formats() -> Cases:
    """Parquet, Arrow, JSON lines, and what the extra `files` reads."""
    for ending in ("parquet", "arrow", "jsonl", "xlsx", "dta", "sav", "xpt"):
        name = f"in/people.{ending}"
        yield (
            f"formats/{ending}",
            lines(f"""
            release {name} {HOSPITAL} -o out {QUIET}
            release {name} {HOSPITAL} -o noisy --technique forest-framework {QUIET}
            verify out {name}
            inspect {name} --class back --save schema.toml"""),
        )
    yield (
        "formats/audited",
        lines(f"""
        release in/people.parquet {HOSPITAL} -o out {LOUD}
        audit in/people.parquet out {AUDIT}"""),
    )


def _people() -> Cases:
    """Persons with several rows, and households."""
    who = {
        "visits": "in/visits.csv --person patient",
        "homes": "in/homes.csv --household home --person patient",
        "households": "in/homes.csv --household home --identifier patient",
    }
    for name, asked in who.items():
        table = asked.split()[0]
        for technique in ("segment-shuffle", "framework", "gadp", "cart-synthesis", "rankswap"):
            evidence = LOUD if technique == "framework" else QUIET
            steps = lines(f"""
                release {asked} --class ill --technique {technique} -o out {evidence}
                verify out {table}""")
            if technique == "framework":
                steps += (f"audit {table} out {AUDIT}",)
            yield f"people/{name}-{technique}", steps
    yield (
        "people/refused",
        lines(f"""
        release in/visits.csv --class ill -o out {QUIET}
        release in/visits.csv --class ill --rows-are-people 'they are' --keep patient=agreed -o out {QUIET}"""),
    )


def _columns() -> Cases:
    """Links, weights, coarser columns, rare levels, several classes or none, a class of numbers."""
    table = f"in/people.csv {HOSPITAL}"
    for name, how in WAYS.items():
        steps = lines(f"""
            release {table} {how} -o out {LOUD if name in LOUD_WAYS else QUIET}
            verify out in/people.csv""")
        if name in {"coarse", "weight", "links-noise", "classes"}:
            steps += (f"audit in/people.csv out {AUDIT}",)
        yield f"columns/{name}", steps
    plain = f"in/people.csv {FREE}"
    yield (
        "columns/no-class",
        lines(f"""
        release {plain} -o out {LOUD}
        release {plain} --technique framework -o noisy {QUIET}"""),
    )
    yield (
        "columns/numeric-class",
        lines(f"""
        release {plain} --class cost -o out {LOUD}
        release {plain} --class cost --technique forest-framework -o noisy {QUIET}
        release {plain} --class cost --response class --class-bins 4 --technique framework -o bins {QUIET}
        release {plain} --class cost --class-threshold 900 -o two {QUIET}"""),
    )
    yield (
        "columns/schema",
        lines(f"""
        inspect in/people.csv --class back --save my.toml
        release in/people.csv --schema my.toml {FREE} -o out {QUIET}
        release {table} --forest out/private/forest.json -o again {QUIET}"""),
    )
    declared = f"release in/people.csv --schema my.toml --links declared {FREE} -o out {LOUD}"
    yield "columns/declared-links", (_declare_links, declared)
    yield (
        "columns/row-key",
        lines(f"""
        release {table} --row-key number -o out {QUIET}
        release {table} --row-key age -o repeated {QUIET}
        release {table.replace("--identifier", "--keep number=agreed --ignore")} --row-key number -o kept {LOUD}
        verify out in/people.csv
        audit in/people.csv kept {AUDIT}"""),
    )


def _declare_links(run: Run) -> None:
    run("inspect in/people.csv --class back --identifier number --save found.toml")
    declared = '[[link]]\nkind = "sum"\ntotal = "cost"\nparts = ["drugs", "ward"]\n'
    Path("my.toml").write_text(Path("found.toml").read_text().partition("[[link]]")[0] + declared)


def _long() -> Cases:
    """Files that are read in batches, learnt on a sample and changed in parts."""
    for technique in (*CHOSEN, "forest-synthesis", "copula-synthesis", "shuffle", "swap", "capt"):
        loud = technique in {"segment-shuffle", "forest-framework", "copula-synthesis"}
        steps = lines(f"""
            release in/long.csv {HOSPITAL} --technique {technique} -o out {LONG} {LOUD if loud else QUIET}
            verify out in/long.csv""")
        if loud:
            steps += (f"audit in/long.csv out {AUDIT} --engine streaming",)
        yield f"long/csv-{technique}", steps
    rest = {
        "parquet": f"in/long.parquet {HOSPITAL}",
        "parts": f"in/long-parts {HOSPITAL}",
        "row-key": f"in/long.parquet {HOSPITAL} --row-key number",
        "small": f"in/german-cp1252.csv {HOSPITAL}",
        "coarse": f"in/long.csv {HOSPITAL} --coarsen age=5 --top-code cost=95% --rare group --rare-below 30",
        "weight": f"in/long.csv {HOSPITAL} --weight weight",
        "shuffled": f"in/long.csv {HOSPITAL} --technique framework --shuffle-rows",
        "no-links": f"in/long.csv {HOSPITAL} --links none --technique framework",
        "in-memory": f"in/long.csv {HOSPITAL} --engine memory",
    }
    for name, asked in rest.items():
        how = LONG.replace("--engine streaming", "") if name == "in-memory" else LONG
        yield f"long/{name}", (f"release {asked} {how} -o out {QUIET}", f"verify out {asked.split()[0]}")
    yield "long/person", (f"release in/visits.csv --class ill --person patient {LONG} -o out {QUIET}",)


def _judged() -> Cases:
    """Everything that judges: audits of files, hold-outs, full evidence, comparison, tuning, what a miner wins back."""
    table = f"in/people.csv {HOSPITAL}"
    wbc = "in/wbc.csv --class Class --identifier Sample_code_number"
    roles = "--class back --identifier number --evidence quick"
    yield (
        "judged/files",
        lines(f"""
        release {table} --technique framework -o out {QUIET}
        release {table} -o shuffled {QUIET}
        audit in/people.csv out/not-cleared/released.csv {roles} --json audit.json --report audit.html
        audit in/people.csv shuffled/not-cleared/released.csv {roles} --match none --json none.json
        audit in/people.csv out --holdout in/people.csv.gz --evidence quick --json holdout.json
        audit in/people.csv out --evidence full --json full.json --policy public --fail-if 'linkage>0.5'
        audit in/people.csv out --only sers,linkage --set membership.members=0.8 --json only.json"""),
    )
    yield (
        "judged/full",
        lines(f"""
        release {wbc} --evidence full --seed {SEED} -o out
        audit in/wbc.csv out --evidence full --json audit.json"""),
    )
    yield (
        "judged/long",
        lines(f"""
        release in/long.csv {HOSPITAL} --technique framework -o out {QUIET}
        audit in/long.csv out {AUDIT} --engine streaming
        audit in/long.csv out/not-cleared/released.csv {roles} --engine streaming --json file.json
        audit in/people.csv out/not-cleared/released.csv {roles} --match none --json other.json"""),
    )
    yield (
        "judged/compare",
        lines(f"""
        release {table} --technique framework --noise 0.05 -o one {LOUD}
        release {table} --k 40 -o two {LOUD}
        compare one two --original in/people.csv --json comparison.json
        accept one --reason 'under contract' --by 'the office'
        accept two --reason 'under contract' --by 'the office'
        verify one in/people.csv
        verify two"""),
    )
    for technique in ("framework", "segment-shuffle"):
        yield (
            f"judged/tune-{technique}",
            lines(f"""
            tune {wbc} --technique {technique} --evidence quick --policy research -o out --seed {SEED}
            verify out in/wbc.csv"""),
        )
    for method in ("sadp", "framework", "pram", "warner"):
        yield (
            f"judged/reconstruct-{method}",
            lines(f"""
            release {table} --technique {method} -o out {QUIET}
            reconstruct out --original in/people.csv --json won.json
            reconstruct out --private --strategy global --method bayes --json private.json"""),
        )


def _databases() -> Cases:
    """SQLite and DuckDB, read and written, and PostgreSQL where a server can be started."""
    attacks = ("linkage", "attribute_inference", "membership", "singling_out")
    limits = " ".join(f"--limit '{attack}<=1'" for attack in attacks)
    asked = f"{HOSPITAL} --row-key number"
    for kind, file in {"sqlite": "people.db", "duckdb": "people.duckdb"}.items():
        older = "'SELECT * FROM people WHERE age > 40'"
        yield (
            f"sql/{kind}",
            (
                f"release '{kind}:///in/{file}?table=people' {asked} -o out {QUIET}",
                f"release '{kind}:///in/{file}?table=people' {asked} -o batches --technique framework {LONG} {QUIET}",
                f"release '{kind}:///in/{file}' --query {older} {asked} -o query --technique forest-framework {LOUD}",
                f"release in/people.csv {HOSPITAL} --to '{kind}:///out.{kind}?table=released' {limits} -o to {LOUD}",
                _dump,
            ),
        )
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from support import postgres

    if postgres.missing() is None:
        yield "sql/postgresql", (_released_from_postgresql,)


def _dump(run: Run) -> None:
    """A database as a text, because its bytes hold more than its rows."""
    del run
    for path in Path().glob("out.*"):
        if path.suffix == ".sqlite":
            connection = sqlite3.connect(path)
            Path("sqlite.txt").write_text("\n".join(connection.iterdump()))
            connection.close()
        else:
            import duckdb

            with duckdb.connect(str(path)) as duck:
                rows = duck.execute("SELECT * FROM released").fetchall()
            Path("duckdb.txt").write_text("\n".join(map(repr, rows)))
        path.unlink()


def _released_from_postgresql(run: Run) -> None:
    from support import postgres

    os.environ["PGPASSWORD"] = postgres.PASSWORD
    with postgres.running() as server:
        server.ingest("people", pl.read_csv("in/people.csv", try_parse_dates=True))
        asked = f"release {server.address('?table=people')} {HOSPITAL} --row-key number"
        run(f"{asked} -o out {QUIET}")
        run(f"{asked} -o noisy --technique framework {LONG} {QUIET}")
    for path in Path().rglob("*"):  # the server has another port every time
        if path.suffix in {".json", ".txt", ".md"}:
            path.write_text(path.read_text().replace(f":{server.port}/", ":PORT/"))


def _spark() -> Cases:
    """Spark, where PySpark and Java are."""
    if find_spec("pyspark") is None or shutil.which("java") is None:
        return
    yield (
        "spark/all",
        lines(f"""
        release in/long.parquet {HOSPITAL} {SPARK} -o out {QUIET}
        verify out in/long.parquet
        release in/long.parquet {HOSPITAL} {SPARK} --technique framework -o framework {LOUD}
        release in/long.parquet {HOSPITAL} {SPARK} --technique mdav --row-key number -o mdav {QUIET}
        release in/long.csv {HOSPITAL} {SPARK} --technique cart-synthesis -o synthesis {QUIET}
        release in/german-cp1252.csv {HOSPITAL} {SPARK} --technique rankswap -o german {QUIET}"""),
    )


def _others() -> Cases:
    """Commands that release nothing, refusals, and Python."""
    names = ("wbc", "crx", "people", "visits")
    yield (
        "others/inspect",
        (
            *(f"inspect in/{name}.csv" for name in names),
            "inspect in/visits.csv --person patient --class ill --save visits.toml",
        ),
    )
    methods = ("detective", "cactus", "rock", "coolcat")
    yield "others/clusters", tuple(f"clusters in/crx.csv --class A16 --method {method}" for method in methods)
    yield "others/policies", ("policies", "policies public", "policies research")
    yield "others/demo", ("demo -o demo",)
    yield "others/python", (_in_python,)
    wrong = (
        *("--technique foo", "--k 5 --technique gadp", "--correlated gadp", "--policy nosuch"),
        *("--limit linkage", "--noise 7", "--class nothing"),
    )
    yield (
        "others/refused",
        (
            *(f"release in/people.csv {HOSPITAL} -o out {how} {QUIET}" for how in wrong),
            f"release in/people.csv --class back -o out {QUIET}",
            f"release nothing.csv --class back -o out {QUIET}",
            "verify nothing",
            "audit in/people.csv in/wbc.csv --class back",
        ),
    )


def _in_python(run: Run) -> None:
    import hushwood as hw

    del run
    frame: Any = pl.read_csv("in/people.csv", try_parse_dates=True).drop("number")
    options: Any = {"keep": {"admitted": "agreed", "discharged": "agreed"}, "seed": SEED, "reuse_key": True}
    for technique in ("segment-shuffle", "framework"):
        done = hw.release(frame, target="back", technique=technique, evidence="quick", **options)
        Path(f"{technique}.json").write_text(json.dumps([done.manifest, done.certificate]))
        pl.DataFrame(done.frame).write_csv(f"{technique}.csv")
        Path(f"{technique}-audit.json").write_text(hw.audit(frame, done, evidence="quick").to_json())
    pandas = hw.release(frame.to_pandas(), target="back", evidence="none", **options)
    pandas.frame.to_csv("pandas.csv")
