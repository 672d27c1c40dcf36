"""Proofs over the wire: a solved round, the interval that narrows, and what a deadline leaves."""

from __future__ import annotations

import itertools

import pytest
from mangetout.v1 import analysis_pb2, common_pb2
from mangetout_client import Client, MangetoutError

PATIENCE = 60.0
SMALL = "peas +1/-2/+3 B1B5R2 V1V3Y5 A"
# More cards than the real game has: not solved in the moments that the tests wait.
HARD = "peas{ranks=8} +1/-2/+3/-4/+5/-6/+7/-8/+9/-5/+4/-3 B1B4B7R2R5R8V1V4V7Y2Y5Y8 B2B5B8R1R4R7V2V5V8Y1Y4Y7 A"


def ends(value: common_pb2.Value) -> tuple[float, float]:
    if value.WhichOneof("claim") == "exact":
        return value.exact.value, value.exact.value
    assert value.WhichOneof("claim") == "interval"
    return value.interval.low, value.interval.high


def test_a_round_is_solved_with_margins_of_all_moves(client: Client) -> None:
    analysis = client.analyze(
        SMALL, perfect_information=True, until_solved=True, time=PATIENCE, margin=True, lines=0
    ).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION
    assert analysis.counters.nodes > 0
    assert analysis.counters.simulations == analysis.counters.tree_nodes == 0
    legal = sorted(move.notation for move in client.list_moves(SMALL).moves)
    moves = [text for line in analysis.lines for text in (line.move.notation, *line.equal_moves)]
    assert sorted(moves) == legal
    gains = []
    for line in analysis.lines:
        assert {value.margin.WhichOneof("claim") for value in line.values} == {"exact"}
        assert line.values[0].margin.exact.value == -line.values[1].margin.exact.value
        gains.append(line.values[0].margin.exact.value)
        end = client.get_position(SMALL, moves=line.principal_variation).position
        assert [value.score for value in end.returns] == [value.score.exact.value for value in line.values]
        assert [value.win_share for value in end.returns] == [value.win_share.exact.value for value in line.values]
    assert gains == sorted(gains, reverse=True)
    assert list(analysis.values) == list(analysis.lines[0].values)


def test_a_margin_that_was_not_asked_for_is_absent(client: Client) -> None:
    analysis = client.analyze(SMALL, perfect_information=True, until_solved=True, time=PATIENCE).analysis
    assert not any(value.HasField("margin") or value.HasField("score") for value in analysis.values)
    assert len(analysis.lines) == 1


def test_the_interval_is_streamed_and_narrows(client: Client) -> None:
    answers = [
        answer.analysis
        for answer in client.stream_analysis(
            HARD, perfect_information=True, time=0.5, margin=True, lines=0, report_interval=0.01
        )
    ]
    assert len(answers) > 2
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert answers[-1].stop_reason == analysis_pb2.STOP_REASON_LIMIT
    for one, later in itertools.pairwise(answers):
        assert one.counters.nodes <= later.counters.nodes
        for before, after in zip(one.values, later.values, strict=True):
            (low, high), (narrower, lower) = ends(before.margin), ends(after.margin)
            assert low <= narrower <= lower <= high
    for answer in answers:
        assert answer.best_move.notation
        # What the move is worth is said as firmly as it is proven, and no more.
        open_ = ends(answer.lines[0].values[0].win_share) == (0, 1)
        assert ("is not proven to win or to lose the round for A, with a margin of " in answer.explanation) == open_


def test_a_deadline_leaves_what_is_proven(client: Client) -> None:
    analysis = client.analyze(
        HARD, perfect_information=True, until_solved=True, margin=True, memory_bytes=16 << 20, timeout=1.0
    ).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_DEADLINE
    low, high = ends(analysis.values[0].margin)
    assert -120 <= low < high <= 120
    assert ends(analysis.values[1].margin) == (-high, -low)


def test_the_same_nodes_give_the_same_answer(client: Client) -> None:
    answers = [
        client.analyze(HARD, perfect_information=True, nodes=5_000, margin=True, lines=0, seed=1).analysis
        for _ in range(2)
    ]
    for answer in answers:
        assert answer.stop_reason == analysis_pb2.STOP_REASON_LIMIT
        assert answer.counters.nodes <= 5_000
        answer.ClearField("search_time")
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("hands", "holders"), [("B1B5R2 ???", "B"), ("??? V1V3Y5", "A"), ("B1?? V1V3?", "A and B")])
def test_unknown_hands_are_refused_by_name(client: Client, hands: str, holders: str) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.analyze(f"peas +1/-2/+3 {hands} A", perfect_information=True, until_solved=True)
    assert [violation.field for violation in caught.value.violations] == ["state.notation"]
    assert f"cards of {holders} that are not known" in caught.value.message


def test_cards_face_down_are_an_expectation(client: Client) -> None:
    # 3MW or 9MS lies face down, and A can take 3MW alone.
    position = "pepper_corn 2WL/?/XK|3MW9MS AS4WL - 81-88 play/A"
    analysis = client.analyze(
        position, perfect_information=True, until_solved=True, margin=True, time=PATIENCE
    ).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION
    assert [value.win_share.exact.value for value in analysis.values] == [0.75, 0.25]
    # A has 81, 5 in hand and 2WL to take, which make 88 as B has, and three more half the time.
    assert [value.margin.exact.value for value in analysis.values] == [1.5, -1.5]
    assert "win share of the round of 75 % (proven)" in analysis.explanation
