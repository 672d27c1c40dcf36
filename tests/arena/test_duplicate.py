"""Units: the same deal and the same later draws from every seat, and players that see their own cards only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b

import mangetout_toys as toys
import pytest
from mangetout_solver.arena.duplicate import play_rotations
from mangetout_solver.arena.seeds import search_seed
from mangetout_solver.arena.settings import Choice, RandomSetting
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

PEAS = game("peas")
ToyGame = Callable[[Callable[[int], Position]], Game]


class Spy:
    """Plays by a rule and remembers, in a list that several may share, what it was shown."""

    def __init__(
        self,
        calls: list[tuple[Spy, Record, int]],
        rule: Callable[[Sequence[int], int], int] = lambda moves, seed: moves[seed % len(moves)],
    ) -> None:
        self.calls = calls
        self.rule = rule

    def choose(self, record: Record, seed: int) -> Choice:
        self.calls.append((self, record, seed))
        return Choice(self.rule(record.current.legal_moves(), seed), 7)


def dealt(game: Game, seed: int) -> Record:
    return Record(game, (game.deal(seed, {}),), ())


def mover(record: Record) -> int:
    seat = record.current.seat_to_move
    assert seat is not None
    return seat


def first(moves: Sequence[int], seed: int) -> int:
    return moves[0]


def last(moves: Sequence[int], seed: int) -> int:
    return moves[-1]


@pytest.mark.parametrize("deal", range(20))
def test_a_seat_that_always_wins_is_worth_nothing_over_a_pair(deal: int, toy_game: ToyGame) -> None:
    start = dealt(toy_game(lambda seed: toys.matrix([[[1.0, 1.0], [1.0, 1.0]]])), deal)
    shares, _ = play_rotations(start, deal, RandomSetting(), Spy([]))
    assert shares == (1.0, 0.0)


@pytest.mark.parametrize("players", [3, 4, 6])
def test_whoever_sits_where_the_winner_is_fixed_wins_a_fair_share(players: int, toy_game: ToyGame) -> None:
    trees = toy_game(lambda seed: toys.random_tree(seed, players=players, branching=1, ties=0))
    for deal in range(20):
        shares, _ = play_rotations(dealt(trees, deal), deal, RandomSetting(), Spy([]))
        assert sorted(shares) == [0.0] * (players - 1) + [1.0]


def test_both_games_of_a_pair_start_from_the_same_deal_with_the_seats_exchanged() -> None:
    for deal in range(5):
        start = dealt(PEAS, deal)
        calls: list[tuple[Spy, Record, int]] = []
        solo, others = Spy(calls), Spy(calls)
        _, usage = play_rotations(start, deal, solo, others)
        for side in (solo, others):
            assert Counter(mover(record) for who, record, _ in calls if who is side) == {0: 10, 1: 10}
        for _, record, _ in calls:
            assert record.positions[0] == start.current.redacted(mover(record))
        assert [(side.moves, side.simulations) for side in usage] == [(20, 140), (20, 140)]
        assert all(side.seconds > 0 for side in usage)


def test_the_player_alone_takes_each_of_several_seats_once(toy_game: ToyGame) -> None:
    seats_taken = set()
    for deal in range(30):
        calls: list[tuple[Spy, Record, int]] = []
        solo, others = Spy(calls), Spy(calls)
        start = dealt(toy_game(lambda seed: toys.random_tree(seed, players=3, depth=6, ends=0)), deal)
        shares, _ = play_rotations(start, deal, solo, others)
        assert len(shares) == 3
        games: dict[int, set[tuple[Spy, int]]] = {}
        for index, (who, record, _) in enumerate(calls):
            # No chance and no early ends: the games take turns.
            games.setdefault(index % 3, set()).add((who, mover(record)))
        for rotation, sides in games.items():
            assert {seat for who, seat in sides if who is solo} <= {rotation}
            assert rotation not in {seat for who, seat in sides if who is others}
            seats_taken |= {seat for who, seat in sides if who is solo}
    assert seats_taken == {0, 1, 2}


def test_the_games_of_a_pair_advance_together() -> None:
    calls: list[tuple[Spy, Record, int]] = []
    play_rotations(dealt(PEAS, 1), 1, Spy(calls), Spy(calls))
    assert [len(record.moves) for _, record, _ in calls] == [ply for ply in range(20) for _ in range(2)]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_later_draws_are_the_same_from_every_seat(players: int, toy_game: ToyGame) -> None:
    """Players that always play alike play the same game, so the shares of all rotations are those of all seats."""
    trees = toy_game(lambda seed: toys.random_tree(1, players=players, depth=8, chance=60, ends=0))
    ends = set()
    for deal in range(60):
        shares, _ = play_rotations(dealt(trees, deal), deal, Spy([], first), Spy([], first))
        assert sum(shares) == pytest.approx(1.0)
        ends.add(shares)
    # Other deals draw otherwise.
    assert len(ends) > 1


def test_draws_do_not_depend_on_what_is_played(toy_game: ToyGame) -> None:
    draws = toy_game(lambda seed: toys.tricks([[0, 1, 2], [3, 4, 5]], cards=12, draws=2))
    found = set()
    for deal in range(20):
        ways = set()
        for rule in (first, last):
            calls: list[tuple[Spy, Record, int]] = []
            play_rotations(dealt(draws, deal), deal, Spy(calls, rule), Spy(calls, rule))
            for seat in (0, 1):
                record = max((r for _, r, _ in calls if mover(r) == seat), key=lambda record: len(record.moves))
                events = [m for p, m in zip(record.positions, record.moves, strict=False) if p.is_chance]
                # First seat 0 draws a card that only it sees, then seat 1, and both once more.
                ways.add((seat, tuple(events[seat::2])))
        assert len(ways) == 2
        found |= ways
    assert len(found) > 20


def test_outcomes_come_with_their_probabilities(toy_game: ToyGame) -> None:
    """Counts of a draw over many deals lie within four standard deviations of what is expected."""
    start = next(
        position
        for position in (toys.random_tree(seed, depth=4, chance=40, branching=5, ends=0) for seed in range(10_000))
        if draws_among_several(position.play(position.legal_moves()[0]))
    )
    probabilities = dict(start.play(start.legal_moves()[0]).chance_outcomes())
    counts: Counter[int] = Counter()
    deals = 2000
    for deal in range(deals):
        calls: list[tuple[Spy, Record, int]] = []
        play_rotations(dealt(toy_game(lambda seed: start), deal), deal, Spy(calls, first), Spy(calls, first))
        counts[next(record.moves[1] for _, record, _ in calls if len(record.moves) == 2)] += 1
    for outcome, probability in probabilities.items():
        assert abs(counts[outcome] - deals * probability) < 4 * (deals * probability * (1 - probability)) ** 0.5


def draws_among_several(position: Position) -> bool:
    """Whether a chance event with several outcomes comes next, and a decision after each of them."""
    outcomes = position.chance_outcomes()
    return len(outcomes) > 2 and all(position.play(outcome).legal_moves() for outcome, _ in outcomes)


def test_seeds_are_the_hashes_that_are_documented() -> None:
    def documented(text: bytes) -> int:
        return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")

    calls: list[tuple[Spy, Record, int]] = []
    solo, others = Spy(calls), Spy(calls)
    play_rotations(dealt(PEAS, 3), 3, solo, others)
    for who, record, seed in calls:
        seat = mover(record)
        rotation = seat if who is solo else 1 - seat
        assert seed == documented(b"search 3 %d %d %d" % (rotation, seat, len(record.moves)))
        assert seed == search_seed(3, rotation, seat, len(record.moves))
    assert len({seed for _, _, seed in calls}) == len(calls)


def test_players_see_nothing_of_what_others_hold() -> None:
    for deal in range(5):
        calls: list[tuple[Spy, Record, int]] = []
        play_rotations(dealt(PEAS, deal), deal, Spy(calls), Spy(calls))
        for _, record, _ in calls:
            seat = mover(record)
            assert record.redacted(seat) == record
            assert PEAS.knows_own_cards(record.current, seat)
            assert not PEAS.knows_own_cards(record.positions[0], 1 - seat)


def test_hidden_cards_change_nothing_for_the_first_decision() -> None:
    """All that a player is handed is the same for every deal that it cannot tell apart."""
    seen = PEAS.deal(1, {}).redacted(mover(dealt(PEAS, 1)))
    handed = []
    for world in range(6):
        calls: list[tuple[Spy, Record, int]] = []
        play_rotations(Record(PEAS, (seen.determinize(world),), ()), 1, Spy(calls), Spy(calls))
        handed.append([(record, seed) for _, record, seed in calls if not record.moves])
    assert all(first == handed[0] for first in handed)


def test_draws_that_only_their_owner_sees_are_hidden_in_records(toy_game: ToyGame) -> None:
    calls: list[tuple[Spy, Record, int]] = []
    start = toys.tricks([[0, 1, 2], [3, 4, 5]], cards=12, draws=2)
    play_rotations(dealt(toy_game(lambda seed: start), 1), 1, Spy(calls), Spy(calls))
    tokens = Counter()
    for _, record, _ in calls:
        seat = mover(record)
        assert record.redacted(seat).positions == record.positions
        draws = [m for p, m in zip(record.positions, record.moves, strict=False) if p.is_chance]
        # First seat 0 draws, then seat 1.
        for index, token in enumerate(draws):
            assert (token == toys.UNSEEN) == (index % 2 != seat)
            tokens[token == toys.UNSEEN] += 1
    assert min(tokens[True], tokens[False]) > 0


def test_a_unit_is_the_same_every_time() -> None:
    results = {play_rotations(dealt(PEAS, 4), 4, RandomSetting(), Spy([]))[0] for _ in range(3)}
    assert len(results) == 1
    assert len({play_rotations(dealt(PEAS, d), d, RandomSetting(), Spy([]))[0] for d in range(12)}) > 1


def test_an_illegal_choice_is_no_move() -> None:
    with pytest.raises(ValueError, match="not legal"):
        play_rotations(dealt(PEAS, 1), 1, Spy([], lambda moves, seed: 0xFFFFFF), Spy([]))
