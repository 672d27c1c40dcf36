"""Simultaneous choices: the average strategy is an equilibrium, and nobody sees what it must not."""

from __future__ import annotations

import random
from collections.abc import Callable

import mangetout_toys as toys
import pytest
from mangetout_solver.analysis import SolutionConcept
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import PepperCorn
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from mangetout_solver.levels import choose_move
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch

from benchmarks.split_loss import Matrix, choice_game, divisions, losses, matrix_value, secured, shown, turned

GAME = PepperCorn()

PENNIES = [[1.0, 0.0], [0.0, 1.0]]
ROCK_PAPER_SCISSORS = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
# One move in ten is random, so that strategies answer an opponent who errs a little: shares end up this near.
NEAR = 0.05
SIMULATIONS = 60_000


def search(position: Position, seed: int = 1, simulations: int = SIMULATIONS) -> TreeSearch:
    tree = TreeSearch(position.redacted(0), observer=0, seed=seed, memory_bytes=1 << 22)
    tree.run(Control(), simulations)
    return tree


def strategy(tree: TreeSearch) -> list[float]:
    probabilities = [move.probability or 0.0 for move in tree.root_moves()]
    assert sum(probabilities) == pytest.approx(1.0)
    return probabilities


def mean_share(tree: TreeSearch) -> float:
    return sum(move.share_sum[0] for move in tree.root_moves()) / tree.simulations


def random_matrix(chooser: random.Random, size: int) -> Matrix:
    return [[chooser.randint(0, 20) / 20 for _ in range(size)] for _ in range(size)]


def matrices() -> list[Matrix]:
    chooser = random.Random(3)
    sizes = [2] * 8 + [3] * 8
    biased = [[0.0, 1.0], [0.75, 0.0]]
    dominated = [[0.9, 0.6, 0.7], [0.1, 0.3, 0.0], [0.4, 0.5, 0.2]]
    return [PENNIES, ROCK_PAPER_SCISSORS, biased, dominated, *(random_matrix(chooser, size) for size in sizes)]


@pytest.mark.parametrize("shares", matrices(), ids=str)
def test_average_strategies_are_an_equilibrium(shares: Matrix) -> None:
    """What rows and columns secure adds up to nearly the whole win: by the minimax theorem both are nearly optimal.

    Had the second chooser seen the first choice, the first would have been taught to play it safe with a pure choice.
    """
    rows = strategy(search(toys.matrix([shares])))
    columns = strategy(search(toys.matrix([turned(shares)])))
    lost = 1.0 - secured(shares, rows) - secured(turned(shares), columns)
    assert -1e-6 <= lost < NEAR


def test_known_equilibria() -> None:
    assert strategy(search(toys.matrix([PENNIES]))) == pytest.approx([1 / 2] * 2, abs=NEAR)
    assert strategy(search(toys.matrix([ROCK_PAPER_SCISSORS]))) == pytest.approx([1 / 3] * 3, abs=NEAR)
    # Rows 3/7 and 4/7 make the other's columns equal; the winner of a row chosen blindly gets 3/7.
    biased = search(toys.matrix([[[0.0, 1.0], [0.75, 0.0]]]))
    assert strategy(biased) == pytest.approx([3 / 7, 4 / 7], abs=NEAR)
    assert mean_share(biased) == pytest.approx(3 / 7, abs=NEAR)


@pytest.mark.parametrize("seed", range(3))
def test_second_chooser_does_not_see_the_first_choice(seed: int) -> None:
    """The second chooser is one node, and the one who is to be matched, or is to match, is not always beaten."""
    for shares in (PENNIES, turned(PENNIES)):
        tree = search(toys.matrix([shares]), seed)
        assert tree.tree_nodes == 2
        assert mean_share(tree) == pytest.approx(0.5, abs=0.02)


def test_choices_in_two_steps() -> None:
    """Each seat has a node for its first step and two for its second, whatever the other has done."""
    same = [[float(row == column) for column in range(4)] for row in range(4)]
    for shares, value in ((same, 1 / 4), (turned(same), 3 / 4)):
        tree = search(toys.matrix([shares], steps=2), simulations=5 * SIMULATIONS)
        assert tree.tree_nodes == 6
        assert mean_share(tree) == pytest.approx(value, abs=NEAR)
        # A first step is judged by a second one that is still being learnt, so this comes near more slowly.
        assert strategy(tree) == pytest.approx([1 / 2] * 2, abs=3 * NEAR)
    # Of the first half of the rows only the second is good, and it is far better than all of the other half.
    chosen = strategy(search(toys.matrix([[[0.0] * 4, [0.9] * 4, [0.3] * 4, [0.3] * 4]], steps=2)))
    assert chosen[0] > 0.9


