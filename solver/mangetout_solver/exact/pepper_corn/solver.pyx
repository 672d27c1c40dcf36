"""Pepper. Corn! after the split: exact search. See solver.pyi for the contract, docs/exact/pepper_corn.md for how."""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libcpp.atomic cimport atomic
from libcpp.vector cimport vector

from mangetout_solver.exact.context cimport MAX_THREADS, STOPPED, Context, Limits, is_stopped
from mangetout_solver.exact.pepper_corn.bounds cimport fails_at_sight, wins_at_sight
from mangetout_solver.exact.pepper_corn.key cimport make_key
from mangetout_solver.exact.pepper_corn.lost cimport FEWEST_STANDING, LostHands, has_lost, keep_lost, open_lost
from mangetout_solver.exact.pepper_corn.reduced cimport (
    ALL_SUITS,
    CONVERTERS,
    HIGHEST_RANK,
    LOST,
    RANKLESS,
    Node,
    Setting,
    can_take,
    highest,
    open_ways,
    popcount,
    remove,
    sum_of,
    survey,
)
from mangetout_solver.exact.pepper_corn.sets cimport Hand, Payment, list_all_payments, list_payments, sort_hand
from mangetout_solver.exact.table cimport Key, Table, answer_in, bucket, keep_answer, prefetch
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.interface cimport hash_bytes
from mangetout_solver.games.pepper_corn.captures cimport fitting, reached
from mangetout_solver.games.pepper_corn.rules cimport (
    BASIC_SIZE,
    DECK_SIZE,
    EXCUSE,
    FIT,
    NO_CELL,
    OVER,
    PLAY,
    RANK,
    TAKEABLE,
    Rules,
    State,
    converted,
    ctz,
    pepper_corn_ops,
    ranks_of,
)
from mangetout_solver.games.position cimport Position
from mangetout_solver.games.rng cimport mix64
from mangetout_solver.search.control cimport Control

TECHNIQUES = ("reach", "sums", "swaps", "captures", "chains", "types", "lost")

cdef enum:
    POLL_NODES = 512
    UNKNOWN = -1
    AT_ONCE = 8  # ways to pay that are looked up before the first is searched
    # The order of cards to take: by rank, and again by rank where the other seat may take it too.
    CARD_BITS = 6


# A state and the question asked of it: whether the mover's margin still grows by so much.
ctypedef struct Question:
    Node node
    Key key
    int16_t asked


# What one thread searches with.
ctypedef struct Search:
    Table *table
    LostHands *lost
    const Setting *setting
    vector[Payment] *payments  # of the nodes of the line at hand, one after the other
    Limits *limits


# Suits of the cards, and the cards that show one of some suits, in the numbers of the reduced state.
cdef uint8_t SUITS[DECK_SIZE]
cdef uint64_t SHOWN[64]


cdef inline int number_of(int card) noexcept nogil:
    return card + RANKLESS if card < BASIC_SIZE else card - BASIC_SIZE


cdef inline uint64_t renumbered(uint64_t cards) noexcept nogil:
    return (cards & ((<uint64_t> 1 << BASIC_SIZE) - 1)) << RANKLESS | cards >> BASIC_SIZE


cdef int _card, _suits
for _card in range(DECK_SIZE):
    SUITS[number_of(_card)] = sum([1 << "MSWLYK".index(suit) for suit in CARDS[_card].suits])
    for _suits in range(64):
        if _suits & SUITS[number_of(_card)]:
            SHOWN[_suits] |= <uint64_t> 1 << number_of(_card)


cdef void set_up(const Rules *r, const State *s, Setting *g, int off) noexcept nogil:
    cdef uint64_t named[2]
    cdef int card, n, i, cell
    g.off = <int8_t> off
    g.rules = r[0]
    named[0] = named[1] = 0
    hash_bytes(r, sizeof(Rules), named)
    g.name = named[0]
    for i in range(4):
        g.rank_bit[i] = 0
    for i in range(HIGHEST_RANK + 1):
        g.up_to[i] = 0
    for i in range(64):
        g.shown[i] = SHOWN[i]
        if i and r.excuse == TAKEABLE:
            g.shown[i] |= <uint64_t> 1 << number_of(EXCUSE)
    for n in range(DECK_SIZE):
        g.hits[n] = 0
    for card in range(DECK_SIZE):
        n = number_of(card)
        g.rank[n] = RANK[card]
        g.suits[n] = ALL_SUITS if RANK[card] == 1 else SUITS[n]
        g.fits[n] = renumbered(FIT[card]) if card != EXCUSE or r.excuse == TAKEABLE else 0
        g.converts[n] = renumbered(converted(r, card)) if CONVERTERS >> n & 1 else 0
        for i in range(4):
            if RANK[card] >> i & 1:
                g.rank_bit[i] |= <uint64_t> 1 << n
        for i in range(RANK[card], HIGHEST_RANK + 1):
            g.up_to[i] |= <uint64_t> 1 << n
    for card in range(DECK_SIZE):
        for n in range(DECK_SIZE):
            if g.fits[card] >> n & 1:
                g.hits[n] |= <uint64_t> 1 << card
    for n in range(DECK_SIZE):
        g.takes[n] = g.hits[n] & g.up_to[g.rank[n]]
    for cell in range(r.rows * r.columns):
        if s.occupied >> cell & 1:
            n = number_of(s.cell[cell])
            g.card_at[cell] = <int8_t> n
            g.cell_of[n] = <int8_t> cell
            g.places[n] = mix64(g.name + <uint64_t> (n << 8 | cell))


