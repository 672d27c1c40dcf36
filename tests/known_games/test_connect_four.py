"""Connect four: published counts, values by brute force, known tactics, notation."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from mangetout_known_games.connect_four import ConnectFour
from mangetout_known_games.connect_four.reference import ReferencePosition
from mangetout_solver.analysis import Analysis, Exact, SolutionConcept, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions

GAME = ConnectFour()


def record(rows: str) -> Record:
    """A position from its rows, given with blanks between and empty ones on top left out."""
    lines = rows.split()
    width = len(lines[0])
    return Record(
        GAME, (GAME.parse_position("connect_four " + "/".join(["." * width] * (6 - len(lines)) + lines)),), ()
    )


def search(start: Record, simulations: int, *, solve: bool = False) -> Analysis:
    limits = Limits(simulations=simulations, until_solved=solve, memory_bytes=512 << 20)
    return analyze(start, limits=limits, options=SearchOptions(seed=1))


# ---------------------------------------------------------------- counts


def test_sequences_and_positions_are_as_many_as_published() -> None:
    """Sequences of play on the standard board (perft), and different positions (OEIS A212693), by number of stones."""
    sequences = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    positions = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]
    ways = Counter({GAME.deal(0, {}): 1})
    ended = 0
    for depth, count in enumerate(sequences):
        assert len(ways) == positions[depth]
        assert sum(ways.values()) == count
        # The count of the common interface has each game that ended sooner as well.
        assert GAME.deal(0, {}).count_sequences(depth, 10**7) == count + ended
        if depth + 1 == len(sequences):
            break
        reached: Counter[Position] = Counter()
        for position, number in ways.items():
            ended += number * position.is_terminal
            for move in position.legal_moves():
                reached[position.play(move)] += number
        ways = reached
    assert ended > 0


# ---------------------------------------------------------------- values


@cache
def value(columns: tuple[str, ...], rows: int, connect: int) -> float:
    """The mover's share of the win by brute force, in plain Python; columns from the bottom."""
    mover = "AB"[sum(map(len, columns)) % 2]
    best = 0.0 if any(len(column) < rows for column in columns) else 0.5
    for index, column in enumerate(columns):
        if len(column) < rows:
            after = (*columns[:index], column + mover, *columns[index + 1 :])
            best = max(best, 1.0 if wins(after, index, connect) else 1.0 - value(after, rows, connect))
        if best == 1.0:
            break
    return best


def wins(columns: tuple[str, ...], at: int, connect: int) -> bool:
    """Whether the top stone of a column stands in a line of its colour."""
    height, stone = len(columns[at]) - 1, columns[at][-1]
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            x, y = at + sign * right, height + sign * up
            while 0 <= x < len(columns) and 0 <= y < len(columns[x]) and columns[x][y] == stone:
                length, x, y = length + 1, x + sign * right, y + sign * up
        if length >= connect:
            return True
    return False


def proven_value(position: Position) -> float:
    """What the engine proves for the mover."""
    analysis = search(Record(GAME, (position,), ()), 10**7, solve=True)
    assert analysis.concept is SolutionConcept.PERFECT_INFORMATION
    assert analysis.stop_reason is StopReason.SOLVED
    share = analysis.values[analysis.seat_to_move].win_share
    assert isinstance(share, Exact)
    return share.value


def columns_of(position: Position) -> tuple[str, ...]:
    rows = GAME.format_position(position).split()[1].split("/")
    return tuple("".join(cells).rstrip(".") for cells in zip(*reversed(rows), strict=True))


@pytest.mark.parametrize("connect", [2, 3, 4])
def test_small_boards_are_proven_to_be_worth_what_brute_force_says(connect: int) -> None:
    values = set()
    for rows, columns in product(range(1, 6), range(1, 5)):
        if connect == 4 and rows * columns > 12:
            continue
        start = GAME.deal(0, {"rows": str(rows), "columns": str(columns), "connect": str(connect)})
        expected = value(("",) * columns, rows, connect)
        assert proven_value(start) == expected, (rows, columns)
        values.add(expected)
    assert values == ({0.5, 1.0} if connect < 4 else {0.5})


@pytest.mark.parametrize(("rows", "columns", "plies"), [(4, 4, 6), (5, 4, 8), (4, 5, 8), (6, 7, 30)])
def test_later_positions_are_proven_to_be_worth_what_brute_force_says(rows: int, columns: int, plies: int) -> None:
    chooser = Random(rows * columns)
    values = Counter[float]()
    while values.total() < 25:
        position = GAME.deal(0, {"rows": str(rows), "columns": str(columns)})
        while not position.is_terminal and sum(map(len, columns_of(position))) < plies:
            position = position.play(chooser.choice(position.legal_moves()))
        if not position.is_terminal:
            expected = value(columns_of(position), rows, 4)
            assert proven_value(position) == expected, GAME.format_position(position)
            values[expected] += 1
    assert len(values) > 1


def test_four_by_four_is_a_draw() -> None:
    """As published. One opening move of each mirrored pair, as the whole tree takes long."""
    start = GAME.deal(0, {"rows": "4", "columns": "4"})
    assert {proven_value(start.play(move)) for move in (0, 1)} == {0.5}


