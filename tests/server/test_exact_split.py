"""The split of Pepper. Corn! proven over the wire: mixtures, the interval that narrows, limits, and what is refused."""

from __future__ import annotations

import itertools

import pytest
from mangetout.v1 import analysis_pb2, common_pb2
from mangetout_client import Client, MangetoutError

PATIENCE = 60.0
SPLIT = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
# More than is solved in the moments that the tests wait.
HARD = (
    "pepper_corn XY,7SK,AW,XM,6SY,9MS,7WY,5YK/XL,3SK,3LY,6MW,AK,AS,3MW,XW/XK,9LK,7ML,4WL,8YK,AM,9WY,AL "
    "2MK4MS4YK5ML6LK8WL AY2SY2WL5SW8MSXS 0-0 split/A/0"
)


def ends(value: common_pb2.Value) -> tuple[float, float]:
    if value.WhichOneof("claim") == "exact":
        return value.exact.value, value.exact.value
    assert value.WhichOneof("claim") == "interval"
    return value.interval.low, value.interval.high


def solved(client: Client, moves: tuple[str, ...] = (), chosen: tuple[str, ...] = ()) -> analysis_pb2.Analysis:
    analysis = client.analyze(
        SPLIT,
        moves=moves,
        perfect_information=True,
        until_solved=True,
        time=PATIENCE,
        margin=True,
        lines=0,
        chosen_moves=chosen,
    ).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY
    assert not analysis.HasField("seat")
    assert analysis.counters.simulations == analysis.counters.tree_nodes == 0
    return analysis


def margin_of_a(analysis: analysis_pb2.Analysis) -> float:
    a, b = (value.margin for value in analysis.values)
    assert a.exact.value == -b.exact.value
    return a.exact.value


def test_a_split_is_solved_with_a_mixture(client: Client) -> None:
    analysis = solved(client)
    assert [value.margin.WhichOneof("claim") for value in analysis.values] == ["exact", "exact"]
    assert len(analysis.lines) == 3
    assert sum(line.probability for line in analysis.lines) == pytest.approx(1.0)
    assert [move.notation[:4] for move in analysis.turn_plan] == ["4MS>", "8MS>"]
    for line in analysis.lines:
        # A division, and the reply to it, can be played; alone it is worth no more.
        position = client.get_position(analysis.position, moves=line.principal_variation).position
        assert position.is_chance
        assert ends(line.values[0].margin)[0] <= margin_of_a(analysis) + 1e-6
    assert analysis.explanation


def test_what_a_has_decided_changes_nothing_for_b(client: Client) -> None:
    answers = [solved(client, moves) for moves in (("4MS>0", "8MS>1"), ("4MS>1", "8MS>0"), ("4MS>1", "8MS>1"))]
    for answer in answers:
        answer.ClearField("search_time")
        answer.ClearField("seed")
        for line in answer.lines:
            client.get_position(answer.position, moves=line.principal_variation)
    assert answers[0] == answers[1] == answers[2]
    assert margin_of_a(answers[0]) == pytest.approx(margin_of_a(solved(client)))


def test_a_division_alone_is_worth_what_the_best_reply_leaves(client: Client) -> None:
    value = margin_of_a(solved(client))
    alone = [solved(client, (first,), (last,)) for first, last in (("4MS>0", "8MS>1"), ("4MS>1", "8MS>1"))]
    for analysis in alone:
        (line,) = analysis.lines
        assert line.probability == 1.0
        assert margin_of_a(analysis) <= value + 1e-6
        assert ends(line.values[0].margin) == ends(analysis.values[0].margin)
        # So is the reply, which B is then known to have made: choosing follows.
        replied = client.get_position(analysis.position, moves=line.principal_variation).position.notation
        shown = client.play_moves(replied, chance_seed=1).position.notation
        choice = client.analyze(shown, perfect_information=True, until_solved=True, margin=True, time=PATIENCE).analysis
        assert choice.best_move.kind == "take_pile"
        assert margin_of_a(choice) == pytest.approx(margin_of_a(analysis))


def test_the_interval_is_streamed_and_narrows(client: Client) -> None:
    answers = [
        answer.analysis
        for answer in client.stream_analysis(
            HARD, perfect_information=True, time=1.5, margin=True, lines=0, report_interval=0.05
        )
    ]
    assert len(answers) > 2
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert answers[-1].stop_reason == analysis_pb2.STOP_REASON_LIMIT
    for one, later in itertools.pairwise(answers):
        for before, after in zip(one.values, later.values, strict=True):
            (low, high), (narrower, lower) = ends(before.margin), ends(after.margin)
            assert low <= narrower <= lower <= high
    for answer in answers:
        assert len(answer.lines) == 31
        assert sum(line.probability for line in answer.lines) == pytest.approx(1.0)


def test_the_same_nodes_give_the_same_answer(client: Client) -> None:
    answers = [client.analyze(HARD, perfect_information=True, nodes=50_000, lines=0, seed=1).analysis for _ in range(2)]
    for answer in answers:
        assert answer.stop_reason == analysis_pb2.STOP_REASON_LIMIT
        assert 0 < answer.counters.nodes <= 50_000
        answer.ClearField("search_time")
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("notation", "options", "field"),
    [
        ("pepper_corn 9MS,XY,2WL,6LK ??? 5YK9WYXM 0-0 split/A/0", {"perfect_information": True}, "state.notation"),
        (
            "pepper_corn 9MS AS4MS 2SY2MK2WL3MW3LY3SK4YK4WL5ML 0-0 split/A/0",
            {"perfect_information": True},
            "state.notation",
        ),
        (SPLIT, {"until_solved": True}, "limits.until_solved"),
        (SPLIT, {"margin": True}, "options.margin"),
        (SPLIT, {"perfect_information": True, "trees": 2}, "options.trees"),
        (SPLIT, {"perfect_information": True, "nodes": 5, "threads": 2}, "options.threads"),
        (SPLIT, {"perfect_information": True, "seat": 0}, "seat"),
        (SPLIT, {"perfect_information": True, "chosen_moves": ("take0",)}, "options.chosen_moves[0]"),
    ],
)
def test_what_is_refused_by_name(client: Client, notation: str, options: dict[str, object], field: str) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.analyze(notation, **options)  # type: ignore[arg-type]
    assert caught.value.code.name == "INVALID_ARGUMENT"
    assert [violation.field for violation in caught.value.violations] == [field]
