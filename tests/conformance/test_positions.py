"""Positions are values, and positions and records read back from their texts."""

from __future__ import annotations

import copy
import pickle
import string
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from mangetout_solver.errors import InputError, NotationError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

from tests.conformance.budgets import ALIKE, FEW, MANY, SOME, STEPS
from tests.conformance.play import random_states, sights, steps, stretches, views, whole_games
from tests.conformance.subjects import Variant, spread

# ---------------------------------------------------------------- values


def test_a_copy_is_equal_and_a_step_further_is_not(variant: Variant) -> None:
    for before, after in (pair for record in stretches(variant) for pair in pairwise(record.positions)):
        for again in (copy.copy(before), copy.deepcopy(before), pickle.loads(pickle.dumps(before))):
            assert again == before
            assert hash(again) == hash(before)
            assert (again.legal_moves(), again.seat_to_move) == (before.legal_moves(), before.seat_to_move)
        assert before != after
        assert before != variant.game.format_position(before)


def test_using_a_position_leaves_it_as_it_is(variant: Variant) -> None:
    for position, rng in random_states(variant, FEW):
        before = pickle.dumps(position)
        for seat in range(position.players):
            position.redacted(seat).determinize(rng.getrandbits(32))
            position.information_key(seat)
        for step in steps(position):
            position.play(step)
        position.random_playout(rng.getrandbits(32))
        position.count_sequences(2, 10**5)
        variant.game.key(position)
        assert pickle.dumps(position) == before


@pytest.mark.parametrize("registered", registry.games(), ids=lambda game: game.name)
def test_a_position_is_unpickled_in_a_process_that_did_nothing_before(registered: Game) -> None:
    position = registered.deal(1, {})
    program = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).legal_moves())"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(position), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().strip() == str(position.legal_moves())


# ---------------------------------------------------------------- notation


def test_every_position_and_view_reads_back_from_its_text(variant: Variant) -> None:
    game = variant.game
    for position in whole_games(variant, MANY):
        for shown in sights(position):
            text = game.format_position(shown)
            assert game.parse_position(text) == shown
            assert game.format_position(game.parse_position(text)) == text
            assert len(text) <= registry.MAX_NOTATION_LENGTH


def test_positions_are_equal_exactly_if_their_texts_are(variant: Variant) -> None:
    """Also where other orders of moves led to them: equal texts, equal bytes."""
    by_text: dict[str, Position] = {}
    start = variant.deal(3)
    rng = Random(3)
    for _ in range(ALIKE // 8):
        position = start
        for _ in range(8):
            if position.is_terminal:
                break
            position = position.play(rng.choice(steps(position)[:3]))
            text = variant.game.format_position(position)
            same = by_text.setdefault(text, position)
            assert same == position, text
            assert hash(same) == hash(position)
    assert len(set(by_text.values())) == len(by_text)


def test_records_read_back_from_their_texts(variant: Variant) -> None:
    for whole in stretches(variant):
        record = Record(variant.game, whole.positions[:1], ())
        for position, step in zip(whole.positions[1:], whole.moves, strict=True):
            record = record.play(variant.game.format_move(record.current, step))
            assert record.current == position
        assert record == whole
        for end in spread(0, len(whole.moves), 6):
            part = Record(variant.game, whole.positions[: end + 1], whole.moves[:end])
            assert parse_record(part.format()) == part
        later = Record(variant.game, whole.positions[1:], whole.moves[1:])
        assert parse_record(later.format()) == later


def test_a_record_as_a_seat_sees_it_has_the_views_of_the_seat(variant: Variant) -> None:
    for record in stretches(variant, STEPS // 2):
        for seat in range(record.current.players):
            seen = record.redacted(seat)
            assert seen.positions == tuple(position.redacted(seat) for position in record.positions)
            assert parse_record(seen.format()) == seen
            assert seen.redacted(seat) == seen


# ---------------------------------------------------------------- any text at all


def refusal(read: Callable[[str], object], text: str) -> InputError | None:
    """The error that refuses a text, if it is refused."""
    try:
        read(text)
    except InputError as error:
        return error
    return None


def assert_read_or_refused(read: Callable[[str], object], text: str, field: str) -> bool:
    """A text is read, or refused as input that names its field and, where the grammar is broken, the column."""
    error = refusal(read, text)
    if error is not None:
        assert error.field == field or error.field.startswith(f"{field}."), text
        assert error.reason, text
        assert len(str(error)) < 400, text
    if isinstance(error, NotationError):
        assert 1 <= error.column <= len(text) + 1, text
        assert error.found, text
        assert error.expected, text
    return error is None


def with_slips(text: str, rng: Random) -> str:
    """The text with some characters deleted, inserted, replaced or repeated."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        alphabet = string.printable + text * 2 + "\u00b2\u0661\u00e4"
        characters = "".join(rng.choices(alphabet, k=rng.randint(1, 3)))
        end = rng.randint(at, min(len(text), at + 12))
        text = rng.choice(
            (
                text[:at] + text[at + rng.randint(1, 3) :],
                text[:at] + characters + text[at:],
                text[:at] + characters + text[at + len(characters) :],
                text[:end] + text[at:end] + text[end:],
                text[:at],
            )
        )
    return text


def test_a_text_with_slips_is_read_or_refused(variant: Variant) -> None:
    game = variant.game
    verdicts = set()
    for position, rng in random_states(variant, SOME):
        shown = rng.choice((position, *views(position)))
        move = game.format_move(position, rng.choice(steps(position)))
        for _ in range(6):
            slipped = with_slips(game.format_position(shown), rng)
            verdicts.add(assert_read_or_refused(partial(game.parse_position, field="start"), slipped, "start"))
            slipped = with_slips(f"{game.format_position(position)} : {move} {move}", rng)
            assert_read_or_refused(partial(parse_record, field="start"), slipped, "start")
            slipped = with_slips(move, rng)
            verdicts.add(assert_read_or_refused(partial(game.parse_move, position, field="step"), slipped, "step"))
    assert verdicts == {False, True}


def test_huge_texts_are_refused(game: Game) -> None:
    start = game.format_position(game.deal(1, {}))
    move = game.format_move(game.deal(1, {}), steps(game.deal(1, {}))[0])
    words = start.split(" ")
    for text in (
        *(" ".join((*words[:k], words[k] * (19_000 // len(words[k])), *words[k + 1 :])) for k in range(len(words))),
        game.name + "{" + "x=1," * 4_000 + "}" + start[len(game.name) :],
        game.name + "{" * 19_000,
        game.name + " " + "?" * 19_000,
        f"{start} : " + f"{move} " * (19_000 // (len(move) + 1)),
        f"{start} : {move}" + "0" * 19_000,
        start + " " * 30_000,
    ):
        assert not assert_read_or_refused(parse_record, text, "notation")
