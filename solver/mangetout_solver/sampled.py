"""Answers by simulations: tree search over what the seat knows, or with all cards open."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from mangetout_solver.analysis import (
    Analysis,
    Counters,
    Estimate,
    Exact,
    HiddenHands,
    Interval,
    Line,
    PlayerValue,
    StopReason,
)
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.limits import Limits, SearchOptions, Utility
from mangetout_solver.question import Question
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import MAX_SIMULATIONS_PER_TREE, RootMove, TreeSearch, worlds_won

# Several trees under a clock look this often whether one of them has found a proof.
_SLICE_SECONDS = 0.05

# The part of a tree's memory that may go to the exact engine for late states, and the most of it.
_LEAVES_PART = 8
_MOST_LEAVES_BYTES = 16 << 20

# The part of time, and of simulations as nodes, that goes to proofs against all hands before the search begins, and the
# most memory they take before it. Fewer nodes are not worth it, and would make the lowest levels of opponents play too
# well in the end.
_HIDDEN_HANDS_PART = 8
_FEWEST_NODES = 100
_MOST_HIDDEN_HANDS_BYTES = 64 << 20
# With a move that is sure to win nothing is left to find out, but what others look like.
_BESIDE_PROOF = 500

# Shares proven for the players are summed in single precision.
_SAME = 1e-5


def search(
    question: Question, limits: Limits, options: SearchOptions, control: Control, report_interval: float | None
) -> Iterator[Analysis]:
    """See `engine.search`."""
    started = time.monotonic()
    finish = math.inf if limits.time is None else started + limits.time
    hidden_hands = _hidden_hands(question, limits, options, control)
    sure = any(found.sure for found in hidden_hands.values())
    simulations = min(limits.simulations or _BESIDE_PROOF, _BESIDE_PROOF) if sure else limits.simulations
    trees = _trees(question, limits, options)
    shares = _split(simulations, options.trees)
    # Under a simulation limit every tree runs to its own end, so that the answer does not depend on the threads.
    timed = simulations is None
    with ThreadPoolExecutor(options.threads, thread_name_prefix="tree") as pool:
        while True:
            seconds = min(
                finish - time.monotonic(),
                math.inf if report_interval is None else report_interval,
                _SLICE_SECONDS if timed and options.trees > 1 else math.inf,
            )
            # Trees that share a thread take turns.
            seconds = max(seconds, 0.0) * min(1.0, options.threads / options.trees)
            runs = [
                pool.submit(tree.run, control, share - tree.simulations, None if seconds == math.inf else seconds)
                for tree, share in zip(trees, shares, strict=True)
                if share > tree.simulations and not tree.proven
            ]
            for run in runs:
                run.result()
            elapsed = time.monotonic() - started
            reason = _stop_reason(trees, shares, control, started + elapsed >= finish, timed)
            if reason is not None and sure:
                reason = StopReason.SOLVED
            if reason is not None or report_interval is not None:
                yield _analysis(question, trees, options, hidden_hands, elapsed, reason)
            if reason is not None:
                return


def _hidden_hands(
    question: Question, limits: Limits, options: SearchOptions, control: Control
) -> Mapping[int, HiddenHands]:
    """What the game's exact engine proves of root moves against all hands that the other seat may hold."""
    engine = ENGINES.get(question.game.name)
    position = question.position
    if engine is None or engine.hidden_hands is None or question.observer != position.seat_to_move:
        return {}
    if not engine.hidden_hands.covers(position):
        return {}
    part = math.inf if limits.time is None else time.monotonic() + limits.time / _HIDDEN_HANDS_PART
    nodes = None if limits.simulations is None else limits.simulations // _HIDDEN_HANDS_PART
    if nodes is not None and nodes < _FEWEST_NODES:
        return {}
    memory = min(limits.memory_bytes, _MOST_HIDDEN_HANDS_BYTES)
    found = engine.hidden_hands.prove(position, memory, control.limited(part), options.seed, nodes)
    return {move: each for move, each in found.items() if question.allowed is None or move in question.allowed}


def _split(simulations: int | None, trees: int) -> list[int]:
    """Simulations for each tree."""
    if simulations is None:
        return [MAX_SIMULATIONS_PER_TREE] * trees
    share, rest = divmod(simulations, trees)
    return [min(share + (index < rest), MAX_SIMULATIONS_PER_TREE) for index in range(trees)]


def _stop_reason(
    trees: list[TreeSearch], shares: list[int], control: Control, time_over: bool, timed: bool
) -> StopReason | None:
    done = all(tree.proven or tree.simulations >= share for tree, share in zip(trees, shares, strict=True))
    if any(tree.proven for tree in trees) and (done or timed):
        return StopReason.SOLVED
    if control.stop_reason is not None:
        return control.stop_reason
    return StopReason.LIMIT if time_over or done else None


