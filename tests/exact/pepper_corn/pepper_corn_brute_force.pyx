"""Pepper. Corn! by trying everything. See pepper_corn_brute_force.pyi for the contract."""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libcpp.unordered_map cimport unordered_map

cimport cython

from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import view
from mangetout_solver.games.registry import game

MAX_TABLEAU = 12
MAX_CARDS = 20

cdef enum:
    CARDS_IN_PLAY = 20  # MAX_CARDS
    CELLS = 40
    NONE = -1

# Cards in play, by their numbers in the table.
ctypedef uint32_t cards_t


@cython.auto_pickle(False)
cdef class Table:
    """What does not change in a game: the cards, ascending as in the deck, and the board."""
    cdef int cards
    cdef int rank[CARDS_IN_PLAY]
    cdef bint is_ace[CARDS_IN_PLAY]
    cdef bint is_converter[CARDS_IN_PLAY]
    cdef bint is_excuse[CARDS_IN_PLAY]
    cdef bint share_suit[CARDS_IN_PLAY][CARDS_IN_PLAY]
    cdef int rows
    cdef int columns
    cdef int card_on[CELLS]  # NONE: a gap from the start on
    cdef bint restricted
    cdef bint matching
    cdef bint excuse_takeable
    cdef unordered_map[uint64_t, int16_t] known

    cdef int ranks(self, cards_t cards):
        cdef int card, total = 0
        for card in range(self.cards):
            if cards >> card & 1:
                total += self.rank[card]
        return total

    cdef bint is_gap(self, cards_t tableau, int cell):
        return self.card_on[cell] == NONE or not tableau >> self.card_on[cell] & 1

    cdef bint meets(self, int cell, const bint *walked, const bint *edge_walked):
        """Whether a cell is next to one that is walked on, or to an edge that is (PC-16, PC-18, PC-19)."""
        cdef int row = cell // self.columns
        cdef int column = cell % self.columns
        return (
            (row == 0 and edge_walked[0])
            or (row == self.rows - 1 and edge_walked[1])
            or (row > 0 and walked[cell - self.columns])
            or (row < self.rows - 1 and walked[cell + self.columns])
            or (column > 0 and walked[cell - 1])
            or (column < self.columns - 1 and walked[cell + 1])
        )

    cdef cards_t accessible(self, cards_t tableau, int seat):
        """The cards on the tableau that the seat has access to (PC-15 to PC-19)."""
        cdef bint walked[CELLS]
        cdef bint edge_walked[2]
        cdef bint more = True
        cdef int cell
        cdef int far_row = self.rows - 1 if seat == 0 else 0
        cdef cards_t found = 0
        for cell in range(CELLS):
            walked[cell] = False
        edge_walked[seat] = True
        edge_walked[1 - seat] = False
        while more:
            more = False
            for cell in range(self.rows * self.columns):
                if not walked[cell] and self.is_gap(tableau, cell) and self.meets(cell, walked, edge_walked):
                    walked[cell] = more = True
                    if cell // self.columns == far_row and not self.restricted:
                        edge_walked[1 - seat] = True
        for cell in range(self.rows * self.columns):
            if not self.is_gap(tableau, cell) and self.meets(cell, walked, edge_walked):
                found |= <cards_t> 1 << self.card_on[cell]
        return found

    cdef bint take(self, cards_t played, int target):
        """Whether cards take another without a converter (PC-08 to PC-12, PC-35, PC-40)."""
        cdef int card
        if played == 0 or (self.is_excuse[target] and not self.excuse_takeable):
            return False
        for card in range(self.cards):
            if played >> card & 1:
                if self.is_excuse[card]:
                    return False
                if not (self.is_excuse[target] or self.is_ace[card] or self.share_suit[card][target]):
                    return False
        return self.ranks(played) >= self.rank[target]

    cdef bint take_converted(self, int converter, cards_t others, int target):
        """Whether a converter and the cards that it converts take another (PC-36 to PC-39)."""
        cdef int card
        if not (self.is_converter[converter] and self.share_suit[converter][target]):
            return False
        for card in range(self.cards):
            if others >> card & 1:
                if self.is_excuse[card]:
                    return False
                if self.matching and not (self.is_ace[card] or self.share_suit[card][converter]):
                    return False
        return self.ranks(others) >= self.rank[target]

    cdef bint take_somehow(self, cards_t played, int target):
        cdef int card
        if self.take(played, target):
            return True
        for card in range(self.cards):
            if played >> card & 1 and self.take_converted(card, played & ~(<cards_t> 1 << card), target):
                return True
        return False

    cdef int margin_after(self, cards_t tableau, cards_t hand_a, cards_t hand_b, int seat, cards_t played, int target):
        """The margin to come when the seat takes a card (PC-07): cards played count, and so do hands at the end."""
        cdef cards_t taken = <cards_t> 1 << target
        if seat == 0:
            return self.ranks(played) + self.margin(tableau & ~taken, hand_a & ~played | taken, hand_b, 1, False)
        return self.margin(tableau & ~taken, hand_a, hand_b & ~played | taken, 0, False) - self.ranks(played)

    cdef int margin_after_pass(self, cards_t tableau, cards_t hand_a, cards_t hand_b, int seat, bint passed):
        """The margin to come after a pass, which is always free; the second one ends the game (PC-20 to PC-23)."""
        if passed:
            return self.ranks(hand_a) - self.ranks(hand_b)
        return self.margin(tableau, hand_a, hand_b, 1 - seat, True)

    cdef int margin(self, cards_t tableau, cards_t hand_a, cards_t hand_b, int seat, bint passed):
        """The margin to come at the start of a turn."""
        cdef uint64_t key = tableau
        cdef cards_t hand = hand_b if seat else hand_a
        cdef cards_t reach, played
        cdef int best, found, target
        if tableau == 0:
            return self.ranks(hand_a) - self.ranks(hand_b)
        key = ((key << CARDS_IN_PLAY | hand_a) << CARDS_IN_PLAY | hand_b) << 2 | <uint64_t> (2 * seat + passed)
        if self.known.count(key):
            return self.known[key]
        best = self.margin_after_pass(tableau, hand_a, hand_b, seat, passed)
        reach = self.accessible(tableau, seat)
        for target in range(self.cards):
            if reach >> target & 1:
                played = hand
                while played:
                    if self.take_somehow(played, target):
                        found = self.margin_after(tableau, hand_a, hand_b, seat, played, target)
                        best = min(best, found) if seat else max(best, found)
                    played = (played - 1) & hand
        self.known[key] = <int16_t> best
        return best


