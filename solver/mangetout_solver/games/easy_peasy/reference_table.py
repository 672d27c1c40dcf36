"""The table of a match of Easy Peasy: what lies on it, what can happen next, and what is known about hidden cards.

Written with lists, sets and strings for ``reference``, which gives it a text and lets nobody change it.

Words used throughout:

* a *seat* is a letter from ``"A"`` to ``"F"``;
* a *card* is a colour letter and a rank, such as ``"R10"``;
* a *pile* of a row is a pair of its open card and what lies beneath, each ``""`` where there is none; the card beneath
  is ``"?"`` as long as nobody has seen it (EP-02);
* *discard* 0 and 1 are the two discard piles;
* an *era* is a set of cards that everybody knows to be hidden somewhere: era 0 has never lain open in the round, each
  later one was shuffled from the discards (EP-13). The last one is the *newest*; the draw pile belongs to it;
* a *filling* names a card for every hidden card of the hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

SEATS = "ABCDEF"
COLOURS = "RPGXYZ"
CARDS = [colour + str(rank) for rank in range(1, 11) for colour in COLOURS]
PLACE = {card: place for place, card in enumerate(CARDS)}
RANK = {card: int(card[1:]) for card in CARDS}
MOST_ERAS = 8
MOST_SHOWINGS = 3
IN_TURN = ("turn", "draw", "flipped", "bonus", "reveal")

Pile = tuple[str, str]


class Options(NamedTuple):
    """What may differ from match to match, in the order in which it is written."""

    colours: int
    ranks: int
    hand: int
    first: str
    first_tie: str
    stuck: str
    match: str
    rounds: int
    points: int
    turns: int


def default_options(players: int) -> Options:
    """Return the ordinary game of 2 to 6 players."""
    colours = {2: 4, 3: 4, 4: 5, 5: 6, 6: 6}[players]
    points = 30 if players == 2 else 50
    return Options(colours, 10, 4, "total", "deal", "again", "rounds", 3, points, 200)


class Showing(NamedTuple):
    """What a seat has shown by being unable to play.

    Of the cards that the seat holds, those of eras before ``era`` are all above (or else below) ``rank``, and of those
    of ``era`` at most ``most`` are not. Of later eras nothing is said.
    """

    seat: str
    above: bool
    rank: int
    era: int
    most: int

    def broken_by(self, card: str) -> bool:
        """Whether ``card`` is one of those that were not in the hand."""
        return RANK[card] <= self.rank if self.above else RANK[card] >= self.rank


@cache
def full_deck(colours: int, ranks: int) -> frozenset[str]:
    """Return the first colours with the lower ranks, each card once (EP-01)."""
    return frozenset(card for card in CARDS if card[0] in COLOURS[:colours] and RANK[card] <= ranks)


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards by rank, and by colour within a rank."""
    return sorted(cards, key=PLACE.__getitem__)


def total(cards: Iterable[str]) -> int:
    """Return the sum of the ranks."""
    return sum(RANK[card] for card in cards)


def other_direction(direction: str) -> str:
    """Return what the Up&Down card shows after it was turned over."""
    return "down" if direction == "up" else "up"


