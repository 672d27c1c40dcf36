"""A slow, plain statement of Erbsenzaehlen, kept as a judge for faster implementations.

Everything here is written with tuples, sets and strings, and everything is worked out afresh from the table whenever it
is asked for. Nothing is shared with any other implementation of the game.

Words used throughout:

* a *seat* is a letter from ``"A"`` on; the *mover* is the seat whose turn it is;
* a *point card* is a value digit and a colour letter, such as ``"4G"``;
* a *kind* is a point card or one of ``"mush"``, ``"thief"``, ``"luck"``, ``"bonus"``;
* a *column* is the string of the colours of its cards from bottom to top, such as ``"GRG"``; the value of its cards is
  its place in the display (EZ-07, EZ-08);
* a *display* is six columns; it is *complete* when no column is empty;
* the *centre* is the heap of face-down cards, the *box* everything that is not in view;
* a *chain* is the part of an exchange that has been written so far, such as ``"xB-5+3"``;
* a *step* is what is played: a decision, a part of an exchange, or the outcome of a chance event.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

SEATS = "ABCDE"
VALUES = (1, 2, 3, 4, 5, 6)
POINT_CARDS = tuple(f"{value}{colour}" for value in VALUES for colour in "GR")
KINDS = (*POINT_CARDS, "mush", "thief", "luck", "bonus")
CARDS_TURNED_UP = 4
CARDS_FOR_A_BONUS = 3

NUMBER = "(?:0|[1-9][0-9]{0,2})"
STACK = "(?:-|[RG]+)"

# How many cards each column of each seat had more than now: one row for each seat, six numbers in each.
Difference = tuple[tuple[int, ...], ...]


def number_in(text: str) -> int:
    """Return the number written in ``text``; ValueError when it is not plain digits without leading zeros."""
    if not re.fullmatch(NUMBER, text):
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def unprotected(column: str) -> int:
    """Return the number of unprotected cards of a column: the greens above its topmost red (EZ-09 to EZ-11)."""
    return len(column) - len(column.rstrip("G"))


# -------------------------------------------------------------------------------------------------------- the options


@dataclass(frozen=True)
class Rules:
    """The options, in the order in which they are written; see the notation for their meaning."""

    cards: tuple[int, ...] = (17, 16, 15, 14, 13, 12)
    red: tuple[int, ...] = (3, 3, 3, 3, 3, 3)
    mush: int = 21
    thieves: int = 5
    bad_luck: int = 5
    bonus: int = 5
    giant_peas: int = 0
    placing: str = "may"
    missed_turns: str = "add_up"
    completion: str = "top"
    partners: str = "one"
    unlimited_exchanges: int = 0

    def number_of(self, kind: str) -> int:
        """Return how many cards of ``kind`` the game has."""
        if kind in POINT_CARDS:
            place = int(kind[0]) - 1
            return self.red[place] if kind[1] == "R" else self.cards[place] - self.red[place]
        return {"mush": self.mush, "thief": self.thieves, "luck": self.bad_luck, "bonus": self.bonus}[kind]

    def text(self) -> str:
        """Return the options that differ from the default, in braces; nothing when all are the default."""
        options = []
        for field in fields(self):
            chosen = getattr(self, field.name)
            if chosen != field.default:
                options.append(f"{field.name}={'/'.join(map(str, chosen)) if isinstance(chosen, tuple) else chosen}")
        return "{" + ",".join(options) + "}" if options else ""

    @staticmethod
    def from_text(text: str) -> Rules:
        """Return the options that ``text`` names, all others being the default; ValueError for what cannot be."""
        if not text:
            return Rules()
        if not (text.startswith("{") and text.endswith("}")):
            raise ValueError(f"not options: {text!r}")
        rules = Rules()
        for option in text[1:-1].split(","):
            name, _, chosen = option.partition("=")
            rules = rules.with_option(name, chosen)
        rules.check()
        return rules

    def with_option(self, name: str, chosen: str) -> Rules:
        """Return these options with one of them changed; ValueError when there is no such option or choice."""
        if name in ("cards", "red"):
            six = tuple(number_in(part) for part in chosen.split("/"))
            if len(six) != len(VALUES):
                raise ValueError(f"six numbers are needed: {chosen!r}")
            return replace(self, cards=six) if name == "cards" else replace(self, red=six)
        switches = {"placing": "must", "missed_turns": "one", "completion": "owner", "partners": "pooled"}
        if name in switches:
            if chosen != switches[name]:
                raise ValueError(f"no such choice: {name}={chosen}")
            return Rules(**{**vars(self), name: chosen})
        if name in ("mush", "thieves", "bad_luck", "bonus", "giant_peas", "unlimited_exchanges"):
            return Rules(**{**vars(self), name: number_in(chosen)})
        raise ValueError(f"no such option: {name!r}")

    def check(self) -> None:
        """Raise ValueError when a number is larger than the notation allows, or more cards are red than there are."""
        if max(self.cards) > 31 or self.giant_peas > 31 or self.mush > 99 or self.unlimited_exchanges > 7:
            raise ValueError("a number among the options is too large")
        if max(self.thieves, self.bad_luck, self.bonus) > 20:
            raise ValueError("there are at most 20 action cards of a kind")
        if any(red > cards for red, cards in zip(self.red, self.cards, strict=True)):
            raise ValueError("more red cards than cards")
        if sum(value * self.number_of(f"{value}G") for value in VALUES) > 511:
            raise ValueError("the green cards are worth too much")


# ------------------------------------------------------------------------------------------------ writing an exchange


class Writing(NamedTuple):
    """How far the writing of an exchange has come, seen from the partner that is being written.

    For each partner there are twelve places in the writing: sixes given, sixes taken, fives given, and so on down to
    ones taken.
    """

    # Where the last card was written, or 0 at the beginning of a partner.
    place: int
    # Unprotected cards that the mover has left to give, of the values 1 to 6.
    own: tuple[int, ...]
    # Cards that can still be taken from this partner and from each partner that follows.
    theirs: tuple[tuple[int, ...], ...]
    # Points given minus points taken, all partners together.
    owed: int
    # Whether this partner has been given a card, and whether one has been taken from it.
    gave: bool
    took: bool
    # Changes that the exchange must not come to. Each is a row of numbers, one for each column from the current one
    # on (sixes first, this partner and then the next): so many cards the column would still have to gain.
    forbidden: frozenset[tuple[int, ...]]

    def is_legal_exchange(self) -> bool:
        """Whether what has been written is a whole legal exchange (EZ-29 to EZ-32)."""
        # EZ-29, EZ-31: at least one card to and from every partner.
        if len(self.theirs) > 1 or not (self.gave and self.took):
            return False
        # EZ-29: equal sums. EZ-30, EZ-32: some column has another number of cards than each forbidden position.
        return self.owed == 0 and all(any(row) for row in self.forbidden)

    def steps(self) -> list[str]:
        """Return the steps that keep to the order of writing and to the cards there are, whatever comes of them."""
        found = []
        if self.is_legal_exchange():
            found.append(".")
        if self.gave and self.took and len(self.theirs) > 1:
            found.append(",")
        for value in VALUES:
            if self.own[value - 1] > 0 and place_of("-", value) >= self.place:
                found.append(f"-{value}")
            if self.theirs[0][value - 1] > 0 and place_of("+", value) >= self.place:
                found.append(f"+{value}")
        return found

    def after(self, step: str) -> Writing:
        """Return the writing with one more step, which must be one of ``steps`` and not the last.

        Cards that can no longer be written are left out, so that writings with the same future are equal.
        """
        if step == ",":
            left = len(VALUES) - self.place // 2
            return Writing(
                place=0,
                own=self.own,
                theirs=self.theirs[1:],
                owed=self.owed,
                gave=False,
                took=False,
                forbidden=gone_past(self.forbidden, left),
            )
        value = int(step[1])
        giving = step[0] == "-"
        place = place_of(step[0], value)
        own = one_fewer(self.own, value) if giving else self.own
        their = self.theirs[0] if giving else one_fewer(self.theirs[0], value)
        rows = gone_past(self.forbidden, place // 2 - self.place // 2)
        still_to_gain = -1 if giving else 1
        return Writing(
            place=place,
            own=own if len(self.theirs) > 1 else still_to_write("-", own, place),
            theirs=(still_to_write("+", their, place), *self.theirs[1:]),
            owed=self.owed + value if giving else self.owed - value,
            gave=self.gave or giving,
            took=self.took or not giving,
            forbidden=frozenset((row[0] + still_to_gain, *row[1:]) for row in rows),
        )

    def is_hopeless(self) -> bool:
        """Whether it is plain from the cards left that no exchange can come of it, whatever else is written."""
        own = cards_of(self.own)
        give_here = cards_of(still_to_write("-", self.own, self.place))
        take_here = cards_of(still_to_write("+", self.theirs[0], self.place))
        take_later = [cards_of(row) for row in self.theirs[1:]]
        # EZ-29: everybody still to come gives and gets a card, and so does this partner.
        if not (self.gave or give_here) or not (self.took or take_here) or not all(take_later):
            return True
        to_be_given = len(take_later) + (0 if self.gave else 1)
        if len(own) < to_be_given:
            return True
        # EZ-29: the sums can become equal only if the least that has to come does not lie beyond the most that can.
        least_taken = sum(cards[0] for cards in take_later) + (0 if self.took else take_here[0])
        most_taken = sum(sum(cards) for cards in take_later) + sum(take_here)
        least_given = sum(own[:to_be_given])
        most_given = sum(own if take_later else give_here)
        return self.owed + most_given < least_taken or self.owed + least_given > most_taken


def cards_of(numbers: tuple[int, ...]) -> list[int]:
    """Return the values of single cards, ascending, given how many cards there are of the values 1 to 6."""
    cards = []
    for value, number in zip(VALUES, numbers, strict=True):
        cards += [value] * number
    return cards


def still_to_write(sign: str, numbers: tuple[int, ...], place: int) -> tuple[int, ...]:
    """Return the numbers of cards given or taken that can stand at ``place`` or after it; 0 for all other values."""
    highest = 6 - place // 2
    # At an odd place the cards of the value there are being taken, and can no longer be given.
    if sign == "-" and place % 2 == 1:
        highest -= 1
    return numbers[:highest] + (0,) * (6 - highest)


def place_of(sign: str, value: int) -> int:
    """Return the place of a card in the writing for one partner: 0 for ``-6``, 1 for ``+6``, up to 11 for ``+1``."""
    return 2 * (6 - value) + (1 if sign == "+" else 0)


def one_fewer(numbers: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return six numbers of cards with one card of ``value`` fewer."""
    return (*numbers[: value - 1], numbers[value - 1] - 1, *numbers[value:])


