"""Pepper. Corn! with the extended deck: Pawns and Courts, what they convert, and the Excuse (PC-34 to PC-40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from random import Random

import pytest
from mangetout_solver.errors import IllegalMoveError, PositionError
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import GameView, PepperCorn, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

GAME = PepperCorn()
ANY, MATCHING = "deck=extended", "deck=extended,conversion=matching"
BLOCKER, TAKEABLE = "deck=extended,excuse=blocker", "deck=extended,excuse=takeable"
TAKEABLE_MATCHING = "deck=extended,conversion=matching,excuse=takeable"

Capture = tuple[str, frozenset[str]]


def at(text: str, options: str = ANY) -> Position:
    return GAME.parse_position(f"pepper_corn{{{options}}} {text}")


def texts(position: Position) -> set[str]:
    return {GAME.format_move(position, move) for move in position.legal_moves()}


def turns(position: Position) -> set[str]:
    """The whole turns a search tries, each as one word."""
    found = GAME.turns(position, 10_000)
    assert found is not None
    return {"".join(turn.words()) for turn in found}


def chains(position: Position, moves: Callable[[Position], list[int]]) -> Iterator[Capture]:
    """Every capture that can be built up by these moves, as often as it can."""
    unfinished = [(position, "", frozenset[str]())]
    while unfinished:
        at_step, target, laid = unfinished.pop()
        for move in moves(at_step):
            text = GAME.format_move(at_step, move)
            if text == ".":
                yield target, laid
            elif text != "pass":
                cards = laid | {text[1:]} if text[0] in "+~" else laid
                unfinished.append((at_step.play(move), target or text[1:], cards))


def suits(card: str) -> set[str]:
    return set(CARDS[CARD_NUMBERS[card]].suits)


def total(cards: frozenset[str]) -> int:
    return sum(CARDS[CARD_NUMBERS[card]].points for card in cards)


def may_take(game: GameView, target: str, cards: frozenset[str]) -> bool:
    """Whether the cards, whatever converts, take the target: the rulings word by word."""
    if "EX" in cards or not cards:
        return False
    if target == "EX":
        return game.excuse == "takeable"
    if total(cards) < total(frozenset([target])):
        return False
    # PC-08, PC-11: each by itself.
    if all(card[0] == "A" or suits(card) & suits(target) for card in cards):
        return True
    # PC-36, PC-37: all beside one of them.
    return any(
        suits(converter) & suits(target)
        and all(
            game.conversion == "any" or card[0] == "A" or suits(card) & suits(converter) for card in cards - {converter}
        )
        for converter in cards
        if converter[0] in "PC"
    )


def random_turns(options: dict[str, str], count: int) -> list[Position]:
    """Positions at the beginning of a turn from random games; hands are small enough to try all sets."""
    found = []
    for seed in range(count):
        rng = Random(seed)
        position = GAME.deal(seed, options)
        for _ in range(rng.randrange(12, 80)):
            moves = position.legal_moves() or [move for move, _ in position.chance_outcomes()]
            if not moves:
                break
            position = position.play(rng.choice(moves[:-1] or moves))
            game = view(position)
            if game.phase == "play" and game.target is None and len(game.hands[game.seat or 0].cards) <= 11:
                found.append(position)
    return found


@pytest.mark.parametrize("excuse", ["gap", "blocker", "takeable"])
@pytest.mark.parametrize("conversion", ["any", "matching"])
def test_captures_are_those_of_the_rulings_and_the_search_tries_the_minimal_ones(conversion: str, excuse: str) -> None:
    options = {"rows": "3", "columns": "5", "deck": "extended", "hand_a": "8", "hand_b": "8"}
    options |= {"conversion": conversion, "excuse": excuse}
    converted = 0
    positions = random_turns(options, 12)
    for position in positions[:: max(1, len(positions) // 40)]:
        game = view(position)
        hand = game.hands[game.seat or 0].cards
        within_reach = {text[1:] for text in texts(position)} - {"ass"}
        expected = {
            (target, frozenset(cards))
            for target in within_reach
            for cards in chain.from_iterable(combinations(hand, size) for size in range(1, len(hand) + 1))
            if may_take(game, target, frozenset(cards))
        }
        assert set(chains(position, Position.legal_moves)) == expected
        minimal = {
            (target, cards)
            for target, cards in expected
            if not any((target, cards - {card}) in expected for card in cards)
        }
        searched = Counter(chains(position, Position.search_moves))
        assert set(searched) == minimal
        # Each of them once, so that no two lines of a search are the same.
        assert set(searched.values()) <= {1}
        converted += sum(any(card[0] in "PC" for card in cards) and total(cards) > 0 for _, cards in minimal)
    assert converted > 20


def test_a_card_that_nothing_takes_is_not_offered() -> None:
    """The counterpart for targets: within reach, and taken by some set of the hand or not offered."""
    for position in random_turns({"rows": "2", "columns": "4", "deck": "extended", "hand_a": "5", "hand_b": "5"}, 20):
        game = view(position)
        # With two rows each seat reaches its front row from the beginning.
        front = [cell for cell in game.tableau[0 if game.seat == 0 else 1] if cell is not None]
        hand = frozenset(game.hands[game.seat or 0].cards)
        sets = [frozenset(cards) for size in range(1, len(hand) + 1) for cards in combinations(hand, size)]
        for target in front:
            assert (f"x{target}" in texts(position)) == any(may_take(game, target, cards) for cards in sets), target


# PC-34


def test_pawns_and_courts_count_nothing() -> None:
    assert at("9MS 5YKPMSLEX 5ML 3-4 end").scores() == (8, 9)
    # Strength: 5 and nothing do not reach 6.
    assert texts(at("6MW 5MLPMSLCMWK 2MK 0-0 play/A")) == {"pass"}
    # They may be laid down beside cards that are enough.
    assert texts(at("5SW PMSLCSWYXS 2MK 0-0 play/A/x5SW+XS")) == {"+PMSL", "+CSWY", "."}


@pytest.mark.parametrize(
    ("piles", "phase", "seat"),
    [
        ("AS|2WL AM|2MK", "lot", None),
        # 3 points each, and a card more.
        ("AS|2WLPMSL AM|2MK", "play", 1),
        ("AS|2WL AM|2MKCMWK", "play", 0),
        ("AS|2WLEX AM|2MK", "play", 1),
    ],
)
def test_level_points_are_begun_by_the_fewer_cards_whatever_their_rank(
    piles: str, phase: str, seat: int | None
) -> None:
    """PC-06, PC-34, PC-40: each takes the other's pile 0."""
    game = view(parse_record(f"pepper_corn{{deck=extended}} 9MS {piles} 0-0 choose/A : take0 take0 *take00").current)
    assert (game.phase, game.seat) == (phase, seat)