def test_private_card() -> None:
    """The owner of the card plays by it, the other against all cards at once."""
    chooser = random.Random(8)
    for _ in range(6):
        tables = [random_matrix(chooser, 2) for _ in range(3)]
        dealt = toys.matrix(tables, cards=True)
        root = dealt.play(dealt.chance_outcomes()[1][0])
        tree = search(root)
        assert tree.worlds == 3
        assert tree.tree_nodes == 1 + 3

        def get(mix: list[float], tables: list[Matrix] = tables) -> float:
            return sum(secured(table, mix) for table in tables) / 3

        best = max(get([p / 1000, 1 - p / 1000]) for p in range(1001))
        assert get(strategy(tree)) > best - NEAR
        assert mean_share(tree) == pytest.approx(best, abs=2 * NEAR)


def test_choices_that_are_shown_before_play_goes_on() -> None:
    """After both are shown seat 0 takes the better table: the game of the larger shares."""
    chooser = random.Random(9)
    for _ in range(6):
        first, second = random_matrix(chooser, 3), random_matrix(chooser, 3)
        larger = [[max(pair) for pair in zip(*rows, strict=True)] for rows in zip(first, second, strict=True)]
        tree = search(toys.matrix([first, second], tail="swap"))
        columns = strategy(search(toys.matrix([turned(larger)])))
        lost = 1.0 - secured(larger, strategy(tree)) - secured(turned(larger), columns)
        assert lost < NEAR
        assert mean_share(tree) == pytest.approx(1.0 - secured(turned(larger), columns), abs=2 * NEAR)


@pytest.mark.parametrize(
    ("tail", "nodes"), [("guess", 1 + 1 + 2), ("coin, guess", 1 + 1 + 2 + 4), ("nod, guess", 1 + 1 + 2 + 2)]
)
def test_what_was_never_shown_stays_unknown(tail: str, nodes: int) -> None:
    """Later decisions of the searching seat do not know the other's choice either, whatever happens in between."""
    tree = search(toys.matrix([PENNIES], tail=tail))
    assert tree.tree_nodes == nodes
    assert mean_share(tree) == pytest.approx(0.5, abs=0.03)


def test_open_cards_show_choices_once_both_are_made() -> None:
    """With everything open a guess after the choices is no guess, but the choices themselves stay blind."""
    for tail, value in (("guess", 1.0), ("coin, guess", 1.0), ("nod, guess", 1.0), ("", 0.5)):
        tree = TreeSearch(toys.matrix([PENNIES], tail=tail), observer=None, seed=1, memory_bytes=1 << 20)
        tree.run(Control(), SIMULATIONS)
        assert mean_share(tree) == pytest.approx(value, abs=0.03)


def test_engine_ranks_by_the_mixed_strategy(toy_record: Callable[[Position], Record]) -> None:
    """Rare choices can look best by visits or mean; the strategy decides."""
    record = toy_record(toys.matrix([[[0.0, 1.0], [0.25, 0.0]]]))
    for trees in (1, 3):
        analysis = analyze(
            record, limits=Limits(simulations=SIMULATIONS), options=SearchOptions(lines=0, trees=trees, seed=2)
        )
        # The rows' equilibrium is 1/5 and 4/5.
        assert [line.move for line in analysis.lines] == ["1", "0"]
        assert analysis.best_move == "1"


