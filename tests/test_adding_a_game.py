"""A new game touches few places: those that may name it are listed here, and all else finds it by itself.

docs/adding-a-game.md lists the same places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from mangetout_known_games.connect_four import ConnectFour
from mangetout_known_games.kuhn_poker import KuhnPoker
from mangetout_solver import bench
from mangetout_solver.engine import analyze
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game
from mangetout_solver.limits import Limits, SearchOptions

ROOT = Path(__file__).parent.parent
PRODUCT = ("solver", "server", "clients", "proto")
SUFFIXES = {".py", ".pyi", ".pyx", ".pxd", ".proto", ".build"}
PLACES = {
    "solver/mangetout_solver/games/registry.py",
    "solver/mangetout_solver/meson.build",
    # An exact engine, if there is one.
    "solver/mangetout_solver/exact/registry.py",
    # The structured view: its message, the code generated from it, its conversion.
    "proto/mangetout/v1/game.proto",
    "clients/python/mangetout/v1/game_pb2.py",
    "clients/python/mangetout/v1/game_pb2.pyi",
    "server/mangetout_server/views/__init__.py",
    "server/mangetout_server/views/{name}.py",
    # A board for the terminal, if there is one.
    "clients/cli/mangetout_cli/boards/__init__.py",
    "clients/cli/mangetout_cli/boards/{name}.py",
}
# Examples in docstrings, which no game needs.
EXAMPLES = {"clients/python/mangetout_client/sync.py", "clients/python/mangetout_client/aio.py"}
# What connect four, the smallest complete model, may take without its twin.
MOST_LINES = 345


def naming(name: str) -> Iterator[str]:
    """The sources of the product, outside the game's own packages, in which a game is named: as a text, a module or
    member, or in a type; the name may be an English word that others use."""
    camel_case = "".join(map(str.title, name.split("_")))
    word = re.compile(rf"[\"'./]{name}(?![a-z])|(?<![A-Za-z]){camel_case}(?![a-z])")
    own = {ROOT / "solver/mangetout_solver" / part / name for part in ("games", "exact")}
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and not own & {*path.parents} and word.search(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_a_game_is_named_in_few_places(game: Game) -> None:
    found = set(naming(game.name))
    assert "solver/mangetout_solver/games/registry.py" in found
    assert found - EXAMPLES <= {place.format(name=game.name) for place in PLACES}


def test_no_other_game_is_named_in_the_product() -> None:
    """So what follows needs no place at all."""
    assert [*naming("connect_four"), *naming("kuhn_poker"), *naming("leduc_poker")] == []


def test_a_complete_game_is_small() -> None:
    package = ROOT / "tests/known_games/mangetout_known_games/connect_four"
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in package.glob("*.*")}
    assert set(lines) == {"__init__.py", "rules.pyx", "rules.pyi", "reference.py", "meson.build"}
    assert sum(lines.values()) - lines["reference.py"] <= MOST_LINES


def test_a_line_in_the_registry_is_all_that_search_and_benchmark_need(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    monkeypatch.setitem(registry._GAMES, game.name, game)
    monkeypatch.setattr(bench, "SIMULATIONS", 300)
    record = registry.parse_record(game.example)
    assert record.format() == game.example
    analysis = analyze(record, limits=Limits(simulations=300), options=SearchOptions(lines=0))
    assert {line.move for line in analysis.lines} == set("1234567")
    rows = [row for row in bench.run().rows if row.name.startswith("connect_four")]
    assert len(rows) == 2 * len(bench.SEEDS) * len(bench.PLIES)
    assert all(row.simulations == 300 for row in rows)


def test_the_benchmark_takes_of_a_short_game_what_there_is() -> None:
    names = [name for name, _ in bench.positions(KuhnPoker())]
    assert names == [f"kuhn_poker, deal {seed}, after 0 moves" for seed in bench.SEEDS]
