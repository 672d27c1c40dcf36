"""Analyses in a sentence or two, made of nothing but what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mangetout_solver.analysis import (
    Analysis,
    Estimate,
    Exact,
    HiddenHands,
    Interval,
    PlayerValue,
    SolutionConcept,
    Value,
)
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.games.game import SEAT_LETTERS, Game, Record
from mangetout_solver.limits import Utility


def explain(analysis: Analysis, turn: Record) -> str:
    """What the best move does, what it is worth to the seat that searches and how firmly, and the reply found to it.

    turn: the analysis' turn plan, played from its position. Noise, one standard error, is rounded up and never reads 0.
    """
    viewer = analysis.seat_to_move if analysis.seat is None else analysis.seat
    best = analysis.lines[0]
    mover, reader = SEAT_LETTERS[analysis.seat_to_move], SEAT_LETTERS[viewer]
    # Without a tree it was proven.
    is_proof = not analysis.counters.tree_nodes
    if best.probability is not None:
        part = "" if is_proof else "its first move "
        lead = f"Likeliest in the mixed strategy of {mover}, {part}at {_percent(best.probability)}"
    else:
        lead = f"Best found for {mover}" if viewer == analysis.seat_to_move else f"Expected of {mover}"
    worth = {value.utility: value for value in best.values if value.seat == viewer}
    searched = worth.get(Utility.ROUND, best.values[viewer])
    if is_proof and analysis.concept is SolutionConcept.MIXED_STRATEGY and analysis.values != best.values:
        mixture, alone = _worth(analysis.values[viewer], turn.game), _worth(searched, turn.game)
        text = f"{lead}: {_in_words(turn)}. The best mixed strategy {mixture}; this alone, foreseen, {alone}"
    else:
        text = f"{lead}: {_in_words(turn)}, which {_worth(searched, turn.game)}"
    if best.hidden_hands is not None and (best.hidden_hands.sure or best.hidden_hands.looked_at):
        text += _against_hidden_hands(best.hidden_hands, analysis.counters.worlds, reader)
    elif best.worlds_won is not None:
        worlds = f"{best.worlds_won:,} of the {analysis.counters.worlds:,} ways the other hands can be"
        text += f", and wins for {reader} more often than not in about {worlds}"
    if len(worth) > 1:
        text += f". That {_match_worth(worth[Utility.MATCH])}"
    return f"{text}.{_reply(analysis, turn)}"


def _against_hidden_hands(found: HiddenHands, hands: int, reader: str) -> str:
    if found.sure:
        return ", whatever the other hand holds and plays"
    seen = f"the {hands:,} hands that the other can have"
    if found.looked_at < hands:
        seen = f"{found.looked_at:,} of {seen}"
    won = found.looked_at - found.beaten
    text = f"; with open cards it is proven to win for {reader} against {won:,} of {seen}"
    if won and found.needed:
        text += f", and every hand that beats it has {_joined(found.needed, 'and')}"
    elif won and found.enough:
        text += f", and against none with {_joined(found.enough, 'or')}"
    return text


def _joined(cards: Sequence[str], word: str) -> str:
    return f" {word} ".join([", ".join(cards[:-1]), cards[-1]] if len(cards) > 1 else cards)


def _worth(value: PlayerValue, game: Game) -> str:
    text = _share_worth(value)
    if value.margin is not None:
        unit = ENGINES[game.name].margin_unit
        return f"{text}, with a margin of {_number(value.margin, 1.0, '', 2)} ({_claim(value.margin)}; {unit})"
    if value.score is not None:
        return f"{text} and a score of {_number(value.score, 1.0, '', 2)} ({_claim(value.score)}; {game.score_unit})"
    return text


def _match_worth(value: PlayerValue) -> str:
    text = _share_worth(value)
    return (
        f"{text}, all seats taken to be even in every round to come" if isinstance(value.win_share, Estimate) else text
    )


def _share_worth(value: PlayerValue) -> str:
    seat, win, share = SEAT_LETTERS[value.seat], f"the {value.utility.value}", value.win_share
    if isinstance(share, Exact) and share.value in (0.0, 1.0):
        return f"is proven to {'win' if share.value else 'lose'} {win} for {seat}"
    if share == Interval(0.0, 1.0):
        return f"is not proven to win or to lose {win} for {seat}"
    return f"gives {seat} a win share of {win} of {_number(share, 100.0, ' %', 1)} ({_claim(share)})"


def _claim(value: Value) -> str:
    return "estimate" if isinstance(value, Estimate) else "proven"


def _number(value: Value, scale: float, unit: str, digits: int) -> str:
    match value:
        case Exact():
            return f"{round(scale * value.value, 4):g}{unit}"
        case Interval():
            return f"{round(scale * value.low, 4):g} to {round(scale * value.high, 4):g}{unit}"
        case Estimate():
            noise = math.ceil(scale * value.standard_error * 10**digits) / 10**digits
            return f"{scale * value.mean:.{digits}f}{unit} ± {noise:.{digits}f}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def _reply(analysis: Analysis, turn: Record) -> str:
    """The turn of another seat that follows in the best line; nothing where none does."""
    seat = turn.current.seat_to_move
    reply = Record(turn.game, (turn.current,), ())
    for text in analysis.lines[0].principal_variation[len(analysis.turn_plan) :]:
        if reply.current.seat_to_move != seat:
            break
        reply = reply.play(text)
    if seat is None or not reply.moves:
        return ""
    sampled = analysis.concept is not SolutionConcept.PERFECT_INFORMATION and analysis.counters.tree_nodes
    return f" The reply {'met most often' if sampled else 'found best'}, by {SEAT_LETTERS[seat]}: {_in_words(reply)}."


def _in_words(turn: Record) -> str:
    """A turn in words; its first move alone where the search has not seen the end of it."""
    start, end = turn.positions[0], turn.current
    if end.seat_to_move == start.seat_to_move and not end.opens_turn:
        return turn.game.describe_move(start, turn.moves[0])
    return turn.game.describe_turn(turn)
