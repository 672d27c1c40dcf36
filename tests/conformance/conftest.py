"""One test for each game or variant under test, known to the registry while it runs.

A test of a `variant` runs on a few that have every value of every option among them, other ones for each test; marked
`every_variant`, on all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from mangetout_solver.games import registry

from tests.conformance.budgets import EFFORT
from tests.conformance.subjects import GAMES, covering_variants, single_variants, variants


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "every_variant: run on every variant, not on a few that cover the options")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "variant" in metafunc.fixturenames:
        everywhere = EFFORT > 1 or metafunc.definition.get_closest_marker("every_variant") is not None
        chosen = variants if everywhere else partial(covering_variants, seed=metafunc.function.__name__)
        metafunc.parametrize("variant", [v for game in GAMES for v in chosen(game)], ids=str)
    if "single_variant" in metafunc.fixturenames:
        metafunc.parametrize("single_variant", [v for game in GAMES for v in single_variants(game)], ids=str)
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture(autouse=True, scope="module")
def all_registered() -> Iterator[None]:
    """Records are read by the name of their game; games that only the tests have are found too."""
    with pytest.MonkeyPatch.context() as patch:
        for game in GAMES:
            patch.setitem(registry._GAMES, game.name, game)
        yield
