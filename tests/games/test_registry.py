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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_page_teaches_the_game(game: Game) -> None:
    lines = game.how_to_play().splitlines()
    assert lines[0] == f"# {game.title}"
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert headings == ["Goal", "On the table", "A turn", "The end", "Scoring", "Options", "Moves"]
    # One page.
    assert len(lines) <= 70
    assert all(line.isprintable() for line in lines)
    # A record stays on one line, so that it can be copied.
    assert all(len(line) <= 120 or line.startswith(game.name) for line in lines)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_page_names_options_that_exist_and_records_that_can_be_played(game: Game) -> None:
    about_options, moves = game.how_to_play().split("\n## Options\n")[1].split("\n## Moves\n")
    assert set(re.findall("`([^`]+)`", about_options)) <= {option.name for option in game.options}
    examples = [line for block in re.findall("```\n(.*?)```", moves, re.DOTALL) for line in block.splitlines()]
    assert examples
    for example in examples:
        record = registry.parse_record(example, game.name)
        assert record.moves
        assert record.format() == example
