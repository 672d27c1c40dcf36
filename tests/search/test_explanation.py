"""Analyses in a sentence or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import mangetout_toys as toys
import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, HiddenHands, Interval, PlayerValue
from mangetout_solver.engine import analyze
from mangetout_solver.explanation import explain
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from mangetout_solver.limits import Limits, SearchOptions, Utility

SPLIT = "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
CAPTURE = "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK 0-15 play/A"
# With six cards a hand, of which 28 hands are possible: too many cards for proofs against all of them.
ROUND = "peas{colours=2,ranks=8} +1/-2/+3/-1/+2/-3/+1 B1B3B5B7R2R4R6 ??????? A : B1@0 B2@0"
LATE = "peas +1/-2/+3 B1B2B3 ??? A : B1@0 R1@0"


def explained(text: str, simulations: int, seat: int | None = None) -> tuple[Analysis, Record, str]:
    """The analysis of a record, its turn plan and what is said of it."""
    record = parse_record(text)
    analysis = analyze(record, seat=seat, limits=Limits(simulations=simulations), options=SearchOptions(seed=1))
    turn = planned(analysis, record)
    return analysis, turn, explain(analysis, turn)


def planned(analysis: Analysis, record: Record) -> Record:
    position = record.current if analysis.seat is None else record.current.redacted(analysis.seat)
    turn = Record(record.game, (position,), ())
    for text in analysis.turn_plan:
        turn = turn.play(text)
    return turn


def test_an_estimate_under_hidden_cards_names_move_worth_worlds_and_reply() -> None:
    analysis, _, text = explained(ROUND, 20_000)
    best = analysis.lines[0]
    share, score = analysis.values[0].win_share, analysis.values[0].score
    assert isinstance(share, Estimate)
    assert isinstance(score, Estimate)
    game, position = parse_record(ROUND).game, parse_record(ROUND).current
    move = game.parse_move(position, best.move)
    reply = game.parse_move(position, best.principal_variation[1])
    assert best.worlds_won is not None
    # Six of the eight cards not seen.
    assert analysis.counters.worlds == 28
    sentences = [
        f"Best found for A: {game.describe_move(position, move)}, which gives A a win share of the round of "
        f"{100 * share.mean:.1f} % ± ",
        f"(estimate) and a score of {score.mean:.2f} ± ",
        f"(estimate; {game.score_unit}), and wins for A more often than not in about {best.worlds_won} of the 28 ways",
        f" The reply met most often, by B: {game.describe_move(position.play(move), reply)}.",
    ]
    at = -1
    for sentence in sentences:
        assert text.find(sentence, at + 1) > at, text
        at = text.find(sentence, at + 1)
    assert text.endswith(sentences[-1])


def test_noise_is_rounded_up_and_values_keep_their_kind() -> None:
    analysis, turn, _ = explained(ROUND, 200)
    for share, score, words in (
        (
            Estimate(0.52344, 0.00001),
            Estimate(-1.2, 0.031),
            "share of the round of 52.3 % ± 0.1 (estimate) and a score of -1.20 ± 0.04 (estimate; pod points",
        ),
        (Interval(0.0, 0.5), None, "gives A a win share of the round of 0 to 50 % (proven)."),
        (
            Exact(0.5),
            Exact(3.0),
            "gives A a win share of the round of 50 % (proven) and a score of 3 (proven; pod points",
        ),
        (Exact(1.0), None, "which is proven to win the round for A."),
        (Exact(0.0), None, "which is proven to lose the round for A."),
        (Interval(0.0, 1.0), None, "which is not proven to win or to lose the round for A."),
    ):
        values = (PlayerValue(0, share, score, Utility.ROUND), analysis.values[1])
        lines = (replace(analysis.lines[0], values=values), *analysis.lines[1:])
        assert words in explain(replace(analysis, lines=lines), turn)


def test_nothing_is_said_of_worlds_where_too_little_was_seen() -> None:
    _, _, text = explained(ROUND, 50)
    assert "ways the other hands can be" not in text


def test_what_is_proven_against_all_hands_comes_before_what_is_estimated() -> None:
    analysis, _, text = explained(LATE, 20_000)
    assert analysis.lines[0].hidden_hands == HiddenHands(True, 0, 0)
    assert "which is proven to win the round for A, whatever the other hand holds and plays." in text
    assert "more often than not" not in text


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (HiddenHands(False, 136, 0), "for A against 136 of the 136 hands that the other can have."),
        (HiddenHands(False, 136, 136), "for A against 0 of the 136 hands that the other can have."),
        (HiddenHands(None, 20, 3), "for A against 17 of 20 of the 136 hands that the other can have."),
        (
            HiddenHands(False, 136, 6, ("R5", "Y1"), ("V1",)),
            "against 130 of the 136 hands that the other can have, and every hand that beats it has R5 and Y1.",
        ),
        (HiddenHands(False, 136, 6, (), ("R5", "V1", "Y1")), "can have, and against none with R5, V1 or Y1."),
        (HiddenHands(False, 136, 6, (), ("R5",)), "can have, and against none with R5."),
    ],
)
def test_hands_that_beat_a_move_are_told_by_number_and_card(found: HiddenHands, words: str) -> None:
    analysis, turn, _ = explained(LATE, 100)
    lines = (replace(analysis.lines[0], hidden_hands=found), *analysis.lines[1:])
    assert words in explain(replace(analysis, lines=lines), turn)


def test_the_seat_that_waits_is_told_what_to_expect() -> None:
    _, _, text = explained("peas +1/-2/+3 B1B2B3 R1R2R3 A : B1@0 R1@0", 500, seat=1)
    assert text.startswith("Expected of A: ")
    assert "gives B a win share" in text
    assert "The reply met most often, by B: " in text


def test_a_proof_with_open_cards_and_the_whole_turns_of_both() -> None:
    _, _, text = explained(CAPTURE, 5_000)
    assert text.startswith("Best found for A: take 9 Pact with 8 Diplomat + ")
    assert "is proven to win the round for A" in text
    assert "ways the other hands" not in text
    assert "The reply found best, by B: " in text


def test_a_reply_is_told_as_far_as_it_was_searched() -> None:
    analysis, turn, _ = explained("pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 9LK 0-15 play/A", 5_000)
    assert len(turn.moves) > 2
    capture = ["x6LK", "+9LK", "."]
    for reply, words in (
        (["pass"], "pass"),
        (capture[:1], "take 6 Market"),
        (capture, "take 6 Market with 9 Merchant"),
    ):
        line = replace(analysis.lines[0], principal_variation=(*analysis.turn_plan, *reply))
        told = explain(replace(analysis, lines=(line,)), turn)
        assert told.endswith(f" The reply found best, by B: {words}.")


def test_a_turn_whose_end_was_not_searched_is_told_by_its_first_move() -> None:
    analysis, turn, text = explained(CAPTURE, 2)
    assert 1 <= len(turn.moves) < 3
    assert text.startswith(f"Best found for A: {turn.game.describe_move(turn.positions[0], turn.moves[0])}, which ")
    assert "reply" not in text
    assert analysis.turn_plan


def test_a_simultaneous_decision_names_its_share_of_the_mixture_and_no_reply() -> None:
    analysis, _, text = explained(SPLIT, 2_000)
    probability = analysis.lines[0].probability
    assert probability is not None
    share = f"its first move at {100 * probability:.0f} %: offer Ace of Suns"
    assert text.startswith(f"Likeliest in the mixed strategy of A, {share}")
    assert "reply" not in text
    assert "ways the other" not in text


@pytest.mark.parametrize("players", [3, 6])
def test_any_seat_of_several_is_told_its_own_worth(toy_record: Callable[[Position], Record], players: int) -> None:
    record = toy_record(toys.random_tree(5, players=players, depth=9, ends=0))
    letters = set()
    for move in record.current.legal_moves():
        after = toy_record(record.current.play(move))
        if after.current.seat_to_move is None:
            continue
        analysis = analyze(after, limits=Limits(simulations=300), options=SearchOptions(seed=1))
        letter = "ABCDEF"[analysis.seat_to_move]
        letters.add(letter)
        value = analysis.values[analysis.seat if analysis.seat is not None else analysis.seat_to_move]
        assert isinstance(value.win_share, Estimate)
        text = explain(analysis, planned(analysis, after))
        assert text.startswith(f"Best found for {letter}: move ")
        assert f"gives {letter} a win share of the round of {100 * value.win_share.mean:.1f} %" in text
    assert letters


def test_a_match_is_told_after_its_round_with_the_assumption_that_it_rests_on() -> None:
    match = ROUND.replace("peas{", "peas{scope=match,").replace(" A :", " A 1-0 :")
    (_, _, alone), (analysis, _, text) = explained(ROUND, 500), explained(match, 500)
    sentence, _, reply = alone.partition(". The reply")
    share = analysis.values[0].win_share
    assert isinstance(share, Estimate)
    assert text.startswith(f"{sentence}. That gives A a win share of the match of {100 * share.mean:.1f} % ± ")
    assert text.endswith(f"(estimate), all seats taken to be even in every round to come. The reply{reply}")


@pytest.mark.parametrize(
    ("wins", "end"),
    [
        ("1-0", "is proven to win the match for A."),
        (
            "0-0",
            "gives A a win share of the match of 75.0 % ± 0.0 (estimate), all seats taken to be even in every round to "
            "come.",
        ),
    ],
)
def test_a_proven_round_proves_no_more_than_it_decides(wins: str, end: str) -> None:
    record = parse_record(f"peas{{scope=match}} +1[B=B1] B2 - B {wins}")
    analysis = analyze(
        record, perfect_information=True, limits=Limits(until_solved=True), options=SearchOptions(seed=1)
    )
    text = explain(analysis, planned(analysis, record))
    assert text.endswith(f"which is proven to win the round for A. That {end}")
