"""PEAS notation and records: what is written is read again, and what cannot be read is refused with its place."""

from __future__ import annotations

import re
import string
from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mangetout_solver.errors import (
    IllegalMoveError,
    InputError,
    NotationError,
    PositionError,
    PreconditionError,
    UnknownNameError,
)
from mangetout_solver.games import registry
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas.reference import ReferencePosition
from mangetout_solver.games.registry import MAX_NOTATION_LENGTH, parse_record
from peas_tools import (
    COLOURS,
    GAME,
    PROPERTY,
    compiled,
    number_of,
    random_twin,
    random_view,
    text_of,
    twin_of,
    with_hands,
    with_pods_alike,
)

START = "peas +1/-2/+3 B1B2B3 R1R2R3 A"
PLAYED = f"{START} : B1@0 R1@0 B2@1"

seeds = st.integers(0, 2**32)


def random_record(rng: Random) -> Record:
    """A record of some moves from a random start, which need not be the deal."""
    record = Record(GAME, (compiled(random_twin(rng, max_pods=6)),), ())
    for _ in range(rng.randint(0, 8)):
        moves = record.current.legal_moves()
        if moves:
            record = record.play(GAME.format_move(record.current, rng.choice(moves)))
    return record


# ---------------------------------------------------------------- round trips


def test_every_move_reads_back_from_its_text() -> None:
    at = GAME.parse_position("peas{ranks=8} +1/+1/+1/+1/+1/+1/+1/+1/+1/+1/+1/+1 ???????????? ???????????? A")
    assert at.legal_moves() == list(range(12 * 32))
    for move in at.legal_moves():
        text = GAME.format_move(at, move)
        assert re.fullmatch(r"[BRVY][1-8]@(\d|1[01])", text)
        assert number_of(text) == GAME.parse_move(at, text) == move


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("peas +1/-2/+3 B3B1B2 R1R3R2 A", START),
        ("peas +1/-0 Y1B1 V2R1 B", "peas +1/+0 B1Y1 R1V2 B"),
        ("peas{ranks=6} +1/-2/+3 B1B2B3 R1R2R3 A", START),
        ("peas{ranks=06,colours=4} +1/-2/+3 B1B2B3 R1R2R3 A", START),
        ("peas{ranks=5,colours=3} +1 B1 R5 A", "peas{colours=3,ranks=5} +1 B1 R5 A"),
        ("  peas   +1/-2/+3\t\tB1B2B3 \r\n R1R2R3\n\n\tA \n", START),
        (f"# a study\n{START} # to be solved", START),
        ("peas# the game\n+1/-2/+3#pods\nB1B2B3 R1R2R3#hands: A, B\n A#", START),
        (f"{START} :", START),
        (f"{START} :\n  B1@0\tR1@0 # answered\n\n  B2@1\n", PLAYED),
        (f"{START}: B1@0 R1@0 B2@1", PLAYED),
        ("#\n#\n" + START, START),
    ],
)
def test_blanks_comments_and_orders_that_do_not_matter_are_left_out(text: str, expected: str) -> None:
    assert parse_record(text).format() == expected


def test_a_text_may_be_as_long_as_the_limit_and_no_longer() -> None:
    padded = START + " " * (MAX_NOTATION_LENGTH - len(START))
    assert parse_record(padded).format() == START
    with pytest.raises(NotationError) as caught:
        parse_record(padded + " ")
    assert caught.value.column == MAX_NOTATION_LENGTH + 1


def test_a_record_of_a_game_asked_for_by_name() -> None:
    assert parse_record(START, "peas").format() == START
    with pytest.raises(UnknownNameError) as caught:
        parse_record(START, "pease")
    assert (caught.value.field, caught.value.name) == ("game", "pease")


# ---------------------------------------------------------------- refusals

