"""A slow, plain statement of Pepper. Corn!, kept as a judge for faster implementations.

Everything here is written with lists, sets and strings, and everything is worked out afresh from what the position
shows. Nothing is shared with any other implementation of the game.

Words used throughout:

* a *seat* is ``"A"`` or ``"B"``;
* a *card* is a rank and its suits, such as ``"AM"`` or ``"9MS"``, or the Excuse; cards have the order of the deck;
* a *converter* is a Pawn or Court that makes a suit of its own of all the cards played with it;
* a *pile* is ``"0"`` or ``"1"``; pile 0 of a dealt hand is the one with its lowest card;
* a *cell* is ``(row, column)``, row 0 being the front row of A and the last row that of B;
* a *step* is the text of one decision or one chance event, such as ``"x9MS"`` or ``"*2MK>1"``;
* a *world* is a complete position that agrees with what an incomplete one shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from math import comb
from random import Random

SEATS = ("A", "B")
GAP = "-"
UNKNOWN = "?"
EXCUSE = "EX"
BEFORE_PLAY = ("split", "show", "choose", "reveal")

DECK = (
    *("AM", "AS", "AW", "AL", "AY", "AK"),
    *("2MK", "2SY", "2WL"),
    *("3MW", "3SK", "3LY"),
    *("4MS", "4WL", "4YK"),
    *("5ML", "5SW", "5YK"),
    *("6MW", "6SY", "6LK"),
    *("7ML", "7SK", "7WY"),
    *("8MS", "8WL", "8YK"),
    *("9MS", "9WY", "9LK"),
    *("XM", "XS", "XW", "XL", "XY", "XK"),
)
EXTENDED_DECK = (*DECK, "PMSL", "PMYK", "PSWK", "PWLY", "CMWK", "CMLY", "CSWY", "CSLK", EXCUSE)

CARD = "(?:[A2-9X][MSWLYK]{1,2}|[PC][MSWLYK]{3}|EX)"
NUMBER = "0|[1-9][0-9]*"

Capture = tuple[str, frozenset[str]]


def other_seat(seat: str) -> str:
    """Return the seat opposite ``seat``; ValueError when ``seat`` is neither A nor B."""
    if seat == "A":
        return "B"
    if seat == "B":
        return "A"
    raise ValueError(f"no such seat: {seat!r}")


def rank(card: str) -> int:
    """Return what a card is worth, in strength and in points: an Ace 1, a Crown 10."""
    # PC-34, PC-40: Pawns, Courts and the Excuse are worth nothing.
    return int(card[0]) if card[0].isdigit() else {"A": 1, "X": 10, "P": 0, "C": 0, "E": 0}[card[0]]


def suits(card: str) -> set[str]:
    """Return the suits a card shows; the Excuse shows none."""
    return set() if card == EXCUSE else set(card[1:])


def total(cards: Iterable[str]) -> int:
    """Return the ranks of the cards added up."""
    return sum(rank(card) for card in cards)


def fits(card: str, target: str) -> bool:
    """Whether ``card`` may be among the cards that capture ``target``, neither of them being the Excuse."""
    # PC-11, PC-13: a played Ace fits every suit, wherever it comes from.
    # PC-08: any other card has to share a suit with the target by itself.
    # PC-12: an Ace that is the target has its own suit only.
    return card[0] == "A" or bool(suits(card) & suits(target))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards in the order of the deck."""
    return tuple(sorted(cards, key=EXTENDED_DECK.index))


def comes_after(card: str, earlier: str) -> bool:
    """Whether ``card`` comes later in the order of the deck."""
    return EXTENDED_DECK.index(card) > EXTENDED_DECK.index(earlier)


@dataclass(frozen=True)
class Hand:
    """The cards of a seat.

    cards: the known ones, in order. unknown: how many others there are. piles: before play, the piles of the lowest
    known cards as far as they are known, one digit each; the lowest card counts as known to lie in pile 0 once the
    whole hand is known or the card has been shown. Empty in play.
    """

    cards: tuple[str, ...] = ()
    unknown: int = 0
    piles: str = ""

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards) + self.unknown

    def pile(self, number: str) -> tuple[str, ...]:
        """Return the cards known to lie in a pile."""
        return tuple(card for card, pile in zip(self.cards, self.piles, strict=False) if pile == number)

    def text(self) -> str:
        """Return the hand in canonical notation."""
        if len(self.piles) < 2:
            return "".join(self.cards) + UNKNOWN * self.unknown or "-"
        rest = "".join(self.cards[len(self.piles) :]) + UNKNOWN * self.unknown
        parts = ["".join(self.pile("0")) or "-", "".join(self.pile("1")) or "-"]
        return "|".join([*parts, rest] if rest else parts)

    @staticmethod
    def from_text(text: str) -> Hand:
        """Return the hand that a text describes. The pile of a lowest card without a division is left to the caller."""
        parts = text.split("|")
        if len(parts) > 3:
            raise ValueError(f"a hand has two piles and a rest: {text!r}")
        cards: list[str] = []
        unknown = 0
        pile_of: dict[str, str] = {}
        for number, part in enumerate(parts):
            found = re.fullmatch(rf"-|((?:{CARD})*)(\?*)", part)
            if not found or not part:
                raise ValueError(f"not a hand: {text!r}")
            part_cards = re.findall(CARD, found[1] or "")
            cards += part_cards
            if len(parts) == 1 or number == 2:
                unknown = len(found[2] or "")
            elif found[2]:
                raise ValueError(f"the cards of a pile are known: {text!r}")
            else:
                pile_of.update(dict.fromkeys(part_cards, str(number)))
        if any(card not in EXTENDED_DECK for card in cards):
            raise ValueError(f"no such card: {text!r}")
        in_piles = in_order(cards)[: len(pile_of)]
        if set(in_piles) != set(pile_of):
            raise ValueError(f"cards are put into piles from the lowest up: {text!r}")
        return Hand(in_order(cards), unknown, "".join(pile_of[card] for card in in_piles))


