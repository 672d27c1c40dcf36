"""A match is searched as the round at hand, and valued by what the round is worth in it."""

from __future__ import annotations

import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, Interval, PlayerValue, StopReason, Value, match_share
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Record
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.limits import Limits, SearchOptions, Utility
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch

PEAS = game("peas")
SEED = 3

# Wins of A and B; what A's share of the match is once it has lost the round at hand, and once it has won it.
TABLE = {
    (0, 0): (1 / 4, 3 / 4),
    (1, 0): (1 / 2, 1.0),
    (0, 1): (0.0, 1 / 2),
    (1, 1): (0.0, 1.0),
}


def dealt(wins: tuple[int, int] | None) -> Record:
    """One deal, alone or in a match with so many rounds won."""
    text = PEAS.format_position(PEAS.deal(SEED, {}))
    if wins is not None:
        text = text.replace("peas ", "peas{scope=match} ") + f" {wins[0]}-{wins[1]}"
    return parse_record(text)


def searched(record: Record, *, utility: Utility | None = None, simulations: int = 1_500) -> Analysis:
    return analyze(
        record, limits=Limits(simulations=simulations), options=SearchOptions(seed=1, lines=0, utility=utility)
    )


def solved(record: Record) -> Analysis:
    return analyze(
        record, perfect_information=True, limits=Limits(until_solved=True), options=SearchOptions(seed=1, lines=0)
    )


def of(utility: Utility, values: tuple[PlayerValue, ...]) -> list[Value]:
    return [value.win_share for value in values if value.utility is utility]


@pytest.mark.parametrize("wins", TABLE)
def test_a_round_is_worth_what_follows_when_rounds_to_come_are_even(wins: tuple[int, int]) -> None:
    lost, won = TABLE[wins]
    assert PEAS.stakes(dealt(wins).current) == ((lost, won), (1 - won, 1 - lost))
    assert PEAS.stakes(dealt(None).current) is None


@pytest.mark.parametrize("wins", TABLE)
def test_a_match_is_the_table_of_its_round(wins: tuple[int, int]) -> None:
    """The same tree, whatever the rounds won; nothing is sampled of the rounds to come."""
    alone, match = searched(dealt(None)), searched(dealt(wins))
    assert alone.counters == match.counters
    assert match.utility is Utility.MATCH
    lost, won = TABLE[wins]
    for line, other in zip(alone.lines, match.lines, strict=True):
        assert (line.move, line.visits, line.principal_variation) == (
            other.move,
            other.visits,
            other.principal_variation,
        )
        assert other.values[2:] == line.values
        assert [value.utility for value in other.values] == [Utility.MATCH] * 2 + [Utility.ROUND] * 2
        (of_round, _), (share, rest) = of(Utility.ROUND, other.values), of(Utility.MATCH, other.values)
        assert isinstance(of_round, Estimate)
        assert isinstance(share, Estimate)
        assert isinstance(rest, Estimate)
        assert share.mean == pytest.approx(lost * (1 - of_round.mean) + won * of_round.mean)
        assert share.standard_error == pytest.approx((won - lost) * of_round.standard_error)
        assert share.mean + rest.mean == pytest.approx(1)
        assert [value.score for value in other.values[:2]] == [None, None]


def test_a_search_does_not_go_on_into_the_next_deal() -> None:
    record = parse_record("peas{scope=match} +1/-2/+3 B1R2V3 B2R3V4 A 0-0 : B1@0")
    for observer in (None, 1):
        root = record.current if observer is None else record.current.redacted(observer)
        tree = TreeSearch(root, observer=observer, seed=2)
        tree.run(Control(), 300)
        assert tree.nodes == 5 * tree.simulations


# Rounds won, and A's shares of the round and of the match.
CLAIMS = [
    ("0-0", 1.0, Estimate(3 / 4, 0.0)),
    ("1-0", 1.0, Exact(1.0)),
    ("0-1", 1.0, Estimate(1 / 2, 0.0)),
    ("1-1", 1.0, Exact(1.0)),
    ("0-0", 0.0, Estimate(1 / 4, 0.0)),
    ("1-0", 0.0, Estimate(1 / 2, 0.0)),
    ("0-1", 0.0, Exact(0.0)),
    ("1-1", 0.0, Exact(0.0)),
]


