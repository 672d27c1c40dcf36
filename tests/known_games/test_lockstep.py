"""The known games against OpenSpiel's, step by step: every history of the poker games, random games of connect four."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from mangetout_known_games.connect_four import ConnectFour
from mangetout_known_games.connect_four.reference import ReferencePosition as ConnectFourTwin
from mangetout_known_games.kuhn_poker import KuhnPoker
from mangetout_known_games.kuhn_poker.reference import ReferencePosition as KuhnTwin
from mangetout_known_games.leduc_poker import LeducPoker
from mangetout_known_games.leduc_poker.reference import ReferencePosition as LeducTwin
from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position


def steps(game: Game, position: Position, twin: Any) -> dict[int, str]:
    """The moves or outcomes at a position, with their texts; AssertionError where the twin differs in anything."""
    assert game.format_position(position) == twin.text()
    if position.is_terminal:
        assert twin.to_move is None
        assert position.scores() == twin.scores()
        assert position.win_shares() == pytest.approx(twin.win_shares(), abs=1e-15)
        return {}
    if position.is_chance:
        assert twin.to_move == "*"
        outcomes = dict(position.chance_outcomes())
        texts = {outcome: game.format_move(position, outcome) for outcome in outcomes}
        assert {texts[outcome]: p for outcome, p in outcomes.items()} == pytest.approx(twin.chance_outcomes())
    else:
        assert twin.to_move == "AB"[position.seat_to_move or 0]
        texts = {move: game.format_move(position, move) for move in position.legal_moves()}
        assert set(texts.values()) == twin.legal_moves()
    assert [game.parse_move(position, text) for text in texts.values()] == list(texts)
    return texts


def compare_views(game: Game, position: Position, twin: Any) -> None:
    """What each seat sees, and the worlds that fit it."""
    for seat, letter in enumerate("AB"):
        seen, seen_twin = position.redacted(seat), twin.seen_by(letter)
        assert game.format_position(seen) == seen_twin.text()
        assert game.parse_position(seen_twin.text()) == seen
        if position.is_chance:
            chances = {game.format_move(seen, outcome): p for outcome, p in seen.chance_outcomes()}
            assert chances == pytest.approx(seen_twin.chance_outcomes())
        else:
            assert sorted(map(game.format_position, seen.worlds())) == sorted(seen_twin.worlds())


@pytest.mark.parametrize(
    ("game", "start", "histories", "ends"),
    [
        # 6 deals of 9 histories, 5 of which are ends, and the 1 + 3 ways to have dealt less.
        (KuhnPoker(), KuhnTwin.from_text("kuhn_poker - - -"), 58, 30),
        (LeducPoker(), LeducTwin.from_text("leduc_poker - - - -"), 9457, 5520),
    ],
    ids=["kuhn_poker", "leduc_poker"],
)
def test_every_history_of_a_poker_game(game: Game, start: Any, histories: int, ends: int) -> None:
    todo = [(game.deal(0, {"cards": "undealt"}), start)]
    found = found_ends = 0
    while todo:
        position, twin = todo.pop()
        found += 1
        found_ends += position.is_terminal
        compare_views(game, position, twin)
        todo += [(position.play(step), twin.play(text)) for step, text in steps(game, position, twin).items()]
    assert (found, found_ends) == (histories, ends)


def test_random_connect_four() -> None:
    """Standard boards and others, by connected stones too; views and positions read back at the end of each game."""
    game, chooser = ConnectFour(), Random(1)
    results = set()
    for number in range(2000):
        options = {"rows": "6", "columns": "7", "connect": "4"}
        if number % 2:
            options = {name: str(chooser.randint(2 if name == "connect" else 1, 7)) for name in options}
        position = game.deal(0, options)
        twin = ConnectFourTwin.from_text(game.format_position(position))
        while texts := steps(game, position, twin):
            move = chooser.choice(list(texts))
            position, twin = position.play(move), twin.play(texts[move])
        compare_views(game, position, twin)
        results.add(position.scores())
    assert results == {(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)}
