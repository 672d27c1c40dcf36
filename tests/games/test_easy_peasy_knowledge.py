"""What seats of Easy Peasy can conclude, against all histories of small decks that give them the same tokens."""

from __future__ import annotations

from random import Random

import pytest
from mangetout_solver.games.easy_peasy import EasyPeasy, GameView, view
from mangetout_solver.games.position import Position

GAME = EasyPeasy()
MOST = 3_000  # histories followed at once
SMALL = [
    {"piles": "1", "colours": "2", "ranks": "6", "hand": "2"},
    {"piles": "1", "colours": "2", "ranks": "8", "hand": "3"},
    {"piles": "2", "colours": "2", "ranks": "9", "hand": "3"},
    {"players": "3", "piles": "1", "colours": "2", "ranks": "8", "hand": "2"},
]


def steps(position: Position) -> list[int]:
    return [outcome for outcome, _ in position.chance_outcomes()] if position.is_chance else position.legal_moves()


def follow(histories: set[Position], token: int, viewer: int) -> set[Position]:
    """All positions that the histories can lead to by an event of which the viewer sees the token."""
    return {
        position.play(step)
        for position in histories
        for step in steps(position)
        if position.observe(step, viewer) == token
    }


def may_get_stuck(position: Position, flip: int) -> bool:
    """Whether the mover may draw such cards that nothing fits after a flip."""
    after = position.play(flip)
    while after.is_chance:
        lowest, *others = [outcome for outcome, _ in after.chance_outcomes()]
        after = after.play(others[-1] if others and view(after).direction == "down" else lowest)
    return {GAME.format_move(after, move) for move in after.legal_moves()} <= {"flip", "stuck"}


def chosen(position: Position, rng: Random) -> int:
    """A step of a game in which players are stuck and discards shuffled more often than in random play."""
    if position.is_chance:
        outcomes, weights = zip(*position.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    moves = position.legal_moves()
    flips = [move for move in moves if GAME.format_move(position, move) == "flip"]
    if flips and (rng.random() < 0.3 or (view(position).phase == "turn" and may_get_stuck(position, flips[0]))):
        return flips[0]
    return rng.choice(moves)


def stays_exact(before: GameView, after: GameView) -> bool:
    """Whether a step is none of those after which a position may say too little."""
    replaced = before.phase == "flipped" and {before.seat} <= {shown.seat for shown in before.showings}
    shuffled_by_forbid = before.settings.stuck == "forbid" and len(after.eras) > 1
    return not replaced and not shuffled_by_forbid and len(after.eras) < 8


def compare(position: Position, histories: set[Position], viewer: int, exact: bool) -> None:
    """The worlds of a view are the histories' positions, or more where the view says too little."""
    seen = position.redacted(viewer)
    listed = seen.worlds()
    worlds = set(listed)
    where = f"{viewer} at {GAME.format_position(position)}"
    assert len(worlds) == len(listed) == seen.count_worlds(), where
    assert worlds == histories if exact else worlds >= histories, where
    # What can come next is what all worlds give together.
    if position.is_chance:
        chances: dict[int, float] = {}
        for world in worlds:
            for step, chance in world.chance_outcomes():
                chances[step] = chances.get(step, 0.0) + chance / len(worlds)
        assert dict(seen.chance_outcomes()) == pytest.approx(chances), where
    else:
        assert set(seen.legal_moves()) == {move for world in worlds for move in world.legal_moves()}, where


@pytest.mark.parametrize("stuck", ["again", "end", "forbid"])
@pytest.mark.parametrize("options", SMALL, ids=lambda options: "-".join(options.values()))
def test_worlds_are_what_all_histories_lead_to(options: dict[str, str], stuck: str) -> None:
    stuck_seen = eras_seen = compared = 0
    for seed in range(20):
        rng = Random(seed)
        position = GAME.deal(seed, {**options, "stuck": stuck, "rounds": "1"})
        viewer = rng.randrange(position.players)
        histories = set(position.redacted(viewer).worlds())
        exact = True
        while view(position).phase != "score" and len(histories) <= MOST:
            compare(position, histories, viewer, exact)
            compared += exact
            step = chosen(position, rng)
            histories = follow(histories, position.observe(step, viewer), viewer)
            before, position = view(position), position.play(step)
            exact = exact and stays_exact(before, view(position))
            stuck_seen += bool(view(position).showings)
            eras_seen += len(view(position).eras) > 2
    assert compared > 100
    assert eras_seen > 20
    assert stuck_seen > 10 or stuck == "forbid"
