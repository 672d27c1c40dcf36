"""A slow, plain statement of matches of Easy Peasy, kept as a judge for faster implementations.

Nothing is shared with any other implementation of the game. A position speaks in texts only and is never changed. The
rules stand in ``reference_table``, and so do the words used throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mangetout_solver.games.easy_peasy.reference_table import (
    IN_TURN,
    MOST_ERAS,
    MOST_SHOWINGS,
    RANK,
    SEATS,
    Options,
    Pile,
    Showing,
    Table,
    default_options,
    in_order,
    total,
)

DECISIONS = ("begin", "turn", "flipped", "bonus")
OPTION_VALUES: dict[str, Sequence[int] | Sequence[str]] = {
    "colours": range(1, 7),
    "ranks": range(1, 11),
    "hand": range(1, 13),
    "first": ("total", "last"),
    "first_tie": ("deal", "scored"),
    "stuck": ("again", "end", "forbid"),
    "match": ("rounds", "points"),
    "rounds": range(1, 100),
    "points": range(1, 101),
    "turns": range(1, 201),
}
CARD = "[RPGXYZ](?:10|[1-9])"
STAGE = (
    "deal/[A-F]+|lot/[A-F]{2,}|begin/[A-F]|turn/[A-F]|draw/[A-F]/[12](/again)?|flipped/[A-F](/again)?"
    "|bonus/[A-F]/[01]|reveal/[A-F]/[0-2]|score/[A-F-]/[0-5]|end"
)


class ReferencePosition:
    """One position of a match, as everybody together, as one seat or as nobody sees it."""

    def __init__(self, table: Table) -> None:
        """Wrap a table that nobody is going to change."""
        self._table = table

    @staticmethod
    def from_text(text: str) -> ReferencePosition:
        """Return the position that ``text`` describes; ValueError when there is no such position.

        Sets of cards may stand in any order, and options may be given although they are the default.
        """
        table = read_table(text)
        for fault in faults(table):
            raise ValueError(f"{fault}: {text!r}")
        return ReferencePosition(table)

    def text(self) -> str:
        """Return the position in canonical notation: one line, single spaces, no line end."""
        return write_table(self._table)

    def __repr__(self) -> str:
        """Return the canonical text, for messages."""
        return f"<{self.text()}>"

    def __eq__(self, other: object) -> bool:
        """Two positions are equal when their texts agree."""
        return isinstance(other, ReferencePosition) and self.text() == other.text()

    def __hash__(self) -> int:
        """Hash in agreement with equality."""
        return hash(self.text())

    # ---------------------------------------------------------------- playing

    @property
    def to_move(self) -> str | None:
        """The seat to move, ``"*"`` where chance comes next, None after the end."""
        stage = self._table.stage
        if stage[0] == "end":
            return None
        return stage[1] if stage[0] in DECISIONS else "*"

    def legal_moves(self) -> set[str]:
        """Return the steps open to the seat to move; empty where no seat is.

        Where the mover's hand has hidden cards, these are the steps legal in some world.
        """
        return self._table.legal_moves() if self.to_move not in (None, "*") else set()

    def chance_outcomes(self) -> dict[str, float]:
        """Return the outcomes of the chance event that comes next and their probabilities; empty where none comes.

        Where hands have hidden cards, all worlds are equally likely.
        """
        return self._table.chance_outcomes() if self.to_move == "*" else {}

    def play(self, move: str) -> ReferencePosition:
        """Return the position after a step or a chance outcome; ValueError when it is not possible.

        A card that chance gives to a hand may be hidden: ``*?``.
        """
        hidden_card = move == "*?" and self._table.chance_goes_to_hand()
        if not hidden_card and move not in self.legal_moves() and move not in self.chance_outcomes():
            raise ValueError(f"not possible: {move!r} in {self.text()!r}")
        after = self._table.copy()
        after.step(move)
        return ReferencePosition(after)

    # ---------------------------------------------------------------- what is known

    def seen_by(self, seat: str) -> ReferencePosition:
        """Return the position as ``seat`` sees it: the cards of all other hands are hidden, but not their eras."""
        if seat not in self._table.seats:
            raise ValueError(f"no such seat: {seat!r}")
        after = self._table.copy()
        for other in after.seats:
            if other != seat:
                for card in after.hands[other]:
                    after.hidden[other][after.era_of(card)] += 1
                after.hands[other] = set()
        return ReferencePosition(after)

    def worlds(self) -> list[str]:
        """Return the text of every position with all hands known that fits what this one shows.

        Each stands once, and all are equally likely. The unknown cards of the rows stay unknown (EP-02).
        """
        return [write_table(table) for table in self._table.worlds()]

    # ---------------------------------------------------------------- result

    def scores(self) -> tuple[float, ...]:
        """Return the penalty points of each seat. ValueError while the match goes on."""
        if self.to_move is not None:
            raise ValueError("the match is not over")
        return tuple(float(points) for points in self._table.scores.values())

    def win_shares(self) -> tuple[float, ...]:
        """Return each seat's share in winning (EP-30). ValueError while the match goes on."""
        scores = self.scores()
        last = list(self._table.last.values())
        results = list(zip(scores, last, strict=True))
        # The lowest score; among equal ones the lowest in the last round; then they share.
        best = min(results)
        return tuple(1 / results.count(best) if result == best else 0.0 for result in results)