# PC-35, PC-39


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("2MK", {"xPMSL+2MK."}),
        ("XS", {"xPMSL+XS."}),
        ("3LY", {"xPMSL+3LY."}),
        ("AY", {"xPMSL+AY."}),  # an Ace fits all
        ("CMWK", {"xPMSL+CMWK."}),  # PC-39: a converter alone, by a suit that both show
        ("2MK3LYAYCSWY", {"xPMSL+2MK.", "xPMSL+3LY.", "xPMSL+AY.", "xPMSL+CSWY."}),  # one card is enough
        ("4YK", set()),
        ("PMYKEX", {"xPMSL+PMYK."}),
        ("EX", set()),
    ],
)
def test_a_pawn_or_court_is_taken_by_one_card_of_any_of_its_suits(hand: str, words: set[str]) -> None:
    assert turns(at(f"PMSL {hand} - 0-0 play/A")) - {"pass"} == words


def test_a_converter_alone_takes_only_cards_of_rank_0() -> None:
    position = at("PMSL,AM CMWK - 0-0 play/A")
    assert texts(position) == {"xPMSL", "pass"}
    # By itself or as a converter of nothing: the same.
    record = Record(GAME, (position,), ())
    assert record.play("xPMSL+CMWK.").current == record.play("xPMSL~CMWK.").current
    # Two cards that do not share a suit take it too, the one by the other.
    assert texts(at("PMSL 8YKPWLY - 0-0 play/A/xPMSL~PWLY")) == {"+8YK", "."}