# Each text with a mark at the column that the error names.
MARK = "§"
MALFORMED = (
    "§",
    "§ \n\t",
    "§# only a comment",
    "§chess e2e4",
    "  §Peas +1",
    "# note\n§pea +1 B1 R1 A",
    "peas§",
    "peas§+1/-2 B1B2 R1R2 A",
    "peas§[+1] B1 R1 A",
    "peas§{ranks=5 +1 B1 R1 A",
    "peas§{ +1 B1 R1 A",
    "peas{§} +1 B1 R1 A",
    "peas{§size=5} +1 B1 R1 A",
    "peas{ranks=5,§ranks=5} +1 B1 R1 A",
    "peas{ranks=5,§} +1 B1 R1 A",
    "peas{colours=2,ranks=§x} +1 B1 R1 A",
    "peas{ranks=§} +1 B1 R1 A",
    "peas{ranks§} +1 B1 R1 A",
    "peas{ranks=§-5} +1 B1 R1 A",
    "peas{ranks=§1234567} +1 B1 R1 A",
    "peas{ranks=5}§+1 B1 R1 A",
    "peas §1/-2 B1B2 R1R2 A",
    "peas §+/-2 B1B2 R1R2 A",
    "peas +1§0/-2 B1B2 R1R2 A",
    "peas +1/§ B1B2 R1R2 A",
    "peas +1/-2§, B1B2 R1R2 A",
    "peas   +1/-2§; B1B2 R1R2 A",
    "peas +1[§]/-2 B1B2 R1R2 A",
    "peas +1[§C=B1]/-2 B1B2 R1R2 A",
    "peas +1[A§B1]/-2 B2 R1R2 A",
    "peas +1[A=§G1]/-2 B2 R1R2 A",
    "peas +1[A=B§9]/-2 B2 R1R2 A",
    "peas +1[A=B1§/-2 B2 R1R2 A",
    "peas +1[A=B1,§]/-2 B2 R1R2 A",
    "peas +1[A=B1,B=R1§,A=B2]/-2 - R2 A",
    "peas +1[A=B1,B=R1§/-2 B2 R2 A",
    "peas§",
    "peas +1/-2§",
    "peas +1/-2 §",
    "peas +1/-2 B1B2§",
    "peas +1/-2 B1B2 R1R2§",
    "peas +1/-2 B1B2 R1R2 §",
    "peas +1/-2 B1§x R1R2 A",
    "peas +1/-2 B1B§0 R1R2 A",
    "peas +1/-2 §b1B2 R1R2 A",
    "peas +1/-2 ?§B1 R1R2 A",
    "peas +1/-2 B1§- R1R2 A",
    "peas +1/-2 -§B1 R1R2 A",
    "peas +1/-2 B1B2 R1R2 §C",
    "peas +1/-2 B1B2 R1R2 A§B",
    "peas +1/-2 B1B2 R1R2 A §B1@0",
    "# one line\n\tpeas +1/-2 # pods\n B1B2 §r1R2 A",
    "peas +1/-2 B1B2 R1R2 A # fine\r\n\r\n§;",
    "peas +1/-2 B1B2 R1R2 §\u0391",
    "peas +1/-2 B1B2 R1R2 A #§ä",
    "§\ufeffpeas +1/-2 B1B2 R1R2 A",
    "peas +§\u0661/-2 B1B2 R1R2 A",
    "peas§\u00a0+1/-2 B1B2 R1R2 A",
    "peas§\x00+1/-2 B1B2 R1R2 A",
    "peas +1/-2 B1B2§\x0b R1R2 A",
    "peas +1/-2 B1B2§\x7f R1R2 A",
)


@pytest.mark.parametrize("marked", MALFORMED)
def test_a_malformed_text_is_refused_at_its_column(marked: str) -> None:
    column = marked.index(MARK) + 1
    with pytest.raises(NotationError) as caught:
        parse_record(marked.replace(MARK, ""), field="state.notation")
    error = caught.value
    assert (error.column, error.field) == (column, "state.notation")
    assert error.found
    assert error.expected
    assert str(error) == f"state.notation: column {column}: found {error.found}, expected {error.expected}"


MALFORMED_MOVES = (
    "§B1",
    "§B1@",
    "§b1@0",
    "§B0@0",
    "§B9@0",
    "§B1@x",
    "§B1@0,",
    "§B1@123",
    "§B1@-1",
    "§:",
    "B1@§12",
    "B1@§00",
    "B1@§07",
)


@pytest.mark.parametrize("marked", MALFORMED_MOVES)
def test_a_malformed_move_is_refused_at_its_column(marked: str) -> None:
    """The field names the move, the column the place in it."""
    move = marked.replace(MARK, "")
    with pytest.raises(NotationError) as caught:
        parse_record(f"{PLAYED} {move}")
    assert (caught.value.field, caught.value.column) == ("notation.moves[3]", marked.index(MARK) + 1)
    with pytest.raises(NotationError) as alone:
        GAME.parse_move(GAME.parse_position(START), move)
    assert (alone.value.field, alone.value.column) == ("move", marked.index(MARK) + 1)