def first_deal(players: int, piles: int = 2, options: str = "") -> ReferencePosition:
    """Return a match before its first card is dealt; ``options`` as in the text, such as ``"stuck=end,rounds=1"``."""
    seats = SEATS[:players]
    rows = "/".join(",".join("?" * piles) for _ in seats)
    hands = "/".join("-" * players)
    zeros = "-".join("0" * players)
    game = f"easy_peasy{{{options}}}" if options else "easy_peasy"
    return ReferencePosition.from_text(f"{game} {rows} {hands} -,- - - - {zeros} {zeros} 1/0 - deal/{seats}")


# -------------------------------------------------------------------- text


def write_cards(cards: Iterable[str]) -> str:
    """Return a set of cards in canonical order, ``-`` for none."""
    return "".join(in_order(cards)) or "-"


def write_pile(pile: Pile) -> str:
    """Return a pile of a row."""
    card, beneath = pile
    return card + (f"({beneath})" if beneath not in ("", "?") else beneath) or "-"


def write_hand(cards: Iterable[str], hidden: list[int]) -> str:
    """Return a hand, the known cards before the hidden ones of each era."""
    unknown = "".join(("?" + (str(era) if era else "")) * number for era, number in enumerate(hidden))
    return "".join(in_order(cards)) + unknown or "-"


def write_showing(showing: Showing) -> str:
    """Return what a seat has shown."""
    return f"{showing.seat}{'>' if showing.above else '<'}{showing.rank}@{showing.era}+{showing.most}"


def write_table(table: Table) -> str:
    """Return the canonical text of a table."""
    standard = default_options(len(table.seats))._asdict()
    options = [f"{name}={value}" for name, value in table.options._asdict().items() if value != standard[name]]
    fields = [
        "easy_peasy" + ("{" + ",".join(options) + "}" if options else ""),
        "/".join(",".join(write_pile(pile) for pile in row) for row in table.rows.values()),
        "/".join(write_hand(table.hands[seat], table.hidden[seat]) for seat in table.seats),
        ",".join(top or "-" for top in table.tops),
        write_cards(table.discards),
        "/".join(write_cards(cards) for cards in table.eras) or "-",
        ",".join(write_showing(showing) for showing in table.showings) or "-",
        "-".join(str(points) for points in table.scores.values()),
        "-".join(str(points) for points in table.last.values()) + ("!" if table.cut else ""),
        f"{table.round}/{table.turns}",
        table.direction,
        "/".join(table.stage),
    ]
    return " ".join(fields)


def read_match(pattern: str, text: str) -> re.Match[str]:
    """Return how ``text`` matches the pattern; ValueError when it does not."""
    match = re.fullmatch(pattern, text, re.ASCII)
    if match is None:
        raise ValueError(f"cannot be read: {text!r}")
    return match


def read_cards(text: str) -> list[str]:
    """Return the cards of a set."""
    read_match(f"-|({CARD})+", text)
    return re.findall(CARD, text)