cdef void reduce_play(const Setting *g, const State *s, Node *out) noexcept nogil:
    cdef uint64_t left = s.occupied
    cdef int seat, n
    out.tableau = 0
    out.places = 0
    while left:
        n = g.card_at[ctz(left)]
        left &= left - 1
        out.tableau |= <uint64_t> 1 << n
        out.places ^= g.places[n]
    out.occupied = s.occupied
    out.turn = s.turn
    for seat in range(2):
        out.hand[seat] = renumbered(s.hand[seat])
        out.area[seat] = 0
        out.within[seat] = 0
    for seat in range(2):
        open_ways(g, out, seat)
        survey(g, out, seat, out.tableau)


cdef inline int at_sight(Search *search, Question *q, bint may_win) noexcept nogil:
    """1, 0, or UNKNOWN: then the key is set. may_win: whether it is not known that the mover does not win at sight."""
    if q.asked <= -q.node.gain[1 - q.node.turn]:
        return 1
    if q.asked > q.node.gain[q.node.turn]:
        return 0
    # The table is far away: what is looked up there is sent for before other work is done.
    q.key = make_key(search.setting, &q.node)
    prefetch(bucket(search.table, q.key.high))
    if may_win and wins_at_sight(search.setting, &q.node, q.asked):
        return 1
    return 0 if fails_at_sight(search.setting, &q.node, q.asked) else UNKNOWN


cdef inline int searched(Search *search, const Question *q, Control control, atomic[int] *done) noexcept nogil:
    """1, 0, or STOPPED, for a question that is not answered at sight."""
    cdef int answer = answer_in(search.table, q.key, q.asked)
    if answer != UNKNOWN:
        return answer
    if popcount(q.node.tableau) < FEWEST_STANDING or search.setting.off & LOST:
        return prove(search, q, control, done)
    if has_lost(search.lost, &q.node, q.asked):
        return 1
    answer = prove(search, q, control, done)
    if answer == 1:
        keep_lost(search.lost, &q.node, q.asked)
    return answer


cdef inline int answer_to(Search *search, Question *q, Control control, atomic[int] *done) noexcept nogil:
    """1, 0, or STOPPED."""
    cdef int known = at_sight(search, q, True)
    return known if known != UNKNOWN else searched(search, q, control, done)


cdef inline int list_targets(const Setting *g, const Node *s, int *out) noexcept nogil:
    """Cards within reach that the mover may try to take, best first; returns their number."""
    cdef uint64_t hand = s.hand[s.turn]
    cdef uint64_t left = s.reach[s.turn] & s.within[s.turn]
    cdef int card, i
    cdef int n = 0
    while left:
        card = highest(left)
        left ^= <uint64_t> 1 << card
        if sum_of(g, g.fits[card] & hand) < g.rank[card] and not hand & CONVERTERS:
            continue
        i = n
        out[n] = (g.rank[card] << (s.reach[1 - s.turn] >> card & 1)) << CARD_BITS | card
        while i and out[i - 1] < out[i]:
            out[i], out[i - 1] = out[i - 1], out[i]
            i -= 1
        n += 1
    return n


