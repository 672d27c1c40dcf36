"""PEAS by trying everything, with open hands or with one hidden. See peas_brute_force.pyi for the contract."""

from libc.stdint cimport int16_t, uint64_t
from libcpp.unordered_map cimport unordered_map

cimport cython

from itertools import combinations

from mangetout_solver.games.peas.positions import view

MAX_CARDS = 6
MAX_HANDS = 64
cdef enum:
    PODS = 12
    CARDS = 32  # that a hand may hold
    HANDS = 64  # MAX_HANDS
    NONE = -1
    SWEEP = 120


@cython.auto_pickle(False)
cdef class Table:
    """A round in progress. Cards of a hand, or of all that it may be, are numbered in their order from the start on."""
    cdef int pods
    cdef int value[PODS]
    cdef int hand_size[2]
    cdef int hand_colour[2][CARDS]
    cdef int hand_rank[2][CARDS]
    cdef int played[2][CARDS]
    cdef int hidden  # seat whose hand may be hidden
    cdef int holds[HANDS][CARDS]  # whether a card is in one of the hands that it can be
    cdef int colour[2][PODS]  # of the card of the seat on the pod, or NONE
    cdef int rank[2][PODS]
    cdef int place[2][PODS]  # 1 + number of the card played there since the start, else 0
    cdef int first_on_bottom  # seat that played first on pod 0, or NONE
    cdef uint64_t hands  # a bit for each of them
    # Margins by the hands still possible, then by what has been played.
    cdef unordered_map[uint64_t, unordered_map[uint64_t, int16_t]] known

    cdef uint64_t key(self):
        """All that has been played since the start, which fixes the table and whose turn it is."""
        cdef uint64_t key = <uint64_t> (self.first_on_bottom + 1)
        cdef int seat, pod
        for seat in range(2):
            for pod in range(self.pods):
                if self.place[seat][pod] or self.colour[seat][pod] == NONE:
                    key = key * <uint64_t> (self.hand_size[seat] + 1) + <uint64_t> self.place[seat][pod]
        return key

    cdef bint matches(self, int seat, int card, int pod, int hand):
        """Whether the duty to match is met by a card of the seat (PEAS-04 to PEAS-07), in the one of its hands."""
        cdef int led = self.colour[1 - seat][pod]
        cdef int other
        if led == NONE or self.hand_colour[seat][card] == led:
            return True
        for other in range(self.hand_size[seat]):
            if not self.played[seat][other] and self.hand_colour[seat][other] == led:
                if seat != self.hidden or self.holds[hand][other]:
                    return False
        return True

    cdef uint64_t hands_that_play(self, int seat, int card, int pod, uint64_t hands):
        """In which of the hands, a bit each, the card may be played on the pod (PEAS-03 to PEAS-07)."""
        cdef uint64_t found = 0
        cdef int hand
        if self.played[seat][card] or self.colour[seat][pod] != NONE:
            return 0
        if seat != self.hidden:
            return hands if self.matches(seat, card, pod, 0) else 0
        for hand in range(HANDS):
            if hands >> hand & 1 and self.holds[hand][card] and self.matches(seat, card, pod, hand):
                found |= <uint64_t> 1 << hand
        return found

    cdef int margin_after(self, int seat, int card, int pod, uint64_t hands):
        cdef int first = self.first_on_bottom
        cdef int found
        if pod == 0 and first == NONE:
            self.first_on_bottom = seat
        self.played[seat][card] = 1
        self.place[seat][pod] = card + 1
        self.colour[seat][pod] = self.hand_colour[seat][card]
        self.rank[seat][pod] = self.hand_rank[seat][card]
        found = self.margin(1 - seat, hands)
        self.first_on_bottom = first
        self.played[seat][card] = 0
        self.place[seat][pod] = 0
        self.colour[seat][pod] = NONE
        return found

    cdef int margin(self, int seat, uint64_t hands):
        cdef uint64_t key = self.key()
        cdef unordered_map[uint64_t, int16_t] *known = &self.known[hands]
        cdef int best = -1000 if seat == 0 else 1000
        cdef bint over = True
        cdef uint64_t left
        cdef int card, pod, found
        if known.count(key):
            return known[0][key]
        for pod in range(self.pods):
            for card in range(self.hand_size[seat]):
                left = self.hands_that_play(seat, card, pod, hands)
                if left:
                    over = False
                    found = self.margin_after(seat, card, pod, left)
                    best = max(best, found) if seat == 0 else min(best, found)
        if over:
            best = self.judge()
        known[0][key] = <int16_t> best
        return best

    cdef int judge(self):
        """The margin of a finished round (PEAS-08 to PEAS-14)."""
        cdef int parent = self.first_on_bottom
        cdef int taken[2]
        cdef int points[2]
        cdef int pod
        taken[0] = taken[1] = points[0] = points[1] = 0
        for pod in range(self.pods):
            if self.colour[1 - parent][pod] == self.colour[parent][pod]:
                if self.rank[1 - parent][pod] > self.rank[parent][pod]:
                    parent = 1 - parent
            taken[parent] += 1
            points[parent] += self.value[pod]
        if taken[0] == self.pods:
            return SWEEP
        if taken[1] == self.pods:
            return -SWEEP
        return points[0] - points[1]