def read_distinct(text: str) -> set[str]:
    """Return a set of cards; ValueError when one stands twice."""
    cards = read_cards(text)
    if len(set(cards)) < len(cards):
        raise ValueError(f"a card stands twice: {text!r}")
    return set(cards)


def read_numbers(text: str, between: str) -> list[int]:
    """Return whole numbers that stand with ``between`` between them."""
    return [int(read_match("[0-9]+", number)[0]) for number in text.split(between)]


def read_options(text: str, players: int) -> Options:
    """Return the options of the first field of a position."""
    inside = read_match(r"easy_peasy(\{(.+)\})?", text)[2]
    given = [part.partition("=")[::2] for part in inside.split(",")] if inside else []
    names = [name for name, _ in given]
    if len(set(names)) < len(names):
        raise ValueError(f"an option stands twice: {text!r}")
    values: dict[str, Any] = {}
    for name, word in given:
        value: int | str = word
        if name not in ("first", "first_tie", "stuck", "match"):
            value = int(read_match("[0-9]+", word)[0])
        if name in ("colours", "points") and value == 0:
            continue
        if name not in OPTION_VALUES or value not in OPTION_VALUES[name]:
            raise ValueError(f"no such option: {name}={word}")
        values[name] = value
    options = default_options(players)._replace(**values)
    if ("points" in names and options.match != "points") or ("rounds" in names and options.match != "rounds"):
        raise ValueError(f"an option of the other length of match: {text!r}")
    return options


def read_pile(text: str) -> Pile:
    """Return a pile of a row."""
    match = read_match(rf"-|({CARD})?(\?|\({CARD}\))?", text)
    if not text:
        raise ValueError("a pile that is gone is written as -")
    return (match[1] or "", (match[2] or "").strip("()"))


def read_hand(text: str) -> tuple[set[str], list[int]]:
    """Return the known cards of a hand and the numbers of hidden cards of each era."""
    match = read_match(rf"-|((?:{CARD})*)((?:\?[0-7]?)*)", text)
    if not text:
        raise ValueError("an empty hand is written as -")
    hidden = [0] * MOST_ERAS
    for era in re.findall(r"\?([0-7]?)", match[2] or ""):
        hidden[int(era or "0")] += 1
    return (read_distinct(match[1]) if match[1] else set(), hidden)


def read_showing(text: str) -> Showing:
    """Return what a seat has shown."""
    match = read_match(r"([A-F])([<>])(10|[1-9])@([0-7])\+([0-9]+)", text)
    return Showing(match[1], match[2] == ">", int(match[3]), int(match[4]), int(match[5]))


def read_table(text: str) -> Table:
    """Return the table that ``text`` describes, whether it makes sense or not; white space counts as one space."""
    fields = text.split()
    if len(fields) != 12:
        raise ValueError(f"a position has twelve fields: {text!r}")
    game, rows, hands, tops, discards, eras, stuck, scores, last, clock, direction, stage = fields
    piles = [[read_pile(pile) for pile in row.split(",")] for row in rows.split("/")]
    if not 2 <= len(piles) <= 6 or not 1 <= len(piles[0]) <= 3 or any(len(row) != len(piles[0]) for row in piles):
        raise ValueError(f"two to six seats have one to three piles each: {rows!r}")
    seats = SEATS[: len(piles)]
    held = [read_hand(hand) for hand in hands.split("/")]
    points = [read_numbers(numbers, "-") for numbers in (scores, last.removesuffix("!"))]
    if not len(held) == len(points[0]) == len(points[1]) == len(seats):
        raise ValueError(f"each seat has a row, a hand, a score and a last score: {text!r}")
    read_match(f"(-|{CARD}),(-|{CARD})", tops)
    round_number, turns = read_numbers(read_match("[0-9]+/[0-9]+", clock)[0], "/")
    return Table(
        read_options(game, len(seats)),
        dict(zip(seats, piles, strict=True)),
        {seat: hand for seat, (hand, _) in zip(seats, held, strict=True)},
        {seat: hidden for seat, (_, hidden) in zip(seats, held, strict=True)},
        [top.removeprefix("-") for top in tops.split(",")],
        read_distinct(discards),
        [] if eras == "-" else [read_distinct(read_match(f"({CARD})+", era)[0]) for era in eras.split("/")],
        [] if stuck == "-" else [read_showing(showing) for showing in stuck.split(",")],
        dict(zip(seats, points[0], strict=True)),
        dict(zip(seats, points[1], strict=True)),
        last.endswith("!"),
        round_number,
        turns,
        read_match("up|down|-", direction)[0],
        read_match(STAGE, stage)[0].split("/"),
    )


