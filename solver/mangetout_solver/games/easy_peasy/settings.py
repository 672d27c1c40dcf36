"""The rules options of Easy Peasy and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mangetout_solver.errors import InputError
from mangetout_solver.games.options import ChoiceOption, IntOption

PLAYERS = IntOption("players", "2", "Number of players.", low=2, high=6)
PILES = IntOption("piles", "2", "Piles in each row, of a face-down and an open card each.", low=1, high=3)
COLOURS = IntOption(
    "colours",
    "0",
    "Colours in the deck; 0: 4 for two or three players, 5 for four, 6 for five or six.",
    low=0,
    high=6,
)
RANKS = IntOption("ranks", "10", "Cards of each colour, numbered from 1.", low=3, high=10)
HAND = IntOption("hand", "4", "Cards dealt to each hand.", low=1, high=12)
FIRST = ChoiceOption(
    "first",
    "total",
    "Who begins a later round: the player with most points so far (total) or in the last round (last).",
    choices=("total", "last"),
)
FIRST_TIE = ChoiceOption(
    "first_tie",
    "deal",
    "What decides a tie there: the open row cards of the new deal (deal) or the row of the round just scored (scored).",
    choices=("deal", "scored"),
)
STUCK = ChoiceOption(
    "stuck",
    "again",
    "A player who cannot play after a flip of choice flips again (again) or ends the turn (end), or may not flip so "
    "(forbid).",
    choices=("again", "end", "forbid"),
)
MATCH = ChoiceOption(
    "match",
    "rounds",
    "Whether a number of rounds is played, or up to a number of points.",
    choices=("rounds", "points"),
)
ROUNDS = IntOption("rounds", "3", "Rounds of a match of rounds.", low=1, high=99)
POINTS = IntOption(
    "points", "0", "Points that end a match of points; 0: 30 for two players, 50 for more.", low=0, high=100
)
TURNS = IntOption(
    "turns", "200", "Finished turns of each player after which a round that has not ended is cut off.", low=1, high=200
)

# Those that a position text names; the others show in its rows.
NAMED = (COLOURS, RANKS, HAND, FIRST, FIRST_TIE, STUCK, MATCH, ROUNDS, POINTS, TURNS)
OPTIONS = (PLAYERS, PILES, *NAMED)

_COLOURS_OF = {2: 4, 3: 4, 4: 5, 5: 6, 6: 6}


@dataclass(frozen=True)
class Settings:
    """The rules of a match. rounds: None where it is played to a number of points; points: None where it is not."""

    players: int
    piles: int
    colours: int
    ranks: int
    hand: int
    first: str
    first_tie: str
    stuck: str
    rounds: int | None
    points: int | None
    turns: int


def _default_points(players: int) -> int:
    return 30 if players == 2 else 50


def settings_of(values: Mapping[str, Any], players: int, piles: int) -> Settings:
    """The rules by the values of `NAMED`. Raises InputError (``options.<name>``) for values that contradict each other
    or leave too few cards for a deal."""
    by_points = values["match"] == "points"
    if by_points and values["rounds"] != int(ROUNDS.default):
        raise InputError("options.rounds", f"found {values['rounds']}, expected none in a match of points")
    if values["points"] and not by_points:
        raise InputError("options.points", f"found {values['points']}, expected none in a match of rounds")
    settings = Settings(
        players=players,
        piles=piles,
        colours=values["colours"] or _COLOURS_OF[players],
        ranks=values["ranks"],
        hand=values["hand"],
        first=values["first"],
        first_tie=values["first_tie"],
        stuck=values["stuck"],
        rounds=None if by_points else values["rounds"],
        points=(values["points"] or _default_points(players)) if by_points else None,
        turns=values["turns"],
    )
    deck, needed = settings.colours * settings.ranks, players * (2 * piles + settings.hand) + 2
    if needed > deck:
        blamed = next(
            (option for option in (HAND, RANKS, COLOURS) if str(values[option.name]) != option.default), PILES
        )
        found = piles if blamed is PILES else values[blamed.name]
        raise InputError(
            f"options.{blamed.name}", f"found {found}, expected a deck of at least {needed} cards, not {deck}"
        )
    return settings


def named_values(settings: Settings) -> dict[str, Any]:
    """The values of `NAMED` that give these rules; defaults wherever the number of players gives the same."""
    players, points = settings.players, settings.points
    return {
        "colours": 0 if settings.colours == _COLOURS_OF[players] else settings.colours,
        "ranks": settings.ranks,
        "hand": settings.hand,
        "first": settings.first,
        "first_tie": settings.first_tie,
        "stuck": settings.stuck,
        "match": "rounds" if points is None else "points",
        "rounds": int(ROUNDS.default) if settings.rounds is None else settings.rounds,
        "points": 0 if points is None or points == _default_points(players) else points,
        "turns": settings.turns,
    }
