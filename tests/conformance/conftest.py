"""One test for each game or variant under test, known to the registry while it runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mangetout_solver.games import registry

from tests.conformance.subjects import GAMES, VARIANTS, single_variants


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", VARIANTS, ids=str)
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