@dataclass(frozen=True)
class Stage:
    """Where in the game the position is.

    name: the word before the details. seat: who decides, while cards are turned up who will decide next, otherwise
    empty. count: decisions made of a split, or cards shown. choices: the piles taken so far, that of A first. passed:
    whether the turn before was a pass. chain: the card named to be captured, then the cards laid down. converter: the
    card laid down to convert those of the chain.
    """

    name: str
    seat: str = ""
    count: int = 0
    choices: str = ""
    passed: bool = False
    chain: tuple[str, ...] = ()
    converter: str = ""

    def text(self) -> str:
        """Return the stage in canonical notation."""
        words = {
            "split": f"split/{self.seat}/{self.count}",
            "show": f"show/{self.count}",
            "choose": f"choose/{self.seat}" + (f"/{self.choices}" if self.choices else ""),
            "reveal": f"reveal/{self.choices}",
            "play": f"play/{self.seat}",
            "uncover": f"uncover/{self.seat}",
        }
        text = words.get(self.name, self.name)
        if self.passed:
            text += "/passed"
        if self.chain:
            target, *laid = self.chain
            text += f"/x{target}" + (f"~{self.converter}" if self.converter else "") + "".join(f"+{c}" for c in laid)
        return text

    @staticmethod
    def from_text(text: str) -> Stage:
        """Return the stage that a text describes."""
        if found := re.fullmatch(rf"split/([AB])/({NUMBER})", text):
            return Stage("split", found[1], count=int(found[2]))
        if found := re.fullmatch(rf"show/({NUMBER})", text):
            return Stage("show", count=int(found[1]))
        if text == "choose/A":
            return Stage("choose", "A")
        if found := re.fullmatch(r"choose/B/([01?])", text):
            return Stage("choose", "B", choices=found[1])
        if found := re.fullmatch(r"reveal/([01?]{2})", text):
            return Stage("reveal", choices=found[1])
        if found := re.fullmatch(r"play/([AB])(/passed)?", text):
            return Stage("play", found[1], passed=found[2] is not None)
        if found := re.fullmatch(rf"play/([AB])/x({CARD})(?:~({CARD}))?((?:\+{CARD})*)", text):
            return Stage("play", found[1], chain=(found[2], *re.findall(CARD, found[4])), converter=found[3] or "")
        if found := re.fullmatch(r"uncover/([AB])", text):
            return Stage("uncover", found[1])
        if text in ("lot", "end"):
            return Stage(text)
        raise ValueError(f"not a stage: {text!r}")


def split_stage(size_a: int, size_b: int, decisions: int) -> Stage:
    """Return the stage of two dealt hands of these sizes after so many decisions of the split, those of A first."""
    # The lowest card lies in pile 0 from the start, each further one is a decision.
    decisions_a, decisions_b = max(size_a - 1, 0), max(size_b - 1, 0)
    if decisions < decisions_a:
        return Stage("split", "A", count=decisions)
    if decisions < decisions_a + decisions_b:
        return Stage("split", "B", count=decisions - decisions_a)
    return Stage("show") if size_a + size_b > 0 else Stage("choose", "A")


