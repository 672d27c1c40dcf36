"""The rulings that sources name stand on the page of their game, with the options that change them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game

ROOT = Path(__file__).parents[2]
# One id or several: PC-03, EZ-19a, or EP-28, 29 and EZ-12 to 15.
IDS = re.compile(r"\b([A-Z]{2,4})-(\d\d[a-z]?)\b((?:(?:,| to| and)\s+\d\d[a-z]?\b)*)")
GAMES = pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)


def page(game: Game) -> str:
    return (ROOT / f"docs/rulings/{game.name}.md").read_text("utf-8")


def rulings(game: Game) -> list[str]:
    """The ids on the page of the game, in its order."""
    return re.findall(r"^\| ([A-Z]+-\d\d[a-z]?) \|", page(game), re.MULTILINE)


def sources(game: Game) -> Iterator[Path]:
    """The package of the game, its tests and its notation."""
    package = ROOT / "solver/mangetout_solver/games" / game.name
    yield from (path for path in package.rglob("*") if path.suffix in {".py", ".pyi", ".pyx", ".pxd", ".md"})
    yield from (ROOT / "tests/games").glob(f"test_{game.name}*.py")
    yield from (ROOT / "tests/games").glob(f"{game.name}_*.py")
    yield ROOT / f"docs/notation/{game.name}.md"


def named(text: str) -> set[str]:
    """The ids that a text names."""
    return {
        f"{prefix}-{number}"
        for prefix, first, more in IDS.findall(text)
        for number in (first, *re.findall(r"\d\d[a-z]?", more))
    }


@GAMES
def test_each_ruling_named_stands_on_the_page(game: Game) -> None:
    known = rulings(game)
    assert known == sorted(set(known))
    found = {path: named(path.read_text("utf-8")) for path in sources(game)}
    assert any(found.values())
    assert {path.name: ids - set(known) for path, ids in found.items() if ids - set(known)} == {}


@GAMES
def test_the_page_tells_where_each_option_belongs(game: Game) -> None:
    options = {option.name: option for option in game.options}
    told = [text.partition("=") for text in re.findall("`([^`]+)`", page(game))]
    assert {name for name, _, _ in told} == set(options)
    for name, equals, value in told:
        if equals:
            assert options[name].read(value) != options[name].read(options[name].default)
