"""What a search answers over the wire: its contents, its secrecy, and that it can be repeated."""

from __future__ import annotations

import itertools
from typing import Any

import grpc
import pytest
from mangetout.v1 import analysis_pb2, common_pb2
from mangetout_client import Client, MangetoutError

PATIENCE = 60.0
SMALL = "peas +1/-2/+3 B1B2B3 R1R2R3 A"
# The same for A, who begins, with other cards in B's hand.
A_HAND, UNSEEN = (
    "B1B2B3R4R5V1V6Y2Y3Y4",
    ["B4", "B5", "B6", "R1", "R2", "R3", "R6", "V2", "V3", "V4", "V5", "Y1", "Y5", "Y6"],
)
PODS = "+1/+1/-2/+3/-2/+1/+2/-3/+1/-2"
WORLDS = [f"peas {PODS} {A_HAND} {''.join(cards)} A" for cards in (UNSEEN[:10], UNSEEN[4:])]


def without_time(analysis: analysis_pb2.Analysis) -> bytes:
    copy = analysis_pb2.Analysis()
    copy.CopyFrom(analysis)
    assert copy.HasField("search_time")
    copy.ClearField("search_time")
    return copy.SerializeToString(deterministic=True)


def claim(value: common_pb2.Value) -> str:
    kind = value.WhichOneof("claim")
    assert kind is not None
    return str(kind)


def test_an_estimate_for_a_seat(client: Client) -> None:
    analysis = client.analyze(WORLDS[0], seat=0, simulations=500, lines=3, seed=1).analysis
    assert analysis.is_final
    assert analysis.game == "peas"
    assert analysis.position == f"peas {PODS} {A_HAND} ?????????? A"
    assert analysis.key == client.get_position(analysis.position).position.key
    assert (analysis.seat, analysis.seat_to_move) == (0, 0)
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_INFORMATION_SET_SEARCH
    assert analysis.utility == common_pb2.UTILITY_ROUND
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_LIMIT
    assert analysis.seed == 1
    assert analysis.search_time.ToNanoseconds() > 0
    assert analysis.counters.simulations == 500
    assert analysis.counters.worlds == 1001
    assert [line.rank for line in analysis.lines] == [1, 2, 3]
    assert analysis.lines[0].move == analysis.best_move
    assert analysis.lines[0].principal_variation[0] == analysis.best_move.notation
    assert analysis.best_move.description
    assert list(analysis.turn_plan) == [analysis.best_move]
    assert [value.seat for value in analysis.values] == [0, 1]
    for value in analysis.values:
        assert claim(value.win_share) == "estimate"
        assert 0 <= value.win_share.estimate.mean <= 1
    assert sum(value.win_share.estimate.mean for value in analysis.values) == pytest.approx(1)
    legal = {move.notation: move for move in client.list_moves(WORLDS[0]).moves}
    assert all(line.move == legal[line.move.notation] for line in analysis.lines)


def test_an_answer_explains_itself_and_counts_the_worlds_it_wins(client: Client) -> None:
    early = "peas{colours=2,ranks=8} +1/-2/+3/-1/+2/-3/+1 B1B3B5B7R2R4R6 B2B4B6B8R1R3R5 A"
    moves = ["B1@0", "B2@0"]
    analysis = client.hint(early, moves=moves, simulations=20_000, lines=0, seed=1)
    assert analysis.counters.worlds == 28
    won = [line.worlds_won for line in analysis.lines if line.HasField("worlds_won")]
    assert won
    assert all(0 <= count <= 28 for count in won)
    share = analysis.values[0].win_share.estimate
    for part in (
        f"Best found for A: {analysis.best_move.description}, ",
        f"win share of the round of {100 * share.mean:.1f} % ± ",
        f"in about {analysis.lines[0].worlds_won} of the 28 ways the other hands can be. The reply",
    ):
        assert part in analysis.explanation
    # Too little was seen of every world.
    short = client.hint(early, moves=moves, simulations=200, lines=0, seed=1)
    assert not any(line.HasField("worlds_won") for line in short.lines)
    # Partial answers are explained, too.
    answers = [a.analysis for a in client.stream_analysis(WORLDS[0], time=0.3, report_interval=0.02, seed=3)]
    assert all(answer.explanation.startswith("Best found for A: ") for answer in answers)


@pytest.mark.parametrize(
    "question", [{"perfect_information": True}, {"seat": 0}, {"seat": 1}], ids=["open", "certain", "the one that waits"]
)
def test_no_worlds_are_counted_where_none_is_hidden_or_moves_differ_between_them(
    client: Client, question: dict[str, Any]
) -> None:
    """A deck of six cards hides nothing; from B's place A's moves are there in some worlds only."""
    deck = "{colours=1,ranks=6}" if question == {"seat": 0} else ""
    notation = f"peas{deck} +1/-2/+3 B1B2B3 {'B4B5B6' if deck else 'R1R2R3'} A"
    analysis = client.hint(notation, simulations=5_000, lines=0, **question)
    assert len(analysis.lines) >= 3
    assert not any(line.HasField("worlds_won") for line in analysis.lines)