cdef int try_payments(
    Search *search, const Node *base, int card, size_t first, int asked, Control control, atomic[int] *done
) noexcept nogil:
    """Whether the mover gains enough by taking a card with one of the payments from `first` on: 1, 0 or STOPPED."""
    cdef const Setting *g = search.setting
    cdef int mover = 1 - base.turn
    cdef size_t last = search.payments.size()
    cdef size_t i
    cdef Question child[AT_ONCE]
    cdef Question *q
    cdef int n = 0
    cdef int unknown, known, j
    for i in range(first, last):
        q = &child[n]
        q.asked = <int16_t> asked
        q.node = base[0]
        q.node.hand[mover] &= ~search.payments.at(i).cards
        q.node.hand[mover] |= <uint64_t> 1 << card
        survey(g, &q.node, mover, base.reach[mover])
        q.node.gain[mover] = min(q.node.gain[mover], base.gain[mover])
        # What is sure for the other seat hangs on the mover's hand only by its reach.
        known = at_sight(search, q, q.node.reach[mover] != base.reach[mover])
        if known == 0:
            return 1
        n += known == UNKNOWN
        if n < AT_ONCE and i + 1 < last:
            continue
        # Those that the table answers come first.
        unknown = 0
        for j in range(n):
            known = answer_in(search.table, child[j].key, asked)
            if known == 0:
                return 1
            if known == UNKNOWN:
                unknown |= 1 << j
        n = 0
        while unknown:
            j = ctz(unknown)
            unknown &= unknown - 1
            known = searched(search, &child[j], control, done)
            if known == STOPPED:
                return STOPPED
            if known == 0:
                return 1
    return 0


cdef int prove(Search *search, const Question *question, Control control, atomic[int] *done) noexcept nogil:
    """The answer to a question that is not answered at sight: 1, 0, or STOPPED."""
    cdef const Node *s = &question.node
    cdef const Setting *g = search.setting
    cdef int mover = s.turn
    cdef int target[DECK_SIZE]
    cdef int64_t before = search.limits.nodes
    cdef size_t first = search.payments.size()
    cdef int answer = 0
    cdef int n, i, card, asked
    cdef Hand hand
    cdef Node base
    cdef Question child
    if is_stopped(search.limits, control, done, POLL_NODES):
        return STOPPED
    search.limits.nodes += 1
    hand.size = -1
    n = list_targets(g, s, target)
    for i in range(n):
        card = target[i] & ((1 << CARD_BITS) - 1)
        asked = g.rank[card] - question.asked + 1
        remove(g, s, card, &base)
        if wins_at_sight(g, &base, asked):
            continue
        if asked > base.gain[base.turn] and g.rank[card] and can_take(g, s.hand[mover], card):
            answer = 1
            break
        if hand.size < 0:
            sort_hand(g, s, &hand)
        list_all_payments(g, &hand, s.hand[mover], card, search.payments)
        answer = try_payments(search, &base, card, first, asked, control, done)
        search.payments.resize(first)
        if answer:
            break
    if not answer and question.asked <= 0:
        # Passing: then the other one captures for more than what is asked, or the game ends (PC-20, PC-21).
        child.node = s[0]
        child.node.turn = <int8_t> (1 - mover)
        child.asked = 1 - question.asked
        answer = answer_to(search, &child, control, done)
        if answer >= 0:
            answer = 1 - answer
    if answer == STOPPED:
        return STOPPED
    keep_answer(search.table, question.key, question.asked, answer, 0, search.limits.nodes - before)
    return answer


# A position as it is asked about. Each has a setting of its own: others may be asked about while it is searched.
ctypedef struct Root:
    Setting setting
    Question question
    int target  # of a capture under way, or NO_CELL
    uint64_t laid
    uint64_t allowed  # cards that may still be laid down
    int missing  # rank that they are to add
    int converter_may_come