def gone_past(rows: frozenset[tuple[int, ...]], columns: int) -> frozenset[tuple[int, ...]]:
    """Return what remains of the forbidden changes once the next ``columns`` columns are written.

    A change that one of these columns would have to gain or lose a card for can no longer come about.
    """
    return frozenset(row[columns:] for row in rows if not any(row[:columns]))


@lru_cache(maxsize=100_000)
def can_be_finished(writing: Writing) -> bool:
    """Whether some legal exchange begins with what has been written."""
    if writing.is_hopeless():
        return False
    return any(step == "." or can_be_finished(writing.after(step)) for step in writing.steps())


def steps_in(chain: str) -> list[str]:
    """Return the steps of a chain: the opening, then single cards and commas."""
    return re.findall(r"x[A-E]+|[-+][1-6]|,", chain)


# -------------------------------------------------------------------------------------------------------- the table


@dataclass(frozen=True)
class Player:
    """The display of a player and what lies beside it."""

    columns: tuple[str, ...] = ("",) * 6
    giant: int = 0
    mush: int = 0
    thieves: int = 0
    luck: int = 0
    missed: int = 0

    def is_complete(self) -> bool:
        """Whether the display has a card of each value (EZ-23, EZ-26)."""
        return all(self.columns)

    def with_column(self, value: int, column: str) -> Player:
        """Return the player with one column replaced."""
        return replace(self, columns=(*self.columns[: value - 1], column, *self.columns[value:]))

    def with_card_on_top(self, card: str) -> Player:
        """Return the player with a point card on top of its column (EZ-08)."""
        value = int(card[0])
        return self.with_column(value, self.columns[value - 1] + card[1])

    def without_card(self, value: int, above: int) -> Player:
        """Return the player without the card of a column that has ``above`` cards above it."""
        column = self.columns[value - 1]
        at = len(column) - 1 - above
        return self.with_column(value, column[:at] + column[at + 1 :])

    def numbers(self) -> tuple[int, ...]:
        """Return how many cards the columns have."""
        return tuple(len(column) for column in self.columns)

    def unprotected(self) -> tuple[int, ...]:
        """Return how many unprotected cards the columns have."""
        return tuple(unprotected(column) for column in self.columns)

    def text(self) -> str:
        """Return the player in canonical notation."""
        beside = (self.giant, self.mush, self.thieves, self.luck, self.missed)
        return ",".join(column or "-" for column in self.columns) + ";" + ",".join(map(str, beside))

    @staticmethod
    def from_text(text: str) -> Player:
        """Return the player that ``text`` describes; ValueError when it is malformed."""
        if not re.fullmatch(f"{STACK}(,{STACK}){{5}};{NUMBER}(,{NUMBER}){{4}}", text):
            raise ValueError(f"not a player: {text!r}")
        columns, beside = text.split(";")
        stacks = tuple(column.replace("-", "") for column in columns.split(","))
        return Player(stacks, *(int(number) for number in beside.split(",")))


