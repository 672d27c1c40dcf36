"""The solver's answers as messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from mangetout.v1 import analysis_pb2, common_pb2, engine_pb2, game_pb2
from mangetout_solver import analysis as solver
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.explanation import explain
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Utility

from mangetout_server.views import add_view

_CONCEPTS = {
    solver.SolutionConcept.PERFECT_INFORMATION: analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION,
    solver.SolutionConcept.INFORMATION_SET_SEARCH: analysis_pb2.SOLUTION_CONCEPT_INFORMATION_SET_SEARCH,
    solver.SolutionConcept.MIXED_STRATEGY: analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY,
}
_UTILITIES = {
    Utility.ROUND: common_pb2.UTILITY_ROUND,
    Utility.MATCH: common_pb2.UTILITY_MATCH,
}
_STOP_REASONS = {
    None: analysis_pb2.STOP_REASON_UNSPECIFIED,
    solver.StopReason.SOLVED: analysis_pb2.STOP_REASON_SOLVED,
    solver.StopReason.LIMIT: analysis_pb2.STOP_REASON_LIMIT,
    solver.StopReason.DEADLINE: analysis_pb2.STOP_REASON_DEADLINE,
    solver.StopReason.STOPPED: analysis_pb2.STOP_REASON_STOPPED,
    solver.StopReason.SHUTDOWN: analysis_pb2.STOP_REASON_SHUTDOWN,
}


def analysis_message(analysis: solver.Analysis, game: Game) -> analysis_pb2.Analysis:
    """An analysis of a position of `game`."""
    # Words for moves must not say more than the search knew.
    position = game.parse_position(analysis.position)
    turn = Record(game, (position,), ())
    for text in analysis.turn_plan:
        turn = turn.play(text)
    counters = analysis.counters
    message = analysis_pb2.Analysis(
        is_final=analysis.is_final,
        game=analysis.game,
        position=analysis.position,
        key=analysis.key,
        seat_to_move=analysis.seat_to_move,
        seat=analysis.seat,
        concept=_CONCEPTS[analysis.concept],
        utility=_UTILITIES[analysis.utility],
        best_move=_move_from_text(game, position, analysis.best_move),
        turn_plan=[move_message(game, *step) for step in zip(turn.positions, turn.moves, strict=False)],
        turn_description=game.describe_turn(turn),
        explanation=explain(analysis, turn),
        values=_player_values(analysis.values),
        lines=[
            analysis_pb2.Line(
                rank=line.rank,
                move=_move_from_text(game, position, line.move),
                principal_variation=line.principal_variation,
                values=_player_values(line.values),
                visits=line.visits,
                availability=line.availability,
                probability=line.probability,
                worlds_won=line.worlds_won,
                equal_moves=line.equal_moves,
                hidden_hands=None if line.hidden_hands is None else _hidden_hands(line.hidden_hands),
            )
            for line in analysis.lines
        ],
        counters=analysis_pb2.SearchCounters(
            simulations=counters.simulations,
            nodes=counters.nodes,
            tree_nodes=counters.tree_nodes,
            tree_bytes=counters.tree_bytes,
            worlds=counters.worlds,
            worlds_enumerated=counters.worlds_enumerated,
        ),
        stop_reason=_STOP_REASONS[analysis.stop_reason],
        seed=analysis.seed,
    )
    message.search_time.FromNanoseconds(round(analysis.search_seconds * 1e9))
    return message


def _hidden_hands(found: solver.HiddenHands) -> analysis_pb2.HiddenHands:
    return analysis_pb2.HiddenHands(**asdict(found))


def move_message(game: Game, position: Position, move: int) -> common_pb2.Move:
    """A move in notation, in words and in structured form."""
    parts = game.move_parts(position, move)
    return common_pb2.Move(
        notation=game.format_move(position, move),
        description=game.describe_move(position, move),
        kind=parts.kind,
        card=parts.card,
        place=parts.place,
        seats=parts.seats,
        number=parts.number,
    )


def position_message(game: Game, position: Position) -> game_pb2.Position:
    """A position, all of it: what a seat may not know must be gone before."""
    message = game_pb2.Position(
        game=game.name,
        notation=game.format_position(position),
        key=game.key(position),
        players=position.players,
        seat_to_move=position.seat_to_move,
        is_chance=position.is_chance,
        is_secret=position.is_secret,
        next=game.describe_next(position),
        choices=_choices(game, position),
    )
    if position.is_terminal:
        message.returns.extend(_player_returns(position.win_shares(), position.scores()))
    if (returns := position.round_returns()) is not None:
        message.round_returns.extend(_player_returns(*returns))
    add_view(position, message)
    return message


def game_message(game: Game) -> engine_pb2.GameInfo:
    """What there is to know of a game."""
    concepts = [analysis_pb2.SOLUTION_CONCEPT_PERFECT_INFORMATION]
    if game.hidden_information:
        concepts.append(analysis_pb2.SOLUTION_CONCEPT_INFORMATION_SET_SEARCH)
    if game.simultaneous_decisions:
        concepts.append(analysis_pb2.SOLUTION_CONCEPT_MIXED_STRATEGY)
    return engine_pb2.GameInfo(
        name=game.name,
        title=game.title,
        min_players=game.min_players,
        max_players=game.max_players,
        score_unit=game.score_unit,
        margin_unit=ENGINES[game.name].margin_unit if game.name in ENGINES else "",
        hidden_information=game.hidden_information,
        options=[
            engine_pb2.GameOption(
                name=option.name,
                type=option.type,
                default_value=option.default,
                range=option.range,
                description=option.description,
            )
            for option in game.options
        ],
        notation_help=game.notation_help,
        example=game.example,
        concepts=[analysis_pb2.SolutionConcept.Name(concept) for concept in concepts],
    )


def _choices(game: Game, position: Position) -> int | None:
    mover = position.seat_to_move
    if mover is not None:
        return len(position.legal_moves()) if game.knows_own_cards(position, mover) else None
    try:
        return len(position.chance_outcomes()) or None
    except ValueError:  # too many to list
        return None


def _move_from_text(game: Game, position: Position, text: str) -> common_pb2.Move:
    return move_message(game, position, game.parse_move(position, text))


def _player_values(values: Iterable[solver.PlayerValue]) -> list[common_pb2.PlayerValue]:
    return [
        common_pb2.PlayerValue(
            seat=value.seat,
            win_share=_value(value.win_share),
            score=None if value.score is None else _value(value.score),
            utility=_UTILITIES[value.utility],
            margin=None if value.margin is None else _value(value.margin),
        )
        for value in values
    ]


def _player_returns(shares: tuple[float, ...], scores: tuple[float, ...]) -> list[common_pb2.PlayerReturn]:
    return [
        common_pb2.PlayerReturn(seat=seat, win_share=share, score=score)
        for seat, (share, score) in enumerate(zip(shares, scores, strict=True))
    ]


def _value(value: solver.Value) -> common_pb2.Value:
    match value:
        case solver.Exact():
            return common_pb2.Value(exact=common_pb2.ExactValue(value=value.value))
        case solver.Interval():
            return common_pb2.Value(interval=common_pb2.IntervalValue(low=value.low, high=value.high))
        case solver.Estimate():
            return common_pb2.Value(
                estimate=common_pb2.EstimateValue(mean=value.mean, standard_error=value.standard_error)
            )