# -------------------------------------------------------------------- is it a position at all


def faults(table: Table) -> Iterator[str]:
    """Yield what is wrong with the table as a position of a match; only the first fault means something."""
    options = table.options
    players = len(table.seats)
    name = table.stage[0]
    piles = len(table.rows["A"])
    if options.colours * options.ranks < players * (2 * piles + options.hand) + 2:
        yield "the deck is too small for a deal"
    known = [*table.lying_open(), *(card for cards in table.eras for card in cards)]
    in_hands = [card for hand in table.hands.values() for card in hand]
    if not set(known + in_hands) <= table.deck():
        yield "a card is not of the deck"
    if len(set(known)) < len(known) or len(set(in_hands)) < len(in_hands) or set(table.lying_open()) & set(in_hands):
        yield "a card is in two places"
    if any(any(numbers[table.newest() + 1 :]) for numbers in table.hidden.values()):
        yield "a hidden card is of an era that does not exist"
    unknown = len(table.unknown_piles())
    for era in range(table.newest()):
        if table.unheld(era) != (unknown if era == 0 else 0):
            yield "an era before the newest is not held in full"
    if table.pile_size() < 0:
        yield "the draw pile is short"

    finished = table.round if name == "end" else table.round - 1
    if finished == 0 and (any(table.scores.values()) or (name != "score" and (any(table.last.values()) or table.cut))):
        yield "there are scores before a round was finished"
    if name != "score" and any(table.last[seat] > table.scores[seat] for seat in table.seats):
        yield "the last round counts more than all rounds"
    yield from score_faults(table, finished)
    if options.match == "rounds":
        wrong = not 1 <= table.round <= options.rounds or (name == "end" and table.round < options.rounds)
    else:
        wrong = table.round < 1 or (max(table.scores.values()) >= options.points) != (name == "end")
    limit = options.turns * players
    if wrong or (name in IN_TURN and table.turns >= limit) or table.turns > limit:
        yield "the clock does not fit the match"

    for number, showing in enumerate(table.showings):
        if showing.seat not in table.seats or showing.seat in [other.seat for other in table.showings[:number]]:
            yield "showings are of different seats of the match"
        elif showing.era > table.newest() or table.says_nothing(showing):
            yield "a showing says nothing"
    if len(table.showings) > (0 if options.stuck == "forbid" or name not in IN_TURN else MOST_SHOWINGS):
        yield "there are too many showings"
    yield from stage_faults(table)