# ---------------------------------------------------------------- tactics


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ("...A... ...A.B. ...A.B.", {"4"}),  # three in a column
        ("BBB.AAA", {"4"}),  # both want the gap
        ("..AA... .ABB... ABBA..B", {"4"}),  # a rising diagonal
        ("...B... .A.BA.. .A.BA..", {"4"}),  # the other's three must be stopped
        ("BB..... AAA....", {"4"}),  # B stops a row of three
    ],
)
def test_a_win_is_taken_and_a_loss_stopped(rows: str, best: set[str]) -> None:
    for seed in range(5):
        analysis = analyze(record(rows), limits=Limits(simulations=2000), options=SearchOptions(seed=seed))
        assert analysis.best_move in best


def test_two_open_ends_are_proven_to_win() -> None:
    """Two in the bottom row with room on both sides become three that cannot be stopped."""
    analysis = search(record("..BB... ..AA..."), 200_000, solve=True)
    assert analysis.stop_reason is StopReason.SOLVED
    assert analysis.best_move in ("2", "5")
    assert analysis.values[0].win_share == Exact(1.0)
    assert len(analysis.lines[0].principal_variation) == 3


def test_the_middle_is_the_best_beginning() -> None:
    """The only first move that wins (Allen 1988, Allis 1988)."""
    assert search(record("......."), 100_000).best_move == "4"


# ---------------------------------------------------------------- notation, keys, errors


def test_mirror_images_share_a_key() -> None:
    chooser = Random(3)
    keys = {}
    for _ in range(300):
        position = GAME.deal(0, {})
        for _ in range(chooser.randint(0, 12)):
            if position.is_terminal:
                break
            position = position.play(chooser.choice(position.legal_moves()))
        rows = GAME.format_position(position).split()[1].split("/")
        mirrored = GAME.parse_position("connect_four " + "/".join(row[::-1] for row in rows))
        assert GAME.key(position) == GAME.key(mirrored)
        assert keys.setdefault(GAME.key(position), frozenset((position, mirrored))) == {position, mirrored}
    assert len(keys) > 200
    assert GAME.key(GAME.deal(0, {})) != GAME.key(GAME.deal(0, {"connect": "3"}))


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("", 1, "the end"),
        ("connect_fours ...", 13, "'s'"),
        ("  connect_four", 15, "the end"),
        ("connect_four{connect=x} ...", 22, "'x'"),
        ("connect_four{rows=4} ...", 14, "'rows=4'"),
        ("connect_four ..c/...", 16, "'c/...'"),
        ("connect_four .../..", 18, "'..'"),
        ("connect_four ...//...", 18, "'/...'"),
        ("connect_four /...", 14, "'/...'"),
        ("connect_four ... ...", 18, "'...'"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_column(text: str, column: int, found: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse_position(text, "here")
    assert (caught.value.field, caught.value.column, caught.value.found) == ("here", column, found)


@pytest.mark.parametrize(
    "board",
    [
        "B..",  # B does not begin
        "AA.",
        "A../.B.",  # a stone in the air
        "AA./BB.",  # no stone of A below
        "B.../A.../BBBB/AAAA",  # B's line came after A's
        "AAA./AAAA/BBB./BBBA",
    ],
)
def test_a_board_that_no_play_leads_to_is_refused(board: str) -> None:
    text = f"connect_four {board}"
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(text)
    assert caught.value.field == "notation"
    with pytest.raises(ValueError, match="no order"):
        ReferencePosition.from_text(text)


def test_small_boards_are_read_exactly_if_play_leads_there() -> None:
    """All fillings of a board of 3 x 3 with connect 3: as many are read as the twin can reach."""
    reachable = set()
    todo = [GAME.deal(0, {"rows": "3", "columns": "3", "connect": "3"})]
    while todo:
        position = todo.pop()
        if position not in reachable:
            reachable.add(position)
            todo += [position.play(move) for move in position.legal_moves()]
    read = set()
    for cells in product(".AB", repeat=9):
        text = "".join(cells)
        try:
            read.add(GAME.parse_position(f"connect_four{{connect=3}} {text[:3]}/{text[3:6]}/{text[6:]}"))
        except PositionError:
            continue
    assert read == reachable


def test_moves_are_refused_with_a_reason() -> None:
    with pytest.raises(InputError, match="column 1 is full"):
        record("B...... A...... B...... A...... B...... A......").play("1")
    with pytest.raises(InputError, match="expected 1 to 7"):
        record(".......").play("8")
    with pytest.raises(NotationError):
        record(".......").play("0")


def test_a_board_too_large_is_refused() -> None:
    for board in ("........./.........", "./././././././././.", "/".join(["........"] * 8)):
        with pytest.raises(PositionError, match="expected up to 7 rows of 8, or 8 of 7"):
            GAME.parse_position(f"connect_four {board}")
    with pytest.raises(InputError, match=r"options\.rows"):
        GAME.deal(0, {"rows": "8", "columns": "8"})
    assert len(GAME.deal(0, {"rows": "7", "columns": "8"}).legal_moves()) == 8
    assert GAME.deal(0, {"rows": "8", "columns": "7"}).max_steps == 56