def test_a_proof_with_open_cards(client: Client) -> None:
    analysis = client.analyze(
        "peas +1/+2/+3 B1B2B3 B4B5B6 A", perfect_information=True, until_solved=True, time=PATIENCE
    ).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION
    assert not analysis.HasField("seat")
    assert [claim(value.win_share) for value in analysis.values] == ["exact", "exact"]
    assert analysis.counters.worlds == 1


def test_all_lines_and_some_lines(client: Client) -> None:
    moves = [move.notation for move in client.list_moves(SMALL).moves]
    every = client.analyze(SMALL, simulations=2000, lines=0).analysis
    assert sorted(line.move.notation for line in every.lines) == sorted(moves)
    chosen = client.analyze(SMALL, simulations=200, lines=0, chosen_moves=moves[:2]).analysis
    assert {line.move.notation for line in chosen.lines} <= set(moves[:2])
    avoided = client.analyze(SMALL, simulations=200, lines=0, avoided_moves=moves[:-1]).analysis
    assert [line.move.notation for line in avoided.lines] == moves[-1:]
    assert len(client.analyze(SMALL, simulations=200).analysis.lines) == 1


def test_the_time_limit_ends_a_search(client: Client) -> None:
    analysis = client.analyze(WORLDS[0], time=0.05).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_LIMIT
    assert analysis.search_time.ToNanoseconds() >= 0.05e9


def test_the_server_chooses_a_seed_and_tells_it(client: Client) -> None:
    seeds = {client.analyze(SMALL, simulations=5).analysis.seed for _ in range(4)}
    assert len(seeds) == 4
    assert max(seeds) >= 2**32


def test_the_same_question_has_the_same_answer(client: Client) -> None:
    def answer(**question: int) -> bytes:
        return without_time(client.analyze(WORLDS[0], seat=0, simulations=600, lines=0, **question).analysis)  # type: ignore[arg-type]

    assert answer(seed=7) == answer(seed=7)
    assert answer(seed=7) != answer(seed=8)
    assert answer(seed=7, trees=3) == answer(seed=7, trees=3, threads=2)
    seed = client.analyze(WORLDS[0], seat=0, simulations=600, lines=0).analysis.seed
    assert answer(seed=seed) == answer(seed=seed)


@pytest.mark.parametrize("moves", [[], ["V1@3", "V2@3"]])
def test_hidden_cards_change_nothing(client: Client, moves: list[str]) -> None:
    for seat in (0, None):
        answers = [
            without_time(
                client.analyze(world, moves=moves, seat=seat, simulations=400, lines=0, seed=11, trees=2).analysis
            )
            for world in WORLDS
        ]
        assert answers[0] == answers[1]
    for level in (1, 3, 5):
        chosen = [client.choose_move(world, level, moves=moves, seed=5) for world in WORLDS]
        assert chosen[0] == chosen[1]


def test_a_hidden_card_that_was_played_is_known(client: Client) -> None:
    """Otherwise the test above might pass because answers never depend on the notation."""
    answers = {
        without_time(client.analyze(WORLDS[0], moves=["V1@0", move], seat=0, simulations=400, seed=11).analysis)
        for move in ("R1@1", "R2@1")
    }
    assert len(answers) == 2


def test_no_other_seat_is_told_what_a_seat_knows(client: Client) -> None:
    analysis = client.analyze(WORLDS[0], seat=1, simulations=300, lines=0, seed=2).analysis
    assert analysis.seat == 1
    assert analysis.seat_to_move == 0
    assert A_HAND not in analysis.position
    assert analysis.position.split()[2] == "?" * 10


@pytest.mark.parametrize("level", [1, 10])
def test_an_opponent_plays_legal_moves_and_can_be_repeated(client: Client, level: int) -> None:
    answer = client.choose_move(WORLDS[0], level)
    legal = {move.notation: move for move in client.list_moves(WORLDS[0]).moves}
    assert legal[answer.move.notation] == answer.move
    assert client.choose_move(WORLDS[0], level, seed=answer.seed) == answer


def test_a_whole_round_between_opponents(client: Client) -> None:
    moves: list[str] = []
    while client.get_position(SMALL, moves=moves).position.HasField("seat_to_move"):
        moves.append(client.choose_move(SMALL, 2, moves=moves, seed=len(moves)).move.notation)
    assert len(moves) == 6


def test_a_stream_ends_with_its_only_final_answer(client: Client) -> None:
    answers = [a.analysis for a in client.stream_analysis(WORLDS[0], time=0.5, report_interval=0.02, seed=3)]
    assert [a.is_final for a in answers] == [False] * (len(answers) - 1) + [True]
    assert len(answers) > 2
    assert {a.stop_reason for a in answers[:-1]} == {analysis_pb2.STOP_REASON_UNSPECIFIED}
    assert answers[-1].stop_reason == analysis_pb2.STOP_REASON_LIMIT
    simulations = [a.counters.simulations for a in answers]
    assert all(before < after for before, after in itertools.pairwise(simulations[:-1]))
    assert {a.seed for a in answers} == {3}