# PC-36


@pytest.mark.parametrize(
    ("target", "hand", "words"),
    [
        # The Pawn makes Moons or Suns of both.
        ("9MS", "3LY8YKPMSL", {"x9MS~PMSL+3LY+8YK."}),
        # A suit of the target is needed on the converter.
        ("9WY", "3SK8YKPMSL", set()),
        # Only the others count: 8 do not reach 9.
        ("9MS", "8YKPMSL", set()),
        # Not where nothing has to be converted, nor with a card to spare.
        ("4MS", "6MWPMSL", {"x4MS+6MW."}),
        ("4MS", "2SY3LY4YKPMSL", {"x4MS~PMSL+4YK.", "x4MS~PMSL+2SY+3LY."}),
        # Aces are converted as well, if they were in need of it.
        ("3MW", "AY2SYPSWK", {"x3MW~PSWK+AY+2SY."}),
        # Either of two converters; each leaves another hand.
        ("9MS", "3LY8YKPMSLCMWK", {"x9MS~PMSL+3LY+8YK.", "x9MS~CMWK+3LY+8YK."}),
        # Crowns and cards with one suit.
        ("XM", "XLPMSL", {"xXM~PMSL+XL."}),
    ],
)
def test_a_converter_gives_all_other_cards_a_suit_of_the_target(target: str, hand: str, words: set[str]) -> None:
    assert turns(at(f"{target} {hand} - 0-0 play/A")) - {"pass"} == words


def test_the_converter_goes_to_the_discards_with_the_others() -> None:
    record = parse_record("pepper_corn{deck=extended} 9MS,2MK 3LY8YKPMSL AM 7-2 play/A : x9MS~PMSL+3LY+8YK.")
    assert record.format().endswith(" : x9MS~PMSL+3LY+8YK.")
    assert record.current == at("-,2MK 9MS AM 18-2 play/B")
    middle = at("9MS,2MK 3LY8YKPMSL AM 7-2 play/A/x9MS~PMSL+3LY")
    game = view(middle)
    assert (game.target, game.converter, game.laid) == ("9MS", "PMSL", ("3LY",))
    assert texts(middle) == {"+8YK"}


# PC-37


@pytest.mark.parametrize(
    ("target", "hand", "words"),
    [
        # 8 Betrayal shares no suit with the Pawn.
        ("9MS", "3LY8YKPMSL", set()),
        ("9MS", "3LY8WLPMSL", {"x9MS~PMSL+3LY+8WL."}),
        # 6 Market fits 9 Merchant by itself, but not beside the Court, which would convert 3 Painter.
        ("9LK", "3MW6LKCSWY", set()),
        ("9LK", "3MW6LKCMLY", {"x9LK~CMLY+3MW+6LK."}),
        ("9LK", "7SK2SYPMYK", {"x9LK~PMYK+2SY+7SK."}),
        ("9LK", "8WL2SYPMYK", set()),
        # Aces are excepted.
        ("9MS", "AW8WLPMSL", {"x9MS~PMSL+AW+8WL."}),
    ],
)
def test_the_restriction_holds_for_every_card_beside_the_converter(target: str, hand: str, words: set[str]) -> None:
    assert turns(at(f"{target} {hand} - 0-0 play/A", MATCHING)) - {"pass"} == words


