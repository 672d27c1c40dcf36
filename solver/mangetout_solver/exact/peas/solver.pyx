"""PEAS with both hands known: exact search. See solver.pyi for the contract and docs/exact/peas.md for the method."""

from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from mangetout_solver.exact.peas.bounds cimport guess, reach
from mangetout_solver.exact.peas.key cimport WIDEST, Outcomes, depends_on, has_empty, junk_colours, make_key, truth
from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    ANSWERS_ONLY,
    B_TAKES,
    BLANK,
    BOUNDS,
    ENHANCED,
    FREE,
    IRRELEVANT,
    LONE,
    LONE_A,
    MAX_COLOURS,
    OWED,
    RANKS,
    SWEPT,
    THRESHOLD,
    Node,
    drop_irrelevant,
    in_colour,
    play_reduced,
    reduce_round,
)
from mangetout_solver.exact.table cimport WAYS, Entry, Key, Table, bucket, keep, look_up, prefetch
from mangetout_solver.games.peas.rules cimport Rules, State, peas_ops
from mangetout_solver.games.position cimport Position
from mangetout_solver.search.control cimport Control, now_ns

SWEEP = SWEPT
REDUCTIONS = (
    "early_identity",
    "determined",
    "uncompared",
    "irrelevant",
    "ranks",
    "junk",
    "answers_only",
    "colours",
    "threshold",
    "bounds",
    "enhanced_cutoffs",
)

cdef enum:
    MAX_DEPTH = 24
    BOTTOM_FIRST = 256 * 100
    MAX_CHILDREN = 12 * 12 + 36
    STOPPED = -2
    POLL_NODES = 64  # a millisecond or two where nodes are dear

# The order of two hands' cards of a colour, whatever their ranks: 1 for a card of A, 2 for one of B, lowest first, as a
# number to the base 3.
cdef uint16_t WORDS[1 << 16]
cdef int _a, _b, _i, _word
for _a in range(256):
    for _b in range(256):
        _word = 0
        for _i in range(8):
            if _a >> _i & 1:
                _word = 3 * _word + 1
            elif _b >> _i & 1:
                _word = 3 * _word + 2
        WORDS[_a | _b << 8] = <uint16_t> _word

ctypedef struct Child:
    Node node
    Key key
    int16_t need
    int16_t asked  # in the table: what is needed, or 1 where the key says it
    uint16_t move


ctypedef struct Search:
    Table table
    Child *children  # of the nodes of the line at hand, one after the other
    int64_t nodes
    int64_t made
    int64_t most_nodes
    int64_t next_poll
    int off


cdef inline int settle_need(Node *s, int need, int off) noexcept nogil:
    """Forgets sweeps that cannot matter for the question whether A's margin still grows by `need`; returns the least
    need that asks the same. """
    cdef int total = 0
    cdef int size = 0
    cdef int i
    for i in range(s.pods):
        total += s.value[i]
        size += s.value[i] if s.value[i] >= 0 else -s.value[i]
    if s.sweep:
        if total >= need:
            s.sweep &= B_TAKES
        if -total < need:
            s.sweep &= A_TAKES
        if not s.sweep and not off & IRRELEVANT:
            drop_irrelevant(s)
    if need > size:
        return size + 1
    if need < -size:
        return -size
    # All sums are odd, or all are even.
    return need + ((need - total) & 1)


cdef inline int weigh(Search *search, Node *s, int need, Outcomes *outcomes, int *words) noexcept nogil:
    """Reads what is needed as a truth table over the open pods, and drops the pods that cannot matter.

    1 when A surely gets it, 0 when surely not, -1 otherwise; words: 0 where there is no such table.
    """
    cdef Outcomes plain
    cdef int i, size, changed
    cdef uint64_t ones, all_true
    words[0] = 0
    if search.off & THRESHOLD:
        return -1
    while True:
        size = 0
        for i in range(s.pods):
            size += s.value[i] if s.value[i] >= 0 else -s.value[i]
        if s.pods > WIDEST or size > SWEPT // 2:
            return -1
        words[0] = truth(s, need, outcomes, &plain)
        ones = ~<uint64_t> 0 if s.pods >= 6 else (<uint64_t> 1 << (1 << s.pods)) - 1
        all_true = ones
        size = 0
        for i in range(words[0]):
            all_true &= outcomes.word[i] | ~ones
            size |= outcomes.word[i] != 0
        if not size:
            return 0
        if all_true == ones:
            return 1
        changed = 0
        for i in range(s.pods):
            if s.value[i] and not depends_on(outcomes, words[0], s.pods, i):
                if s.sweep and depends_on(&plain, words[0], s.pods, i):
                    continue
                s.value[i] = 0
                s.sweep = 0
                changed = 1
        if not changed or search.off & IRRELEVANT:
            return -1
        i = s.pods
        drop_irrelevant(s)
        if s.pods == i:
            return -1