def test_a_stream_that_ends_before_its_first_report(client: Client) -> None:
    (answer,) = client.stream_analysis(SMALL, simulations=10, report_interval=60.0)
    assert answer.analysis.is_final


def test_the_deadline_brings_the_best_answer_so_far(client: Client) -> None:
    analysis = client.analyze(WORLDS[0], time=600, timeout=2.0).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_DEADLINE
    assert analysis.is_final
    assert analysis.best_move.notation
    *_, last = client.stream_analysis(WORLDS[0], time=600, timeout=2.0)
    assert last.analysis.stop_reason == analysis_pb2.STOP_REASON_DEADLINE
    assert client.choose_move(WORLDS[0], 10, timeout=2.0).move.notation


def test_a_deadline_equal_to_the_time_limit(client: Client) -> None:
    analysis = client.analyze(WORLDS[0], time=1.0, timeout=1.0).analysis
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_DEADLINE


def test_a_deadline_that_has_passed(client: Client) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.analyze(SMALL, timeout=0)
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_simultaneous_decision_is_answered_with_a_mixed_strategy(client: Client) -> None:
    split = "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
    analysis = client.hint(split, simulations=2_000, lines=0, seed=1)
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY
    assert sum(line.probability for line in analysis.lines) == pytest.approx(1.0)
    assert [move.notation[:4] for move in analysis.turn_plan] == ["4MS>", "8MS>"]
    assert analysis.turn_description.startswith("offer Ace of Suns")
    # What A has decided changes nothing for B.
    answers = [
        client.hint(split, moves=moves, simulations=2_000, lines=0, seed=1)
        for moves in (["4MS>0", "8MS>1"], ["4MS>1", "8MS>1"])
    ]
    for answer in answers:
        answer.ClearField("search_time")
    assert answers[0] == answers[1]
    assert client.choose_move(split, 3, seed=5) == client.choose_move(split, 3, seed=5)


def test_the_turn_plan_is_a_whole_capture(client: Client) -> None:
    analysis = client.hint("pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK 0-15 play/A", simulations=500, seed=1)
    assert analysis.concept == analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION
    assert len(analysis.turn_plan) == 4
    assert analysis.turn_description == analysis.turn_plan[-1].description
    assert analysis.turn_description.startswith("take 9 Pact with 8 Diplomat + ")


MATCH = f"peas{{scope=match}} {PODS} {A_HAND} ?????????? A 1-0"


def test_a_match_has_the_values_of_its_round_too(client: Client) -> None:
    analysis = client.analyze(MATCH, simulations=500, lines=2, seed=1).analysis
    alone = client.analyze(WORLDS[0], simulations=500, lines=2, seed=1).analysis
    assert analysis.utility == common_pb2.UTILITY_MATCH
    assert analysis.best_move == alone.best_move
    for values, of_round in [
        (analysis.values, alone.values),
        *((line.values, other.values) for line, other in zip(analysis.lines, alone.lines, strict=True)),
    ]:
        stated = [(value.seat, value.utility) for value in values]
        assert stated == [(seat, u) for u in (common_pb2.UTILITY_MATCH, common_pb2.UTILITY_ROUND) for seat in (0, 1)]
        assert list(values[2:]) == list(of_round)
        # One round ahead: the next one ends the match, or leaves it even.
        means = [value.win_share.estimate.mean for value in values]
        assert means[0] == pytest.approx((1 + means[2]) / 2)
        assert means[1] == pytest.approx(means[3] / 2)
        assert not any(value.HasField("score") for value in values[:2])


def test_a_proven_round_proves_a_match_that_it_decides(client: Client) -> None:
    last = "peas{scope=match} +1[A=B2] - R1 A"
    for wins, claims in (("1-0", ["exact"] * 4), ("0-0", ["estimate", "estimate", "exact", "exact"])):
        analysis = client.analyze(f"{last} {wins}", perfect_information=True, until_solved=True, time=PATIENCE).analysis
        assert [claim(value.win_share) for value in analysis.values] == claims
    assert [value.win_share.estimate.mean for value in analysis.values[:2]] == [0.75, 0.25]
    assert [value.win_share.estimate.standard_error for value in analysis.values[:2]] == [0, 0]


def test_the_win_shares_asked_for_are_those_of_the_round_or_of_the_match(client: Client) -> None:
    analysis = client.analyze(MATCH, simulations=50, utility=common_pb2.UTILITY_ROUND).analysis
    assert analysis.utility == common_pb2.UTILITY_ROUND
    assert [value.utility for value in analysis.values] == [common_pb2.UTILITY_ROUND] * 2
    with pytest.raises(MangetoutError) as caught:
        client.analyze(SMALL, simulations=50, utility=common_pb2.UTILITY_MATCH)
    assert [violation.field for violation in caught.value.violations] == ["options.utility"]