def test_without_converting_a_pawn_restricts_nothing() -> None:
    """PC-37, PC-38: 8 Betrayal fits 6 Market by itself, and so does the Pawn, though they share no suit."""
    assert texts(at("6LK 8YKPMSL - 0-0 play/A/x6LK+8YK", MATCHING)) == {"+PMSL", "."}
    assert texts(at("6LK 8YKPMSL - 0-0 play/A/x6LK", MATCHING)) == {"+8YK"}
    assert texts(at("6LK 8YKPMSL - 0-0 play/A/x6LK", ANY)) == {"+8YK", "~PMSL"}
    with pytest.raises(IllegalMoveError, match="A's cards that CSWY converts reach 0, less than the rank of 9MS"):
        Record(GAME, (at("9MS XMCSWY - 0-0 play/A", MATCHING),), ()).play("x9MS~CSWY")


# PC-38


def test_a_second_converter_is_a_card_of_rank_0_that_the_first_converts() -> None:
    position = at("9MS 3LY8YKPMSLPWLY - 0-0 play/A/x9MS~PMSL+3LY+8YK")
    assert texts(position) == {"+PWLY", "."}
    with pytest.raises(IllegalMoveError, match="a converter is laid down before the other cards"):
        Record(GAME, (position,), ()).play("~PWLY")
    # The restriction lets it in by a suit of both, which any two of them have.
    assert texts(at("9MS 3LY8WLPMSLPWLY - 0-0 play/A/x9MS~PMSL+3LY+8WL", MATCHING)) == {"+PWLY", "."}


# PC-40

ROUND_THE_EXCUSE = "EX,9WY/2MK,XL 2SY3LYPSWK 4YK 0-0 play/A"


def test_the_excuse_is_a_gap_on_the_tableau() -> None:
    position = at(ROUND_THE_EXCUSE)
    # Through it, A reaches 2MK.
    assert texts(position) == {"x2MK", "pass"}
    with pytest.raises(IllegalMoveError, match="the Excuse is a gap and cannot be taken"):
        Record(GAME, (position,), ()).play("xEX")
    assert view(position).tableau[0] == ("EX", "9WY")
    # It does not hold up the end, and nobody gets it.
    end = Record(GAME, (at("EX/2MK 2SYPSWK 4YK 0-0 play/A"),), ()).play("x2MK~PSWK+2SY.").current
    assert end.is_terminal
    assert end.scores() == (4, 4)
    with pytest.raises(PositionError, match="found play on an empty tableau"):
        at("EX,- 2SY 4YK 0-0 play/A")


def test_the_excuse_as_a_blocker_bars_the_way_for_good() -> None:
    position = at(ROUND_THE_EXCUSE, BLOCKER)
    assert texts(position) == {"pass"}
    with pytest.raises(IllegalMoveError, match="the Excuse is a blocker and cannot be taken"):
        Record(GAME, (position,), ()).play("xEX")
    # What is left is something: the game ends by two passes.
    record = Record(GAME, (at("EX/2MK 2SYPSWK 4YK 0-0 play/B", BLOCKER),), ()).play("x2MK+4YK.")
    assert texts(record.current) == {"pass"}
    assert record.play("pass").play("pass").current.is_terminal


def test_a_takeable_excuse_is_taken_by_any_play() -> None:
    position = at(ROUND_THE_EXCUSE, TAKEABLE)
    assert texts(position) == {"xEX", "pass"}
    # A lone converter too, which converts nothing.
    assert turns(position) == {"xEX+2SY.", "xEX+3LY.", "xEX+PSWK.", "pass"}
    named = Record(GAME, (position,), ()).play("xEX")
    assert texts(named.current) == {"+2SY", "+3LY", "+PSWK"}
    assert texts(named.play("+2SY").current) == {"+3LY", "+PSWK", "."}
    # In the hand it is dead, also for another play of rank 0.
    taken = named.play("+2SY+3LY.").current
    assert view(taken).hands[0].cards == ("PSWK", "EX")
    assert texts(at("PMSL EX 4YK 0-0 play/A", TAKEABLE)) == {"pass"}
    assert turns(at(ROUND_THE_EXCUSE, TAKEABLE_MATCHING)) == turns(position)