@pytest.mark.parametrize(
    ("moves", "field"),
    [("R1@0", "moves[0]"), ("B1@0 B2@0", "moves[1]"), ("B1@0 R1@0 B2@1 R2@2 B3@9", "moves[4]")],
)
def test_an_illegal_move_is_named_by_its_number(moves: str, field: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_record(f"{START} : {moves}", field="record")
    assert caught.value.field == f"record.{field}"
    assert caught.value.reason.startswith(f"{moves.split()[-1]} is illegal: ")


def test_a_move_after_the_end_is_named_by_its_number() -> None:
    with pytest.raises(PreconditionError) as caught:
        parse_record("peas +1 B1 R1 A : B1@0 R1@0 B1@0")
    assert caught.value.field == "notation.moves[2]"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("peas{colours=0} +1 ? ? A", "options.colours: found 0, expected 1 to 4"),
        ("peas{colours=5} +1 ? ? A", "options.colours: found 5, expected 1 to 4"),
        ("peas{ranks=9} +1 ? ? A", "options.ranks: found 9, expected 1 to 8"),
        (f"peas{{ranks=8}} {'/'.join(['+1'] * 13)} {'?' * 13} {'?' * 13} A", "pods: found 13 pods, expected 1 to 12"),
        ("peas{colours=1,ranks=3} +1/+1 ?? ?? A", "pods: found 2 pods, expected at most 1: two cards each"),
        ("peas +1[A=B7] - R1 A", "pods[0]: B7 is not in this deck"),
        ("peas{colours=2} +1/+1 B1V1 R1R2 A", "hands.A: V1 is not in this deck"),
        ("peas +1[A=B1]/+1[B=B1] R1 R2 A", "pods[1]: B1 stands twice"),
        ("peas +1/+1 B1B2 R1R1 A", "hands.B: R1 stands twice"),
        ("peas +1/+1 B1B2 B2R1 A", "hands.B: B2 stands twice"),
        ("peas +1/+1[B=B1,B=B2] R1R2 V1 A", "pods[1]: found two cards of B, expected at most one"),
        ("peas +1/+1 B1B2B3 R1R2 A", "hands.A: found 3 cards, expected 2: one for each open pod"),
        ("peas +1/+1[A=B1] B2? R1R2 A", "hands.A: found 2 cards, expected 1: one for each open pod"),
        ("peas +1/+1 B1B2 - A", "hands.B: found 0 cards, expected 2: one for each open pod"),
        (
            "peas +1[A=B1,B=R1]/+1 B2 B3 A",
            "hands.B: found B3, expected none of a colour that B has shown not to hold",
        ),
        (
            "peas +1[A=B1]/+1[A=B2] - R1R2 A",
            "pods: found 2 cards of A and 0 of B, expected turns that alternate from A",
        ),
        ("peas +1[A=B1]/+1 B2 R1R2 B", "pods: found 1 cards of A and 0 of B, expected turns that alternate from B"),
        (
            "peas{colours=2,ranks=2} +1[A=B1,B=R1]/+1 R2 ? A",
            "hands: the unseen cards are too few or of colours shown not to be held",
        ),
        (
            "peas +1[A=B1,B=R1]/+1[A=R2,B=B2] - - A",
            "pods: no order of play leads here: a colour not held cannot be played later on",
        ),
    ],
)
def test_a_position_out_of_reach_is_refused_with_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_record(text, field="state.notation")
    assert (caught.value.field, caught.value.reason) == ("state.notation", reason)
    assert str(caught.value) == f"state.notation: {reason}"


# ---------------------------------------------------------------- any text at all


def read(text: str) -> Record | InputError:
    """The record, or the error that refuses it."""
    try:
        return parse_record(text)
    except InputError as error:
        return error


def assert_read_or_refused(text: str) -> None:
    """A text is read, and then written and read again as the same, or refused as input."""
    found = read(text)
    if isinstance(found, Record):
        assert parse_record(found.format()) == found
        return
    assert found.field.startswith("notation")
    assert found.reason
    if isinstance(found, NotationError):
        assert 1 <= found.column <= MAX_NOTATION_LENGTH + 1