cdef inline int known_of(const Table *t, const Child *child) noexcept nogil:
    """What the table says: 1 or 0, -1 for nothing."""
    cdef const Entry *entry = look_up(t, child.key)
    if entry != NULL:
        if entry.least >= child.asked:
            return 1
        if entry.most < child.asked:
            return 0
    return -1


cdef int prove(
    Search *search, const Node *s, int need, int asked, Key key, Child *children, Control control
) noexcept nogil:
    """Whether A's margin still grows by at least `need`: 1 or 0, or STOPPED."""
    cdef int mover = s.turn
    cdef int good = 1 if mover == 0 else 0
    cdef int n = 0
    cdef int colour, i, j, place, best, low, high, words, known, gain, result
    cdef int off = search.off
    cdef uint32_t reps[4]
    cdef uint32_t mine, opposing, run, cards, bit, choice
    cdef int empty, junk_seen, child_need, preferred, effort, kind
    cdef uint32_t junks
    cdef Child *child
    cdef int order[MAX_CHILDREN]
    cdef int left
    cdef Entry *entry
    cdef Outcomes outcomes
    cdef int64_t before = search.nodes
    cdef int targets[16]
    cdef int n_targets = 0
    search.nodes += 1
    if search.nodes >= search.next_poll:
        if search.nodes >= search.most_nodes or control.poll(now_ns()):
            return STOPPED
        search.next_poll = min(search.nodes + POLL_NODES, search.most_nodes)
    preferred = -1
    entry = look_up(&search.table, key)
    if entry != NULL:
        preferred = entry.move & 1023

    # One card stands for all that compare alike.
    empty = has_empty(s)
    junks = junk_colours(s, mover, empty, off)
    junk_seen = 0
    for colour in range(MAX_COLOURS):
        mine = in_colour(s.hand[mover], colour)
        if off & RANKS:
            reps[colour] = mine
            continue
        reps[colour] = 0
        if junks >> colour & 1:
            if not junk_seen:
                reps[colour] = mine & -mine
            junk_seen = 1
            continue
        opposing = 0
        if empty or off & ANSWERS_ONLY:
            opposing = in_colour(s.hand[1 - mover], colour)
        for i in range(s.pods):
            kind = s.kind[i] & LONE
            if kind and (kind == LONE_A) == (mover == 1) and s.lone[i] >> 3 == colour:
                opposing |= 1 << (s.lone[i] & 7)
        run = 0
        while mine:
            bit = mine & -mine
            mine ^= bit
            if not run or opposing & (bit - 1) & ~(run - 1):
                reps[colour] |= bit
            run = bit
    cards = reps[0] | reps[1] << 8 | reps[2] << 16 | reps[3] << 24

    for place in range(s.pods):
        kind = s.kind[place] & LONE
        if not kind or (kind == LONE_A) == (mover == 1):
            targets[n_targets] = place
            n_targets += 1
    if s.free[mover]:
        targets[n_targets] = FREE
        n_targets += 1
    for colour in range(MAX_COLOURS):
        if s.owed[mover][colour]:
            targets[n_targets] = OWED
            n_targets += 1
            break
    if s.blank:
        targets[n_targets] = BLANK
        n_targets += 1

    for j in range(n_targets):
        place = targets[j]
        choice = cards
        if place < FREE:
            if s.kind[place] & LONE:
                colour = s.lone[place] >> 3
                if in_colour(s.hand[mover], colour):
                    choice = cards & (<uint32_t> 0xFF << (8 * colour))
        elif place == OWED:
            choice = 0
            for colour in range(MAX_COLOURS):
                if s.owed[mover][colour]:
                    choice |= cards & (<uint32_t> 0xFF << (8 * colour))
        while choice:
            bit = choice & -choice
            choice ^= bit
            child = children + n
            child.node = s[0]
            i = 0
            while not bit >> i & 1:
                i += 1
            play_reduced(&child.node, i, place, off)
            search.made += 1
            gain = child.node.score
            child.node.score = 0
            child_need = settle_need(&child.node, need - gain, off)
            known = -1
            words = 0
            if child.node.pods == 0:
                if child.node.sweep:
                    known = child.node.sweep == A_TAKES
                else:
                    known = child_need <= 0
            else:
                if not off & BOUNDS:
                    reach(&child.node, &low, &high)
                    if low >= child_need:
                        known = 1
                    elif high < child_need:
                        known = 0
                if known < 0:
                    known = weigh(search, &child.node, child_need, &outcomes, &words)
            if known == good:
                keep(&search.table, key, asked if good else -SWEPT, SWEPT if good else asked - 1, 0, 1)
                return good
            if known >= 0:
                continue
            child.key = make_key(&child.node, WORDS, &outcomes if words else NULL, words, off)
            prefetch(bucket(&search.table, child.key))
            child.need = <int16_t> child_need
            child.asked = <int16_t> (1 if words else child_need)
            child.move = <uint16_t> (child.key.high & 1023)
            i = guess(&child.node) + 256 * gain
            if mover:
                i = -i
            i -= BOTTOM_FIRST * (place if place < FREE else FREE)
            if child.move == preferred:
                i = 1 << 20
            order[n] = i << 8 | n
            n += 1

    # What the table already knows of the children.
    if not off & ENHANCED:
        j = 0
        for i in range(n):
            child = children + (order[i] & 255)
            known = known_of(&search.table, child)
            if known == good:
                keep(&search.table, key, asked if good else -SWEPT, SWEPT if good else asked - 1, child.move, 1)
                return good
            if known < 0:
                order[j] = order[i]
                j += 1
        left = j
    else:
        left = n

    best = 0
    for i in range(left):
        # The best of what is left comes next.
        for j in range(i + 1, left):
            if order[j] > order[i]:
                order[i], order[j] = order[j], order[i]
        child = children + (order[i] & 255)
        result = known_of(&search.table, child) if i else -1
        if result < 0:
            result = prove(search, &child.node, child.need, child.asked, child.key, children + n, control)
            if result == STOPPED:
                return STOPPED
        if result == good:
            best = child.move
            break
    else:
        good = 1 - good
    effort = 1
    while (search.nodes - before) >> effort:
        effort += 1
    keep(&search.table, key, asked if good else -SWEPT, SWEPT if good else asked - 1, best, 2 * effort)
    return good


