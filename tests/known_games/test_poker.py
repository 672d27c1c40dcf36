"""The poker games: what they are worth, computed over our tree and judged by OpenSpiel; search; notation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from mangetout_known_games.kuhn_poker import KuhnPoker
from mangetout_known_games.leduc_poker import LeducPoker
from mangetout_known_games.poker import PokerGame
from mangetout_solver.analysis import SolutionConcept
from mangetout_solver.engine import analyze
from mangetout_solver.errors import IllegalMoveError, InputError, NotationError, PositionError
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions
from scipy.optimize import linprog
from scipy.sparse import coo_array

GAMES = (KuhnPoker(), LeducPoker())
KUHN, LEDUC = GAMES
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
# Of the first seat, in chips: Kuhn 1950; Leduc poker by many authors.
VALUES = {"kuhn_poker": (-1 / 18, 1e-9), "leduc_poker": (-0.0856, 5e-5)}
# Number of a card within its kind, which is OpenSpiel's number of the outcome.
NUMBER = 0xFFFFFF


def histories(
    position: Position, state: pyspiel.State, reach: float = 1.0
) -> Iterator[tuple[Position, pyspiel.State, float]]:
    """Both trees in step: every history, with the probability of its chance events."""
    yield position, state, reach
    if position.is_chance:
        for outcome, probability in position.chance_outcomes():
            yield from histories(position.play(outcome), state.child(outcome & NUMBER), reach * probability)
    for move in position.legal_moves():
        yield from histories(position.play(move), state.child(move), reach)


def undealt(game: PokerGame) -> tuple[Position, pyspiel.State]:
    return game.deal(0, {"cards": "undealt"}), pyspiel.load_game(game.name).new_initial_state()


# ---------------------------------------------------------------- values


class SequenceForm:
    """A two-player zero-sum game as sums over sequences of own moves (Koller, Megiddo and von Stengel 1996).

    A sequence is the key of an information set and a move there, None the empty one; `payoff` is what seat 0 wins
    after both seats' sequences, weighed by chance; `parent` the sequence that leads to each information set.
    """

    Sequence = tuple[int, int] | None

    def __init__(self, root: Position) -> None:
        self.payoff: dict[tuple[SequenceForm.Sequence, SequenceForm.Sequence], float] = {}
        self.parent: tuple[dict[int, SequenceForm.Sequence], dict[int, SequenceForm.Sequence]] = ({}, {})
        self.moves: dict[int, list[int]] = {}
        self._collect(root, (None, None), 1.0)

    def _collect(self, position: Position, played: tuple[Sequence, Sequence], reach: float) -> None:
        if position.is_terminal:
            self.payoff[played] = self.payoff.get(played, 0.0) + reach * position.scores()[0]
        for outcome, probability in position.chance_outcomes():
            self._collect(position.play(outcome), played, reach * probability)
        seat = position.seat_to_move
        if seat is None:
            return
        key = position.information_key(seat)
        # Perfect recall: whoever knows as much has made the same moves.
        assert self.parent[seat].setdefault(key, played[seat]) == played[seat]
        assert self.moves.setdefault(key, position.legal_moves()) == position.legal_moves()
        for move in position.legal_moves():
            after = ((key, move), played[1]) if seat == 0 else (played[0], (key, move))
            self._collect(position.play(move), after, reach)

    def solve(self, seat: int) -> tuple[float, dict[Sequence, float]]:
        """What the seat can guarantee itself, and the weights of its sequences that do so, by linear programming."""
        own, other = self.parent[seat], self.parent[1 - seat]
        sequences = [None, *((key, move) for key in own for move in self.moves[key])]
        answers = [None, *((key, move) for key in other for move in self.moves[key])]
        column = {sequence: index for index, sequence in enumerate(sequences)}
        row = {sequence: index for index, sequence in enumerate(answers)}
        # After the weights stand the values of the other seat's information sets, and of the game.
        value = {key: len(sequences) + index for index, key in enumerate([None, *other])}
        sets = {key: index for index, key in enumerate([None, *own])}
        size = len(sequences) + len(value)

        def matrix(entries: list[tuple[int, int, float]], rows: int) -> coo_array:
            at_row, at_column, numbers = zip(*entries, strict=True)
            return coo_array((numbers, (at_row, at_column)), shape=(rows, size))

        flow = [(0, column[None], 1.0)]
        for key, parent in own.items():
            flow.append((sets[key], column[parent], -1.0))
            flow += [(sets[key], column[key, move], 1.0) for move in self.moves[key]]
        # No answer brings the seat less than the value of the information set where it is given.
        bound = [(row[sequence], value[sequence and sequence[0]], 1.0) for sequence in answers]
        bound += [(row[parent], value[key], -1.0) for key, parent in other.items()]
        for played, payoff in self.payoff.items():
            sign = -payoff if seat == 0 else payoff
            bound.append((row[played[1 - seat]], column[played[seat]], sign))
        objective = np.zeros(size)
        objective[value[None]] = -1.0
        solution = linprog(
            objective,
            A_ub=matrix(bound, len(row)),
            b_ub=np.zeros(len(row)),
            A_eq=matrix(flow, len(sets)),
            b_eq=np.eye(len(sets))[0],
            bounds=[(0, None)] * len(sequences) + [(None, None)] * len(value),
        )
        assert solution.status == 0
        return -solution.fun, dict(zip(sequences, solution.x, strict=False))


@each_game
def test_the_value_is_the_published_one_and_optimal_play_is_optimal_in_openspiel(game: PokerGame) -> None:
    root, state = undealt(game)
    form = SequenceForm(root)
    value, first = form.solve(0)
    loss, second = form.solve(1)
    published, tolerance = VALUES[game.name]
    assert value == pytest.approx(published, abs=tolerance)
    assert value + loss == pytest.approx(0, abs=1e-9)

    policy = {}
    for position, twin, _ in histories(root, state):
        seat = position.seat_to_move
        if seat is not None:
            key, weights = position.information_key(seat), (first, second)[seat]
            reached = weights[form.parent[seat][key]]
            moves = form.moves[key]
            policy[twin.information_state_string()] = [
                (move, min(max(weights[key, move] / reached, 0.0), 1.0) if reached > 1e-12 else 1 / len(moves))
                for move in moves
            ]
    assert len(policy) == len(form.moves) == {"kuhn_poker": 12, "leduc_poker": 936}[game.name]
    optimal = pyspiel.TabularPolicy(policy)
    assert pyspiel.exploitability(state.get_game(), optimal) == pytest.approx(0, abs=1e-7)
    assert pyspiel.expected_returns(state, optimal, -1, True)[0] == pytest.approx(value, abs=1e-7)


@each_game
def test_random_play_is_worth_the_same_as_in_openspiel(game: PokerGame) -> None:
    def expected(position: Position) -> np.ndarray:
        if position.is_terminal:
            return np.array(position.scores())
        if position.is_chance:
            return sum(p * expected(position.play(outcome)) for outcome, p in position.chance_outcomes())
        moves = position.legal_moves()
        return sum(expected(position.play(move)) for move in moves) / len(moves)

    root, state = undealt(game)
    openspiel = pyspiel.expected_returns(state, pyspiel.UniformRandomPolicy(state.get_game()), -1, True)
    assert expected(root) == pytest.approx(np.array(openspiel), abs=1e-12)
    assert abs(openspiel[0]) > 0.01
    playouts = [root.random_playout(seed).scores()[0] for seed in range(40_000)]
    assert np.mean(playouts) == pytest.approx(openspiel[0], abs=4 * np.std(playouts) / 200)


# ---------------------------------------------------------------- search


def timeless(game: Game, position: Position, seed: int) -> object:
    limits, options = Limits(simulations=3000), SearchOptions(seed=seed, lines=0)
    return replace(analyze(Record(game, (position,), ()), limits=limits, options=options), search_seconds=0.0)


@each_game
def test_a_search_does_not_see_the_other_card(game: PokerGame) -> None:
    """Whatever the other seat holds, the answer at every decision is the same, and it counts the worlds right."""
    seen = {}
    root, state = undealt(game)
    for number, (position, _, _) in enumerate(histories(root, state)):
        mover = position.seat_to_move
        if mover is None or (game is LEDUC and number % 7):
            continue
        view = position.redacted(mover)
        if view not in seen:
            seen[view] = timeless(game, view, 5)
            assert seen[view].concept is SolutionConcept.INFORMATION_SET_SEARCH
            known = set(game.format_position(view).split()) & set(game.deck)
            assert seen[view].counters.worlds == len(game.deck) - len(known)
            assert seen[view].counters.simulations == 3000
        assert timeless(game, position, 5) == seen[view]
    assert len(seen) == 12 if game is KUHN else len(seen) > 200


@pytest.mark.parametrize(
    ("game", "text", "best"),
    [
        (KUHN, "kuhn_poker K ? pb", "b"),  # the best card calls
        (KUHN, "kuhn_poker ? K b", "b"),
        (KUHN, "kuhn_poker J ? pb", "p"),  # the worst one does not
        (KUHN, "kuhn_poker ? J b", "p"),
        (LEDUC, "leduc_poker Ks ? Kh rc/cr", "cr"),  # a pair cannot lose
        (LEDUC, "leduc_poker ? Qs Qh cc/r", "cr"),
    ],
)
def test_certain_decisions_are_found(game: PokerGame, text: str, best: str) -> None:
    """Betting with a hand that cannot lose, giving up one that cannot win: right whatever the other seat does."""
    position = game.parse_position(text)
    for seed in range(5):
        analysis = analyze(
            Record(game, (position,), ()), limits=Limits(simulations=2000), options=SearchOptions(seed=seed)
        )
        assert analysis.best_move in best


# ---------------------------------------------------------------- deals, notation, keys


@each_game
def test_every_deal_comes_up(game: PokerGame) -> None:
    deals = [game.deal(seed, {}) for seed in range(500)]
    assert len(set(deals)) == len(game.deck) * (len(game.deck) - 1)
    assert all(deal.seat_to_move == 0 for deal in deals)


def test_suits_that_are_exchanged_keep_the_key() -> None:
    texts = ["Js Jh Qs rrc/c", "Jh Js Qs rrc/c", "Jh Js Qh rrc/c"]
    assert len({LEDUC.key(LEDUC.parse_position(f"leduc_poker {text}")) for text in texts}) == 1
    others = ["Js Qh Qs rrc/c", "Js Jh Qs rc/c", "Js ? Qs rrc/c", "Js Jh Ks rrc/c", "Js Qs Js rrc/c"]
    keys = [LEDUC.key(LEDUC.parse_position(f"leduc_poker {text}")) for text in [texts[0], *others[:-1]]]
    assert len(set(keys)) == len(keys)
    swapped = LEDUC.symmetries(LEDUC.parse_position("leduc_poker Js ? Kh rc"))
    assert LEDUC.format_position(swapped["suits of JK exchanged"]) == "leduc_poker Jh ? Ks rc"


@pytest.mark.parametrize(
    ("game", "text", "column", "found"),
    [
        (KUHN, "kuhn J Q -", 1, "'kuhn'"),
        (KUHN, "kuhn_poker J X -", 14, "'X'"),
        (KUHN, "kuhn_poker J Q pbx", 18, "'x'"),
        (KUHN, "kuhn_poker J Q", 15, "the end"),
        (KUHN, "kuhn_poker  J Q - -", 19, "'-'"),
        (KUHN, "kuhn_poker{cards=4} J Q -", 11, "'{cards=4}'"),
        (LEDUC, "leduc_poker J Q - -", 13, "'J'"),
        (LEDUC, "leduc_poker Js Qs ? -", 19, "'?'"),
        (LEDUC, "leduc_poker Js Qs Ks cc/b", 25, "'b'"),
        (LEDUC, "leduc_poker Js Qs Ks cc/", 25, "the end"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_column(
    game: PokerGame, text: str, column: int, found: str
) -> None:
    with pytest.raises(NotationError) as caught:
        game.parse_position(text, "here")
    assert (caught.value.field, caught.value.column, caught.value.found) == ("here", column, found)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (KUHN, "kuhn_poker J J -"),
        (KUHN, "kuhn_poker - J -"),
        (KUHN, "kuhn_poker J - p"),
        (KUHN, "kuhn_poker J Q ppp"),
        (KUHN, "kuhn_poker J Q pbbb"),
        (LEDUC, "leduc_poker Js Js - -"),
        (LEDUC, "leduc_poker - ? - -"),
        (LEDUC, "leduc_poker Js Qs Js cc"),
        (LEDUC, "leduc_poker Js - - c"),
        (LEDUC, "leduc_poker Js Qs - f"),  # nothing to give up for
        (LEDUC, "leduc_poker Js Qs - rrr"),
        (LEDUC, "leduc_poker Js Qs - ccc"),
        (LEDUC, "leduc_poker Js Qs Ks c"),
        (LEDUC, "leduc_poker Js Qs Ks rf"),
        (LEDUC, "leduc_poker Js - Ks -"),
        (LEDUC, "leduc_poker Js Qs - cc/c"),
        (LEDUC, "leduc_poker Js Qs Ks cc/rfc"),
    ],
)
def test_a_position_that_no_play_leads_to_is_refused(game: PokerGame, text: str) -> None:
    with pytest.raises(PositionError) as caught:
        game.parse_position(text)
    assert caught.value.field == "notation"


def test_moves_are_refused_with_a_reason() -> None:
    record = Record(LEDUC, (LEDUC.parse_position("leduc_poker Js Qs - -"),), ())
    with pytest.raises(IllegalMoveError, match="expected c, r"):
        record.play("f")
    with pytest.raises(NotationError):
        record.play("p")
    with pytest.raises(InputError, match="dealt or undealt"):
        LEDUC.deal(0, {"cards": "open"})