ALPHABET = string.printable + "BRVYAB?@:+-/[]{}=,# " * 3


@PROPERTY
@given(st.text() | st.text(ALPHABET) | st.text(ALPHABET).map(lambda rest: "peas " + rest))
@example("peas{ranks=\u00b2} +1 B1 R1 A")
@example("peas : : :")
@example("peas :")
@example(":")
def test_any_text_is_read_or_refused(text: str) -> None:
    assert_read_or_refused(text)


def test_slips_of_one_character_are_read_or_refused_and_both_happen() -> None:
    verdicts = set()
    for at in range(len(PLAYED)):
        for text in (PLAYED[:at] + PLAYED[at + 1 :], *(PLAYED[:at] + c + PLAYED[at + 1 :] for c in "B3A?+ {:@/")):
            assert_read_or_refused(text)
            verdicts.add(type(read(text)).__name__)
    assert verdicts == {"Record", "NotationError", "PositionError", "IllegalMoveError"}


@pytest.mark.parametrize(
    "text",
    [
        "?" * 100_000,
        "peas " + "+1/" * 6_000,
        "peas " + "+1/" * 6_000 + "+1 ? ? A",
        "peas +1 " + "B1" * 9_000 + " ? A",
        "peas +1 " + "?" * 19_000 + " ? A",
        "peas{" + "ranks=5," * 2_000 + "} +1 ? ? A",
        "peas{ranks=" + "5" * 19_000 + "} +1 ? ? A",
        "peas +1 B1 R1 A : " + "B1@0 " * 3_900,
        "peas +1 B1 R1 A : B1@" + "0" * 19_000,
        "#" * 20_000,
        "#\n" * 10_000,
        " " * 20_000,
        "peas +1[" * 2_000,
        "{" * 20_000,
        "\u2028" * 30_000,
    ],
)
def test_huge_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_record(text)
    assert len(str(caught.value)) < 200


@PROPERTY
@given(st.text() | st.text(ALPHABET).map(lambda rest: "peas +1 " + rest) | st.text().map(lambda rest: "peas{" + rest))
@example("peas{ranks=\u00b2} +1 B1 R1 A")
@example("peas{ranks=\u0665} +1 B1 R1 A")
@example("peas +\u0661 B1 R1 A")
def test_any_position_text_is_read_or_refused_by_the_game_itself(text: str) -> None:
    field = "start"
    try:
        assert text_of(GAME.parse_position(text, "start"))
    except (NotationError, PositionError) as error:
        field = error.field
    assert field == "start"


@PROPERTY
@given(st.text() | st.from_regex(r"[BRVY]\d@\d{1,2}", fullmatch=True))
def test_any_move_text_is_read_or_refused(text: str) -> None:
    at = GAME.parse_position(START)
    if re.fullmatch(r"[BRVY][1-8]@([0-9]|1[01])", text):
        assert GAME.format_move(at, GAME.parse_move(at, text)) == text
    else:
        with pytest.raises(NotationError, match="move: column"):
            GAME.parse_move(at, text)


# ---------------------------------------------------------------- canonical key


def with_colours(twin: ReferencePosition, names: dict[str, str]) -> ReferencePosition:
    """The same round with the colours renamed."""

    def renamed(card: str) -> str:
        return names[card[0]] + card[1]

    hands = ([renamed(card) for card in twin.hands[0]], [renamed(card) for card in twin.hands[1]])
    plays = [[(seat, renamed(card)) for seat, card in on_pod] for on_pod in twin.plays]
    return ReferencePosition(twin.pods, hands, twin.unknown, plays, twin.pea, twin.colours, twin.ranks)


def renamings(twin: ReferencePosition) -> list[ReferencePosition]:
    letters = COLOURS[: twin.colours]
    return [with_colours(twin, dict(zip(letters, names, strict=True))) for names in permutations(letters)]


def test_the_key_is_the_same_under_any_renaming_of_the_colours() -> None:
    for seed in range(100):
        rng = Random(seed)
        twin = random_view(rng, max_pods=10) if seed % 2 else random_twin(rng)
        positions = [compiled(renamed) for renamed in renamings(twin)]
        keys = {GAME.key(position) for position in positions}
        assert len(keys) == 1
        assert list(GAME.symmetries(positions[0]).values()) == positions
        assert re.fullmatch("[0-9a-f]{32}", keys.pop())


