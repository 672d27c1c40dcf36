"""Settings as text: what they mean, and what is said against those that mean nothing."""

from __future__ import annotations

from collections import Counter

import mangetout_toys as toys
import pytest
from mangetout_solver.arena.settings import budget_text, is_timed, parse_setting
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.registry import game
from mangetout_solver.levels import choose_move
from mangetout_solver.limits import Limits, SearchOptions
from toy_game import Toy

PEAS = game("peas")


def seen_deal(seed: int) -> Record:
    """A deal as its first mover sees it."""
    position = PEAS.deal(seed, {})
    assert position.seat_to_move is not None
    return Record(PEAS, (position,), ()).redacted(position.seat_to_move)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        ("level=3", "level=3"),
        ("simulations=1000", "simulations=1000"),
        ("simulations=0200,trees=1", "simulations=200"),
        ("trees=2,simulations=200", "simulations=200,trees=2"),
        ("simulations=1000000000000", "simulations=1000000000000"),
        ("time=0.05", "time=0.05"),
        ("time=5e-2,trees=3", "time=0.05,trees=3"),
        ("time=0.123456789", "time=0.123456789"),
        ("exact_cards=3,time=0.05", "time=0.05,exact_cards=3"),
        ("simulations=20,exact_cards=0,trees=2", "simulations=20,trees=2,exact_cards=0"),
    ],
)
def test_a_setting_has_one_canonical_text(text: str, canonical: str) -> None:
    setting = parse_setting(text)
    assert setting.text == canonical
    assert parse_setting(canonical) == setting


@pytest.mark.parametrize(
    ("text", "field", "part"),
    [
        ("", "setting", "random or name=value"),
        ("strong", "setting", "'strong'"),
        ("random,trees=2", "setting", "'random'"),
        ("speed=3", "setting.speed", "simulations"),
        ("trees=2", "setting", "none"),
        ("simulations=10,time=1", "setting", "simulations and time"),
        ("level=2,simulations=3", "setting", "level"),
        ("level=2,trees=2", "setting", "stand alone"),
        ("level=0", "setting.level", "found 0, expected 1 to 10"),
        ("level=11", "setting.level", "found 11"),
        ("level=", "setting.level", "whole number"),
        ("simulations=-5", "setting.simulations", "'-5'"),
        ("simulations=1.5", "setting.simulations", "'1.5'"),
        ("simulations=0", "setting.simulations", "found 0"),
        ("simulations=9999999999999", "setting.simulations", "expected 1 to"),
        ("simulations=10,simulations=20", "setting.simulations", "twice"),
        ("simulations=10,exact_cards=6", "setting.exact_cards", "found 6, expected 0 to 5"),
        ("simulations=10,trees=0", "setting.trees", "found 0, expected 1 to 64"),
        ("simulations=10,", "setting", "''"),
        ("time=soon", "setting.time", "'soon'"),
        ("time=0", "setting.time", "found 0.0"),
        ("time=nan", "setting.time", "found nan"),
        ("time=inf", "setting.time", "found inf"),
    ],
)
def test_an_error_names_the_field(text: str, field: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_setting(text)
    assert caught.value.field == field
    assert part in caught.value.reason


@pytest.mark.parametrize(
    ("texts", "budget", "timed"),
    [
        (("simulations=10", "simulations=10,trees=2"), "equal simulations", False),
        (("simulations=10", "simulations=20"), "simulations", False),
        (("time=0.01", "time=0.010,trees=2"), "equal time", True),
        (("time=0.01", "time=0.02"), "time", True),
        (("time=0.01", "simulations=20"), "simulations against time", True),
        (("level=2", "simulations=20", "random"), "level against simulations", False),
        (("simulations=10", "random"), "simulations", False),
        (("simulations=10", "random", "simulations=10"), "equal simulations", False),
        (("random", "random"), "no search", False),
    ],
)
def test_what_was_equal_is_said(texts: tuple[str, ...], budget: str, timed: bool) -> None:
    settings = [parse_setting(text) for text in texts]
    assert budget_text(settings) == budget
    assert is_timed(settings) == timed


def test_random_takes_every_legal_move_as_often() -> None:
    record = seen_deal(1)
    legal = record.current.legal_moves()
    draws = 60 * len(legal)
    counts = Counter(parse_setting("random").choose(record, seed).move for seed in range(draws))
    assert set(counts) == set(legal)
    # Chi-square over the moves: mean k, standard deviation sqrt(2 k), both for k = moves - 1.
    freedom = len(legal) - 1
    chi_square = sum((count - 60) ** 2 / 60 for count in counts.values())
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("seed", range(4))
def test_settings_choose_what_engine_and_levels_choose(seed: int) -> None:
    record = seen_deal(seed)
    assert parse_setting("level=4").choose(record, seed).move == choose_move(record, 4, seed)
    for text, trees in (("simulations=90", 1), ("simulations=90,trees=3", 3)):
        answer = analyze(record, limits=Limits(simulations=90), options=SearchOptions(seed=seed, trees=trees))
        choice = parse_setting(text).choose(record, seed)
        assert PEAS.format_move(record.current, choice.move) == answer.best_move
        assert choice.simulations == 90


def test_simultaneous_decisions_are_mixed() -> None:
    """Of rock, paper and scissors the best one alone could be foreseen."""
    start = toys.matrix([[[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]])
    setting = parse_setting("simulations=2000")
    counts = Counter(setting.choose(Record(Toy(), (start,), ()), seed).move for seed in range(60))
    assert set(counts) == {0, 1, 2}
    assert max(counts.values()) < 40


def test_time_counts_what_it_searched() -> None:
    record = seen_deal(1)
    choice = parse_setting("time=0.005").choose(record, 1)
    assert choice.move in record.current.legal_moves()
    assert choice.simulations > 0


@pytest.mark.parametrize("text", ["level=2", "simulations=5"])
def test_no_setting_moves_after_the_end(text: str) -> None:
    over = PEAS.parse_position("peas +1[A=B1,B=V1] - - A")
    with pytest.raises(PreconditionError):
        parse_setting(text).choose(Record(PEAS, (over,), ()), 1)
