"""The one door to searching: picks the searcher for game, information and limits."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from mangetout_solver.analysis import (
    Analysis,
    Counters,
    Estimate,
    Exact,
    Interval,
    Line,
    PlayerValue,
    SolutionConcept,
    StopReason,
    match_share,
)
from mangetout_solver.errors import InputError, PositionError, PreconditionError
from mangetout_solver.games.game import SEAT_LETTERS, Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import MIN_TREE_BYTES, Limits, SearchOptions, Utility
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import MAX_SIMULATIONS_PER_TREE, RootMove, TreeSearch, worlds_won

# Several trees under a clock look this often whether one of them has found a proof.
_SLICE_SECONDS = 0.05

# Shares proven for the players are summed in single precision.
_SAME = 1e-5


def analyze(
    record: Record,
    *,
    seat: int | None = None,
    perfect_information: bool = False,
    limits: Limits,
    options: SearchOptions,
    control: Control | None = None,
) -> Analysis:
    """The final analysis; see `search`."""
    *_, final = search(
        record,
        seat=seat,
        perfect_information=perfect_information,
        limits=limits,
        options=options,
        control=control,
    )
    return final


def search(
    record: Record,
    *,
    seat: int | None = None,
    perfect_information: bool = False,
    limits: Limits,
    options: SearchOptions,
    control: Control | None = None,
    report_interval: float | None = None,
) -> Iterator[Analysis]:
    """Yields partial analyses every `report_interval` seconds, and last exactly one final one.

    seat: whose knowledge is used, default the seat to move. perfect_information: search with all cards open instead.
    All input is checked before the first search step, when the iterator is first advanced.

    Raises PreconditionError (game over), PositionError (``notation``, cards that must be known are not), InputError
    (``seat``, ``limits.*``, ``options.*``).
    """
    control = Control() if control is None else control
    question = _Question.check(record, seat, perfect_information, limits, options)
    trees = question.trees(limits, options)
    shares = _split(limits.simulations, options.trees)
    # Under a simulation limit every tree runs to its own end, so that the answer does not depend on the threads.
    timed = limits.simulations is None
    started = time.monotonic()
    finish = math.inf if limits.time is None else started + limits.time
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
            if reason is not None or report_interval is not None:
                yield question.analysis(trees, options, elapsed, reason)
            if reason is not None:
                return


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


@dataclass(frozen=True)
class _Question:
    """A checked request: what is searched, for whom, over which root moves.

    stage: at a secret decision, where its stage opened and the mover's own moves since. searched: the win whose shares
    the search finds. stakes: what the round at hand is worth in the match, where that is asked about (`Game.stakes`).
    """

    game: Game
    position: Position
    observer: int | None
    allowed: tuple[int, ...] | None
    stage: tuple[Position, tuple[int, ...]] | None
    searched: Utility
    stakes: tuple[tuple[float, float], ...] | None

    @staticmethod
    def check(
        record: Record, seat: int | None, perfect_information: bool, limits: Limits, options: SearchOptions
    ) -> _Question:
        game, position = record.game, record.current
        mover = position.seat_to_move
        if limits.memory_bytes < MIN_TREE_BYTES * options.trees:
            least = f"{MIN_TREE_BYTES} for each of {options.trees} trees"
            raise InputError("limits.memory_bytes", f"found {limits.memory_bytes}, expected at least {least}")
        if seat is not None:
            game.check_seat(position, seat)
        if position.is_terminal:
            raise PreconditionError("notation", "the game is over, expected a position with a move to make")
        if mover is None:
            raise PreconditionError("notation", "a chance event comes next, expected a position with a move to make")
        observer = None
        if perfect_information or position.is_open:
            if perfect_information and seat is not None:
                raise InputError("seat", f"found {seat} with perfect information, expected one or the other")
        else:
            if limits.until_solved:
                raise InputError("limits.until_solved", "nothing is proven under hidden information, expected false")
            observer = mover if seat is None else seat
            if position.is_secret and observer != mover:
                reason = f"found {seat}, expected {mover}: {SEAT_LETTERS[mover]} decides now, unseen by the others"
                raise InputError("seat", reason)
            position = position.redacted(observer)
        # A secret decision is searched from what its mover knows, with open cards too.
        knower = mover if position.is_secret else observer
        if knower is not None and not game.knows_own_cards(position, knower):
            reason = f"the cards of {SEAT_LETTERS[knower]}, whom the search is for, are not all known"
            raise PositionError("notation", reason)
        stage = game.stage_start(position) if position.is_secret else None
        if stage is not None and limits.until_solved:
            raise InputError("limits.until_solved", "nothing is proven of a simultaneous decision, expected false")
        if observer is None:
            start = position if stage is None else stage[0]
            if start.count_worlds() != 1:
                raise PositionError(
                    "notation", "found cards that are not known, expected none with perfect information"
                )
            if stage is None:
                position = position.worlds()[0]
            else:
                stage = (start.worlds()[0], stage[1])
        stakes = game.stakes(position)
        is_match = game.is_match(position)
        if options.utility is Utility.MATCH and not is_match:
            raise InputError("options.utility", "found match, expected round: the position is of a single round")
        if options.utility is Utility.ROUND and is_match and stakes is None:
            raise InputError(
                "options.utility", "found round, expected match: scores add up over the rounds of this match"
            )
        searched = Utility.MATCH if is_match and stakes is None else Utility.ROUND
        if options.utility is Utility.ROUND:
            stakes = None
        return _Question(game, position, observer, _allowed_moves(game, position, options), stage, searched, stakes)

    def trees(self, limits: Limits, options: SearchOptions) -> list[TreeSearch]:
        return [
            TreeSearch(
                self.position,
                observer=self.observer,
                seed=options.seed,
                stream=index,
                memory_bytes=limits.memory_bytes // options.trees,
                allowed=self.allowed,
                stage=self.stage,
            )
            for index in range(options.trees)
        ]

    def analysis(
        self, trees: list[TreeSearch], options: SearchOptions, seconds: float, reason: StopReason | None
    ) -> Analysis:
        mover = self.position.seat_to_move
        assert mover is not None
        proven = [tree for tree in trees if tree.proven]
        # A proof stands by itself: the statistics of the tree that holds it are the answer.
        sources = proven[:1] or trees
        moves = _best_first(_added_up(sources), mover)
        lines = tuple(
            self._line(rank, move, sources) for rank, move in enumerate(moves[: options.lines or None], start=1)
        )
        best = lines[0]
        return Analysis(
            is_final=reason is not None,
            game=self.game.name,
            position=self.game.format_position(self.position),
            key=self.game.key(self.position),
            seat_to_move=mover,
            seat=self.observer,
            concept=self._concept(),
            utility=self.searched if self.stakes is None else Utility.MATCH,
            best_move=best.move,
            turn_plan=self._turn_plan(best),
            values=best.values,
            lines=lines,
            counters=Counters(
                simulations=sum(tree.simulations for tree in trees),
                nodes=sum(tree.nodes for tree in trees),
                tree_nodes=sum(tree.tree_nodes for tree in trees),
                tree_bytes=sum(tree.tree_bytes for tree in trees),
                worlds=trees[0].worlds,
                worlds_enumerated=trees[0].worlds_enumerated,
            ),
            stop_reason=reason,
            seed=options.seed,
            search_seconds=seconds,
        )

    def _concept(self) -> SolutionConcept:
        if self.stage is not None:
            return SolutionConcept.MIXED_STRATEGY
        if self.observer is None:
            return SolutionConcept.PERFECT_INFORMATION
        return SolutionConcept.INFORMATION_SET_SEARCH

    def _line(self, rank: int, move: RootMove, sources: list[TreeSearch]) -> Line:
        variation = max((tree.principal_variation(move.move) for tree in sources), key=len)
        values = tuple(_player_value(move, seat, self.searched) for seat in range(self.position.players))
        if self.stakes is not None:
            shares = (match_share(value.win_share, *stake) for value, stake in zip(values, self.stakes, strict=True))
            values = (*(PlayerValue(seat, share, None, Utility.MATCH) for seat, share in enumerate(shares)), *values)
        return Line(
            rank=rank,
            move=self.game.format_move(self.position, move.move),
            principal_variation=self._texts(variation),
            values=values,
            visits=move.visits,
            availability=move.availability,
            probability=move.probability,
            worlds_won=worlds_won(sources, move.move),
        )

    def _texts(self, variation: list[int]) -> tuple[str, ...]:
        """The variation in notation, up to the first move that cannot follow: its moves come from several worlds."""
        position, texts = self.position, []
        for move in variation:
            if move not in position.legal_moves():
                break
            texts.append(self.game.format_move(position, move))
            position = position.play(move)
        return tuple(texts)

    def _turn_plan(self, best: Line) -> tuple[str, ...]:
        """The moves of the variation that belong to the mover's turn at hand."""
        position, plan = self.position, []
        mover = position.seat_to_move
        for text in best.principal_variation:
            if position.seat_to_move != mover:
                break
            plan.append(text)
            position = position.play(self.game.parse_move(position, text))
        return tuple(plan)


def _allowed_moves(game: Game, position: Position, options: SearchOptions) -> tuple[int, ...] | None:
    if not options.chosen_moves and not options.avoided_moves:
        return None
    legal = position.legal_moves()

    def numbers(texts: tuple[str, ...], field: str) -> set[int]:
        moves = set()
        for index, text in enumerate(texts):
            path = f"options.{field}[{index}]"
            move = game.parse_move(position, text, path)
            if move not in legal:
                raise InputError(path, f"{text} is illegal: {game.why_illegal(position, move)}")
            moves.add(move)
        return moves

    chosen = numbers(options.chosen_moves, "chosen_moves") or set(legal)
    allowed = chosen - numbers(options.avoided_moves, "avoided_moves")
    if not allowed:
        raise InputError("options.avoided_moves", "found no move left to choose, expected at least one")
    return tuple(sorted(allowed))


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


def _best_first(moves: list[RootMove], mover: int) -> list[RootMove]:
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