def _trees(question: Question, limits: Limits, options: SearchOptions) -> list[TreeSearch]:
    memory = limits.memory_bytes // options.trees
    engine = ENGINES.get(question.game.name)
    leaves = engine.leaves if engine is not None else None
    cards = 0
    if leaves is not None:
        cards = leaves.cards if options.exact_cards is None else options.exact_cards
    memory_of_leaves = min(memory // _LEAVES_PART, _MOST_LEAVES_BYTES) if cards else 0
    return [
        TreeSearch(
            question.position,
            observer=question.observer,
            seed=options.seed,
            stream=index,
            memory_bytes=memory - memory_of_leaves,
            allowed=question.allowed,
            stage=question.stage,
            evaluator=leaves.evaluator(cards, memory_of_leaves) if leaves is not None and cards else None,
        )
        for index in range(options.trees)
    ]


def _analysis(
    question: Question,
    trees: list[TreeSearch],
    options: SearchOptions,
    hidden_hands: Mapping[int, HiddenHands],
    seconds: float,
    reason: StopReason | None,
) -> Analysis:
    proven = [tree for tree in trees if tree.proven]
    # A proof stands by itself: the statistics of the tree that holds it are the answer.
    sources = proven[:1] or trees
    moves = best_first(_added_up(sources), question.mover)
    sure = [move for move, found in hidden_hands.items() if found.sure]
    if sure:
        # One that was not tried yet is no less sure.
        tried = [move.move for move in moves]
        moves = [*moves, *(_untried(move, question.position.players) for move in sure if move not in tried)]
        moves.sort(key=lambda move: move.move not in sure)
    lines = tuple(
        _line(question, rank, move, sources, hidden_hands.get(move.move))
        for rank, move in enumerate(moves[: options.lines or None], start=1)
    )
    return question.analysis(
        lines[0].values,
        lines,
        Counters(
            simulations=sum(tree.simulations for tree in trees),
            nodes=sum(tree.nodes for tree in trees),
            tree_nodes=sum(tree.tree_nodes for tree in trees),
            tree_bytes=sum(tree.tree_bytes for tree in trees),
            worlds=trees[0].worlds,
            worlds_enumerated=trees[0].worlds_enumerated,
        ),
        reason,
        options.seed,
        seconds,
    )


def _untried(move: int, players: int) -> RootMove:
    nothing = (0.0,) * players
    return RootMove(move, 0, 0, nothing, nothing, nothing, nothing, nothing, None)


def _line(
    question: Question, rank: int, move: RootMove, sources: list[TreeSearch], hidden_hands: HiddenHands | None
) -> Line:
    variation = max((tree.principal_variation(move.move) for tree in sources), key=len) or [move.move]
    if hidden_hands is not None and hidden_hands.sure:
        values = tuple(
            PlayerValue(seat, Exact(float(seat == question.mover)), None, question.searched)
            for seat in range(question.position.players)
        )
    else:
        values = tuple(_player_value(move, seat, question.searched) for seat in range(question.position.players))
    return Line(
        rank=rank,
        move=question.game.format_move(question.position, move.move),
        principal_variation=question.texts(variation),
        values=question.with_match(values),
        visits=move.visits,
        availability=move.availability,
        probability=move.probability,
        worlds_won=worlds_won(sources, move.move),
        hidden_hands=hidden_hands,
    )


def _added_up(trees: list[TreeSearch]) -> list[RootMove]:
    """Root moves with the sums of all trees, ascending."""
    total: dict[int, RootMove] = {}
    for tree in trees:
        for move in tree.root_moves():
            before = total.get(move.move)
            total[move.move] = move if before is None else _sum(before, move)
    return [total[number] for number in sorted(total)]


def _sum(a: RootMove, b: RootMove) -> RootMove:
    def add(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(p + q for p, q in zip(x, y, strict=True))

    probability = None
    if a.probability is not None and b.probability is not None:
        probability = (a.probability * a.availability + b.probability * b.availability) / (
            a.availability + b.availability
        )
    return RootMove(
        a.move,
        a.visits + b.visits,
        a.availability + b.availability,
        add(a.share_sum, b.share_sum),
        add(a.share_square_sum, b.share_square_sum),
        add(a.score_sum, b.score_sum),
        add(a.score_square_sum, b.score_square_sum),
        tuple(max(p, q) for p, q in zip(a.guaranteed, b.guaranteed, strict=True)),
        probability,
    )


def _bounds(move: RootMove, seat: int) -> tuple[float, float]:
    """What is proven of the seat's share: what it can guarantee, and what the others leave it."""
    low = move.guaranteed[seat]
    high = 1.0 - sum(share for other, share in enumerate(move.guaranteed) if other != seat)
    return low, max(low, high)


def best_first(moves: list[RootMove], mover: int) -> list[RootMove]:
    """Open moves by their visits, or by the mixed strategy where there is one; equal ones by number.

    A move whose share is proven is no longer visited, so its share speaks for it: it stands before the first open move
    that promises no more.
    """
    proven: list[RootMove] = []
    open_: list[RootMove] = []
    for move in moves:
        low, high = _bounds(move, mover)
        (proven if high - low <= _SAME else open_).append(move)
    proven.sort(key=lambda move: -move.guaranteed[mover])
    open_.sort(key=lambda move: -(move.visits if move.probability is None else move.probability))
    ordered = []
    for move in open_:
        promise = min(move.share_sum[mover] / max(move.visits, 1), _bounds(move, mover)[1])
        while proven and proven[0].guaranteed[mover] >= promise - _SAME:
            ordered.append(proven.pop(0))
        ordered.append(move)
    return ordered + proven


def _player_value(move: RootMove, seat: int, utility: Utility) -> PlayerValue:
    low, high = _bounds(move, seat)
    if not move.visits:
        return PlayerValue(seat, Interval(low, high), None, utility)
    if high - low <= _SAME:
        # Play towards a proven share says nothing of the score: the search stopped looking.
        return PlayerValue(seat, Exact(round(low, 4)), None, utility)
    share = _estimate(move.visits, move.share_sum[seat], move.share_square_sum[seat], spread=1.0)
    score = _estimate(move.visits, move.score_sum[seat], move.score_square_sum[seat], spread=0.0)
    return PlayerValue(seat, share, score, utility)


def _estimate(n: int, total: float, squares: float, spread: float) -> Estimate:
    """spread: range of the values where it is known; samples that never differed then still leave 1 in n + 1 open."""
    mean = total / n
    variance = max(squares / n - mean * mean, 0.0) * n / (n - 1) if n > 1 else max(0.25, mean * mean)
    return Estimate(mean, max(math.sqrt(variance / n), spread / (n + 1)))
