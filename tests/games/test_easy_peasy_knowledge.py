"""What seats of Easy Peasy can conclude, against all histories of small decks that give them the same tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from mangetout_solver.games.easy_peasy import EasyPeasy, GameView, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

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


# ---------------------------------------------------------------- hands that nobody sees

TABLE = "easy_peasy{{colours=2,ranks=8,hand=2{}}} R7/P7/R6 {} {} - {} {} 0-0-0 0-0-0 1/9 {} {}/A"


def may_hold(cards: tuple[int, ...], seat: int, game: GameView) -> bool:
    """Whether a seat may hold these cards by what it has shown, and by having to play after a flip."""
    era_of = {card: era for era, pool in enumerate(game.eras) for card in pool}
    for shown in game.showings:
        beyond = [
            era_of[card]
            for card in cards
            if (card // 6 + 1 <= shown.rank if shown.above else card // 6 + 1 >= shown.rank)
        ]
        if shown.seat == seat and (min(beyond, default=8) < shown.era or beyond.count(shown.era) > shown.free):
            return False
    if game.settings.stuck == "forbid" and game.phase == "flipped" and game.seat == seat:
        tops = [top // 6 for top in game.tops if top is not None]
        return any(card // 6 >= min(tops) if game.direction == "up" else card // 6 <= max(tops) for card in cards)
    return True


def all_hands(game: GameView, seat: int, left: set[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to hand out the hidden cards to this seat and those after it."""
    if seat == len(game.hands):
        yield ()
        return
    wanted = game.hands[seat].unknown
    for cards in combinations(sorted(left), sum(wanted)):
        counts = tuple(sum(card in pool for card in cards) for pool in game.eras)
        if counts == wanted and may_hold(cards, seat, game):
            for others in all_hands(game, seat + 1, left - set(cards)):
                yield cards, *others


@pytest.mark.parametrize(
    "text",
    [
        TABLE.format("", "??/???/??", "P8,R8", "-", "A>4@0+1,B<5@0+0,C>3@0+1", "up", "turn"),
        TABLE.format("", "????/??/??", "P8,R8", "-", "B>4@0+1,A<6@0+3", "down", "turn"),
        TABLE.format("", "??1/?1?1/??????", "P8,R8", "R1P1R4P6", "B<7@1+1,A>2@0+0,C>1@0+5", "up", "turn"),
        TABLE.format("", "???1/?1/?????", "P8,R8", "R1P1R4P6", "A>3@1+0", "down", "turn"),
        TABLE.format("", "?????1/?1/???", "P8,R8", "R1P1R4P6", "A>3@0+2,B>3@1+0", "down", "turn"),
        TABLE.format(",stuck=forbid", "??/???/??", "P3,R3", "-", "-", "down", "flipped"),
        TABLE.format(",stuck=forbid", "???/?????1/?", "P3,R3", "R1P2R5", "-", "down", "flipped"),
    ],
)
def test_worlds_of_hands_that_nobody_sees(text: str) -> None:
    seen = parse_record(text).current
    game = view(seen)
    worlds = [tuple(hand.cards for hand in view(world).hands) for world in seen.worlds()]
    assert len(set(worlds)) == len(worlds) == seen.count_worlds() > 1
    assert set(worlds) == set(all_hands(game, 0, {card for pool in game.eras for card in pool}))


def test_rare_worlds_are_drawn_equally_often() -> None:
    """10 of 715 ways to draw four of thirteen cards: too few to be met by trying."""
    text = "easy_peasy{colours=2,ranks=9,hand=2} R1/P1 P2/???? P9,R2 - - B>7@0+1 0-0 0-0 1/9 up turn/A"
    seen = parse_record(text).current
    drawn = Counter(seen.determinize(seed) for seed in range(600))
    assert set(drawn) == set(seen.worlds())
    assert len(drawn) == 10
    assert all(abs(count - 60) < 37 for count in drawn.values())  # five standard deviations
