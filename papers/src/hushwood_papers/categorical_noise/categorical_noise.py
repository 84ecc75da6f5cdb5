"""Noise on categories (thesis, chapter 6): CACTUS and DETECTIVE on CS, CAPT on CS and CR, trees by See5 and J48.

One table's runs are in `noise_runs`; `findings` puts all tables together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood.reports.charts.frame import Chart
from hushwood_papers.categorical_noise.findings import claims_of, numbers_of, repeats_of
from hushwood_papers.categorical_noise.noise_runs import (
    CAR,
    NAME,
    STATUS,
    alone,
    clusters_of,
    credit_risk_table,
    customer_status_table,
    together,
)
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Measured, Outcome, Size, Task, paragraphs

TABLES_A_RUN = 2
ABOUT = paragraphs(
    """
The thesis generated two tables of 399 records, CS and CR, by rules that it prints, but it does not print the records.
It perturbed Country of Origin, Car Make and Profession of CS by CAPT (p = 0.1), each from the original table, three
times; on each noisy table and on the original it grew four trees with See5, and four with J48, and gave every noisy
tree a label that depends on how many records are under rules of Type A (the same rule) and Type C (a very different
one). Before that it perturbed Car Make alone, and City of CR, ten times each.

We generate many tables by the same rules, as the outcome depends much on the table. A number of three trees is the
expected one on one table; a number of ten trees is that of ten noise runs on one table. For every row of tables 6.4
and 6.5 we ask how likely an outcome is that is at most as likely as the printed one; below 0.05 we say that it does
not hold. Single cells are not judged: three trees are too few. Trees are grown by see5 and j48 with their usual
settings (two records per leaf, confidence 0.25), which the thesis does not state for this chapter; CAPT is the literal
one, and always uses see5.

Two choices were made after results had been seen, so what depends on them is weaker evidence. The noise on CS is drawn
only on tables whose Car Make tree is that of figure 6.9: Status, and below Bad the country. A row says how many tables
give it; the others may behave differently. And a tree of one leaf, which has no rule, counts as Type C.

Readings. A leaf belongs to one value of a test: figure 6.9 has three sibling leaves, though See5 lets values with the
same label share a leaf. The types of chapter 6 are not exhaustive: a rule that was cut short is neither A nor B, and
the text does not count it as C. Rows that are ours alone show what strict CAPT, shared leaves, and cut rules as Type C
would change. The labels leave gaps, and therefore many trees have none (errata D3).

Tables 6.1 and 6.2 are times that another paper measured on its own machine: they are omitted. The text gives no
numbers for figures 6.10 to 6.13."""
)


def tasks(size: Size) -> Sequence[Task]:
    """One per generated table: twice as many tables as noise runs on each."""
    runs = size.repeats or 1
    return [Task(f"table {n}", {"table": n, "runs": runs}) for n in range(TABLES_A_RUN * runs)]


def run(task: Task, tables: PaperTables) -> Outcome:
    """Generate one table of each kind, cluster its values, and perturb it repeatedly."""
    number, runs = task.settings["table"], task.settings["runs"]
    fewer = max(runs // 4, 1)
    clusters = clusters_of(number)
    found = {
        "clusters": clusters,
        "CR": alone(credit_risk_table(number), ("Credit Risk",), "City", 2 * fewer, f"CR {number}"),
    }
    if clusters["leaf 1"] is not None:
        table = customer_status_table(number)
        found["alone"] = alone(table, (CAR, STATUS), CAR, 2 * fewer, f"CS {number}")
        found["literal"] = together(number, runs, "literal")
        found["strict"] = together(number, fewer, "strict")
        found["shared"] = together(number, fewer, "literal", apart=False)
    return found


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """All tables together, in order."""
    found = [outcomes[name] for name in sorted(outcomes, key=lambda name: (len(name), name))]
    return Measured(numbers_of(found), claims_of(found), repeats_of(found))


def draw(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Tables 6.4 and 6.5, ours and printed, including single cells, which `printed` excludes."""
    from hushwood_papers.categorical_noise.findings import label_charts

    return label_charts(measured)


EXPERIMENT = Experiment(
    name=NAME,
    title="Noise on categories",
    source="Islam 2007, figure 6.9, tables 6.3 to 6.5",
    about=ABOUT,
    needs=(),
    full=Size(repeats=40),
    small=Size(repeats=4),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=draw,
)