def test_the_key_tells_apart_what_no_renaming_makes_the_same() -> None:
    """Thousands of positions of small games, many of them alike: as many keys as classes under renaming."""
    by_class: dict[str, str] = {}
    positions = 0
    for seed in range(1600):
        rng = Random(100_000 + seed)
        twin = random_twin(rng, max_pods=2, max_ranks=3)
        if seed % 2:
            twin = random_view(rng, max_pods=2, max_ranks=3)
        twin = with_pods_alike(twin)
        positions += 1
        key = GAME.key(compiled(twin))
        assert by_class.setdefault(min(renamed.text() for renamed in renamings(twin)), key) == key, twin
    assert len(set(by_class.values())) == len(by_class)
    assert 250 < len(by_class) < positions * 0.7


@pytest.mark.parametrize(
    "other",
    [
        "peas +1/-2[B=B2,A=R1]/+3 V1Y1 V2Y2 B",
        "peas +1/-2[A=R1,B=B2]/+3 V1Y1 V2Y3 A",
        "peas +1/-2[A=R1,B=B2]/+3 V1Y1 Y2V3 A",
        "peas +2/-2[A=R1,B=B2]/+3 V1Y1 V2Y2 A",
        "peas -2[A=R1,B=B2]/+1/+3 V1Y1 V2Y2 A",
        "peas{ranks=5} +1/-2[A=R1,B=B2]/+3 V1Y1 V2Y2 A",
        "peas +1/-2[A=R1,B=B3]/+3 V1Y1 V2Y2 A",
        "peas +1/-2[A=R1,B=R2]/+3 V1Y1 V2Y2 A",
        "peas +1/-2[A=R1,B=B2]/+3 V1Y1 Y2? A",
        "peas +1/-2[A=R1,B=B2]/+3 V1Y1 ?? A",
        "peas +1/-2[A=R1,B=B2]/+3 B1Y1 V2Y2 A",
        "peas +1/-2/+3[A=R1,B=B2] V1Y1 V2Y2 A",
        "peas +1/-2/+3 V1Y1R1 V2Y2B2 A",
    ],
)
def test_the_key_tells_every_part_of_a_position_apart(other: str) -> None:
    base = GAME.parse_position("peas +1/-2[A=R1,B=B2]/+3 V1Y1 V2Y2 A")
    assert GAME.key(GAME.parse_position(other)) != GAME.key(base)


# ---------------------------------------------------------------- positions as values


def test_two_orders_of_the_same_plays_give_the_same_position() -> None:
    one = parse_record("peas +1/-2/+3 B1B2B3 R1R2R3 A : B1@0 R1@0 B2@1 R2@1").current
    two = parse_record("peas +1/-2/+3 B1B2B3 R1R2R3 A : B2@1 R2@1 B1@0 R1@0").current
    assert one == two
    assert hash(one) == hash(two)
    assert one.information_key(-1) == two.information_key(-1)


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("B6@2", "blue 6 on pod 2 (+3)"),
        ("R2@0", "pink 2 on pod 0 (+1, against R1)"),
        ("V3@1", "purple 3 on pod 1 (-2)"),
        ("Y4@1", "yellow 4 on pod 1 (-2)"),
    ],
)
def test_moves_are_told_in_words(move: str, expected: str) -> None:
    position = GAME.parse_position("peas +1[B=R1]/-2/+3/+0 B6R2V3Y4 B1B2B3 B")
    assert GAME.describe_move(position, number_of(move)) == expected


def test_a_seat_knows_its_own_cards_unless_one_is_unknown() -> None:
    position = GAME.parse_position("peas +1/-2/+3 B1B2? R1R2R3 A")
    assert [GAME.knows_own_cards(position, seat) for seat in (0, 1)] == [False, True]


def test_a_game_is_found_by_its_name_alone() -> None:
    assert registry.game("peas") is GAME
    assert twin_of(GAME.parse_position(START)).text() == START
    assert with_hands(twin_of(GAME.parse_position(START)), (["B1", "B2", "B3"], []), (0, 3)).text().endswith("??? A")
