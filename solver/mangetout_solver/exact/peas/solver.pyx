"""PEAS with both hands known: exact search. See solver.pyi for the contract and docs/exact/peas.md for the method."""

from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libcpp.atomic cimport atomic

from concurrent.futures import ThreadPoolExecutor

from mangetout_solver.exact.peas.bounds cimport guess
from mangetout_solver.exact.peas.key cimport make_key
from mangetout_solver.exact.peas.moves cimport MAX_CHILDREN, Child, estimate, identify, make_children
from mangetout_solver.exact.peas.reduced cimport FREE, HISTORY, LOOK_AHEAD, SWEPT, Node, popcount, reduce_round
from mangetout_solver.exact.table cimport (
    MOST_EFFORT,
    WAYS,
    Entry,
    Key,
    Table,
    close_table,
    keep,
    least_of,
    look_up,
    most_of,
    move_of,
    open_table,
    room,
    widen,
)
from mangetout_solver.games.peas.rules cimport Rules, State, peas_ops
from mangetout_solver.games.position cimport Position
from mangetout_solver.search.control cimport Control, now_ns

SWEEP = SWEPT
TECHNIQUES = (
    "early_identity",
    "determined",
    "uncompared",
    "ranks",
    "colours",
    "threshold",
    "bounds",
    "sure_answers",
    "look_ahead",
    "history",
)

cdef enum:
    MAX_DEPTH = 24
    MAX_THREADS = 64
    STOPPED = -2
    ALONE = 20_000  # nodes
    GROWTH = 4
    POLL_NODES = 256  # under a millisecond or two: nodes are dear
    # The order of moves: what a place costs, in 1/256 points, and what history weighs.
    PER_POD = 128  # counted from the Bottom
    NO_POD = 2560
    HISTORY_WEIGHT = 2
    MOST_HISTORY = 4096
    FIRST = 1 << 22

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


# What one thread searches with.
ctypedef struct Search:
    Table *table
    Child *children  # of the nodes of the line at hand, one after the other
    int (*history)[32][16]  # by player, card and target: how often the move settled a question, recent ones more
    int64_t nodes
    int64_t most_nodes
    int64_t next_poll
    int off
    int number


cdef inline int known_of(const Table *t, const Child *child) noexcept nogil:
    """What the table says: 1 or 0, -1 for nothing."""
    cdef uint64_t data = look_up(t, child.key)
    if data:
        if least_of(data) >= child.asked:
            return 1
        if most_of(data) < child.asked:
            return 0
    return -1


cdef inline void learn(Search *search, const Child *question, int answer, int mark, int effort) noexcept nogil:
    if answer:
        keep(search.table, question.key, question.asked, SWEPT, mark, effort)
    else:
        keep(search.table, question.key, -SWEPT, question.asked - 1, mark, effort)


cdef inline int promise(const Search *search, const Node *s, const Child *child) noexcept nogil:
    """How early to try a move, higher first."""
    cdef int order = guess(&child.node) + 256 * child.gain
    if s.turn:
        order = -order
    order -= PER_POD * child.place if child.place < FREE else NO_POD
    if not search.off & HISTORY:
        order += HISTORY_WEIGHT * search.history[s.turn][child.card][child.target]
    if search.number:
        order += search.number * <int> (child.key.low & 63)  # threads differ
    return order


cdef inline void remember(Search *search, const Node *s, const Child *child, int settled) noexcept nogil:
    """Moves the move's history towards its limit, the more the earlier in the round."""
    cdef int *history = &search.history[s.turn][child.card][child.target]
    cdef int weight = popcount(s.hand[0]) + popcount(s.hand[1])
    history[0] += ((MOST_HISTORY if settled else -MOST_HISTORY) - history[0]) * weight // 256


cdef int prove(
    Search *search, const Child *question, Child *children, Control control, atomic[int] *done
) noexcept nogil:
    """The answer to a question that is not answered at sight: 1, 0, or STOPPED."""
    cdef const Node *s = &question.node
    cdef int good = 1 if s.turn == 0 else 0
    cdef int n, i, j, known, left, preferred, effort, answer
    cdef Child *child
    cdef int order[MAX_CHILDREN]
    cdef int64_t before = search.nodes
    if search.nodes >= search.next_poll:
        if search.nodes >= search.most_nodes or done.load() or control.poll(now_ns()):
            return STOPPED
        search.next_poll = min(search.nodes + POLL_NODES, search.most_nodes)
    search.nodes += 1
    n = make_children(s, question.need, children, search.table, WORDS, search.off)
    if n < 0:
        learn(search, question, good, 0, 1)
        return good

    left = 0
    for i in range(n):
        known = -1 if search.off & LOOK_AHEAD else known_of(search.table, &children[i])
        if known == good:
            learn(search, question, good, children[i].mark, 1)
            return good
        if known < 0:
            order[left] = i
            left += 1
    if left > 1:
        preferred = move_of(look_up(search.table, question.key))
        for i in range(left):
            child = &children[order[i]]
            order[i] |= (FIRST if child.mark == preferred else promise(search, s, child)) << 8

    answer = 1 - good
    preferred = 0
    for i in range(left):
        # The best of what is left comes next.
        for j in range(i + 1, left):
            if order[j] > order[i]:
                order[i], order[j] = order[j], order[i]
        child = &children[order[i] & 255]
        known = known_of(search.table, child) if i else -1
        if known < 0:
            known = prove(search, child, children + n, control, done)
            if known == STOPPED:
                return STOPPED
        if known == good:
            answer = good
            preferred = child.mark
            remember(search, s, child, 1)
            for j in range(i):
                remember(search, s, &children[order[j] & 255], 0)
            break
    effort = 1
    while effort < MOST_EFFORT and (search.nodes - before) >> (effort >> 1):
        effort += 1
    learn(search, question, answer, preferred, effort)
    return answer