@pytest.mark.parametrize("trees", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_engine_answers_after_one_simulation(toy_record: Callable[[Position], Record], seed: int, trees: int) -> None:
    """Choices that no simulation has made yet are lines like any other."""
    options = SearchOptions(lines=0, seed=seed, trees=trees)
    analysis = analyze(toy_record(toys.matrix([ROCK_PAPER_SCISSORS])), limits=Limits(simulations=1), options=options)
    assert sorted(line.move for line in analysis.lines) == ["0", "1", "2"]
    assert sum(line.visits for line in analysis.lines) == 1


# -- a stage of several simultaneous decisions: the split of Pepper. Corn!

SPLIT = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"


def test_the_choices_of_a_split_are_an_equilibrium() -> None:
    """With the divisions made, each chooser's mix secures what the game of choices is worth, against any choice."""
    for divided in divisions(parse_record(SPLIT).current):
        start = shown(divisions(divided)[0])
        shares = choice_game(start)
        for seat in (0, 1):
            position = start if seat == 0 else start.play(start.legal_moves()[0])
            analysis = analyze(
                Record(GAME, (position,), ()), limits=Limits(simulations=60_000), options=SearchOptions(lines=0, seed=2)
            )
            assert analysis.concept is SolutionConcept.MIXED_STRATEGY
            mix = {line.move: line.probability or 0.0 for line in analysis.lines}
            table = shares if seat == 0 else turned(shares)
            worth = matrix_value(shares) if seat == 0 else 1.0 - matrix_value(shares)
            assert secured(table, [mix["take0"], mix["take1"]]) >= worth - NEAR


def test_the_second_to_divide_answers_the_same_whatever_the_first_did() -> None:
    start = parse_record(SPLIT).current
    answers = []
    for divided in divisions(start):
        analysis = analyze(
            Record(GAME, (divided,), ()), limits=Limits(simulations=3_000), options=SearchOptions(lines=0, seed=5)
        )
        answers.append([(line.move, line.visits, line.probability) for line in analysis.lines])
    assert len(answers) == 3
    assert answers[0] == answers[1] == answers[2]


def test_a_division_under_way_is_searched_from_its_opening() -> None:
    """What was decided is kept to, but the other's strategy does not know of it: it is that of the whole stage."""
    for moves in ("", "4MS>1", "4MS>1 8MS>0", "4MS>1 8MS>0 9WY>1"):
        record = parse_record(f"{SPLIT} : {moves}")
        analysis = analyze(record, limits=Limits(simulations=20_000), options=SearchOptions(lines=0))
        assert sum(line.probability or 0.0 for line in analysis.lines) == pytest.approx(1.0)
        # Half of the simulations repeat what was decided, so that the decision is looked at at least as often.
        assert sum(line.visits for line in analysis.lines) >= 9_000
        played = record
        for text in analysis.turn_plan:
            played = played.play(text)
        assert played.current.is_chance or played.current.seat_to_move != record.current.seat_to_move


@pytest.mark.parametrize("simulations", [1, 2, 3, 5, 10])
def test_few_simulations_reach_the_decision(simulations: int) -> None:
    for moves in ("", "4MS>1", "4MS>1 8MS>0", "4MS>1 8MS>0 9WY>1"):
        record = parse_record(f"{SPLIT} : {moves}")
        analysis = analyze(record, limits=Limits(simulations=simulations), options=SearchOptions(lines=0))
        assert record.current.legal_moves() == sorted(GAME.parse_move(record.current, x.move) for x in analysis.lines)


def test_only_the_chooser_is_searched_for() -> None:
    with pytest.raises(InputError) as caught:
        analyze(parse_record(SPLIT), seat=1, limits=Limits(simulations=1), options=SearchOptions())
    assert caught.value.field == "seat"


def test_open_cards_leave_the_decisions_simultaneous() -> None:
    """With perfect information the dealt hands are known, but not what the other is deciding."""
    start = parse_record(SPLIT).current
    answers = [
        analyze(
            Record(GAME, (divided,), ()),
            perfect_information=True,
            limits=Limits(simulations=3_000),
            options=SearchOptions(lines=0, seed=5),
        )
        for divided in divisions(start)
    ]
    lines = [[(line.move, line.visits, line.probability) for line in answer.lines] for answer in answers]
    assert lines[0] == lines[1] == lines[2]
    assert answers[0].counters.worlds == 1


def test_opponents_draw_from_the_mixed_strategy() -> None:
    """Where both choices are played, a level plays both, by its seed."""
    record = parse_record(SPLIT)
    moves = {choose_move(record, 4, seed) for seed in range(30)}
    assert len(moves) == 2
    assert choose_move(record, 4, 7) == choose_move(record, 4, 7)


def test_divisions_are_near_an_equilibrium() -> None:
    """What a division loses against the best reply, in win share, to the exact solution of the whole split."""
    lost, lost_at_random = losses(20_000), losses(None)
    assert len(lost) == 8
    assert min(lost) > -1e-9
    assert sum(lost) / len(lost) < 0.08
    assert sum(lost_at_random) / len(lost_at_random) > 0.2


def test_an_opponent_who_does_not_know_the_cards_is_not_taken_to() -> None:
    """Seat 1 holds one of two cards, and seat 0 guesses which: half of the guesses are right, whoever asks."""
    rows = [[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]]
    dealing = toys.matrix(rows, cards=True)
    for outcome, _ in dealing.chance_outcomes():
        start = dealing.play(outcome)
        decision = start.play(start.legal_moves()[0])
        tree = TreeSearch(decision.redacted(1), observer=1, seed=1, memory_bytes=1 << 22, stage=(start.redacted(1), ()))
        tree.run(Control(), SIMULATIONS)
        share = sum(move.share_sum[1] for move in tree.root_moves()) / sum(move.visits for move in tree.root_moves())
        assert share > 0.3


def test_one_seed_for_a_whole_game_draws_all_divisions() -> None:
    start = GAME.deal(5, {"rows": "2", "columns": "4", "hand_a": "5", "hand_b": "5"})
    seen = set()
    for seed in range(60):
        position = start
        while position.seat_to_move == 0:
            position = position.play(choose_move(Record(GAME, (position,), ()), 1, seed))
        seen.add(position)
    # At the lowest level nearly every division is as likely: 15 in all.
    assert len(seen) >= 12


def test_the_mover_must_know_what_it_decided() -> None:
    for text in (SPLIT.replace("A/0", "A/1"), SPLIT.replace("AS4MS8MS", "???")):
        for perfect in (False, True):
            with pytest.raises(PositionError) as caught:
                analyze(
                    parse_record(text),
                    perfect_information=perfect,
                    limits=Limits(simulations=1),
                    options=SearchOptions(),
                )
            assert caught.value.field == "notation"
