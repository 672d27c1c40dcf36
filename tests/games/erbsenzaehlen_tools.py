"""Small games of Erbsenzählen for tests: positions from little text, and what can come of them."""

from __future__ import annotations

from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

EMPTY = "-,-,-,-,-,-"
NO_CARDS = "0+0,0+0,0+0,0+0,0+0,0+0;0,0,0,0"
ONE_CARD = "0+0,0+0,0+0,0+0,0+0,1+0;0,0,0,0"


def game(*players: str, centre: str = ONE_CARD, hand: str = "-", stage: str = "play/A", options: str = "mush=0") -> str:
    """The text of a position. players: six columns, and the five numbers behind ";" where they are not all 0."""
    shown = "/".join(player if ";" in player else f"{player};0,0,0,0,0" for player in players)
    return f"erbsenzaehlen{{{options}}} {shown} {centre} {hand} {stage}"


def played(text: str, *words: str) -> Record:
    """The record after these words."""
    return parse_record(f"{text} : {' '.join(words)}" if words else text)


def after(text: str, *words: str) -> str:
    """The text of the position after these words, without the game's name and options."""
    record = played(text, *words)
    return record.game.format_position(record.current).split(" ", 1)[1]


def displays(text: str, *words: str) -> list[str]:
    """The displays after these words, without the numbers of the players."""
    return [player.split(";")[0] for player in after(text, *words).split(" ")[0].split("/")]


def numbers(text: str, *words: str) -> list[str]:
    """The numbers of the players after these words."""
    return [player.split(";")[1] for player in after(text, *words).split(" ")[0].split("/")]


def stage(text: str, *words: str) -> str:
    """The stage after these words."""
    return after(text, *words).rsplit(" ", 1)[1]


def steps(text: str, *words: str) -> set[str]:
    """The steps that are legal after these words, or what chance can bring."""
    record = played(text, *words)
    position = record.current
    found = [outcome for outcome, _ in position.chance_outcomes()] or position.legal_moves()
    return {record.game.format_move(position, step) for step in found}


def current(text: str, *words: str) -> Position:
    """The position after these words."""
    return played(text, *words).current
