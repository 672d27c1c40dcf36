"""The exchanges that steps build up, against all multisets of cards that could be given and taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from random import Random

import pytest
from erbsenzaehlen_tools import ONE_CARD, current, game
from mangetout_solver.games.erbsenzaehlen import Erbsenzaehlen, view
from mangetout_solver.games.position import Position

GAME = Erbsenzaehlen()
VALUES = range(1, 7)
# Enough cards of each kind for any position drawn here.
CARDS = "cards=31/31/31/31/31/31,red=10/10/10/10/10/10,mush=0"
Cards = tuple[int, ...]


def unprotected(position: Position, seat: int) -> Cards:
    return tuple(len(column) - len(column.rstrip("G")) for column in view(position).players[seat].columns)


def points(cards: Cards) -> int:
    return sum(value * count for value, count in zip(VALUES, cards, strict=True))


def parts(cards: Cards) -> Iterator[Cards]:
    """All multisets of the cards but the empty one."""
    return (part for part in product(*(range(count + 1) for count in cards)) if any(part))


def given_to(partners: int, cards: Cards) -> Iterator[tuple[Cards, ...]]:
    """All ways to give something of the cards to each of so many partners."""
    if partners == 0:
        yield ()
        return
    for part in parts(cards):
        left = tuple(count - gone for count, gone in zip(cards, part, strict=True))
        yield from ((part, *rest) for rest in given_to(partners - 1, left))


def written(partners: tuple[int, ...], given: tuple[Cards, ...], taken: tuple[Cards, ...]) -> str:
    """An exchange as one word."""
    words = [
        "".join(f"-{value}" * out[value - 1] + f"+{value}" * back[value - 1] for value in reversed(VALUES))
        for out, back in zip(given, taken, strict=True)
    ]
    return f"x{''.join('ABCDE'[seat] for seat in partners)}{','.join(words)}."


def differences(
    mover: int, partners: tuple[int, ...], given: tuple[Cards, ...], taken: tuple[Cards, ...]
) -> dict[tuple[int, int], int]:
    """By seat and value, cards more after the exchange than before."""
    found: Counter[tuple[int, int]] = Counter()
    for seat, out, back in zip(partners, given, taken, strict=True):
        for value in VALUES:
            found[seat, value] += out[value - 1] - back[value - 1]
            found[mover, value] += back[value - 1] - out[value - 1]
    return {place: more for place, more in found.items() if more}


def legal(position: Position, partners: tuple[int, ...]) -> dict[str, bool]:
    """All legal exchanges as words, by the definition; true where no value goes both ways with a partner."""
    shown = view(position)
    mover, limit = shown.seat or 0, shown.options["unlimited_exchanges"]
    if set(partners) & set(shown.traded) or (limit and len(shown.barred) == limit):
        return {}
    barred = [{(seat, value): more for seat, value, more in entry} for entry in shown.barred]
    takes = [list(parts(unprotected(position, seat))) for seat in partners]
    found = {}
    for given in given_to(len(partners), unprotected(position, mover)):
        for taken in product(*takes):
            if sum(map(points, given)) != sum(map(points, taken)):
                continue
            change = differences(mover, partners, given, taken)
            if change and change not in barred:
                both = any(min(out, back) for out, back in zip(chain(*given), chain(*taken), strict=True))
                found[written(partners, given, taken)] = not both
    return found


def words(position: Position, moves: Callable[[Position], list[int]], so_far: str) -> Iterator[tuple[str, Position]]:
    """All exchanges that the steps build up from here, and the positions after them."""
    steps = moves(position)
    assert steps, f"{so_far} cannot be finished: {GAME.format_position(position)}"
    for step in steps:
        text = GAME.format_move(position, step)
        if text == ".":
            yield so_far + text, position.play(step)
        else:
            yield from words(position.play(step), moves, so_far + text)


def check(position: Position) -> int:
    """All exchanges of a position are those of the definition; returns their number."""
    shown = view(position)
    others = [seat for seat in range(position.players) if seat != shown.seat]
    offered = {GAME.format_move(position, move): move for move in position.legal_moves()}
    total = 0
    for count in range(1, 1 + (len(others) if shown.options["partners"] == "pooled" else 1)):
        for partners in combinations(others, count):
            where = f"{partners} in {GAME.format_position(position)}"
            expected = legal(position, partners)
            opening = "x" + "".join("ABCDE"[seat] for seat in partners)
            assert (opening in offered) == bool(expected), where
            if not expected:
                continue
            opened = position.play(offered[opening])
            found = dict(words(opened, Position.legal_moves, opening))
            assert found.keys() == expected.keys(), where
            searched = dict(words(opened, Position.search_moves, opening))
            one_way = {word for word, is_one_way in expected.items() if is_one_way or count > 1}
            assert searched.keys() == one_way, where
            assert set(searched.values()) == set(found.values()), f"other positions are reached: {where}"
            total += len(found)
    return total


def random_display(rng: Random, most: int) -> str:
    """A display with at least one empty column, few unprotected cards and some that are protected."""
    columns = ["".join(rng.choice("GGR") for _ in range(rng.randrange(3))) for _ in VALUES]
    greens = rng.randrange(most + 1)
    for _ in range(greens):
        columns[rng.randrange(6)] += "G"
    columns[rng.randrange(6)] = ""
    return ",".join(column or "-" for column in columns)


def positions(options: str, players: int, count: int, most: int) -> Iterator[Position]:
    rng = Random(options)
    for _ in range(count):
        displays = [random_display(rng, most) for _ in range(players)]
        yield current(game(*displays, centre=ONE_CARD, options=f"{CARDS}{options}"))


def test_exchanges_with_one_partner_are_all_there_are() -> None:
    assert sum(map(check, positions("", 2, 1000, 4))) > 10_000
    assert sum(map(check, positions("", 4, 200, 3))) > 1_000


def test_pooled_exchanges_are_all_there_are() -> None:
    assert sum(map(check, positions(",partners=pooled", 3, 100, 1))) > 1_000
    assert sum(map(check, positions(",partners=pooled", 4, 12, 0))) > 100


@pytest.mark.parametrize("options", [",unlimited_exchanges=7", ",partners=pooled,unlimited_exchanges=3"])
def test_unlimited_exchanges_are_all_that_bring_no_position_back(options: str) -> None:
    rng = Random(3)
    total = barred = 0
    for start in positions(options, 3, 25, 1):
        position = start
        while True:
            total += check(position)
            barred = max(barred, len(view(position).barred))
            openings = [move for move in position.legal_moves() if GAME.format_move(position, move)[0] == "x"]
            if not openings:
                break
            position = position.play(rng.choice(openings))
            while not position.opens_turn:
                position = position.play(rng.choice(position.search_moves()))
    assert total > 500
    assert barred == view(start).options["unlimited_exchanges"]


def test_exchanges_of_many_points_are_as_those_of_few() -> None:
    """Both sides have more than 63 points, beyond which sums are found in another way."""
    text = game("-,-,-,-,RGGGGGGG,GGGGGGG", "-,-,-,GGGGGGGGGGGGGGGGGG,-,G", options=CARDS)
    position = current(text)
    assert min(points(unprotected(position, seat)) for seat in range(2)) > 63
    assert check(position) > 20
    deep = current(text, "xB-6-6-6-6-6-6-6-5-5-5-5-5-5")
    assert {GAME.format_move(deep, move) for move in deep.legal_moves()} == {"+4"}
    assert current(text, "xB-6-6-6-6-6-6-6-5-5-5-5-5-5" + "+4" * 18 + ".").opens_turn


def test_no_exchange_is_missed_where_only_many_cards_make_one() -> None:
    """Single cards of the values make none, but a 6 is worth six 1s and five 6s are six 5s."""
    for own, theirs, found in (
        ("GGGGGG,-,-,-,-,-", "-,-,-,-,-,G", True),
        ("GGGGG,-,-,-,-,-", "-,-,-,-,-,G", False),
        ("-,-,-,-,GGGGGG,-", "-,-,-,-,-,GGGGG", True),
        ("-,-,-,-,GGGGG,-", "-,-,-,-,-,GGGGG", False),
        ("-,-,-,-,GGGGGG,-", "-,-,-,-,-,GGGG", False),
    ):
        position = current(game(own, theirs, options=CARDS))
        assert (len(position.legal_moves()) == 2) == found
        assert check(position) == found


def test_positions_that_bar_others_have_other_keys() -> None:
    """What must not come back is part of what a player knows (EZ-30)."""
    text = "erbsenzaehlen{unlimited_exchanges=3} G,-,-,G,-,G;0,0,0,0,0/G,-,-,-,G,G;0,21,0,0,0"
    text += " 12+3,13+3,12+3,10+3,9+3,7+3;0,5,5,5 - play/A"
    keys = set()
    for barred in ("", "/barred=A1-1A4-1A5+1B1+1B4+1B5-1", "/barred=A1+1A5+1A6-1B1-1B5-1B6+1"):
        position = GAME.parse_position(text + barred)
        keys |= {position.information_key(seat) for seat in (-1, 0, 1)}
    assert len(keys) == 3