@dataclass(frozen=True, repr=False)
class ReferencePosition:
    """One position, as everybody or as one reader sees it; never changed after it was made.

    restricted, empty_piles, dealt_hands_known: the options (PC-17 b, PC-03, PC-25). tableau: rows of cards and gaps,
    front row of A first; a card face down is ``"?"``. hands, points: of A and of B, points being the ranks in the
    discards. extended, matching: whether the deck is extended, and the restriction of PC-37. excuse: what the Excuse is
    on the tableau, a ``"gap"``, a ``"blocker"`` or ``"takeable"`` (PC-40). listed: in play, as long as cards are face
    down, those that are face down or out of play. Nothing is checked when a position is put together from these;
    ``from_text`` checks.
    """

    restricted: bool
    empty_piles: bool
    dealt_hands_known: bool
    tableau: tuple[tuple[str, ...], ...]
    hands: tuple[Hand, Hand]
    points: tuple[int, int]
    stage: Stage
    extended: bool = False
    matching: bool = False
    excuse: str = "gap"
    listed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the canonical text, for messages."""
        return f"<{self.text()}>"

    # ---------------------------------------------------------------- text

    def text(self) -> str:
        """Return the position in canonical notation: one line, single spaces, no line end."""
        options = []
        if self.restricted:
            options.append("access=restricted")
        if self.empty_piles:
            options.append("empty_piles=true")
        if self.dealt_hands_known:
            options.append("dealt_hands_known=true")
        if self.extended:
            options.append("deck=extended")
        if self.matching:
            options.append("conversion=matching")
        if self.excuse != "gap":
            options.append(f"excuse={self.excuse}")
        return " ".join(
            [
                "pepper_corn" + ("{" + ",".join(options) + "}" if options else ""),
                "/".join(",".join(row) for row in self.tableau) + ("|" + "".join(self.listed) if self.listed else ""),
                self.hands[0].text(),
                self.hands[1].text(),
                f"{self.points[0]}-{self.points[1]}",
                self.stage.text(),
            ]
        )

    @staticmethod
    def from_text(text: str) -> ReferencePosition:
        """Return the position that ``text`` describes; ValueError when it is not canonical or not acceptable.

        Runs of spaces, tabs and line ends count as one space.
        """
        fields = re.split("[ \t\r\n]+", text.strip(" \t\r\n"))
        if len(fields) != 6:
            raise ValueError(f"a position has six fields: {text!r}")
        game, tableau, hand_a, hand_b, points, stage = fields

        options: list[str] = []
        if game != "pepper_corn":
            if not (game.startswith("pepper_corn{") and game.endswith("}")):
                raise ValueError(f"not a position of this game: {text!r}")
            options = game[len("pepper_corn{") : -1].split(",")
        found_points = re.fullmatch(f"({NUMBER})-({NUMBER})", points)
        if not found_points:
            raise ValueError(f"not the points of A and B: {points!r}")
        tableau, _, listed = tableau.partition("|")

        position = ReferencePosition(
            "access=restricted" in options,
            "empty_piles=true" in options,
            "dealt_hands_known=true" in options,
            tuple(tuple(row.split(",")) for row in tableau.split("/")),
            (Hand.from_text(hand_a), Hand.from_text(hand_b)),
            (int(found_points[1]), int(found_points[2])),
            Stage.from_text(stage),
            "deck=extended" in options,
            "conversion=matching" in options,
            next((excuse for excuse in ("blocker", "takeable") if f"excuse={excuse}" in options), "gap"),
            in_order(re.findall(CARD, listed)),
        )
        # A lowest card that is known lies in pile 0 although no division is written.
        if position.stage.name in BEFORE_PLAY:
            for seat in SEATS:
                hand = position.hand(seat)
                if hand.cards and not hand.piles and (hand.unknown == 0 or position._shown(seat) > 0):
                    position = position._with_hand(seat, replace(hand, piles="0"))
        if position.text() != " ".join(fields):
            raise ValueError(f"not canonical: {text!r}")
        position._check()
        return position

    def _check(self) -> None:
        """Raise ValueError when the position is not acceptable."""
        columns = len(self.tableau[0])
        if any(len(row) != columns for row in self.tableau):
            raise ValueError("all rows are equally long")
        if len(self.tableau) > 8 or columns > 12 or len(self.tableau) * columns > 40:
            raise ValueError("the tableau has at most 8 rows, 12 columns and 40 cells")
        if not self.extended and (self.matching or self.excuse != "gap"):
            raise ValueError("only the extended deck has converters and the Excuse")
        if self.extended and self._face_down() > 0:
            raise ValueError("cards of the extended deck are never face down")
        cards = [*self._cards_on_tableau(), *self.hands[0].cards, *self.hands[1].cards, *self.listed]
        if any(card not in self._deck() for card in cards):
            raise ValueError("no such card")
        if len(cards) != len(set(cards)):
            raise ValueError("each card is there once")
        if bool(self._face_down_in_reach()) != (self.stage.name == "uncover"):
            raise ValueError("a face-down card within reach is turned up at once")
        if bool(self.listed) != (self._face_down() > 0 and self.stage.name not in BEFORE_PLAY):
            raise ValueError("in play, as long as cards are face down, those that they can be are listed")
        if self.stage.name in BEFORE_PLAY:
            self._check_before_play()
        else:
            self._check_play()

    def _check_before_play(self) -> None:
        if self.points != (0, 0):
            raise ValueError("there are no discards before play")
        size_a, size_b = self.hands[0].size, self.hands[1].size
        stage = self.stage
        if stage.name == "split":
            made_before = max(size_a - 1, 0) if stage.seat == "B" else 0
            if split_stage(size_a, size_b, made_before + stage.count) != stage:
                raise ValueError("so many decisions of the split are not made at this stage")
        if stage.name == "show" and stage.count >= size_a + size_b:
            raise ValueError("no card is left to be shown")
        for seat in SEATS:
            hand = self.hand(seat)
            # PC-03: two piles of at least one card each.
            if hand.size < 2 and not self.empty_piles:
                raise ValueError("a hand of fewer than two cards gives no two piles")
            if hand.piles and not self._divisions(hand, len(hand.piles)):
                raise ValueError("a pile is empty")
            if hand.piles.startswith("1"):
                raise ValueError("the lowest card lies in pile 0")
            if hand.unknown > 0:
                if self.dealt_hands_known:
                    raise ValueError("dealt hands are open")
                if len(hand.piles) != self._shown(seat):
                    raise ValueError("in a hand that is not known, piles are known of the cards shown and no others")
                if len(self._can_be_unknown(seat)) < hand.unknown:
                    raise ValueError("no cards are left for those not known")
            elif not self._shown(seat) <= len(hand.piles) <= self._decided(seat):
                raise ValueError("piles are known of the cards shown, and only of cards that have a pile")
        if len(self._unseen()) < self.hands[0].unknown + self.hands[1].unknown + self._face_down():
            raise ValueError("no cards are left for those not known")

    def _check_play(self) -> None:
        if any(hand.unknown or hand.piles for hand in self.hands):
            raise ValueError("all cards are known in play, and piles are no more")  # PC-05
        if self.stage.name != "end" and self._cleared():
            raise ValueError("an empty tableau ends the game")  # PC-21
        if self.stage.name == "lot" and (self.points != (0, 0) or self._beginner() is not None):
            raise ValueError("who begins is drawn only before play and between level hands")  # PC-06
        if len(self.listed) < self._face_down():
            raise ValueError("no cards are left for those face down")
        if not self._points_can_be_made_up():
            raise ValueError("the points cannot be made up by the cards not in view")
        if self.stage.chain:
            target, *laid = self.stage.chain
            ways = [way for way in self._converters(target) if self._can_finish(target, way, laid)]
            if target not in self._accessible_cards(self.stage.seat) or not ways:
                raise ValueError("the capture begun cannot be finished")

    def _points_can_be_made_up(self) -> bool:
        """Whether the cards not in view can be dealt out to two discards with these points and to neither.

        With a list of the cards face down or out of play, those not listed are all in the discards.
        """
        can_be_discards = [card for card in self._unseen() if card not in self.listed]
        if self.listed and total(can_be_discards) != sum(self.points):
            return False
        # High cards first: small ones then fill what is missing, so that a way is found soon if there is one.
        ranks = sorted((rank(card) for card in can_be_discards), reverse=True)
        tried = set()

        def later_cards_can(number: int, a: int, b: int) -> bool:
            """Whether the cards from this number on can make up the points that A and B still miss."""
            if a == b == 0:
                return True
            if min(a, b) < 0 or a + b > sum(ranks[number:]) or (number, a, b) in tried:
                return False
            tried.add((number, a, b))
            return (
                later_cards_can(number + 1, a - ranks[number], b)
                or later_cards_can(number + 1, a, b - ranks[number])
                or later_cards_can(number + 1, a, b)
            )

        return later_cards_can(0, *self.points)

    # ---------------------------------------------------------------- what the position consists of

    def hand(self, seat: str) -> Hand:
        """Return the hand of a seat."""
        return self.hands[SEATS.index(seat)]

    def _with_hand(self, seat: str, hand: Hand) -> ReferencePosition:
        """Return the same position with another hand of one seat."""
        return replace(self, hands=(hand, self.hands[1]) if seat == "A" else (self.hands[0], hand))

    def _deck(self) -> tuple[str, ...]:
        return EXTENDED_DECK if self.extended else DECK

    def _cards_on_tableau(self) -> list[str]:
        """Return the cards that lie face up on the tableau, the Excuse included."""
        return [cell for row in self.tableau for cell in row if cell not in (GAP, UNKNOWN)]

    def _face_down(self) -> int:
        """How many cards lie face down."""
        return sum(row.count(UNKNOWN) for row in self.tableau)

    def _face_down_in_reach(self) -> list[tuple[int, int]]:
        """Return the cells of the face-down cards that either seat can get at, row by row."""
        in_reach = accessible(self, "A") | accessible(self, "B")
        return sorted((row, column) for row, column in in_reach if self.tableau[row][column] == UNKNOWN)

    def is_gap(self, cell: str) -> bool:
        """Whether there is nothing on a cell that shows this."""
        # PC-40: the Excuse makes a gap, unless the option says otherwise.
        return cell == GAP or (cell == EXCUSE and self.excuse == "gap")

    def _cleared(self) -> bool:
        return all(self.is_gap(cell) for row in self.tableau for cell in row)

    def _unseen(self) -> list[str]:
        """Return the cards of the deck neither face up on the tableau nor known in a hand, in order (PC-26)."""
        in_view = {*self._cards_on_tableau(), *self.hands[0].cards, *self.hands[1].cards}
        return [card for card in self._deck() if card not in in_view]

    @property
    def to_move(self) -> str | None:
        """The seat that decides, ``"*"`` at a chance event, None at the end."""
        if self.stage.name == "end":
            return None
        return "*" if self.stage.name == "uncover" else self.stage.seat or "*"

    # ---------------------------------------------------------------- steps

    def legal_moves(self) -> set[str]:
        """Return every step the seat to move may make; empty at chance events and at the end.

        Where cards or decisions of the mover are not known: every step legal in at least one world, a card that is not
        known being written ``?``.
        """
        if self.stage.name == "split":
            return self._split_steps()
        if self.stage.name == "choose":
            return {"take0", "take1"}
        if self.stage.name == "play":
            return self._turn_steps()
        return set()

    def chance_outcomes(self) -> dict[str, float]:
        """Return each possible outcome of a chance event with its probability; empty where a seat decides."""
        if self.stage.name == "show":
            return self._show_outcomes()
        if self.stage.name == "reveal":
            possible = self._possible_choices()
            return {f"*take{choices}": 1 / len(possible) for choices in possible}
        if self.stage.name == "lot":
            return {"*A": 0.5, "*B": 0.5}
        if self.stage.name == "uncover":
            return {f"*{card}": 1 / len(self.listed) for card in self.listed}
        return {}

    def play(self, step: str) -> ReferencePosition:
        """Return the position after one step; this position stays as it is. ValueError when it is not possible.

        ``?`` stands for a decision of the split or a choice that the reader did not see; what was decided is then not
        known. The same holds for a decision of the split with a name where cards or earlier decisions of the mover are
        not known.
        """
        decided_unseen = step == UNKNOWN and self.stage.name in ("split", "choose")
        if not decided_unseen and step not in self.legal_moves() and step not in self.chance_outcomes():
            raise ValueError(f"not possible here: {step!r}")
        if self.stage.name == "split":
            return self._after_split(None if decided_unseen else step[-1])
        if self.stage.name == "show":
            return self._after_show(*step[1:].split(">"))
        if self.stage.name == "choose":
            choices = self.stage.choices + step[-1]
            stage = (
                Stage("choose", "B", choices=choices) if self.stage.seat == "A" else Stage("reveal", choices=choices)
            )
            return replace(self, stage=stage)
        if self.stage.name == "reveal":
            return self._after_reveal(step[-2], step[-1])
        if self.stage.name == "lot":
            return replace(self, stage=Stage("play", step[-1]))
        if self.stage.name == "uncover":
            return self._after_uncover(step[1:])
        return self._after_turn_step(step)

    # ---------------------------------------------------------------- dividing the dealt cards

    def _decided(self, seat: str) -> int:
        """How many cards dealt to a seat have a pile by now, whether it is known or not. Before play only."""
        size = self.hand(seat).size
        if self.stage.name == "split" and self.stage.seat == seat:
            return self.stage.count + 1
        if self.stage.name == "split" and seat == "B":
            return min(size, 1)
        return size

    def _shown(self, seat: str) -> int:
        """How many cards dealt to a seat have been shown by now, from the lowest up. Before play only."""
        if self.stage.name == "split":
            return 0
        if self.stage.name == "show":
            size_a = self.hands[0].size
            return min(self.stage.count, size_a) if seat == "A" else max(self.stage.count - size_a, 0)
        return self.hand(seat).size

    def _divisions(self, hand: Hand, length: int) -> list[str]:
        """Return every way to put the lowest ``length`` cards of a hand into piles, one digit each.

        The ways agree with the piles known, and the rules allow to go on from them to the last card.
        """
        known = hand.piles or "0"[:length]
        ways = [known + "".join(more) for more in product("01", repeat=length - len(known))]
        # PC-03: no empty pile, so the last card goes to pile 1 if all others are in pile 0.
        if length == hand.size and not self.empty_piles:
            ways = [way for way in ways if "1" in way]
        return ways

    def _split_steps(self) -> set[str]:
        hand, decided = self.hand(self.stage.seat), self._decided(self.stage.seat)
        card = UNKNOWN if hand.unknown > 0 else hand.cards[decided]
        return {f"{card}>{way[-1]}" for way in self._divisions(hand, decided + 1)}

    def _after_split(self, pile: str | None) -> ReferencePosition:
        """Return the position after the next card was put into ``pile``, None for a pile that was not seen."""
        seat = self.stage.seat
        hand = self.hand(seat)
        if pile is not None and hand.unknown == 0 and len(hand.piles) == self._decided(seat):
            hand = replace(hand, piles=hand.piles + pile)
        size_a, size_b = self.hands[0].size, self.hands[1].size
        made = self.stage.count + 1 + (max(size_a - 1, 0) if seat == "B" else 0)
        return replace(self._with_hand(seat, hand), stage=split_stage(size_a, size_b, made))

    def _show_outcomes(self) -> dict[str, float]:
        # PC-01: both reveal at once; written down, the cards of A come first.
        seat = "A" if self.stage.count < self.hands[0].size else "B"
        hand, shown = self.hand(seat), self._shown(seat)
        ways = self._divisions(hand, hand.size)
        piles = Counter(way[shown] for way in ways)
        rest = hand.cards[shown:]
        candidates = self._can_be_unknown(seat)
        fillings = comb(len(candidates), hand.unknown)
        outcomes = {}
        for card in in_order([*rest, *candidates]):
            # The cards are shown in order: all that are still to come, known or not, come after this one.
            if any(comes_after(card, known) for known in rest):
                break
            later = [candidate for candidate in candidates if comes_after(candidate, card)]
            others_unknown = hand.unknown if card in rest else hand.unknown - 1
            # Without unknown cards in the hand, no candidate can be the next.
            fillings_with_card = comb(len(later), others_unknown) if others_unknown >= 0 else 0
            for pile, count in piles.items():
                if fillings_with_card > 0:
                    outcomes[f"*{card}>{pile}"] = fillings_with_card * count / (fillings * len(ways))
        return outcomes

    def _after_show(self, card: str, pile: str) -> ReferencePosition:
        size_a, size_b = self.hands[0].size, self.hands[1].size
        seat = "A" if self.stage.count < size_a else "B"
        hand = self.hand(seat)
        if len(hand.piles) == self._shown(seat):
            hand = replace(hand, piles=hand.piles + pile)
        if card not in hand.cards:
            hand = replace(hand, cards=in_order([*hand.cards, card]), unknown=hand.unknown - 1)
        shown = self.stage.count + 1
        stage = Stage("show", count=shown) if shown < size_a + size_b else Stage("choose", "A")
        return replace(self._with_hand(seat, hand), stage=stage)

    # ---------------------------------------------------------------- from the choices to the first turn

    def _possible_choices(self) -> list[str]:
        """Return the choices made so far in every way that agrees with those known."""
        digits = ["01" if choice == UNKNOWN else choice for choice in self.stage.choices]
        return ["".join(choices) for choices in product(*digits)]

    def _after_reveal(self, taken_by_a: str, taken_by_b: str) -> ReferencePosition:
        left_by = {"0": "1", "1": "0"}
        dealt_a, dealt_b = self.hands
        # PC-04: what one took from the other, and what the other left of one's own.
        hand_a = Hand(in_order(dealt_b.pile(taken_by_a) + dealt_a.pile(left_by[taken_by_b])))
        hand_b = Hand(in_order(dealt_a.pile(taken_by_b) + dealt_b.pile(left_by[taken_by_a])))
        after = replace(self, hands=(hand_a, hand_b))
        if self._face_down() > 0:
            after = replace(after, listed=tuple(after._unseen()))
        if self._cleared():
            return replace(after, stage=Stage("end"))
        beginner = after._beginner()
        return replace(after, stage=Stage("lot") if beginner is None else Stage("play", beginner))

    def _beginner(self) -> str | None:
        """Return the seat that begins with these start hands, None when it has to be drawn."""
        # PC-06: fewest points, then fewest cards.
        key_a, key_b = ((total(hand.cards), len(hand.cards)) for hand in self.hands)
        if key_a == key_b:
            return None
        return "A" if key_a < key_b else "B"

    # ---------------------------------------------------------------- taking turns

    def _accessible_cards(self, seat: str) -> set[str]:
        return {self.tableau[row][column] for row, column in accessible(self, seat)}

    def _fits(self, card: str, target: str, converter: str) -> bool:
        """Whether a card of the hand may be laid down to capture ``target``; ``converter`` may be empty."""
        # PC-40: the Excuse in a hand is dead; on the tableau it is taken by anything or by nothing.
        if card == EXCUSE:
            return False
        if converter:
            # PC-36, PC-38: whatever is played with a converter becomes a suit of it. PC-37: maybe not from any suit.
            return card != converter and (fits(card, converter) or not self.matching)
        if target == EXCUSE:
            return self.excuse == "takeable"
        # PC-35, PC-39: without converting, Pawns and Courts are like any other card.
        return fits(card, target)

    def _converters(self, target: str) -> list[str]:
        """Return the cards that may still convert others into a suit of ``target`` in this capture, "" for none."""
        hand = self.hand(self.stage.seat).cards
        ways = ["", *(card for card in hand if card[0] in "PC" and suits(card) & suits(target))]
        # The converter, if any, is laid down first.
        begun = bool(self.stage.converter) or len(self.stage.chain) > 1
        return [way for way in ways if way == self.stage.converter] if begun else ways

    def _can_finish(self, target: str, converter: str, laid: Sequence[str]) -> bool:
        """Whether the seat to move can capture ``target`` with these cards first and only later ones after them.

        Does not look whether it can get at the target. The converter is empty where nothing is converted.
        """
        fitting = [card for card in self.hand(self.stage.seat).cards if self._fits(card, target, converter)]
        if not all(card in fitting for card in laid):
            return False
        if any(not comes_after(card, before) for before, card in pairwise(laid)):
            return False
        later = [card for card in fitting if all(comes_after(card, before) for before in laid)]
        return bool(converter or laid or later) and total(laid) + total(later) >= rank(target)

    def _turn_steps(self) -> set[str]:
        if not self.stage.chain:
            # PC-20: passing is free. PC-22: without a card to play it is all there is.
            targets = self._accessible_cards(self.stage.seat)
            ways = [(target, way) for target in targets for way in self._converters(target)]
            return {"pass"} | {"x" + target for target, way in ways if self._can_finish(target, way, ())}
        target, *laid = self.stage.chain
        converter = self.stage.converter
        hand = self.hand(self.stage.seat).cards
        steps = {"+" + card for card in hand if self._can_finish(target, converter, [*laid, card])}
        if not converter and not laid:
            steps |= {"~" + card for card in self._converters(target) if card and self._can_finish(target, card, ())}
        # PC-09: equal or higher.
        elif total(laid) >= rank(target):
            steps.add(".")
        return steps

    def _after_turn_step(self, step: str) -> ReferencePosition:
        seat = self.stage.seat
        if step == "pass":
            # PC-21: the second pass in a row ends the game.
            return replace(
                self, stage=Stage("end") if self.stage.passed else Stage("play", other_seat(seat), passed=True)
            )
        if step[0] == "x":
            return replace(self, stage=Stage("play", seat, chain=(step[1:],)))
        if step[0] == "~":
            return replace(self, stage=replace(self.stage, converter=step[1:]))
        if step[0] == "+":
            return replace(self, stage=replace(self.stage, chain=(*self.stage.chain, step[1:])))
        target, *laid = self.stage.chain
        # PC-15: the cell stays as a gap.
        tableau = tuple(tuple(GAP if cell == target else cell for cell in row) for row in self.tableau)
        # PC-14: the card is in hand at once, but the turn is over (PC-07).
        played = {*laid, self.stage.converter}
        hand = Hand(in_order([target, *(card for card in self.hand(seat).cards if card not in played)]))
        points = list(self.points)
        points[SEATS.index(seat)] += total(laid)
        after = replace(self._with_hand(seat, hand), tableau=tableau, points=(points[0], points[1]))
        # PC-21: a cleared tableau ends the game at once.
        if after._cleared():
            return replace(after, stage=Stage("end"))
        # A face-down card is turned up as soon as either seat can get at it, before the next turn.
        return replace(after, stage=Stage("uncover" if after._face_down_in_reach() else "play", other_seat(seat)))

    def _after_uncover(self, card: str) -> ReferencePosition:
        """Return the position after the first of the face-down cards within reach turned out to be ``card``."""
        row, column = self._face_down_in_reach()[0]
        tableau = [list(cells) for cells in self.tableau]
        tableau[row][column] = card
        after = replace(self, tableau=tuple(map(tuple, tableau)))
        # What is left over once nothing is face down is out of play.
        listed = tuple(other for other in self.listed if other != card) if after._face_down() > 0 else ()
        after = replace(after, listed=listed)
        return after if after._face_down_in_reach() else replace(after, stage=Stage("play", self.stage.seat))

    def captures(self) -> set[Capture]:
        """Return every capture open to the player to move, as the card taken and the set of cards played.

        Within a capture: every way to finish it. Outside of play: none. A converter is one of the cards played.
        """
        if self.stage.name != "play":
            return set()
        target_named, laid = self.stage.chain[:1], self.stage.chain[1:]
        found = set()
        for target in target_named or self._accessible_cards(self.stage.seat):
            for converter in self._converters(target):
                fitting = [card for card in self.hand(self.stage.seat).cards if self._fits(card, target, converter)]
                # PC-10: surplus cards are allowed, so any number of fitting cards will do, with a converter also none.
                for size in range(0 if converter else 1, len(fitting) + 1):
                    for cards in combinations(fitting, size):
                        if cards[: len(laid)] == laid and total(cards) >= rank(target):
                            found.add((target, frozenset({*cards, converter} - {""})))
        return found

    def minimal_captures(self) -> set[Capture]:
        """Return the captures that play no more cards than needed: no other one takes the card with fewer of them."""
        found = self.captures()
        return {
            (target, cards)
            for target, cards in found
            if not any(target == other_target and fewer < cards for other_target, fewer in found)
        }

    # ---------------------------------------------------------------- what a reader knows

    def seen_by(self, seat: str) -> ReferencePosition:
        """Return the position as ``seat`` sees it: what it cannot know is forgotten.

        ValueError when ``seat`` is neither A nor B.
        """
        other = other_seat(seat)
        if self.stage.name in ("split", "show"):
            hand, shown = self.hand(other), self._shown(other)
            if self.dealt_hands_known:
                # PC-25: open cards, but the piles are hidden; only the lowest card lies where it must.
                hand = replace(hand, piles=hand.piles[: max(shown, 1)])
            else:
                # PC-02: the tableau is open, the cards dealt to the other are private.
                hand = Hand(hand.cards[:shown], hand.size - shown, hand.piles[:shown])
            return self._with_hand(other, hand)
        if self.stage.name in ("choose", "reveal"):
            # PC-01: choices are made unseen and revealed together.
            choices = "".join(
                choice if chooser == seat else UNKNOWN
                for chooser, choice in zip(SEATS, self.stage.choices, strict=False)
            )
            return replace(self, stage=replace(self.stage, choices=choices))
        # PC-05: hands are open in play.
        return self

    def observe(self, step: str, seat: str) -> str:
        """Return what ``seat`` reads of a step made in this position: the step, or ``?`` for a hidden decision."""
        hidden = self.stage.name in ("split", "choose") and self.stage.seat == other_seat(seat)
        return UNKNOWN if hidden else step

    def _can_be_unknown(self, seat: str) -> list[str]:
        """Return the cards that the unknown ones of a hand can be: not in view, and after the last card shown."""
        shown = self.hand(seat).cards[: self._shown(seat)]
        return [card for card in self._unseen() if all(comes_after(card, before) for before in shown)]

    def worlds(self) -> list[str]:
        """Return the texts of all complete positions that fit what this one shows, each once; all equally likely."""
        if self.stage.name in ("choose", "reveal"):
            stages = [replace(self.stage, choices=choices) for choices in self._possible_choices()]
            return [replace(self, stage=stage).text() for stage in stages]
        if self.stage.name not in ("split", "show"):
            return [self.text()]
        found = []
        for more_a in combinations(self._can_be_unknown("A"), self.hands[0].unknown):
            for more_b in combinations(self._can_be_unknown("B"), self.hands[1].unknown):
                if set(more_a) & set(more_b):
                    continue
                hand_a = replace(self.hands[0], cards=in_order([*self.hands[0].cards, *more_a]), unknown=0)
                hand_b = replace(self.hands[1], cards=in_order([*self.hands[1].cards, *more_b]), unknown=0)
                for piles_a in self._divisions(hand_a, self._decided("A")):
                    for piles_b in self._divisions(hand_b, self._decided("B")):
                        hands = (replace(hand_a, piles=piles_a), replace(hand_b, piles=piles_b))
                        found.append(replace(self, hands=hands).text())
        return found

    # ---------------------------------------------------------------- judging

    def scores(self) -> tuple[int, int]:
        """Return the points of A and of B: ranks in discards and hand (PC-23). ValueError while the game goes on."""
        if self.to_move is not None:
            raise ValueError("the game is not over")
        return (self.points[0] + total(self.hands[0].cards), self.points[1] + total(self.hands[1].cards))

    def win_shares(self) -> tuple[float, float]:
        """Return (1.0, 0.0) when A wins, (0.0, 1.0) when B does, (0.5, 0.5) for a draw. ValueError before the end."""
        points_a, points_b = self.scores()
        # PC-24: level points are a draw, whatever the number of cards.
        if points_a == points_b:
            return (0.5, 0.5)
        return (1.0, 0.0) if points_a > points_b else (0.0, 1.0)


def accessible(position: ReferencePosition, seat: str) -> set[tuple[int, int]]:
    """Return the cells of the cards that ``seat`` can get at, whether or not it has the cards to capture them.

    ValueError when ``seat`` is neither A nor B.
    """
    tableau = position.tableau
    rows, columns = len(tableau), len(tableau[0])
    # PC-18: only the two front rows have an edge to come from.
    front_row = {seat: 0 if seat == "A" else rows - 1, other_seat(seat): rows - 1 if seat == "A" else 0}
    beside_edge = {edge: [(row, column) for column in range(columns)] for edge, row in front_row.items()}

    reached: set[tuple[int, int]] = set()
    edges_walked = {seat}
    to_visit = list(beside_edge[seat])
    while to_visit:
        row, column = to_visit.pop()
        if not (0 <= row < rows and 0 <= column < columns) or (row, column) in reached:
            continue
        reached.add((row, column))
        # PC-16: a card can be reached but not walked through, whether it is face up or down.
        if not position.is_gap(tableau[row][column]):
            continue
        # PC-19: never diagonally.
        to_visit += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        # PC-17: who has come through to the far edge may walk along it, unless access is restricted.
        far = other_seat(seat)
        if not position.restricted and far not in edges_walked and (row, column) in beside_edge[far]:
            edges_walked.add(far)
            to_visit += beside_edge[far]
    return {(row, column) for row, column in reached if not position.is_gap(tableau[row][column])}


def deal(
    seed: int,
    rows: int = 3,
    columns: int = 8,
    hand_a: int = 0,
    hand_b: int = 0,
    restricted: bool = False,
    empty_piles: bool = False,
    dealt_hands_known: bool = False,
    *,
    odd_card: str = "usual",
    initial_gaps: bool = False,
    hidden_row: bool = False,
    extended: bool = False,
    matching: bool = False,
    excuse: str = "gap",
) -> ReferencePosition:
    """Return a freshly dealt game before the split; the same arguments give the same game.

    hand_a, hand_b: cards dealt to A and B, 0 for half of those not on the board, rounded down (PC-26). odd_card: a card
    left over then is ``"out"`` of play or goes to ``"A"``, to ``"B"`` or by ``"lot"`` to either; as usual by lot with
    the extended deck (PC-33), otherwise out. initial_gaps: nine cells start as gaps (PC-30 to PC-32). hidden_row: the
    middle row lies face down. ValueError when the tableau or the hands are too large, when a hand cannot be divided, or
    when the options contradict each other.
    """
    cells = rows * columns
    deck = list(EXTENDED_DECK if extended else DECK)
    if initial_gaps and (extended or cells < 10):
        raise ValueError("nine cells as gaps leave one at least, and the cards that they stand for are not in the deck")
    if hidden_row and (rows % 2 == 0 or rows < 3 or initial_gaps or extended):
        raise ValueError("only an odd number of rows, all full, has a middle row to lie face down")
    if odd_card not in ("usual", "out", "A", "B", "lot") or excuse not in ("gap", "blocker", "takeable"):
        raise ValueError("no such option")
    on_tableau = cells - 9 if initial_gaps else cells
    half, left_over = divmod(len(deck) - on_tableau, 2)
    sized = bool(hand_a or hand_b)
    if odd_card != "usual" and (sized or (odd_card != "out" and not left_over)):
        raise ValueError("no card is left over that could go to a hand")
    rng = Random(seed)
    rng.shuffle(deck)
    by_lot = odd_card == "lot" or (odd_card == "usual" and extended and left_over and not sized)
    odd_to = rng.choice(SEATS) if by_lot else odd_card
    size_a, size_b = hand_a or half + (odd_to == "A"), hand_b or half + (odd_to == "B")
    if rows < 1 or columns < 1 or size_a < 0 or size_b < 0 or on_tableau + size_a + size_b > len(deck):
        raise ValueError("the deck is too small, or a size is negative")
    on_cells = deck[:on_tableau] + [GAP] * (cells - on_tableau)
    if initial_gaps:
        rng.shuffle(on_cells)
    if hidden_row:
        middle = rows // 2 * columns
        on_cells[middle : middle + columns] = [UNKNOWN] * columns
    tableau = tuple(tuple(on_cells[row * columns : (row + 1) * columns]) for row in range(rows))
    dealt_a, dealt_b = deck[on_tableau:][:size_a], deck[on_tableau + size_a :][:size_b]
    # A single card or the lowest one lies in pile 0 from the start.
    hands = (Hand(in_order(dealt_a), piles="0"[:size_a]), Hand(in_order(dealt_b), piles="0"[:size_b]))
    options = (restricted, empty_piles, dealt_hands_known)
    more_options = (extended, matching, excuse)
    stage = split_stage(size_a, size_b, 0)
    position = ReferencePosition(*options, tableau, hands, (0, 0), stage, *more_options)
    position._check()
    return position
