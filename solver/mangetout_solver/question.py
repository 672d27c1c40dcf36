"""What a search is asked, checked once and for all searchers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mangetout_solver.analysis import (
    Analysis,
    Counters,
    Line,
    PlayerValue,
    SolutionConcept,
    StopReason,
    match_share,
)
from mangetout_solver.errors import InputError, PositionError, PreconditionError
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.games.game import SEAT_LETTERS, Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import MIN_TREE_BYTES, Limits, SearchOptions, Utility


@dataclass(frozen=True)
class Question:
    """A checked request: what is searched, for whom, over which root moves.

    stage: at a secret decision, where its stage opened and the mover's own moves since. searched: the win whose shares
    the search finds. stakes: what the round at hand is worth in the match, where that is asked about (`Game.stakes`).
    exact: whether the game's exact engine answers, and not simulations.
    """

    game: Game
    position: Position
    observer: int | None
    allowed: tuple[int, ...] | None
    stage: tuple[Position, tuple[int, ...]] | None
    searched: Utility
    stakes: tuple[tuple[float, float], ...] | None
    exact: bool

    @staticmethod
    def check(
        record: Record, seat: int | None, perfect_information: bool, limits: Limits, options: SearchOptions
    ) -> Question:
        """The question about the current position of a record. Raises as `engine.search`."""
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
        if observer is None:
            start = position if stage is None else stage[0]
            if start.count_worlds() != 1:
                seats = (seat for seat in range(start.players) if not game.knows_own_cards(start, seat))
                holders = " and ".join(SEAT_LETTERS[seat] for seat in seats)
                reason = f"found cards{holders and ' of '}{holders} that are not known"
                raise PositionError("notation", f"{reason}, expected none with perfect information")
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
        # Who limits the simulations asks for some.
        exact = perfect_information and limits.simulations is None and _is_covered(game, position, stage)
        if stage is not None:
            if limits.until_solved and not exact:
                raise InputError("limits.until_solved", "nothing is proven of this decision, expected false")
            if exact:
                position = _as_decided(game, *stage, mover)
        _check_searcher(exact, limits, options)
        allowed = _allowed_moves(game, position, options)
        return Question(game, position, observer, allowed, stage, searched, stakes, exact)

    @property
    def mover(self) -> int:
        """The seat to move."""
        mover = self.position.seat_to_move
        assert mover is not None
        return mover

    @cached_property
    def _notation(self) -> str:
        return self.game.format_position(self.position)

    @cached_property
    def _key(self) -> str:
        return self.game.key(self.position)

    def _concept(self) -> SolutionConcept:
        if self.stage is not None:
            return SolutionConcept.MIXED_STRATEGY
        if self.observer is None:
            return SolutionConcept.PERFECT_INFORMATION
        return SolutionConcept.INFORMATION_SET_SEARCH

    def analysis(
        self,
        values: tuple[PlayerValue, ...],
        lines: tuple[Line, ...],
        counters: Counters,
        reason: StopReason | None,
        seed: int,
        seconds: float,
    ) -> Analysis:
        """The answer whose first line is the best."""
        best = lines[0]
        return Analysis(
            is_final=reason is not None,
            game=self.game.name,
            position=self._notation,
            key=self._key,
            seat_to_move=self.mover,
            seat=self.observer,
            concept=self._concept(),
            utility=self.searched if self.stakes is None else Utility.MATCH,
            best_move=best.move,
            turn_plan=self._turn_plan(best.principal_variation),
            values=values,
            lines=lines,
            counters=counters,
            stop_reason=reason,
            seed=seed,
            search_seconds=seconds,
        )

    def with_match(self, values: tuple[PlayerValue, ...]) -> tuple[PlayerValue, ...]:
        """The values of the round, after those of the match that follow from them where they are asked for."""
        if self.stakes is None:
            return values
        shares = (match_share(value.win_share, *stake) for value, stake in zip(values, self.stakes, strict=True))
        return (*(PlayerValue(seat, share, None, Utility.MATCH) for seat, share in enumerate(shares)), *values)

    def texts(self, variation: Sequence[int]) -> tuple[str, ...]:
        """The variation in notation, up to the first move that cannot follow: its moves come from several worlds."""
        position, texts = self.position, []
        for move in variation:
            if move not in position.legal_moves():
                break
            texts.append(self.game.format_move(position, move))
            position = position.play(move)
        return tuple(texts)

    def _turn_plan(self, variation: Sequence[str]) -> tuple[str, ...]:
        """The moves of the best variation that belong to the mover's turn at hand."""
        position, plan = self.position, []
        mover = position.seat_to_move
        for text in variation:
            if position.seat_to_move != mover:
                break
            plan.append(text)
            position = position.play(self.game.parse_move(position, text))
        return tuple(plan)


def is_open_stage(game: Game, position: Position) -> bool:
    """Whether a decision is one taken at the same time as another seat's, of which the seat to move knows all that
    there is to know (PC-25), and small enough for the game's exact engine."""
    mover = position.seat_to_move
    if mover is None or not position.is_secret:
        return False
    position = position.redacted(mover)
    if not game.knows_own_cards(position, mover):
        return False
    start, begun = game.stage_start(position)
    if start.count_worlds() != 1 or not _is_covered(game, position, (start, begun)):
        return False
    engine = ENGINES[game.name].stage
    return engine is not None and max(engine.count_plans(start.worlds()[0])) <= engine.most_plans


def _is_covered(game: Game, position: Position, stage: tuple[Position, tuple[int, ...]] | None) -> bool:
    """Whether the game has an exact engine that can be asked about this."""
    engine = ENGINES.get(game.name)
    if engine is None:
        return False
    if stage is None:
        return engine.covers(position) or (engine.chance is not None and engine.chance.covers(position))
    return engine.stage is not None and engine.stage.covers(stage[0])


def _as_decided(game: Game, start: Position, begun: Sequence[int], mover: int) -> Position:
    """A simultaneous decision as an exact search takes it: whatever the other seat has decided is left out. Raises
    PositionError where the stage that begins at `start` is too large."""
    engine = ENGINES[game.name].stage
    assert engine is not None
    plans = engine.count_plans(start)
    if max(plans) > engine.most_plans:
        reason = f"found {plans[0]} ways to divide the cards for A and {plans[1]} for B"
        advice = "limits.simulations asks for an estimate"
        raise PositionError("notation", f"{reason}, expected at most {engine.most_plans} for an exact search: {advice}")
    position = engine.first_decision(start, mover)
    for move in begun:
        position = position.play(move)
    return position


def _check_searcher(exact: bool, limits: Limits, options: SearchOptions) -> None:
    """Refuses what means nothing to the one that answers."""
    if exact:
        if options.trees > 1:
            reason = "an exact search answers; limits.simulations asks for trees"
            raise InputError("options.trees", f"found {options.trees}, expected 1: {reason}")
        if options.threads > 1 and limits.nodes is not None:
            reason = "what several threads do with a number of nodes depends on chance"
            raise InputError("options.threads", f"found {options.threads}, expected 1: {reason}")
        return
    if limits.nodes is not None:
        reason = "nothing is proven here, simulations are made"
        raise InputError("limits.nodes", f"found {limits.nodes}, expected simulations in their place: {reason}")
    if options.margin:
        raise InputError("options.margin", "no margin is proven here, expected false")


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