cdef class DoubleDummy:
    cdef Table table
    cdef Search searches[MAX_THREADS]
    cdef int threads
    cdef int off
    cdef atomic[int] done

    def __cinit__(self, memory_bytes=256 << 20, *, threads=1, without=()) -> None:
        cdef int i
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads: found {threads}, expected 1 to {MAX_THREADS}")
        for name in without:
            self.off |= 1 << TECHNIQUES.index(name)
        self.threads = threads
        if not open_table(&self.table, max(memory_bytes, WAYS * sizeof(Entry))):
            raise MemoryError
        for i in range(threads):
            self.searches[i].table = &self.table
            self.searches[i].off = self.off
            self.searches[i].number = i
            self.searches[i].children = <Child *> calloc(MAX_DEPTH * MAX_CHILDREN, sizeof(Child))
            self.searches[i].history = <int (*)[32][16]> calloc(2 * 32 * 16, sizeof(int))
            if self.searches[i].children == NULL or self.searches[i].history == NULL:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        for i in range(self.threads):
            free(self.searches[i].children)
            free(self.searches[i].history)
        close_table(&self.table)

    @property
    def nodes(self) -> int:
        return sum([self.searches[i].nodes for i in range(self.threads)])

    @property
    def table_bytes(self) -> int:
        return self.table.buckets * WAYS * sizeof(Entry)

    cdef int _reduce(self, Position position, Node *out) except -1:
        cdef const State *state = <const State *> position.state_ptr()
        if position.ops != peas_ops():
            raise TypeError(f"found a position of {position.game_name}, expected one of peas")
        if state.unknown[0] or state.unknown[1] or state.drawn:
            raise ValueError("found cards that are not known, expected both hands")
        reduce_round(<const Rules *> position.rules_ptr(), state, out, self.off)
        return 0

    def groups(self, Position position not None):
        cdef Node node
        cdef Key key
        cdef dict found = {}
        for move in position.legal_moves():
            self._reduce(position.play(move), &node)
            key = make_key(&node, WORDS, NULL, 0, self.off)
            found.setdefault((node.score, key.high, key.low), []).append(move)
        return list(map(tuple, found.values()))

    def at_least(self, Position position not None, int margin, Control control not None, max_nodes=None):
        cdef Child root
        cdef int known
        cdef int64_t most
        self._reduce(position, &root.node)
        if margin <= -SWEPT:
            return True
        if margin > SWEPT:
            return False
        margin -= root.node.score
        root.node.score = 0
        known = estimate(&root, margin, self.off)
        if known < 0:
            known = identify(&root, WORDS, self.off)
        if known < 0:
            known = known_of(&self.table, &root)
        if known >= 0:
            return known == 1
        most = (<int64_t> 1 << 60) if max_nodes is None else max_nodes
        self.done.store(0)
        if self.threads == 1:
            known = self._run(0, &root, control, most)
        else:
            # Most questions are answered before it pays to ask several.
            known = self._run(0, &root, control, min(most, ALONE))
            if known == STOPPED and most > ALONE and control.stop_reason is None:
                known = self._run_all(&root, control, most - ALONE)
        return None if known == STOPPED else known == 1

    cdef int _run_all(self, const Child *root, Control control, int64_t most) except -3:
        """In rounds: when the table is full it grows, and all go on from the root with what it knows."""
        cdef int known = STOPPED
        cdef int64_t share, before
        self.table.shared = 1
        with ThreadPoolExecutor(self.threads, thread_name_prefix="exact") as pool:
            while known == STOPPED and most > 0 and control.stop_reason is None:
                widen(&self.table, GROWTH * self.table.buckets)
                # At most one entry a node.
                share = max(1, <int64_t> min(<uint64_t> most, room(&self.table)) // self.threads)
                before = self.nodes
                asked = [
                    pool.submit(self._run_thread, i, <uint64_t> root, control, share) for i in range(self.threads)
                ]
                known = max([each.result() for each in asked])
                self.table.used += self.nodes - before
                most -= self.threads * share
        self.table.shared = 0
        return known

    def _run_thread(self, int number, uint64_t root, Control control, int64_t most):
        return self._run(number, <const Child *> root, control, most)

    cdef int _run(self, int number, const Child *root, Control control, int64_t most) except -3:
        cdef int known
        self.searches[number].most_nodes = self.searches[number].nodes + most
        self.searches[number].next_poll = self.searches[number].nodes
        with nogil:
            known = prove(&self.searches[number], root, self.searches[number].children, control, &self.done)
            if known != STOPPED:
                self.done.store(1)
        return known