cdef class PlaySolver(Context):
    cdef Search searches[MAX_THREADS]
    cdef vector[Payment] payments[MAX_THREADS]
    cdef LostHands lost
    cdef int off

    def __cinit__(self, memory_bytes=0, *, threads=1, without=()) -> None:
        cdef int i
        for name in without:
            self.off |= 1 << TECHNIQUES.index(name)
        if not (self.off & LOST or open_lost(&self.lost, &self.table)):
            self.off |= LOST
        for i in range(self.threads):
            self.searches[i].table = &self.table
            self.searches[i].lost = &self.lost
            self.searches[i].payments = &self.payments[i]
            self.searches[i].limits = &self.limits[i]

    cdef int _reduce(self, Position position, Root *out) except -1:
        cdef const State *s
        cdef const Rules *r
        if position.ops != pepper_corn_ops():
            raise TypeError(f"found a position of {position.game_name}, expected one of pepper_corn")
        s = <const State *> position.state_ptr()
        r = <const Rules *> position.rules_ptr()
        if s.phase != PLAY:
            raise ValueError("found a position before play or with cards to turn up, expected one of play")
        if s.unseen:
            raise ValueError("found cards that lie face down, expected none")
        set_up(r, s, &out.setting, self.off)
        reduce_play(&out.setting, s, &out.question.node)
        out.target = NO_CELL
        if s.target != NO_CELL:
            out.target = out.setting.card_at[s.target]
            out.laid = renumbered(s.laid)
            out.allowed = renumbered(fitting(r, s))
            out.missing = 0 if reached(s) else RANK[s.cell[s.target]] - ranks_of(s.laid)
            out.converter_may_come = not s.laid
        return 0

    def groups(self, Position position not None):
        cdef Root root
        cdef vector[Payment] payments
        cdef Node base, child
        cdef size_t i
        cdef int mover, gained
        cdef const State *s
        cdef dict found = {}
        self._reduce(position, &root)
        for move in position.legal_moves():
            after = position.play(move)
            s = <const State *> (<Position> after).state_ptr()
            if s.phase == OVER:
                found.setdefault(margin_now(s), []).append(move)
                continue
            self._reduce(after, &root)
            if root.target == NO_CELL:
                ways = {(margin_now(s), s.passes, *self._name(&root.setting, &root.question.node))}
            else:
                # By what the capture may come to.
                payments.clear()
                self._list_finishes(&root, &payments)
                remove(&root.setting, &root.question.node, root.target, &base)
                mover = s.turn
                gained = margin_now(s) + (-1 if mover else 1) * root.setting.rank[root.target]
                ways = set()
                for i in range(payments.size()):
                    child = base
                    child.hand[mover] &= ~payments[i].cards
                    child.hand[mover] |= <uint64_t> 1 << root.target
                    survey(&root.setting, &child, mover, base.reach[mover])
                    ways.add((gained, 0, *self._name(&root.setting, &child)))
            found.setdefault(frozenset(ways), []).append(move)
        return list(map(tuple, found.values()))

    cdef tuple _name(self, const Setting *g, const Node *s):
        cdef Key key = make_key(g, s)
        return key.high, key.low

    def most_gains(self, Position position not None):
        cdef Root root
        self._reduce(position, &root)
        return root.question.node.gain[0], root.question.node.gain[1]

    def at_least(self, Position position not None, int margin, Control control not None, max_nodes=None):
        cdef const State *s = <const State *> position.state_ptr()
        cdef Root root
        cdef int now, known
        if position.ops == pepper_corn_ops() and s.phase == OVER:
            return margin_now(s) >= margin
        self._reduce(position, &root)
        now = margin_now(s)
        # From the mover's view: A reaches a margin exactly where B does not reach more than its opposite.
        root.question.asked = <int16_t> max(-1000, min(1000, margin - now if s.turn == 0 else now - margin + 1))
        if s.passes and root.question.asked <= 0:
            known = 1  # PC-21: passing ends the game
        elif root.target == NO_CELL and wins_at_sight(&root.setting, &root.question.node, root.question.asked):
            known = 1
        else:
            known = self.answer(&root, control, max_nodes)
        return None if known == STOPPED else (known == 1) == (s.turn == 0)

    cdef int search(self, int number, const void *question, Control control) noexcept nogil:
        cdef const Root *root = <const Root *> question
        cdef Question asked = root.question
        self.searches[number].setting = &root.setting
        self.payments[number].clear()
        if root.target == NO_CELL:
            return answer_to(&self.searches[number], &asked, control, &self.done)
        return self._finish(number, root, control)

    cdef int _finish(self, int number, const Root *root, Control control) noexcept nogil:
        """The answer where a capture is under way."""
        cdef const Node *s = &root.question.node
        cdef Node base
        remove(&root.setting, s, root.target, &base)
        self._list_finishes(root, &self.payments[number])
        return try_payments(
            &self.searches[number],
            &base,
            root.target,
            0,
            root.setting.rank[root.target] - root.question.asked + 1,
            control,
            &self.done,
        )

    cdef void _list_finishes(self, const Root *root, vector[Payment] *out) noexcept nogil:
        """What the capture under way may still be paid with."""
        cdef Payment payment
        cdef Hand hand
        cdef const Node *own = &root.question.node
        sort_hand(&root.setting, own, &hand)
        if root.laid and root.missing <= 0:
            payment.cards = root.laid
            payment.cost = 0
            out.push_back(payment)
        elif root.converter_may_come:
            list_all_payments(&root.setting, &hand, own.hand[own.turn], root.target, out)
        else:
            list_payments(&root.setting, &hand, root.allowed, root.missing, root.laid, 0, out)


cdef int margin_now(const State *s) noexcept nogil:
    """A's margin if nothing more is taken."""
    return s.points[0] + ranks_of(s.hand[0]) - s.points[1] - ranks_of(s.hand[1])