@cython.auto_pickle(False)
cdef class Turn:
    """A decision of a turn."""
    cdef Table table
    cdef cards_t tableau
    cdef cards_t hands[2]
    cdef int seat
    cdef bint passed
    cdef int target  # NONE: none named yet
    cdef int converter  # NONE: none laid down
    cdef cards_t laid  # beside the converter

    cdef list captures(self, int target, int converter, cards_t laid, cards_t later):
        """The margins to come after the captures with all cards laid and any of the later ones."""
        cdef cards_t more = later
        cdef cards_t played
        cdef bint legal
        cdef list found = []
        while True:
            played = laid | more
            if converter == NONE:
                legal = self.table.take(played, target)
            else:
                legal = self.table.take_converted(converter, played, target)
                played |= <cards_t> 1 << converter
            if legal:
                found.append(
                    self.table.margin_after(self.tableau, self.hands[0], self.hands[1], self.seat, played, target)
                )
            if more == 0:
                return found
            more = (more - 1) & later

    cdef dict first_steps(self):
        """By the number of the target, or NONE for a pass: the margins to come."""
        cdef cards_t hand = self.hands[self.seat]
        cdef cards_t reach = self.table.accessible(self.tableau, self.seat)
        cdef int target, card
        cdef list found
        cdef dict steps = {
            NONE: [self.table.margin_after_pass(self.tableau, self.hands[0], self.hands[1], self.seat, self.passed)]
        }
        for target in range(self.table.cards):
            if reach >> target & 1:
                found = self.captures(target, NONE, 0, hand)
                for card in range(self.table.cards):
                    if hand >> card & 1:
                        found += self.captures(target, card, 0, hand & ~(<cards_t> 1 << card))
                steps[target] = found
        return steps

    cdef dict conversions(self):
        """By the number of the converter: the margins to come."""
        cdef cards_t hand = self.hands[self.seat]
        cdef int card
        if self.converter != NONE or self.laid:
            return {}
        return {
            card: self.captures(self.target, card, 0, hand & ~(<cards_t> 1 << card))
            for card in range(self.table.cards)
            if hand >> card & 1
        }

    cdef dict layings(self):
        """By the number of the next card laid down, or NONE if there is none: the margins to come.

        Cards are laid down in ascending order, which decides nothing but how a set is written.
        """
        cdef cards_t free = self.hands[self.seat]
        cdef int card
        if self.converter != NONE:
            free &= ~(<cards_t> 1 << self.converter)
        cdef dict steps = {NONE: self.captures(self.target, self.converter, self.laid, 0)}
        for card in range(self.table.cards):
            if free >> card & 1 and self.laid >> card == 0:
                later = free & ~((<cards_t> 2 << card) - 1)
                steps[card] = self.captures(self.target, self.converter, self.laid | <cards_t> 1 << card, later)
        return steps