def unseen_cards(found, seat: int) -> list[str]:
    """Cards that a hidden hand of the seat may hold: not seen, and of no colour that it could not match (PEAS-06)."""
    plays = [play for pod in found.pods for play in pod.plays]
    seen = {*found.hands[1 - seat].cards, *[card for _, card in plays]}
    voids = {
        pod.plays[0][1][0]
        for pod in found.pods
        if len(pod.plays) == 2 and pod.plays[1][0] == seat and pod.plays[0][1][0] != pod.plays[1][1][0]
    }
    deck = [f"{colour}{rank + 1}" for colour in "BRVY"[:found.colours] for rank in range(found.ranks)]
    return [card for card in deck if card not in seen and card[0] not in voids]


cdef Table table_of(position):
    cdef Table table = Table()
    cdef int seat, pod, card, hand
    found = view(position)
    table.pods = len(found.pods)
    table.first_on_bottom = NONE
    sizes = [len(each.cards) + each.unknown for each in found.hands]
    hidden = [seat for seat in range(2) if found.hands[seat].unknown]
    if max(sizes) > MAX_CARDS:
        raise ValueError(f"expected at most {MAX_CARDS} cards in each hand")
    if len(hidden) > 1 or any([found.hands[seat].cards for seat in hidden]):
        raise ValueError("expected at most one hand hidden, and that as a whole")
    table.hidden = hidden[0] if hidden else 0
    pools = [unseen_cards(found, seat) if seat in hidden else found.hands[seat].cards for seat in range(2)]
    hands = list(combinations(pools[table.hidden], sizes[table.hidden]))
    if len(hands) > MAX_HANDS:
        raise ValueError(f"found {len(hands)} hands that a hidden one can be, expected at most {MAX_HANDS}")
    for seat in range(2):
        table.hand_size[seat] = len(pools[seat])
        for card, text in enumerate(pools[seat]):
            table.hand_colour[seat][card] = "BRVY".index(text[0])
            table.hand_rank[seat][card] = int(text[1])
            table.played[seat][card] = 0
        for pod in range(PODS):
            table.colour[seat][pod] = NONE
            table.place[seat][pod] = 0
    table.hands = ~<uint64_t> 0 >> (HANDS - len(hands))
    for hand, held in enumerate(hands):
        for card, text in enumerate(pools[table.hidden]):
            table.holds[hand][card] = text in held
    for pod, on_pod in enumerate(found.pods):
        table.value[pod] = on_pod.value
        for seat, text in on_pod.plays:
            table.colour[seat][pod] = "BRVY".index(text[0])
            table.rank[seat][pod] = int(text[1])
    if found.pods[0].plays:
        table.first_on_bottom = found.pods[0].plays[0][0]
    return table


def margins(position) -> dict[int, int]:
    cdef int seat, pod, card
    cdef uint64_t left
    if position.seat_to_move is None:
        raise ValueError("expected a position with a move to make")
    table = table_of(position)
    seat = position.seat_to_move
    found = {}
    for pod in range(table.pods):
        for card in range(table.hand_size[seat]):
            left = table.hands_that_play(seat, card, pod, table.hands)
            if left:
                move = 32 * pod + 8 * table.hand_colour[seat][card] + table.hand_rank[seat][card] - 1
                found[move] = table.margin_after(seat, card, pod, left)
    return found


def margin(position) -> int:
    best = min if position.seat_to_move else max
    return best(margins(position).values())
