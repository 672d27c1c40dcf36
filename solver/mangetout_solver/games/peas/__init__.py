"""PEAS: two players, ten tricks at once over a row of pods. One round, or a match of up to three."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Game, MoveParts
from mangetout_solver.games.options import ChoiceOption, IntsOption, check_names
from mangetout_solver.games.peas import notation
from mangetout_solver.games.peas.notation import COLOURS, RANKS, SCOPE
from mangetout_solver.games.peas.positions import RoundView, build, view, why_illegal
from mangetout_solver.games.position import Position

__all__ = ["Peas", "RoundView", "view"]

ROUNDS_TO_WIN = 2  # a match (PEAS-18)
STANDARD_PODS = (1, 1, 1, 1, 2, 3, -2, -2, -2, -3)
_PODS = IntsOption(
    "pods",
    ",".join(map(str, STANDARD_PODS)),
    "Pod values, shuffled by the deal; each player gets as many cards as there are pods.",
    min_length=1,
    max_length=12,
    low=-9,
    high=9,
)
_ORDER = ChoiceOption(
    "order",
    "shuffled",
    "Whether the pods of the first round are shuffled, as all later ones are.",
    ("shuffled", "given"),
)
_PEA = ChoiceOption(
    "pea", "random", "Who holds the first-player pea in the first round and begins it.", ("random", "A", "B")
)


class Peas(Game):
    """See `Game`."""

    name = "peas"
    title = "PEAS"
    min_players = max_players = 2
    score_unit = "pod points, for a match rounds won; higher is better"
    hidden_information = True
    options = (COLOURS, RANKS, _PODS, _ORDER, _PEA, SCOPE)
    notation_help = (
        "peas PODS HAND_A HAND_B PEA [WINS] [: MOVES]; pods from the Bottom, such as +1/-2[A=B2]/+3[B=Y5,A=R1]; "
        "cards are a colour B R V Y and a rank, ? for each card not known; WINS are the rounds won, in a match only; "
        "a move is CARD@POD"
    )
    example = "peas +3/-3/+1/+2/-2/-2/+1/-2/+1/+1 B3B4R1R2R4R5V4V6Y5Y6 ?????????? A : Y5@0 R6@2 R2@4 B5@9"

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        colours, ranks, pods = COLOURS.of(options), RANKS.of(options), _PODS.of(options)
        order, pea, scope = _ORDER.of(options), _PEA.of(options), SCOPE.of(options)
        shuffle = random.Random(seed)
        if order == "shuffled":
            shuffle.shuffle(pods)
        deck = [8 * colour + rank for colour in range(colours) for rank in range(ranks)]
        shuffle.shuffle(deck)
        hands = [sorted(deck[: len(pods)]), sorted(deck[len(pods) : 2 * len(pods)])]
        if pea == "random":
            pea = shuffle.choice("AB")
        try:
            return build(
                pods,
                [[] for _ in pods],
                hands,
                (0, 0),
                int(pea == "B"),
                colours,
                ranks,
                wins=(0, 0) if scope == "match" else None,
            )
        except InputError as error:
            # Every value is in its range: the deck can only be too small for the pods.
            raise InputError("options.pods", error.reason) from None

    def parse_position(self, text: str, field: str = "notation") -> Position:
        return notation.parse(text, field)

    def format_position(self, position: Position) -> str:
        return notation.format_round(view(position))

    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        return notation.parse_step(position, text, field)

    def format_move(self, position: Position, move: int) -> str:
        return notation.format_step(position, move)

    def describe_move(self, position: Position, move: int) -> str:
        return notation.describe_step(position, move)

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return notation.step_parts(position, move)

    def describe_next(self, position: Position) -> str:
        return notation.describe_next(position)

    def why_illegal(self, position: Position, move: int) -> str:
        return why_illegal(position, move)

    def score_bounds(self, position: Position) -> tuple[float, float]:
        round_ = view(position)
        if round_.wins is not None:
            return 0, ROUNDS_TO_WIN
        values = round_.values()
        return sum(value for value in values if value < 0), sum(value for value in values if value > 0)

    def is_match(self, position: Position) -> bool:
        return view(position).wins is not None

    def stakes(self, position: Position) -> tuple[tuple[float, float], ...] | None:
        wins = view(position).wins
        if wins is None:
            return None
        return tuple(
            (_match_share(mine, theirs + 1), _match_share(mine + 1, theirs)) for mine, theirs in (wins, wins[::-1])
        )

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        texts = notation.renamings(position)
        return {f"colours as {letters}": self.parse_position(text) for letters, text in texts.items()}

    def knows_own_cards(self, position: Position, seat: int) -> bool:
        return view(position).hands[seat].unknown == 0

    def key(self, position: Position) -> str:
        canonical = min(notation.renamings(position).values())
        return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


def _match_share(mine: int, theirs: int) -> float:
    """The chance to win a match by the rounds won, every round to come being even."""
    if ROUNDS_TO_WIN in (mine, theirs):
        return float(mine == ROUNDS_TO_WIN)
    return (_match_share(mine + 1, theirs) + _match_share(mine, theirs + 1)) / 2