def score_faults(table: Table, finished: int) -> Iterator[str]:
    """Yield what is wrong with the points of the rounds finished (EP-28, EP-29)."""
    deck = total(table.deck())
    scoring = table.stage[0] == "score"
    last = list(table.last.values())
    before = [table.scores[seat] - (0 if scoring else table.last[seat]) for seat in table.seats]
    earlier = finished if scoring else max(0, finished - 1)
    # A seat with fewer points than rounds got none in so many rounds at least; only one seat gets none in a round.
    if sum(earlier - points for points in before if points < earlier) > earlier:
        yield "more than one seat got no points in an earlier round"
    if sum(before) > earlier * 2 * deck:
        yield "earlier rounds count more than the deck gives"
    if scoring or finished == 0:
        return
    # The rounds that the last scores may be of: what each seat held, at least, with the points of one halved.
    if table.cut:
        held = [sum(last)] if min(last) > 0 else []
    elif min(last) == 0:
        held = [sum(last)] if last.count(0) == 1 else []
    else:
        lost = [points for points in last if points % 2 == 0 and points >= 2 * min(last)]
        held = [sum(last) - points // 2 for points in lost]
    if not any(points <= deck for points in held):
        yield "no round ends with such points"


def stage_faults(table: Table) -> Iterator[str]:
    """Yield what does not fit the stage."""
    name = table.stage[0]
    if name != "end" and not set(table.stage[1]) <= {*table.seats, "-"}:
        yield "a seat is not of the match"
    if (table.direction in ("up", "down")) != (name in (*IN_TURN, "score")):
        yield "the direction is known from the first turn to the end of a round"
    if name in ("deal", "lot", "begin", "end") and (table.turns or table.discards or table.eras):
        yield "something was played before the first turn"
    if name in ("deal", "lot") and (not table.stage[1] or table.stage[1] != "".join(sorted(set(table.stage[1])))):
        yield "seats stand in order"
    if name == "end":
        if any(table.tops) or any(table.hand_size(seat) or not table.row_gone(seat) for seat in table.seats):
            yield "the table is not clear"
        return
    places = [card for row in table.rows.values() for card, _ in row] + table.tops
    places += [
        "?" if place < table.hand_size(seat) else "" for seat in table.seats for place in range(table.options.hand)
    ]
    if name == "deal":
        if "" not in places or any(places[places.index("") :]):
            yield "places are dealt in order"
        if table.round == 1 and table.stage[1] != "".join(table.seats):
            yield "in the first round all seats may begin"
        if table.round > 1 and (
            not set(table.stage[1]) <= set(table.leaders())
            or (table.options.first_tie == "deal" and table.stage[1] != table.leaders())
        ):
            yield "later rounds are begun by the seats with most points"
    elif name in ("lot", "begin"):
        if "" in places:
            yield "a place of the deal is empty"
    elif not all(table.tops):
        yield "a discard pile is empty"
    if name in ("deal", "lot", "begin"):
        if any(beneath != "?" for row in table.rows.values() for _, beneath in row):
            yield "each row pile has an unknown card after the deal"
        if any(table.hand_size(seat) > table.options.hand for seat in table.seats):
            yield "a hand is too large after the deal"
    if name == "score":
        if table.unknown_piles() and table.stage[2] != "0":
            yield "the rows are turned up before the hands are shown"
        if any(table.last[seat] for seat in table.seats[int(table.stage[2]) :]) or int(table.stage[2]) >= len(
            table.seats
        ):
            yield "only hands that were shown count"
        if table.cut != (table.stage[1] == "-"):
            yield "only a round without an end was cut off"
        for seat in table.seats:
            if (table.hand_size(seat) == 0 or table.row_gone(seat)) != (seat == table.stage[1]):
                yield "the seat that has ended the round, and no other, has used up its hand or row"
        if table.turns == 0 or (table.cut and table.turns < table.options.turns * len(table.seats)):
            yield "a round does not end with so many turns"
    if name in IN_TURN:
        yield from turn_faults(table)
    if table.count_worlds() == 0:
        yield "the hidden cards cannot be anything"
    if name == "score":
        # A hand that is known may be that of a world, and worlds are not limited by what was counted.
        for seat in (seat for seat in table.seats[: int(table.stage[2])] if any(table.hidden[seat])):
            row = table.row_total(seat)
            hands = [int(shown.removeprefix("*=")) for shown in table.chances_of_sum(seat)]
            if table.last[seat] not in [hand + row if seat == table.stage[1] else max(hand, row) for hand in hands]:
                yield "hand and row do not give what was counted"


def turn_faults(table: Table) -> Iterator[str]:
    """Yield what does not fit a stage within a turn."""
    name, mover = table.stage[:2]
    for seat in table.seats:
        used_up = table.hand_size(seat) == 0 or table.row_gone(seat)
        if used_up and not (seat == mover and name in ("bonus", "reveal")):
            yield "the round would have ended"
    if name == "draw" and table.pile_size() == 0:
        yield "there is nothing to draw"
    if name == "reveal" and (mover, int(table.stage[2])) not in table.unknown_piles():
        yield "there is no unknown card to turn up"
    if table.stage[-1] == "again":
        ranks = [RANK[top] for top in table.tops]
        told = (mover, table.direction == "up", max(ranks) if table.direction == "up" else min(ranks))
        if table.options.stuck != "again" or not table.showings or table.showings[-1][:3] != told:
            yield "the newest showing does not tell why the card was turned twice"
