"""Games are found by their names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mangetout_solver.errors import UnknownNameError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game

GAMES = registry.games()


def test_games_stand_by_name() -> None:
    names = [game.name for game in GAMES]
    assert names == sorted(set(names))
    assert names
    for game in GAMES:
        assert registry.game(game.name) is game
        assert re.fullmatch("[a-z_]+", game.name)


def test_an_unknown_game_is_refused_with_the_names_known() -> None:
    with pytest.raises(UnknownNameError) as caught:
        registry.game("pease", "game_name")
    assert caught.value.field == "game_name"
    assert caught.value.name == "pease"
    assert caught.value.known == [game.name for game in GAMES]
    with pytest.raises(UnknownNameError) as long:
        registry.game("x" * 5000)
    assert len(str(long.value)) < 200


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_examples_of_the_notation_are_canonical(game: Game) -> None:
    page = Path(__file__).parents[2] / f"docs/notation/{game.name}.md"
    examples = [line for line in page.read_text("utf-8").splitlines() if re.match(rf"{game.name}\b(?!.*\.\.\.)", line)]
    assert examples
    for example in examples:
        assert registry.parse_record(example).format() == example