def splits(want: int, stock: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way of taking ``want`` things out of several heaps of the sizes in ``stock``."""
    if not stock:
        if want == 0:
            yield ()
        return
    for number in range(min(want, stock[0]) + 1):
        for rest in splits(want - number, stock[1:]):
            yield (number, *rest)


def ways_to_take(
    kinds: Counter[tuple[bool, ...]], limited: list[tuple[int, list[tuple[int, int]]]], loose: list[int]
) -> int:
    """Return in how many ways hands can take their cards out of a stock.

    kinds: how many cards there are of each kind; a kind says which of some properties a card has. limited: for some
    hands the number of cards to take, and limits on them, each a property and how many cards at most have it. loose:
    the numbers for the other hands, which take whatever comes.
    """
    names = list(kinds)
    stocks: Counter[tuple[int, ...]] = Counter({tuple(kinds.values()): 1})
    left = sum(kinds.values())
    for want, limits in limited:
        after: Counter[tuple[int, ...]] = Counter()
        for stock, ways in stocks.items():
            for taken in splits(want, stock):
                if all(
                    sum(number for number, name in zip(taken, names, strict=True) if name[having]) <= most
                    for having, most in limits
                ):
                    rest = tuple(size - number for size, number in zip(stock, taken, strict=True))
                    after[rest] += ways * prod(comb(size, number) for size, number in zip(stock, taken, strict=True))
        stocks = after
        left -= want
    ways = sum(stocks.values())
    for want in loose:
        if want > left:
            return 0
        ways *= comb(left, want)
        left -= want
    return ways


@dataclass
class Table:
    """Everything that a position consists of. Methods named like commands change it; use them on a fresh copy."""

    options: Options
    rows: dict[str, list[Pile]]
    hands: dict[str, set[str]]
    hidden: dict[str, list[int]]  # how many cards of each era the hand holds besides those in ``hands``
    tops: list[str]
    discards: set[str]
    eras: list[set[str]]  # from era 1 on
    showings: list[Showing]
    scores: dict[str, int]
    last: dict[str, int]
    cut: bool
    round: int
    turns: int
    direction: str
    stage: list[str]

    def copy(self) -> Table:
        """Return a table that can be changed without changing this one."""
        return Table(
            self.options,
            {seat: list(row) for seat, row in self.rows.items()},
            {seat: set(hand) for seat, hand in self.hands.items()},
            {seat: list(numbers) for seat, numbers in self.hidden.items()},
            list(self.tops),
            set(self.discards),
            [set(cards) for cards in self.eras],
            list(self.showings),
            dict(self.scores),
            dict(self.last),
            self.cut,
            self.round,
            self.turns,
            self.direction,
            list(self.stage),
        )

    # ---------------------------------------------------------------- where the cards are

    @property
    def seats(self) -> list[str]:
        """The seats in the order of their turns."""
        return list(self.rows)

    def deck(self) -> frozenset[str]:
        """Return all cards of the match."""
        return full_deck(self.options.colours, self.options.ranks)

    def lying_open(self) -> list[str]:
        """Return the cards of rows, tops and discards that everybody knows (EP-23)."""
        in_rows = [card for row in self.rows.values() for pile in row for card in pile if card not in ("", "?")]
        return in_rows + [card for card in self.tops if card] + list(self.discards)

    def era(self, number: int) -> set[str] | frozenset[str]:
        """Return the cards of an era."""
        if number > 0:
            return self.eras[number - 1]
        return self.deck().difference(self.lying_open(), *self.eras)

    def era_of(self, card: str) -> int:
        """Return the era of a hidden card."""
        for number, cards in enumerate(self.eras, start=1):
            if card in cards:
                return number
        return 0

    def newest(self) -> int:
        """Return the number of the newest era."""
        return len(self.eras)

    def held(self, seat: str, era: int) -> int:
        """Return how many cards of the era ``seat`` holds."""
        return self.hidden[seat][era] + sum(1 for card in self.hands[seat] if self.era_of(card) == era)

    def hand_size(self, seat: str) -> int:
        """Return how many cards ``seat`` holds."""
        return len(self.hands[seat]) + sum(self.hidden[seat])

    def hidden_hands(self) -> bool:
        """Whether some card of some hand is not known."""
        return any(any(numbers) for numbers in self.hidden.values())

    def unnamed(self, era: int) -> set[str] | frozenset[str]:
        """Return the cards of the era that are not among the known cards of a hand."""
        return self.era(era).difference(*self.hands.values())

    def unheld(self, era: int) -> int:
        """Return how many cards of the era are in no hand."""
        return len(self.unnamed(era)) - sum(numbers[era] for numbers in self.hidden.values())

    def unknown_piles(self) -> list[tuple[str, int]]:
        """Return seat and number of the row piles with a card that nobody knows."""
        return [
            (seat, number)
            for seat, row in self.rows.items()
            for number, (_, beneath) in enumerate(row)
            if beneath == "?"
        ]

    def pile_size(self) -> int:
        """Return how many cards the draw pile has. The unknown cards of the rows are of era 0 as well."""
        newest = self.newest()
        return self.unheld(newest) - (len(self.unknown_piles()) if newest == 0 else 0)

    def open_cards(self, seat: str) -> list[str]:
        """Return the open cards of the row of ``seat``."""
        return [card for card, _ in self.rows[seat] if card]

    def row_gone(self, seat: str) -> bool:
        """Whether all row piles of ``seat`` are gone, hidden cards too (EP-25)."""
        return all(pile == ("", "") for pile in self.rows[seat])

    def row_total(self, seat: str) -> int:
        """Return the sum of the row, face-down cards included, once all of them are known (EP-28)."""
        return total(card for pile in self.rows[seat] for card in pile if card)

    def fits(self, card: str, discard: int, direction: str) -> bool:
        """Whether ``card`` may be played on the discard pile; equal ranks fit in both directions (EP-07)."""
        top = RANK[self.tops[discard]]
        return RANK[card] >= top if direction == "up" else RANK[card] <= top

    def fits_somewhere(self, card: str, direction: str) -> bool:
        """Whether ``card`` fits one of the discard piles (EP-08)."""
        return self.fits(card, 0, direction) or self.fits(card, 1, direction)

    # ---------------------------------------------------------------- what hidden cards can be

    def seat_that_must_fit(self) -> str | None:
        """Return the seat known to hold a card that fits, if any.

        With ``forbid`` (EP-12) a seat turns the Up&Down card only if some usable card fits then; when no open card of
        its row does, a hand card must.
        """
        if self.options.stuck != "forbid" or self.stage[0] not in ("draw", "flipped"):
            return None
        seat = self.stage[1]
        if any(self.fits_somewhere(card, self.direction) for card in self.open_cards(seat)):
            return None
        return seat

    def kind(self, card: str) -> tuple[bool, ...]:
        """Return what tells cards of an era apart: which showings they break, whether they fit a discard pile."""
        broken = [showing.broken_by(card) for showing in self.showings]
        return (*broken, self.stage[0] in IN_TURN and self.fits_somewhere(card, self.direction))

    def fillings(self, unheld: str = "", unfit: str = "") -> int:
        """Return the number of fillings in which all showings hold.

        unheld: a card that stays out of the hands. unfit: a seat whose hand has no card that fits.
        """
        ways = 1
        for era in range(self.newest() + 1):
            limited = []
            loose = []
            for seat in self.seats:
                limits = []
                for having, showing in enumerate(self.showings):
                    if showing.seat == seat and era <= showing.era:
                        limits.append((having, showing.most if era == showing.era else 0))
                if seat == unfit:
                    limits.append((len(self.showings), 0))
                named = [self.kind(card) for card in self.hands[seat] if limits and self.era_of(card) == era]
                limits = [(having, most - sum(kind[having] for kind in named)) for having, most in limits]
                if any(most < 0 for _, most in limits):
                    return 0
                want = self.hidden[seat][era]
                if want > 0 and limits:
                    limited.append((want, limits))
                elif want > 0:
                    loose.append(want)
            if limited or loose:
                kinds = Counter(self.kind(card) for card in self.unnamed(era) if card != unheld)
                ways *= ways_to_take(kinds, limited, loose)
        return ways

    def count_worlds(self, unheld: str = "") -> int:
        """Return the number of worlds, or of those in which no hand has the card ``unheld``."""
        ways = self.fillings(unheld)
        seat = self.seat_that_must_fit()
        if seat is not None:
            ways -= self.fillings(unheld, unfit=seat)
        return ways

    def naming(self, seat: str, era: int, cards: Iterable[str]) -> Table:
        """Return the table with some of the hidden cards of ``seat`` named."""
        after = self.copy()
        for card in cards:
            after.hands[seat].add(card)
            after.hidden[seat][era] -= 1
        return after

    def possible_cards(self, seat: str) -> set[str]:
        """Return the cards that ``seat`` holds in some world."""
        found = set(self.hands[seat])
        for era, number in enumerate(self.hidden[seat]):
            if number == 0:
                continue
            verdicts: dict[tuple[bool, ...], bool] = {}
            for card in self.unnamed(era):
                kind = self.kind(card)
                if kind not in verdicts:
                    verdicts[kind] = self.naming(seat, era, [card]).count_worlds() > 0
                if verdicts[kind]:
                    found.add(card)
        return found

    def can_be_stuck(self, seat: str) -> bool:
        """Whether no usable card of ``seat`` fits, in some world at least."""
        if any(self.fits_somewhere(card, self.direction) for card in self.open_cards(seat)):
            return False
        return self.fillings(unfit=seat) > 0

    def keeps(self, seat: str) -> bool:
        """Whether the hand of ``seat``, all of it known, keeps what was shown of it."""
        for showing in self.showings:
            if showing.seat == seat:
                broken = [self.era_of(card) for card in self.hands[seat] if showing.broken_by(card)]
                if any(era < showing.era for era in broken) or broken.count(showing.era) > showing.most:
                    return False
        if self.seat_that_must_fit() == seat:
            return any(self.fits_somewhere(card, self.direction) for card in self.hands[seat])
        return True

    def worlds(self) -> list[Table]:
        """Return the table once for every way of naming the hidden cards of all hands."""
        tables = [self]
        for seat in self.seats:
            for era, number in enumerate(self.hidden[seat]):
                if number > 0:
                    tables = [
                        table.naming(seat, era, cards)
                        for table in tables
                        for cards in combinations(in_order(table.unnamed(era)), number)
                    ]
            tables = [table for table in tables if table.keeps(seat)]
        return tables

    # ---------------------------------------------------------------- what can happen next

    def legal_moves(self) -> set[str]:
        """Return the steps open to the seat to move, in some world at least."""
        name, seat = self.stage[:2]
        if name == "begin":
            # EP-06: after the deal, before the first turn.
            return {"up", "down"}
        in_hand = self.possible_cards(seat)
        usable = in_hand.union(self.open_cards(seat))
        if name == "bonus":
            discard = int(self.stage[2])
            # EP-17: the same pile only, the direction still binds, the colour does not.
            moves = {f"+{card}" for card in usable if self.fits(card, discard, self.direction)}
            # EP-18, EP-19: only a pile with a card beneath can be turned.
            moves |= {f"+turn{number}" for number, (_, beneath) in enumerate(self.rows[seat]) if beneath}
            # EP-22: no bonus action has to be taken.
            return moves | {"."}
        # EP-08: any of the two discard piles.
        moves = {
            f"{card}>{discard}" for card in usable for discard in (0, 1) if self.fits(card, discard, self.direction)
        }
        if name == "turn":
            # EP-09: also for a seat that could play. EP-12 (c): only if a card of now fits then.
            after = other_direction(self.direction)
            if self.options.stuck != "forbid" or any(self.fits_somewhere(card, after) for card in usable):
                moves.add("flip")
        elif self.options.stuck != "forbid" and self.can_be_stuck(seat):
            # EP-10, EP-12: only without any card that fits. There is no pass besides (EP-33).
            moves.add("flip" if self.options.stuck == "again" else "stuck")
        return moves

    def deal_place(self) -> tuple[str, str, int] | None:
        """Return the next place of the deal: open row cards come first, then the tops, then the hands."""
        for seat, row in self.rows.items():
            for number, (card, _) in enumerate(row):
                if not card:
                    return ("row", seat, number)
        for discard, top in enumerate(self.tops):
            if not top:
                return ("top", "", discard)
        for seat in self.seats:
            if self.hand_size(seat) < self.options.hand:
                return ("hand", seat, 0)
        return None

    def chance_goes_to_hand(self) -> bool:
        """Whether the next card that chance gives is seen by its owner only."""
        if self.stage[0] == "deal":
            place = self.deal_place()
            return place is not None and place[0] == "hand"
        return self.stage[0] == "draw"

    def chance_outcomes(self) -> dict[str, float]:
        """Return the outcomes of the chance event that comes next, over all worlds."""
        name = self.stage[0]
        if name == "lot":
            return {f"*{seat}": 1 / len(self.stage[1]) for seat in self.stage[1]}
        if name == "score" and not self.unknown_piles():
            return self.chances_of_sum(self.seats[int(self.stage[2])])
        return self.chances_of_card(self.newest() if name == "draw" else 0)

    def chances_of_card(self, era: int) -> dict[str, float]:
        """Return the outcomes where a card of the era turns up: those that no hand holds are equally likely."""
        cards = in_order(self.unnamed(era))
        if not self.hidden_hands():
            return {f"*{card}": 1 / len(cards) for card in cards}
        everything = self.count_worlds() * self.unheld(era)
        ways: dict[tuple[bool, ...], int] = {}
        for card in cards:
            if self.kind(card) not in ways:
                ways[self.kind(card)] = self.count_worlds(unheld=card)
        return {f"*{card}": ways[self.kind(card)] / everything for card in cards if ways[self.kind(card)] > 0}

    def chances_of_sum(self, seat: str) -> dict[str, float]:
        """Return the outcomes where a hand is shown: the sum of its ranks. Nothing limits the hands by then."""
        sums = Counter({total(self.hands[seat]): 1})
        for era, number in enumerate(self.hidden[seat]):
            if number == 0:
                continue
            # The sums of so many cards of the era, with the number of sets of cards for each.
            of_number: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(number)]
            for card in self.unnamed(era):
                for taken in range(number, 0, -1):
                    for points, ways in of_number[taken - 1].items():
                        of_number[taken][points + RANK[card]] += ways
            joined: Counter[int] = Counter()
            for points, ways in sums.items():
                for more, more_ways in of_number[number].items():
                    joined[points + more] += ways * more_ways
            sums = joined
        everything = sum(sums.values())
        return {f"*={points}": ways / everything for points, ways in sums.items()}

    # ---------------------------------------------------------------- steps

    def step(self, move: str) -> None:
        """Carry out a step or a chance outcome, which is taken to be possible."""
        name, seat = self.stage[:2]
        if name == "deal":
            self.deal(move.removeprefix("*"))
        elif name == "lot":
            self.stage = ["begin", move.removeprefix("*")]
        elif name == "begin":
            self.direction = move
            self.stage = ["turn", seat]
        elif name == "draw":
            self.draw(seat, move.removeprefix("*"))
            self.draw_next(seat, int(self.stage[2]) - 1, self.stage[3:])
        elif name == "reveal":
            self.turn_pile(seat, int(self.stage[2]), move.removeprefix("*"))
        elif name == "score":
            self.show(move.removeprefix("*"))
        elif move == "flip":
            # EP-10: turn over, then draw two cards.
            if name == "flipped":
                self.show_stuck(seat)
            self.direction = other_direction(self.direction)
            self.draw_next(seat, 2, ["again"] if name == "flipped" else [])
        elif move == "stuck":
            self.show_stuck(seat)
            self.end_turn(seat)
        elif move == ".":
            self.end_turn(seat)
        elif move.startswith("+turn"):
            number = int(move.removeprefix("+turn"))
            beneath = self.rows[seat][number][1]
            if beneath == "?":
                self.stage = ["reveal", seat, str(number)]
            else:
                self.turn_pile(seat, number, beneath)
        elif move.startswith("+"):
            self.put(seat, move.removeprefix("+"), int(self.stage[2]))
        else:
            card, _, discard = move.partition(">")
            self.put(seat, card, int(discard))

    def take(self, seat: str, card: str, era: int) -> None:
        """Give a card, or ``"?"`` for one of the era, to the hand of ``seat``."""
        if card == "?":
            self.hidden[seat][era] += 1
        else:
            self.hands[seat].add(card)

    def deal(self, card: str) -> None:
        """Put ``card`` on the next place of the deal, and find who begins after the last one."""
        place, seat, number = self.deal_place() or ("", "", 0)
        if place == "row":
            self.rows[seat][number] = (card, self.rows[seat][number][1])
        elif place == "top":
            self.tops[number] = card
        else:
            self.take(seat, card, 0)
        if self.deal_place() is not None:
            return
        beginners = self.stage[1]
        if self.round == 1 or self.options.first_tie == "deal":
            # EP-03, EP-05: the greatest sum of open row cards.
            greatest = max(total(self.open_cards(seat)) for seat in beginners)
            beginners = "".join(seat for seat in beginners if total(self.open_cards(seat)) == greatest)
        self.stage = ["begin", beginners] if len(beginners) == 1 else ["lot", beginners]

    def draw(self, seat: str, card: str) -> None:
        """Let ``seat`` draw ``card`` from the draw pile."""
        newest = self.newest()
        self.take(seat, card, newest)
        # A card drawn after the showing may be of any rank.
        self.showings = [
            showing._replace(most=showing.most + 1) if (showing.seat, showing.era) == (seat, newest) else showing
            for showing in self.showings
        ]

    def draw_next(self, seat: str, number: int, again: list[str]) -> None:
        """Go on with the draws that are due, as far as there are cards (EP-13, EP-14)."""
        if number > 0 and self.pile_size() == 0 and self.discards:
            self.shuffle()
        if number > 0 and self.pile_size() > 0:
            self.stage = ["draw", seat, str(number), *again]
        else:
            self.stage = ["flipped", seat, *again]

    def shuffle(self) -> None:
        """Make the discards the new draw pile, and so the newest era (EP-13)."""
        if self.newest() + 1 == MOST_ERAS:
            self.join_eras()
        self.eras.append(self.discards)
        self.discards = set()

    def put(self, seat: str, card: str, discard: int) -> None:
        """Play ``card`` from row or hand on a discard pile."""
        if card in self.open_cards(seat):
            # EP-15: what lies beneath stays face-down.
            self.rows[seat] = [("", beneath) if card == top else (top, beneath) for top, beneath in self.rows[seat]]
        else:
            self.leave_hand(seat, card)
        covered = self.tops[discard]
        self.tops[discard] = card
        self.discards.add(covered)
        # EP-16: only the card covered counts.
        if card[0] == covered[0]:
            self.stage = ["bonus", seat, str(discard)]
        else:
            self.end_turn(seat)

    def leave_hand(self, seat: str, card: str) -> None:
        """Take ``card`` out of the hand of ``seat``, and out of its era."""
        era = self.era_of(card)
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        else:
            self.hidden[seat][era] -= 1
        self.showings = [
            showing._replace(most=showing.most - 1)
            if (showing.seat, showing.era) == (seat, era) and showing.broken_by(card)
            else showing
            for showing in self.showings
        ]
        if era > 0:
            self.eras[era - 1].remove(card)
            if not self.eras[era - 1]:
                self.strike_era(era)
        self.drop_showings()

    def turn_pile(self, seat: str, number: int, card: str) -> None:
        """Turn a pile of the row, ``card`` lying beneath (EP-18). That ends the turn (EP-20)."""
        self.rows[seat][number] = (card, self.rows[seat][number][0])
        self.end_turn(seat)

    def end_turn(self, seat: str) -> None:
        """Finish the turn, and the round if hand or row are used up (EP-24 to EP-27) or it gets long (EP-34)."""
        self.turns += 1
        if self.hand_size(seat) == 0 or self.row_gone(seat):
            self.start_scoring(seat)
        elif self.turns == self.options.turns * len(self.seats):
            self.start_scoring("-")
        else:
            following = self.seats.index(seat) + 1
            self.stage = ["turn", self.seats[following % len(self.seats)]]

    # ---------------------------------------------------------------- what was shown by being unable to play

    def show_stuck(self, seat: str) -> None:
        """Note that no hand card of ``seat`` fits (EP-12)."""
        ranks = [RANK[top] for top in self.tops]
        above = self.direction == "down"
        shown = Showing(seat, above, max(ranks) if above else min(ranks), self.newest(), 0)
        older = [showing for showing in self.showings if showing.seat != seat]
        self.showings = [*older, shown][-MOST_SHOWINGS:]

    def says_nothing(self, showing: Showing) -> bool:
        """Whether the seat holds no card that the showing speaks of."""
        before = any(self.held(showing.seat, era) for era in range(showing.era))
        return not before and self.held(showing.seat, showing.era) <= showing.most

    def drop_showings(self) -> None:
        """Forget the showings that say nothing any more."""
        self.showings = [showing for showing in self.showings if not self.says_nothing(showing)]

    def strike_era(self, era: int) -> None:
        """Strike out an era that has no cards left; later ones move down."""
        del self.eras[era - 1]
        for numbers in self.hidden.values():
            del numbers[era]
            numbers.append(0)
        kept = []
        for showing in self.showings:
            if showing.era == era:
                kept.append(showing._replace(era=era - 1, most=0))
            elif showing.era > era:
                kept.append(showing._replace(era=showing.era - 1))
            else:
                kept.append(showing)
        self.showings = kept

    def join_eras(self) -> None:
        """Make eras 1 and 2 one era, as there is no room for another."""
        kept = []
        for showing in self.showings:
            if showing.era == 1:
                kept.append(showing._replace(most=showing.most + self.held(showing.seat, 2)))
            elif showing.era > 1:
                kept.append(showing._replace(era=showing.era - 1))
            else:
                kept.append(showing)
        self.showings = kept
        self.eras[0:2] = [self.eras[0] | self.eras[1]]
        for numbers in self.hidden.values():
            numbers[1:3] = [numbers[1] + numbers[2]]
            numbers.append(0)
        self.drop_showings()

    # ---------------------------------------------------------------- scoring

    def start_scoring(self, ender: str) -> None:
        """Begin to count a round that ``ender`` has ended, or that was cut off for ``"-"`` (EP-34)."""
        self.stage = ["score", ender, "0"]
        self.showings = []
        self.last = dict.fromkeys(self.seats, 0)
        self.cut = ender == "-"

    def show(self, token: str) -> None:
        """Turn up the next unknown card of the rows, or show the sum of the next hand."""
        unknown = self.unknown_piles()
        if unknown:
            seat, number = unknown[0]
            self.rows[seat][number] = (self.rows[seat][number][0], token)
            return
        ender = self.stage[1]
        shown = int(self.stage[2])
        seat = self.seats[shown]
        in_hand = int(token.removeprefix("="))
        in_row = self.row_total(seat)
        # EP-28, EP-29: the greater of both, or for the seat that has ended the round everything.
        self.last[seat] = in_hand + in_row if seat == ender else max(in_hand, in_row)
        self.stage = ["score", ender, str(shown + 1)]
        if shown + 1 == len(self.seats):
            self.finish_round(ender)

    def finish_round(self, ender: str) -> None:
        """Write down the points of the round and clear the table."""
        if ender != "-":
            # EP-29: nothing for being strictly the lowest, else twice the points. EP-26 follows from it.
            mine = self.last[ender]
            lowest = all(mine < points for seat, points in self.last.items() if seat != ender)
            self.last[ender] = 0 if lowest else 2 * mine
        for seat, points in self.last.items():
            self.scores[seat] += points
        row_totals = {seat: self.row_total(seat) for seat in self.seats}
        if self.options.match == "rounds":
            # EP-30.
            over = self.round == self.options.rounds
        else:
            # EP-31.
            over = max(self.scores.values()) >= self.options.points
        self.rows = {seat: [("", "" if over else "?")] * len(row) for seat, row in self.rows.items()}
        self.hands = {seat: set() for seat in self.seats}
        self.hidden = {seat: [0] * MOST_ERAS for seat in self.seats}
        self.tops = ["", ""]
        self.discards = set()
        self.eras = []
        self.direction = "-"
        self.turns = 0
        if over:
            self.stage = ["end"]
            return
        self.round += 1
        beginners = self.leaders()
        if self.options.first_tie == "scored":
            # EP-05, the option.
            greatest = max(row_totals[seat] for seat in beginners)
            beginners = "".join(seat for seat in beginners if row_totals[seat] == greatest)
        self.stage = ["deal", beginners]

    def leaders(self) -> str:
        """Return the seats with most points, of the match or of the last round (EP-04)."""
        points = self.scores if self.options.first == "total" else self.last
        return "".join(seat for seat in self.seats if points[seat] == max(points.values()))