def difference_text(difference: Difference) -> str:
    """Return how a barred position differs from now, in canonical notation."""
    return "".join(
        f"{seat}{value}{number:+d}"
        for seat, row in zip(SEATS, difference, strict=False)
        for value, number in zip(VALUES, row, strict=True)
        if number != 0
    )


def difference_from_text(text: str, seats: str) -> Difference:
    """Return the difference that ``text`` describes; ValueError when it is malformed or names no such seat."""
    if not re.fullmatch(f"([{seats}][1-6][-+]{NUMBER})+", text):
        raise ValueError(f"not a barred position: {text!r}")
    rows = {seat: [0] * 6 for seat in seats}
    for seat, value, number in re.findall(f"([A-E])([1-6])([-+]{NUMBER})", text):
        rows[seat][int(value) - 1] = int(number)
    return tuple(tuple(rows[seat]) for seat in seats)


@dataclass(frozen=True)
class ReferencePosition:
    """One position of a game; never changed after it was made.

    Nothing is hidden but the order of the centre (EZ-22a), so everybody sees the same position. ``from_text`` rejects
    what the cards do not allow; the constructor asks nothing.
    """

    rules: Rules
    players: tuple[Player, ...]
    # Numbers of face-down cards, in the order of KINDS.
    centre: tuple[int, ...]
    # Point cards turned up in this turn and not placed, in the order of POINT_CARDS; bonus peas not used.
    hand: tuple[str, ...]
    hand_bonus: int
    # "draw", "play", "complete" or "end"; mover is empty at the end.
    stage: str
    mover: str
    # At "draw": so many more cards are to be turned up.
    to_draw: int = 0
    # At "complete": the owner of the completed sequence and the value of the next card to leave it.
    owner: str = ""
    column: int = 0
    # Seats traded with in this turn; positions that must not come back; the exchange under way.
    traded: str = ""
    barred: frozenset[Difference] = frozenset()
    chain: str = ""

    # ---------------------------------------------------------------- what the position consists of

    @property
    def seats(self) -> str:
        """The letters of all seats."""
        return SEATS[: len(self.players)]

    @property
    def to_move(self) -> str | None:
        """The seat that decides now, ``"*"`` when a card is to be turned up, None when the game is over."""
        if self.stage == "end":
            return None
        if self.stage == "draw":
            return "*"
        return self.owner if self.stage == "complete" else self.mover

    def __repr__(self) -> str:
        """Return the canonical text, for messages."""
        return f"<{self.text()}>"

    def _player(self, seat: str) -> Player:
        """Return the player at ``seat``."""
        return self.players[SEATS.index(seat)]

    def _opponents(self) -> str:
        """Return the seats other than the mover's."""
        return self.seats.replace(self.mover, "")

    def _seats_from_mover(self) -> str:
        """Return all seats, beginning with the mover, in the order of turns."""
        start = SEATS.index(self.mover)
        return self.seats[start:] + self.seats[:start]

    def _with_player(self, seat: str, player: Player) -> ReferencePosition:
        """Return the position with one player replaced."""
        at = SEATS.index(seat)
        return replace(self, players=(*self.players[:at], player, *self.players[at + 1 :]))

    # ---------------------------------------------------------------- chance

    def chance_outcomes(self) -> dict[str, float]:
        """Return ``*KIND`` for each kind of card that can be turned up next, with its probability (EZ-03)."""
        if self.stage != "draw":
            return {}
        total = sum(self.centre)
        return {f"*{kind}": number / total for kind, number in zip(KINDS, self.centre, strict=True) if number > 0}

    def _turned_up(self, kind: str) -> ReferencePosition:
        """Return the position after a card of ``kind`` was turned up."""
        at = KINDS.index(kind)
        player = self._player(self.mover)
        position = replace(
            self,
            centre=(*self.centre[:at], self.centre[at] - 1, *self.centre[at + 1 :]),
            to_draw=self.to_draw - 1,
            stage="play" if self.to_draw == 1 else "draw",
        )
        if kind == "mush":
            # EZ-22: a pile of one's own.
            return position._with_player(self.mover, replace(player, mush=player.mush + 1))
        if kind == "thief":
            # EZ-12: may be kept.
            return position._with_player(self.mover, replace(player, thieves=player.thieves + 1))
        if kind == "luck":
            # EZ-16: may be kept.
            return position._with_player(self.mover, replace(player, luck=player.luck + 1))
        if kind == "bonus":
            # EZ-19: only for this turn.
            return replace(position, hand_bonus=self.hand_bonus + 1)
        return replace(position, hand=tuple(sorted((*self.hand, kind))))

    # ---------------------------------------------------------------- what may be played

    def legal_moves(self) -> set[str]:
        """Return every step that the seat to move may make; empty at chance events and at the end."""
        return set(self._legal_moves)

    @cached_property
    def _legal_moves(self) -> frozenset[str]:
        """The legal steps, worked out once for each position."""
        if self.stage == "complete":
            return frozenset(self._cards_to_give_up())
        if self.stage != "play":
            return frozenset()
        if self.chain:
            return frozenset(self._continuations())
        return frozenset(self._decisions())

    def _cards_to_give_up(self) -> set[str]:
        """Return the choices of the owner of a completed sequence for the current column (EZ-24).

        Of cards of one colour lying directly on each other, any may leave with the same effect; the topmost stands for
        all of them.
        """
        from_top = self._player(self.owner).columns[self.column - 1][::-1]
        return {
            f"^{self.column}@{above}"
            for above in range(len(from_top))
            if above == 0 or from_top[above] != from_top[above - 1]
        }

    def _decisions(self) -> set[str]:
        """Return the steps offered while no exchange is under way."""
        player = self._player(self.mover)
        # EZ-05, EZ-06: in any order. Once an exchange has begun the hand is empty.
        moves = set(self.hand)
        # EZ-19, EZ-19a: a bonus pea needs a card to turn up.
        if self.hand_bonus > 0 and sum(self.centre) > 0:
            moves.add("bonus")
        for seat in self._opponents():
            victim = self._player(seat)
            if player.thieves > 0:
                # EZ-13, EZ-14: any unprotected green of any opponent.
                moves.update(f"thief@{seat}{value}" for value in VALUES if victim.unprotected()[value - 1] > 0)
            # EZ-17: turns to miss add up, unless the option says that one at most is pending.
            if player.luck > 0 and (self.rules.missed_turns == "add_up" or victim.missed == 0):
                moves.add(f"luck@{seat}")
        # EZ-05: with placing=must every point card is placed before anything ends the placing.
        if self.rules.placing == "may" or not self.hand:
            moves.add("end")
            moves.update(f"x{partners}" for partners in self._partners() if can_be_finished(self._opening(partners)))
        return moves

    # ---------------------------------------------------------------- exchanges

    def _partners(self) -> list[str]:
        """Return the sets of opponents that an exchange might be opened with, whatever the cards are."""
        unlimited = self.rules.unlimited_exchanges
        # EZ-30: so many exchanges and no more.
        if unlimited > 0 and len(self.barred) >= unlimited:
            return []
        # EZ-30: by default at most one exchange with each opponent in a turn.
        free = [seat for seat in self._opponents() if seat not in self.traded]
        # EZ-29: one partner, or any number when pooled.
        most = len(free) if self.rules.partners == "pooled" else 1
        return ["".join(chosen) for size in range(1, most + 1) for chosen in combinations(free, size)]

    def _opening(self, partners: str) -> Writing:
        """Return the writing of an exchange with ``partners`` of which nothing but the partners is written."""
        nothing = tuple((0,) * 6 for _ in self.players)
        forbidden = set()
        # EZ-32: an exchange that leaves every column as long as it was is null with every partner, and forbidden.
        # EZ-30: no barred position may come back.
        for difference in {nothing, *self.barred}:
            row_of = dict(zip(self.seats, difference, strict=True))
            # The others keep their cards. The mover's columns lose what those of the partners gain.
            if not any(any(row_of[seat]) for seat in self._opponents() if seat not in partners):
                forbidden.add(tuple(number for seat in partners for number in reversed(row_of[seat])))
        return Writing(
            place=0,
            own=self._player(self.mover).unprotected(),
            theirs=tuple(self._player(seat).unprotected() for seat in partners),
            owed=0,
            gave=False,
            took=False,
            forbidden=frozenset(forbidden),
        )

    def _under_way(self) -> Writing:
        """Return the writing of the exchange under way; ValueError when the chain is not the start of a legal one."""
        opening, *steps = steps_in(self.chain)
        if opening[1:] not in self._partners():
            raise ValueError(f"no exchange can be opened like this: {opening!r}")
        writing = self._opening(opening[1:])
        for step in steps:
            if step not in writing.steps():
                raise ValueError(f"not the writing of an exchange: {self.chain!r}")
            writing = writing.after(step)
        return writing

    def _continuations(self) -> set[str]:
        """Return the steps with which the chain is still the beginning of a legal exchange, or a whole one."""
        writing = self._under_way()
        return {step for step in writing.steps() if step == "." or can_be_finished(writing.after(step))}

    def _exchanged(self) -> ReferencePosition:
        """Return the position after the exchange that the chain describes has been carried out."""
        opening, *steps = steps_in(self.chain)
        partners = opening[1:]
        # What arrives where; what leaves does so at once (EZ-34), from the tops.
        arriving: list[tuple[str, int]] = []
        position = replace(self, chain="")
        partner = 0
        for step in steps:
            if step == ",":
                partner += 1
                continue
            value = int(step[1])
            giver, taker = self.mover, partners[partner]
            if step[0] == "+":
                giver, taker = taker, giver
            position = position._with_player(giver, position._player(giver).without_card(value, 0))
            arriving.append((taker, value))
        for seat, value in arriving:
            position = position._with_player(seat, position._player(seat).with_card_on_top(f"{value}G"))
        if self.rules.unlimited_exchanges > 0:
            return replace(position, barred=self._barred_after(position))._sequences_cashed()
        # EZ-30: all partners named are spent for this turn.
        traded = "".join(sorted(self.traded + partners))
        return replace(position, traded=traded)._sequences_cashed()

    def _barred_after(self, after: ReferencePosition) -> frozenset[Difference]:
        """Return the barred positions once an exchange has led from this position to ``after`` (EZ-30)."""
        nothing = tuple((0,) * 6 for _ in self.players)
        before_and_barred = []
        for difference in {nothing, *self.barred}:
            rows = []
            for row, old, new in zip(difference, self.players, after.players, strict=True):
                rows.append(
                    tuple(more + was - now for more, was, now in zip(row, old.numbers(), new.numbers(), strict=True))
                )
            before_and_barred.append(tuple(rows))
        return frozenset(before_and_barred)

    # ---------------------------------------------------------------- playing

    def play(self, move: str) -> ReferencePosition:
        """Return the position after a legal step or an outcome of chance; ValueError when it is not one."""
        if self.stage == "draw":
            if move not in self.chance_outcomes():
                raise ValueError(f"cannot be turned up: {move!r}")
            return self._turned_up(move[1:])
        if move not in self._legal_moves:
            raise ValueError(f"illegal: {move!r}")
        if self.stage == "complete":
            return self._given_up(int(move[3:]))
        if move == ".":
            return self._exchanged()
        if self.chain:
            return replace(self, chain=self.chain + move)
        return self._decided(move)

    def _decided(self, move: str) -> ReferencePosition:
        """Return the position after a legal step made while no exchange was under way."""
        player = self._player(self.mover)
        if move == "end":
            return self._turn_ended()
        if move == "bonus":
            # EZ-19, EZ-20: also a bonus pea that came with a bonus pea, and what is left if that is less.
            to_draw = min(CARDS_FOR_A_BONUS, sum(self.centre))
            return replace(self, hand_bonus=self.hand_bonus - 1, stage="draw", to_draw=to_draw)
        if move.startswith("x"):
            # EZ-05, EZ-19, EZ-28: placing and bonus peas are over, what is left goes to the box.
            return replace(self, hand=(), hand_bonus=0, chain=move)
        if move.startswith("luck@"):
            return self._luck_played(move[-1])
        if move.startswith("thief@"):
            return self._stolen(move[-2], int(move[-1]))
        left = list(self.hand)
        left.remove(move)
        placed = self._with_player(self.mover, player.with_card_on_top(move))
        return replace(placed, hand=tuple(left))._sequences_cashed()

    def _luck_played(self, seat: str) -> ReferencePosition:
        """Return the position after a bad luck pea was played on ``seat`` (EZ-16, EZ-17)."""
        player, victim = self._player(self.mover), self._player(seat)
        position = self._with_player(self.mover, replace(player, luck=player.luck - 1))
        position = position._with_player(seat, replace(victim, missed=victim.missed + 1))
        # EZ-30: no earlier position can come back.
        return replace(position, barred=frozenset())

    def _stolen(self, seat: str, value: int) -> ReferencePosition:
        """Return the position after a thief took the green card of ``value`` from ``seat`` (EZ-12 to EZ-15)."""
        player, victim = self._player(self.mover), self._player(seat)
        position = self._with_player(seat, victim.without_card(value, 0))
        thief = replace(player, thieves=player.thieves - 1).with_card_on_top(f"{value}G")
        position = position._with_player(self.mover, thief)
        # EZ-30: no earlier position can come back.
        return replace(position, barred=frozenset())._sequences_cashed()

    def _turn_ended(self) -> ReferencePosition:
        """Return the position after the mover has ended the turn; the rest of the hand goes to the box."""
        after = replace(self, hand=(), hand_bonus=0, traded="", barred=frozenset())
        # EZ-37: the turn in which the last card was turned up is the last one.
        if sum(self.centre) == 0:
            return replace(after, stage="end", mover="")
        # EZ-18: whoever has a turn to miss misses it now. The mover has none, so the search ends.
        seat = self._seats_from_mover()[1]
        while after._player(seat).missed > 0:
            player = after._player(seat)
            after = after._with_player(seat, replace(player, missed=player.missed - 1))
            seat = self.seats[(SEATS.index(seat) + 1) % len(self.seats)]
        # EZ-04: fewer cards when fewer are left.
        return replace(after, stage="draw", mover=seat, to_draw=min(CARDS_TURNED_UP, sum(self.centre)))

    # ---------------------------------------------------------------- completed sequences

    def _sequences_cashed(self) -> ReferencePosition:
        """Return the position once no display is complete, or once an owner has to choose a card (EZ-23, EZ-27)."""
        position = self
        while True:
            complete = [seat for seat in self._seats_from_mover() if position._player(seat).is_complete()]
            if not complete:
                return position
            owner = complete[0]
            # EZ-30: cards leave the displays, so no earlier position can come back.
            position = replace(position, barred=frozenset())
            if self.rules.completion == "owner":
                return replace(position, stage="complete", owner=owner, column=1)
            # EZ-24: the top card of each column.
            player = position._player(owner)
            for value in VALUES:
                player = player.without_card(value, 0)
            position = position._with_player(owner, player)._giant_pea_taken(owner)

    def _given_up(self, above: int) -> ReferencePosition:
        """Return the position after the owner chose the card with ``above`` cards above it in the current column."""
        position = self._with_player(self.owner, self._player(self.owner).without_card(self.column, above))
        if self.column < len(VALUES):
            return replace(position, column=self.column + 1)
        position = replace(position._giant_pea_taken(self.owner), stage="play", owner="", column=0)
        return position._sequences_cashed()

    def _giant_pea_taken(self, seat: str) -> ReferencePosition:
        """Return the position with a giant pea more for ``seat``, if there is one left (EZ-25)."""
        supply = self.rules.giant_peas
        if supply > 0 and sum(player.giant for player in self.players) >= supply:
            return self
        player = self._player(seat)
        return self._with_player(seat, replace(player, giant=player.giant + 1))

    # ---------------------------------------------------------------- who knows what

    def seen_by(self, seat: str) -> ReferencePosition:
        """Return the position as ``seat`` sees it, which is the same: all cards in view are open (EZ-22a)."""
        if seat not in self.seats:
            raise ValueError(f"no such seat: {seat!r}")
        return self

    def worlds(self) -> list[str]:
        """Return the only position that fits what this one shows."""
        return [self.text()]

    # ---------------------------------------------------------------- judging

    def scores(self) -> tuple[float, ...]:
        """Return the giant peas of each seat (EZ-40). ValueError while the game goes on."""
        if self.stage != "end":
            raise ValueError("the game is not over")
        return tuple(float(player.giant) for player in self.players)

    def win_shares(self) -> tuple[float, ...]:
        """Return the share of each seat in the win (EZ-39). ValueError while the game goes on."""
        if self.stage != "end":
            raise ValueError("the game is not over")
        # EZ-22, EZ-39: most giant peas, among these most mush; who is still level shares the win.
        results = [(player.giant, player.mush) for player in self.players]
        winners = results.count(max(results))
        return tuple(1 / winners if result == max(results) else 0.0 for result in results)

    # ---------------------------------------------------------------- what the cards allow

    def in_view(self, kind: str) -> int:
        """Return how many cards of ``kind`` lie in the centre, in the hand and with the players."""
        number = self.centre[KINDS.index(kind)]
        if kind in POINT_CARDS:
            in_displays = sum(player.columns[int(kind[0]) - 1].count(kind[1]) for player in self.players)
            return number + self.hand.count(kind) + in_displays
        if kind == "mush":
            return number + sum(player.mush for player in self.players)
        if kind == "thief":
            return number + sum(player.thieves for player in self.players)
        if kind == "luck":
            return number + sum(player.luck for player in self.players)
        return number + self.hand_bonus

    def in_box(self, kind: str) -> int:
        """Return how many cards of ``kind`` are in the box; negative when too many are in view."""
        return self.rules.number_of(kind) - self.in_view(kind)

    def _check(self) -> None:
        """Raise ValueError when the cards or the rules do not allow the position."""
        self._check_cards()
        self._check_displays()
        self._check_stage()
        self._check_exchanges()

    def _check_cards(self) -> None:
        """Raise ValueError when there are more cards, giant peas or turns to miss than there can be."""
        if any(self.in_box(kind) < 0 for kind in KINDS):
            raise ValueError("more cards of a kind than the game has")
        # EZ-22: mush never goes back to the box.
        if self.in_box("mush") > 0:
            raise ValueError("mush is missing")
        # EZ-17, EZ-18: each turn to miss stands for a bad luck pea that was played.
        missed = [player.missed for player in self.players]
        if sum(missed) > self.in_box("luck") or (self.rules.missed_turns == "one" and max(missed) > 1):
            raise ValueError("more turns to miss than there can be")
        if self.mover and self._player(self.mover).missed > 0:
            raise ValueError("the mover should have missed the turn")
        # EZ-23: each giant pea was paid for with a card of each value.
        giant_peas = sum(player.giant for player in self.players)
        if 0 < self.rules.giant_peas < giant_peas:
            raise ValueError("too many giant peas")
        for value in VALUES:
            given_up = 1 if value < self.column else 0
            if self.in_box(f"{value}G") + self.in_box(f"{value}R") < giant_peas + given_up:
                raise ValueError("too few cards in the box for the giant peas")

    def _check_displays(self) -> None:
        """Raise ValueError when a display is complete that should have given up its cards (EZ-23)."""
        if self.stage != "complete":
            if any(player.is_complete() for player in self.players):
                raise ValueError("a complete display")
            return
        # EZ-27: the owner is the first one, seen from the mover; those that follow may have to wait.
        order = self._seats_from_mover()
        if any(self._player(seat).is_complete() for seat in order[: order.index(self.owner)]):
            raise ValueError("another display comes first")
        if not all(self._player(self.owner).columns[self.column - 1 :]):
            raise ValueError("the display was not complete")

    def _check_stage(self) -> None:
        """Raise ValueError when the stage does not fit the hand, the centre or the options."""
        hand_is_empty = not self.hand and self.hand_bonus == 0
        if self.stage == "draw":
            if not 1 <= self.to_draw <= min(CARDS_TURNED_UP, sum(self.centre)):
                raise ValueError("so many cards cannot be turned up")
            # A turn begins with an empty hand; for a bonus pea fewer cards are turned up.
            if self.to_draw == CARDS_TURNED_UP and not hand_is_empty:
                raise ValueError("the hand is empty when a turn begins")
        if self.stage == "complete" and self.rules.completion != "owner":
            raise ValueError("the owner has no choice")
        if self.stage == "end" and not (hand_is_empty and sum(self.centre) == 0):
            raise ValueError("the game is not over")
        # EZ-05, EZ-19, EZ-28: the first exchange ends the placing.
        if (self.traded or self.barred or self.chain) and not hand_is_empty:
            raise ValueError("the hand is empty once an exchange has begun")

    def _check_exchanges(self) -> None:
        """Raise ValueError when the exchanges made or under way cannot be."""
        if any(seat not in self._opponents() for seat in self.traded):
            raise ValueError("an exchange is with an opponent")
        unlimited = self.rules.unlimited_exchanges
        if (self.traded and unlimited > 0) or len(self.barred) > unlimited:
            raise ValueError("exchanges are counted in another way, or too many")
        for difference in self.barred:
            self._check_barred(difference)
        if self.chain and not can_be_finished(self._under_way()):
            raise ValueError("no legal exchange begins like this")

    def _check_barred(self, difference: Difference) -> None:
        """Raise ValueError when exchanges cannot have led here from a barred position."""
        if any(sum(column) != 0 for column in zip(*difference, strict=True)):
            raise ValueError("a barred position has other cards")
        for seat, row, player in zip(self.seats, difference, self.players, strict=True):
            points = sum(value * number for value, number in zip(VALUES, row, strict=True))
            # EZ-29: with single partners every exchange leaves everybody as many points as before.
            if points != 0 and (seat == self.mover or self.rules.partners == "one"):
                raise ValueError("a barred position has other points")
            if any(have + more < 0 for have, more in zip(player.unprotected(), row, strict=True)):
                raise ValueError("a barred position lacks protected cards")
            if all(have + more > 0 for have, more in zip(player.numbers(), row, strict=True)):
                raise ValueError("a barred position has a complete display")

    # ---------------------------------------------------------------- text

    def text(self) -> str:
        """Return the position in canonical notation: one line, single spaces, no line end."""
        points = ",".join(
            f"{self.centre[KINDS.index(f'{value}G')]}+{self.centre[KINDS.index(f'{value}R')]}" for value in VALUES
        )
        others = ",".join(map(str, self.centre[len(POINT_CARDS) :]))
        return " ".join(
            [
                f"erbsenzaehlen{self.rules.text()}",
                "/".join(player.text() for player in self.players),
                f"{points};{others}",
                "".join(self.hand) + "+" * self.hand_bonus or "-",
                self._stage_text(),
            ]
        )

    def _stage_text(self) -> str:
        """Return the last field of the canonical notation."""
        if self.stage == "end":
            return "end"
        parts = [self.stage, self.mover]
        if self.stage == "draw":
            parts.append(str(self.to_draw))
        if self.stage == "complete":
            parts.append(f"{self.owner}{self.column}")
        if self.traded:
            parts.append(f"traded={self.traded}")
        if self.barred:
            parts.append("barred=" + ",".join(sorted(difference_text(difference) for difference in self.barred)))
        if self.chain:
            parts.append(self.chain)
        return "/".join(parts)

    @staticmethod
    def from_text(text: str) -> ReferencePosition:
        """Return the position that ``text`` describes.

        Runs of white space count as one space. ValueError when the text is not in canonical notation, or when the cards
        do not allow the position.
        """
        words = re.split(r"[ \t\r\n]+", text.strip(" \t\r\n"))
        if len(words) != 5:
            raise ValueError(f"a position has five fields: {text!r}")
        game, players_text, centre_text, hand_text, stage_text = words
        if not game.startswith("erbsenzaehlen"):
            raise ValueError(f"not a position of this game: {text!r}")
        players = tuple(Player.from_text(part) for part in players_text.split("/"))
        if not 2 <= len(players) <= len(SEATS):
            raise ValueError("there are two to five players")
        if not re.fullmatch(rf"{NUMBER}\+{NUMBER}(,{NUMBER}\+{NUMBER}){{5}};{NUMBER}(,{NUMBER}){{3}}", centre_text):
            raise ValueError(f"not a centre: {centre_text!r}")
        if not re.fullmatch(r"-|([1-6][GR])*[+]*", hand_text):
            raise ValueError(f"not a hand: {hand_text!r}")
        position = ReferencePosition(
            rules=Rules.from_text(game.removeprefix("erbsenzaehlen")),
            players=players,
            centre=tuple(int(number) for number in re.split(r"[+,;]", centre_text)),
            hand=tuple(re.findall(r"[1-6][GR]", hand_text)),
            hand_bonus=hand_text.count("+"),
            stage="end",
            mover="",
        )._with_stage(stage_text)
        if tuple(sorted(position.hand)) != position.hand or position.text() != " ".join(words):
            raise ValueError(f"not canonical: {text!r}")
        position._check()
        return position

    def _with_stage(self, text: str) -> ReferencePosition:
        """Return the position with the stage that ``text`` describes; ValueError when it is malformed."""
        seat = f"[{self.seats}]"
        entry = f"(?:[A-E][1-6][-+]{NUMBER})+"
        if text == "end":
            return self
        drawing = re.fullmatch(f"draw/({seat})/({NUMBER})", text)
        if drawing:
            return replace(self, stage="draw", mover=drawing[1], to_draw=int(drawing[2]))
        completing = re.fullmatch(f"complete/({seat})/({seat})([1-6])(?:/traded=({seat}+))?", text)
        if completing:
            mover, owner, column, traded = completing.groups(default="")
            return replace(
                self, stage="complete", mover=mover, owner=owner, column=int(column), traded=traded
            )._sorted()
        playing = re.fullmatch(
            f"play/({seat})(?:/traded=({seat}+))?(?:/barred=({entry}(?:,{entry})*))?(?:/(x{seat}+(?:[-+][1-6]|,)*))?",
            text,
        )
        if not playing:
            raise ValueError(f"not a stage: {text!r}")
        mover, traded, barred, chain = playing.groups(default="")
        differences = [difference_from_text(part, self.seats) for part in barred.split(",") if part]
        return replace(
            self, stage="play", mover=mover, traded=traded, barred=frozenset(differences), chain=chain
        )._sorted()

    def _sorted(self) -> ReferencePosition:
        """Return the position with the seats traded with in order, each once."""
        return replace(self, traded="".join(sorted(set(self.traded))))


def start(players: int = 2, options: str = "") -> ReferencePosition:
    """Return the beginning of a game: empty displays, all cards in the centre, A to turn up four (EZ-01 to EZ-04).

    options: as in the notation, braces included; empty for the default.
    """
    rules = Rules.from_text(options)
    centre = tuple(rules.number_of(kind) for kind in KINDS)
    return ReferencePosition(
        rules=rules,
        players=(Player(),) * players,
        centre=centre,
        hand=(),
        hand_bonus=0,
        stage="draw",
        mover="A",
        to_draw=min(CARDS_TURNED_UP, sum(centre)),
    )