def _ids_in_play(found) -> list[str]:
    """The cards on the tableau and in the hands, in the order of the deck; a gap holds no Excuse (PC-40)."""
    tableau = [id_ for row in found.tableau for id_ in row if id_ and not (id_ == "EX" and found.excuse == "gap")]
    if "?" in tableau:
        raise ValueError("expected no card that lies face down")
    ids = tableau + [id_ for hand in found.hands for id_ in hand.cards]
    if len(tableau) > MAX_TABLEAU or len(ids) > MAX_CARDS:
        raise ValueError(f"expected at most {MAX_TABLEAU} cards on the tableau and {MAX_CARDS} with the hands")
    return sorted(ids, key=CARD_NUMBERS.__getitem__)


cdef Table table_of(found, list ids):
    cdef Table table = Table()
    cdef int number, other, cell
    cards = [CARDS[CARD_NUMBERS[id_]] for id_ in ids]
    table.cards = len(cards)
    for number, card in enumerate(cards):
        table.rank[number] = card.points
        table.is_ace[number] = card.is_ace
        table.is_converter[number] = card.id[0] in "PC"
        table.is_excuse[number] = card.id == "EX"
        for other in range(table.cards):
            table.share_suit[number][other] = bool(set(card.suits) & set(cards[other].suits))
    table.rows = len(found.tableau)
    table.columns = len(found.tableau[0])
    for cell, id_ in enumerate(id_ for row in found.tableau for id_ in row):
        table.card_on[cell] = ids.index(id_) if id_ in ids else NONE
    table.restricted = found.access == "restricted"
    table.matching = found.conversion == "matching"
    table.excuse_takeable = found.excuse == "takeable"
    return table


def margins(position) -> dict[int, int]:
    cdef Turn turn = Turn()
    found = view(position)
    if found.phase != "play":
        raise ValueError("expected a position with a step of play to be made")
    ids = _ids_in_play(found)
    turn.table = table_of(found, ids)
    for row in found.tableau:
        for id_ in row:
            if id_ in ids:
                turn.tableau |= <cards_t> 1 << <int> ids.index(id_)
    for seat in range(2):
        for id_ in found.hands[seat].cards:
            turn.hands[seat] |= <cards_t> 1 << <int> ids.index(id_)
    for id_ in found.laid:
        turn.laid |= <cards_t> 1 << <int> ids.index(id_)
    turn.seat = found.seat
    turn.passed = found.passed
    turn.target = ids.index(found.target) if found.target else NONE
    turn.converter = ids.index(found.converter) if found.converter else NONE

    if turn.target == NONE:
        steps = {"pass" if card == NONE else f"x{ids[card]}": after for card, after in turn.first_steps().items()}
    else:
        steps = {f"~{ids[card]}": after for card, after in turn.conversions().items()}
        steps |= {"." if card == NONE else f"+{ids[card]}": after for card, after in turn.layings().items()}
    rules = game("pepper_corn")
    best = min if turn.seat else max
    so_far = found.points[0] - found.points[1]
    return {rules.parse_move(position, text): so_far + best(after) for text, after in steps.items() if after}


def margin(position) -> int:
    best = min if position.seat_to_move else max
    return best(margins(position).values())
