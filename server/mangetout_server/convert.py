"""The solver's answers as messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mangetout.v1 import analysis_pb2, common_pb2, engine_pb2, game_pb2
from mangetout_solver import analysis as solver
from mangetout_solver.explanation import explain
from mangetout_solver.games import easy_peasy, erbsenzaehlen, peas, pepper_corn
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Utility

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


def analysis_message(analysis: solver.Analysis, record: Record) -> analysis_pb2.Analysis:
    """An analysis of the current position of `record`."""
    game, position = record.game, record.current
    if analysis.seat is not None:
        # Words for moves must not say more than the seat knows.
        position = position.redacted(analysis.seat)
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


def move_message(game: Game, position: Position, move: int) -> common_pb2.Move:
    """A move in notation and in words."""
    return common_pb2.Move(notation=game.format_move(position, move), description=game.describe_move(position, move))


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
    _VIEWS[game.name](position, message)
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


def _view_peas(position: Position, message: game_pb2.Position) -> None:
    view = peas.view(position)
    message.peas.pea, message.peas.colours, message.peas.ranks = view.pea, view.colours, view.ranks
    for pod in view.pods:
        plays = [game_pb2.PeasPlay(seat=seat, card=card) for seat, card in pod.plays]
        message.peas.pods.add(value=pod.value, plays=plays, winner=pod.winner)
    for hand in view.hands:
        message.peas.hands.add(cards=hand.cards, unknown=hand.unknown, voids=hand.voids)
    message.peas.wins.extend(view.wins or ())
    if view.deal is not None:
        deal = game_pb2.PeasDeal(undrawn=view.deal.undrawn, dealt=view.deal.dealt, placed=view.deal.placed)
        message.peas.deal.CopyFrom(deal)


def _view_pepper_corn(position: Position, message: game_pb2.Position) -> None:
    view, shown = pepper_corn.view(position), message.pepper_corn
    shown.phase = _PEPPER_CORN_PHASES[view.phase]
    shown.passed, shown.target = view.passed, view.target or ""
    shown.laid.extend(view.laid)
    shown.converter = view.converter or ""
    shown.unseen.extend(view.unseen)
    if view.next_seat is not None:
        shown.next_seat = view.next_seat
    if any("EX" in row for row in view.tableau):
        shown.excuse = _EXCUSES[view.excuse]
    shown.cards_shown = view.steps if view.phase == "show" else 0
    for row in view.tableau:
        shown.rows.add(cells=[card or "" for card in row])
    for hand, points in zip(view.hands, view.points, strict=True):
        piles = hand.piles or ((), ())
        shown.hands.add(
            cards=hand.cards,
            unknown=hand.unknown,
            points=points,
            pile_0=piles[0],
            pile_1=piles[1],
            deduced=hand.deduced,
        )
    for seat, pile in enumerate(view.choices):
        if pile is not None:
            shown.choices.add(seat=seat, pile=None if pile == pepper_corn.HIDDEN else pile)


def _view_erbsenzaehlen(position: Position, message: game_pb2.Position) -> None:
    view, shown = erbsenzaehlen.view(position), message.erbsenzaehlen
    shown.phase = _ERBSENZAEHLEN_PHASES[view.phase]
    if view.seat is not None:
        shown.seat = view.seat
    for player in view.players:
        shown.players.add(
            columns=player.columns,
            giant_peas=player.giant_peas,
            mush=player.mush,
            thieves=player.thieves,
            bad_luck=player.bad_luck,
            missed=player.missed,
        )
    for cards, counts in ((shown.centre, view.centre), (shown.box, view.box)):
        cards.green.extend(counts[0:12:2])
        cards.red.extend(counts[1:12:2])
        cards.mush, cards.thieves, cards.bad_luck, cards.bonus = counts[12:]
    for kind, count in zip(erbsenzaehlen.KINDS, view.drawn, strict=False):
        shown.drawn.extend([kind] * count)
    shown.bonus, shown.to_turn_up, shown.barred = view.bonus, view.to_turn_up, len(view.barred)
    shown.traded.extend(view.traded)
    shown.partners.extend(view.partners)
    for trade in view.trades:
        shown.trades.add(partner=trade.partner, given=trade.given, taken=trade.taken)
    if view.completing is not None:
        shown.completing_seat, shown.completing_value = view.completing


def _view_easy_peasy(position: Position, message: game_pb2.Position) -> None:
    view, shown = easy_peasy.view(position), message.easy_peasy
    phase, settings = view.phase, view.settings
    shown.phase = game_pb2.EasyPeasyPhase.Value(f"EASY_PEASY_PHASE_{phase.upper()}")
    shown.direction = _EASY_PEASY_DIRECTIONS[view.direction]
    shown.tops.extend("" if top is None else easy_peasy.card_text(top) for top in view.tops)
    shown.discards.extend(map(easy_peasy.card_text, view.discards))
    shown.draw_pile = view.draw_pile
    for era in view.eras[1:]:
        shown.shuffles.add(cards=map(easy_peasy.card_text, era))
    for row, hand, score, last in zip(view.rows, view.hands, view.scores, view.last_scores, strict=True):
        player = shown.players.add(
            hand=map(easy_peasy.card_text, hand.cards),
            unknown=sum(hand.unknown),
            unknown_by_shuffle=hand.unknown,
            score=score,
            last_score=last,
        )
        for pile in row:
            unknown = pile.beneath == easy_peasy.UNKNOWN
            player.row.add(
                open="" if pile.open is None else easy_peasy.card_text(pile.open),
                beneath="" if pile.beneath is None or unknown else easy_peasy.card_text(pile.beneath),
                beneath_unknown=unknown,
            )
    for stuck in view.showings:
        shown.players[stuck.seat].stuck.MergeFrom(
            game_pb2.EasyPeasyShowing(above=stuck.above, rank=stuck.rank, shuffle=stuck.era, free=stuck.free)
        )
    if view.seat is not None:
        if phase == "score":
            shown.ended_by = view.seat
        else:
            shown.active_seat = view.seat
    shown.flipped_again = view.again
    match phase:
        case "draw":
            shown.draws_left = view.number
        case "bonus":
            shown.bonus_pile = view.number
        case "reveal":
            shown.row_pile = view.number
        case "score":
            shown.hands_shown = view.number
    shown.beginners.extend(view.beginners)
    shown.round, shown.turns, shown.most_turns = view.round, view.turns, settings.turns * settings.players
    shown.cut_off = view.cut_off
    if settings.rounds is not None:
        shown.rounds = settings.rounds
    if settings.points is not None:
        shown.points = settings.points


_EASY_PEASY_DIRECTIONS = {
    "-": game_pb2.EASY_PEASY_DIRECTION_UNSPECIFIED,
    "up": game_pb2.EASY_PEASY_DIRECTION_UP,
    "down": game_pb2.EASY_PEASY_DIRECTION_DOWN,
}
_PEPPER_CORN_PHASES = {
    "split": game_pb2.PEPPER_CORN_PHASE_SPLIT,
    "show": game_pb2.PEPPER_CORN_PHASE_SHOW,
    "choose": game_pb2.PEPPER_CORN_PHASE_CHOOSE,
    "reveal": game_pb2.PEPPER_CORN_PHASE_REVEAL,
    "lot": game_pb2.PEPPER_CORN_PHASE_LOT,
    "play": game_pb2.PEPPER_CORN_PHASE_PLAY,
    "end": game_pb2.PEPPER_CORN_PHASE_END,
    "uncover": game_pb2.PEPPER_CORN_PHASE_UNCOVER,
}
_EXCUSES = {
    "gap": game_pb2.PEPPER_CORN_EXCUSE_GAP,
    "blocker": game_pb2.PEPPER_CORN_EXCUSE_BLOCKER,
    "takeable": game_pb2.PEPPER_CORN_EXCUSE_TAKEABLE,
}
_ERBSENZAEHLEN_PHASES = {
    "draw": game_pb2.ERBSENZAEHLEN_PHASE_DRAW,
    "play": game_pb2.ERBSENZAEHLEN_PHASE_PLAY,
    "complete": game_pb2.ERBSENZAEHLEN_PHASE_COMPLETE,
    "end": game_pb2.ERBSENZAEHLEN_PHASE_END,
}
_VIEWS: dict[str, Callable[[Position, game_pb2.Position], None]] = {
    "easy_peasy": _view_easy_peasy,
    "erbsenzaehlen": _view_erbsenzaehlen,
    "peas": _view_peas,
    "pepper_corn": _view_pepper_corn,
}
