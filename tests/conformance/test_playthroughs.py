"""Games go on as recorded; `python -m tests.conformance.playthroughs` records them anew."""

from __future__ import annotations

from tests.conformance import playthroughs
from tests.conformance.subjects import GAMES, Variant, single_variants


def test_a_game_goes_as_recorded(single_variant: Variant) -> None:
    path = playthroughs.path(single_variant)
    assert path.is_file(), "not recorded"
    assert playthroughs.text(single_variant).splitlines() == path.read_text("utf-8").splitlines()


def test_no_playthrough_is_left_of_what_is_no_more() -> None:
    expected = {playthroughs.path(variant) for game in GAMES for variant in single_variants(game)}
    assert {path for path in playthroughs.FOLDER.rglob("*") if path.is_file()} == expected
