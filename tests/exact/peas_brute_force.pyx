"""PEAS with open hands by trying everything. See peas_brute_force.pyi for the contract."""

from libc.stdint cimport int16_t, uint64_t
from libcpp.unordered_map cimport unordered_map

cimport cython

from mangetout_solver.games.peas.positions import view

MAX_CARDS = 6
cdef enum:
    PODS = 12
    CARDS = 6  # MAX_CARDS
    NONE = -1
    SWEEP = 120


@cython.auto_pickle(False)
cdef class Table:
    """A round in progress. Cards of a hand are numbered in its order from the start on."""
    cdef int pods
    cdef int value[PODS]
    cdef int hand_size[2]
    cdef int hand_colour[2][CARDS]
    cdef int hand_rank[2][CARDS]
    cdef int played[2][CARDS]
    cdef int colour[2][PODS]  # of the card of the seat on the pod, or NONE
    cdef int rank[2][PODS]
    cdef int place[2][PODS]  # 1 + number of the card played there since the start, else 0
    cdef int first_on_bottom  # seat that played first on pod 0, or NONE
    cdef unordered_map[uint64_t, int16_t] known

    cdef uint64_t key(self):
        """All that has been played since the start, which fixes hands, pods and whose turn it is."""
        cdef uint64_t key = <uint64_t> (self.first_on_bottom + 1)
        cdef int seat, pod
        for seat in range(2):
            for pod in range(self.pods):
                if self.place[seat][pod] or self.colour[seat][pod] == NONE:
                    key = key * (CARDS + 1) + <uint64_t> self.place[seat][pod]
        return key

    cdef bint may_play(self, int seat, int card, int pod):
        """Whether the card is in hand, the pod open and the colour duty met (PEAS-03 to PEAS-07)."""
        cdef int led = self.colour[1 - seat][pod]
        cdef int other
        if self.played[seat][card] or self.colour[seat][pod] != NONE:
            return False
        if led == NONE or self.hand_colour[seat][card] == led:
            return True
        for other in range(self.hand_size[seat]):
            if not self.played[seat][other] and self.hand_colour[seat][other] == led:
                return False
        return True

    cdef int margin_after(self, int seat, int card, int pod):
        cdef int first = self.first_on_bottom
        cdef int found
        if pod == 0 and first == NONE:
            self.first_on_bottom = seat
        self.played[seat][card] = 1
        self.place[seat][pod] = card + 1
        self.colour[seat][pod] = self.hand_colour[seat][card]
        self.rank[seat][pod] = self.hand_rank[seat][card]
        found = self.margin(1 - seat)
        self.first_on_bottom = first
        self.played[seat][card] = 0
        self.place[seat][pod] = 0
        self.colour[seat][pod] = NONE
        return found

    cdef int margin(self, int seat):
        cdef uint64_t key = self.key()
        cdef int best = -1000 if seat == 0 else 1000
        cdef bint over = True
        cdef int card, pod, found
        if self.known.count(key):
            return self.known[key]
        for pod in range(self.pods):
            for card in range(self.hand_size[seat]):
                if self.may_play(seat, card, pod):
                    over = False
                    found = self.margin_after(seat, card, pod)
                    best = max(best, found) if seat == 0 else min(best, found)
        if over:
            best = self.judge()
        self.known[key] = <int16_t> best
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


cdef Table table_of(position):
    cdef Table table = Table()
    cdef int seat, pod, card
    found = view(position)
    table.pods = len(found.pods)
    table.first_on_bottom = NONE
    for seat in range(2):
        cards = found.hands[seat].cards
        if found.hands[seat].unknown or len(cards) > MAX_CARDS:
            raise ValueError(f"expected at most {MAX_CARDS} cards in each hand, all known")
        table.hand_size[seat] = len(cards)
        for card, text in enumerate(cards):
            table.hand_colour[seat][card] = "BRVY".index(text[0])
            table.hand_rank[seat][card] = int(text[1])
            table.played[seat][card] = 0
        for pod in range(PODS):
            table.colour[seat][pod] = NONE
            table.place[seat][pod] = 0
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
    if position.seat_to_move is None:
        raise ValueError("expected a position with a move to make")
    table = table_of(position)
    seat = position.seat_to_move
    found = {}
    for pod in range(table.pods):
        for card in range(table.hand_size[seat]):
            if table.may_play(seat, card, pod):
                move = 32 * pod + 8 * table.hand_colour[seat][card] + table.hand_rank[seat][card] - 1
                found[move] = table.margin_after(seat, card, pod)
    return found


def margin(position) -> int:
    best = min if position.seat_to_move else max
    return best(margins(position).values())