def test_an_excuse_in_a_hand_is_a_dead_card() -> None:
    assert texts(at("PMSL,2MK EX 4YK 0-0 play/A")) == {"pass"}
    assert texts(at("9MS 3LY8YKPMSLEX - 0-0 play/A/x9MS~PMSL+3LY")) == {"+8YK"}
    with pytest.raises(IllegalMoveError, match="PMSL does not convert EX"):
        Record(GAME, (at("9MS 3LY8YKPMSLEX - 0-0 play/A/x9MS~PMSL"),), ()).play("+EX")


@pytest.mark.parametrize(
    ("cards", "moves", "reason"),
    [
        ("9MS 3LY8YKPMSLPWLY", "x9MS~PWLY", "PWLY shares no suit with 9MS"),
        ("9MS 3LY8YKPMSLPWLY", "x9MS~3LY", "only Pawns and Courts convert other cards"),
        ("9MS 3LY8YKPMSLPWLY", "x9MS~CMWK", "A does not hold CMWK"),
        ("9MS 3LY8YKPMSLPWLY", "x9MS~PMSL.", "the cards laid down reach 0, less than the rank of 9MS"),
        ("9MS 3LY8YKPMSLPWLY", "x9MS+8YK", "8YK shares no suit with 9MS"),
        ("9MS 3LYXWPMSL", "x9MS~PMSL+XW+3LY", "cards are laid down in ascending order"),
        ("9MS XSPMSLCMWK", "x9MS~CMWK~PMSL", "a converter is laid down before the other cards"),
        ("9MS 2WL8MSPMSL", "x9MS~PMSL+8MS", "with 8MS next, the rank of 9MS is out of reach"),
        ("9MS,XM 3MW9LKPMSL", "xXM~PMSL+9LK", "with 9LK next, the rank of XM is out of reach"),
        ("PMYK 3LYPMSL", "xPMYK.", "no card is laid down to take PMYK with"),
        ("PSWK 3LY", "xPSWK", "no card of A's fits PSWK"),
        ("9MS 3LY8YKPMSLPWLY", "~PMSL", "expected a capture or a pass of A"),
    ],
)
def test_what_cannot_be_converted_is_refused_with_the_reason(cards: str, moves: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_record(f"pepper_corn{{deck=extended}} {cards} - 0-0 play/A : {moves}")
    assert caught.value.reason.endswith(f"is illegal: {reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9MS 3LY8YKPMSL - 0-0 play/A/x9MS~PWLY", "stage: PWLY cannot convert cards there"),
        ("9MS 3LY8YKPMSL - 0-0 play/A/x9MS~3LY", "stage: 3LY cannot convert cards there"),
        ("9MS 3LY8YKPMSL - 0-0 play/A/x9MS~PMSL+8YK", "stage: 8YK cannot be laid down there"),
        ("9MS 3LYPMSL - 0-0 play/A/x9MS", "stage: 9MS cannot be taken here"),
        ("EX 3LYPMSL - 0-0 play/A", "stage: found play on an empty tableau, expected the end"),
        ("9MS,EX EX3LYPMSL - 0-0 play/A", "hands.A: EX stands twice"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        at(text)
    assert caught.value.reason.startswith(reason)


def test_conversions_in_words() -> None:
    record = parse_record("pepper_corn{deck=extended} 9MS,PMYK 3LY8YKPMSL AM 7-2 play/A : x9MS~PMSL+3LY+8YK.")
    steps = zip(record.positions, record.moves, strict=False)
    assert [GAME.describe_move(position, move) for position, move in steps] == [
        "take 9 Pact",
        "with Harvest (Pawn of Moons, Suns, Leaves) as a converter",
        "with 3 Savage",
        "with 8 Betrayal",
        "take 9 Pact with 8 Betrayal + 3 Savage, converted by Harvest (Pawn of Moons, Suns, Leaves)",
    ]
    alone = parse_record("pepper_corn{deck=extended} PMYK 3LYPMSL AM 0-0 play/A : xPMYK~PMSL.")
    assert GAME.describe_move(alone.positions[-2], alone.moves[-1]) == (
        "take Watchman (Pawn of Moons, Wyrms, Knots) with Harvest (Pawn of Moons, Suns, Leaves)"
    )
