"""The oracle of published trees itself, on cases that can be worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oracles.binary_tree import Column, Data, Plan, first_difference, grown, leaves, preorder
from oracles.released_numbers import Gap, anchored, delta, literal
from oracles.tree_publishing import Request, groups, label, publish, released, strong_l

# The paper's figure 3: six records, the best split between the third and the fourth.
FIGURE = Data((Column("grade", (1.0, 2.0, 3.0, 6.0, 8.0, 13.0), None, 0),), (0, 0, 0, 1, 1, 1), 2)


def test_the_two_intervals_of_figure_3() -> None:
    tree = grown(FIGURE, Plan())
    assert tree.split is not None
    assert tree.split.cut.threshold == 4.5
    assert tree.split.gain == 1.0
    # The means are 2 and 9, the gaps to the boundaries 1 and 3: both intervals move by 1.
    assert released(FIGURE, Plan(), [tree], "delta").columns[0].values == (2, 2, 2, 7, 7, 7)
    assert released(FIGURE, Plan(), [tree], "anchored").columns[0].values == (3, 3, 3, 6, 6, 6)


def test_an_untested_column_becomes_its_mean_or_all() -> None:
    words = Column("word", tuple("aabbbc"), tuple("abc"))
    number = Column("number", (1.0, 2.0, 2.0, 2.0, 3.0, 5.0), None, 0)
    data = Data((words, number), (0, 0, 0, 0, 0, 0), 2)
    tree = grown(data, Plan())
    out = released(data, Plan(), [tree], "anchored")
    assert leaves(tree) == [tree]
    assert {label(group, words) for group in out.columns[0].values} == {"ALL"}
    assert set(out.columns[1].values) == {2.0}


def test_an_interval_between_two_cuts_is_halved_and_a_single_value_stays() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert anchored(values, [Gap(1.0, 2.0), Gap(5.0, 6.0)]) == {1: 1, 2: 2, 3: 2, 4: 5, 5: 5, 6: 6}
    assert anchored(values, [Gap(2.0, 3.0), Gap(3.0, 4.0)]) == {1: 2, 2: 2, 3: 3, 4: 4, 5: 4, 6: 4}


def test_values_of_other_branches_between_the_boundaries_stay_on_their_side() -> None:
    # The node has no record between 2 and 9; its midpoint is 5.5, and 5 is the largest value below it.
    values = [1.0, 2.0, 4.0, 5.0, 7.0, 8.0, 9.0]
    assert anchored(values, [Gap(2.0, 9.0)]) == {1: 2, 2: 2, 4: 5, 5: 5, 7: 8, 8: 8, 9: 9}
    # 4 and 5 become their mean rounded to the even whole number, 7 and 8 too.
    assert delta(values, [Gap(2.0, 9.0)], 0) == {1: 2, 2: 2, 4: 4, 5: 4, 7: 8, 8: 8, 9: 9}


def test_one_delta_for_all_intervals_that_share_a_node() -> None:
    # Both nodes have the left boundary 10; their right ones are 12 and 20. The means leave room for
    # 10 - 6 = 4 on the left, 13 - 12 = 1 and 23 - 20 = 3 on the right.
    values, gaps = [2.0, 10.0, 12.0, 14.0, 20.0, 26.0], [Gap(10.0, 12.0), Gap(10.0, 20.0)]
    assert delta(values, gaps, 0) == {2: 9, 10: 9, 12: 13, 14: 13, 20: 21, 26: 21}
    # As printed, the second node moves the left interval on to 7, and the first one's midpoint from 11 to 10.
    assert literal(values, gaps) == {2: 7, 10: 7, 12: 13, 14: 13, 20: 23, 26: 23}


def test_a_delta_is_shortened_until_midpoints_agree_to_the_last_bit() -> None:
    values = [0.1, 0.2, 0.3, 0.7, 0.9, 1.3]
    new = delta(values, [Gap(0.3, 0.7)])
    assert new[0.1] == new[0.2] == new[0.3] < 0.3
    assert (new[0.3] + new[0.7]) / 2 == (0.3 + 0.7) / 2
    assert new[0.3] == pytest.approx(0.2)


def test_categories_that_always_go_together_become_one_value() -> None:
    words = Column("word", tuple("aabbccdd"), tuple("abcd"))
    data = Data((words,), (0, 0, 0, 0, 1, 1, 1, 1), 2)
    tree = grown(data, Plan(fixed_order=True))
    out = released(data, Plan(fixed_order=True), [tree], "anchored")
    assert [label(group, words) for group in out.columns[0].values] == ["{a, b}"] * 4 + ["{c, d}"] * 4
    assert first_difference(tree, out, Plan(fixed_order=True)) is None


def test_an_expansion_that_breaks_k_is_undone_and_its_leaf_closed() -> None:
    request = Request((Plan(),), (0,), k=3)
    out = publish(FIGURE, request)
    assert out is not None
    assert (out.k, out.tried, out.barred, len(leaves(out.trees[0]))) == (3, 1, 0, 2)
    out = publish(FIGURE, request._replace(k=4))
    assert out is not None
    assert (out.k, out.tried, out.barred, len(leaves(out.trees[0]))) == (6, 1, 1, 1)
    assert [node.closed for node in preorder(out.trees[0])] == [True]
    assert publish(FIGURE, request._replace(k=7)) is None


def test_strong_l_is_counted_on_original_sensitive_values() -> None:
    assert strong_l("aabc", range(4)) == 2.0
    # Either half of the figure's records would have one sensitive value only.
    request = Request((Plan(),), (0,), l=2.0, sensitive=(tuple("pppqqq"),))
    out = publish(FIGURE, request)
    assert out is not None
    assert (out.l, out.barred) == ([2.0], 1)
    out = publish(FIGURE, request._replace(sensitive=(tuple("pqrpqr"),)))
    assert out is not None
    assert (out.l, out.barred) == ([3.0], 0)


def test_groups_are_records_that_look_the_same() -> None:
    assert groups(Data((Column("a", (1, 1, 2)), Column("b", (1, 2, 1))), (0, 0, 0), 1), (0,)) == [[0, 1], [2]]


def test_a_changed_threshold_is_found() -> None:
    tree = grown(FIGURE, Plan())
    moved = FIGURE._replace(columns=(FIGURE.columns[0]._replace(values=(3.0, 3.0, 3.0, 7.0, 7.0, 7.0)),))
    assert "Cut(column=0, threshold=5.0" in str(first_difference(tree, moved, Plan()))


def test_gains_of_the_criteria() -> None:
    data = Data((Column("a", (1.0, 2.0, 3.0, 4.0)),), (0, 1, 1, 1), 2)
    first = {
        name: grown(data, Plan(name, max_leaves=2)).split
        for name in ("information_gain", "gini", "gain_ratio")
    }
    assert {split.cut.threshold for split in first.values() if split is not None} == {1.5}
    assert first["gini"] is not None
    assert first["gini"].gain == Fraction(3, 8)
    numbers = data._replace(response=(1.0, 5.0, 5.0, 9.0), classes=0)
    split = grown(numbers, Plan("variance", max_leaves=2)).split
    assert split is not None
    # Variance 8 before; cutting off either end leaves 3/4 of 32/9.
    assert (split.cut.threshold, split.gain) == (1.5, 8 - Fraction(3, 4) * Fraction(32, 9))