cdef class DoubleDummy:
    cdef Search search

    def __cinit__(self, memory_bytes=256 << 20, *, without=()) -> None:
        cdef int64_t block = <int64_t> (MAX_DEPTH * MAX_CHILDREN * sizeof(Child))
        self.search.table.buckets = <uint64_t> max(1, memory_bytes // (WAYS * sizeof(Entry)))
        self.search.table.entries = <Entry *> calloc(self.search.table.buckets * WAYS, sizeof(Entry))
        self.search.children = <Child *> malloc(block)
        if self.search.table.entries == NULL or self.search.children == NULL:
            raise MemoryError
        for name in without:
            self.search.off |= 1 << REDUCTIONS.index(name)

    def __dealloc__(self):
        free(self.search.table.entries)
        free(self.search.children)

    @property
    def nodes(self) -> int:
        return self.search.nodes

    @property
    def made(self) -> int:
        return self.search.made

    @property
    def table_bytes(self) -> int:
        return self.search.table.buckets * WAYS * sizeof(Entry)

    cdef int _reduce(self, Position position, Node *out) except -1:
        cdef const State *state = <const State *> position.state_ptr()
        if position.ops != peas_ops():
            raise TypeError(f"found a position of {position.game_name}, expected one of peas")
        if state.unknown[0] or state.unknown[1] or state.drawn:
            raise ValueError("found cards that are not known, expected both hands")
        reduce_round(<const Rules *> position.rules_ptr(), state, out, self.search.off)
        return 0

    def groups(self, Position position not None):
        cdef Node node
        cdef Key key
        cdef dict found = {}
        for move in position.legal_moves():
            after = position.play(move)
            self._reduce(after, &node)
            key = make_key(&node, WORDS, NULL, 0, self.search.off)
            found.setdefault((node.score, key.high, key.low), []).append(move)
        return list(map(tuple, found.values()))

    def at_least(self, Position position not None, int margin, Control control not None, max_nodes=None):
        cdef Child root
        cdef int result, low, high, words
        cdef Outcomes outcomes
        cdef Search *search = &self.search
        if margin <= -SWEPT:
            return True
        if margin > SWEPT:
            return False
        self._reduce(position, &root.node)
        root.need = <int16_t> settle_need(&root.node, margin - root.node.score, search.off)
        root.node.score = 0
        if root.node.pods == 0:
            return root.node.sweep == A_TAKES if root.node.sweep else root.need <= 0
        reach(&root.node, &low, &high)
        if low >= root.need:
            return True
        if high < root.need:
            return False
        result = weigh(search, &root.node, root.need, &outcomes, &words)
        if result >= 0:
            return bool(result)
        root.key = make_key(&root.node, WORDS, &outcomes if words else NULL, words, search.off)
        root.asked = 1 if words else root.need
        search.most_nodes = search.nodes + (max_nodes if max_nodes is not None else <int64_t> 1 << 60)
        search.next_poll = min(search.nodes + POLL_NODES, search.most_nodes)
        with nogil:
            result = known_of(&search.table, &root)
            if result < 0:
                result = prove(search, &root.node, root.need, root.asked, root.key, search.children, control)
        return None if result == STOPPED else bool(result)