@pytest.mark.parametrize(("wins", "share", "expected"), CLAIMS)
def test_only_a_decided_match_is_proven(wins: str, share: float, expected: Value) -> None:
    """The round is solved; the match only where the round decides it."""
    last = "+1[A=B2] - R1 A" if share else "+1[A=B1] - B2 A"
    analysis = solved(parse_record(f"peas{{scope=match}} {last} {wins}"))
    assert analysis.stop_reason is StopReason.SOLVED
    for values in (analysis.values, analysis.lines[0].values):
        assert of(Utility.ROUND, values) == [Exact(share), Exact(1 - share)]
        assert of(Utility.MATCH, values)[0] == expected
        other = Exact(1 - expected.value) if isinstance(expected, Exact) else Estimate(1 - expected.mean, 0.0)
        assert of(Utility.MATCH, values)[1] == other


def test_a_round_is_solved_in_a_match_as_alone() -> None:
    """Deeper than the last card: proofs hold for the round whatever it decides."""
    for seed in range(20):
        alone, match = (
            Record(PEAS, (PEAS.deal(seed, {"pods": "1,2,-2", "scope": scope}),), ()) for scope in ("round", "match")
        )
        assert of(Utility.ROUND, solved(match).values) == of(Utility.ROUND, solved(alone).values)


@pytest.mark.parametrize(
    ("share", "stake", "expected"),
    [
        (Interval(0.0, 1.0), (1 / 4, 3 / 4), Interval(0.0, 1.0)),
        (Interval(0.5, 1.0), (1 / 4, 3 / 4), Interval(0.0, 1.0)),
        (Interval(0.5, 1.0), (1 / 2, 1.0), Interval(0.5, 1.0)),
        (Interval(0.0, 0.5), (0.0, 1 / 2), Interval(0.0, 0.5)),
        (Interval(0.25, 0.5), (0.0, 1.0), Interval(0.25, 0.5)),
        (Exact(0.5), (0.0, 1.0), Exact(0.5)),
        (Exact(0.5), (1 / 2, 1.0), Estimate(0.75, 0.0)),
        (Estimate(0.5, 0.125), (1 / 2, 1.0), Estimate(0.75, 0.0625)),
    ],
)
def test_what_is_proven_of_a_round_is_proven_of_the_match_as_far_as_it_is_decided(
    share: Value, stake: tuple[float, float], expected: Value
) -> None:
    assert match_share(share, *stake) == expected


def test_the_round_alone_can_be_asked_about() -> None:
    match, alone = searched(dealt((1, 0)), utility=Utility.ROUND), searched(dealt(None), utility=Utility.ROUND)
    assert match.utility is alone.utility is Utility.ROUND
    assert match.values == alone.values == searched(dealt(None)).values
    assert [value.utility for value in match.values] == [Utility.ROUND] * 2


def test_a_single_round_has_no_match_to_ask_about() -> None:
    with pytest.raises(InputError) as caught:
        searched(dealt(None), utility=Utility.MATCH)
    assert caught.value.field == "options.utility"
    assert caught.value.reason == "found match, expected round: the position is of a single round"


def test_a_match_by_the_sum_of_scores_is_searched_as_a_whole() -> None:
    easy_peasy = game("easy_peasy")
    limits = Limits(simulations=300)
    for options, utility, other in (
        ({}, Utility.MATCH, Utility.ROUND),
        ({"match": "points"}, Utility.MATCH, Utility.ROUND),
        ({"rounds": "1"}, Utility.ROUND, Utility.MATCH),
    ):
        record = Record(easy_peasy, (easy_peasy.deal(SEED, options),), ())
        analysis = analyze(record, limits=limits, options=SearchOptions(seed=1))
        assert analysis.utility is utility
        assert [(value.seat, value.utility) for value in analysis.values] == [(0, utility), (1, utility)]
        assert analyze(record, limits=limits, options=SearchOptions(seed=1, utility=utility)).values == analysis.values
        with pytest.raises(InputError, match=f"found {other.value}, expected {utility.value}"):
            analyze(record, limits=limits, options=SearchOptions(seed=1, utility=other))
