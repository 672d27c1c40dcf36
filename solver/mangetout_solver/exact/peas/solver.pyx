"""PEAS: exact search. See solver.pyi for the contract and docs/exact/peas.md for the method."""

from libc.stdint cimport int64_t, uint16_t
from libc.stdlib cimport calloc, free
from libcpp.atomic cimport atomic

from mangetout_solver.exact.context cimport STOPPED, Context, is_stopped
from mangetout_solver.exact.peas.bounds cimport guess
from mangetout_solver.exact.peas.key cimport make_key
from mangetout_solver.exact.peas.moves cimport MAX_CHILDREN, Child, estimate, identify, make_children
from mangetout_solver.exact.peas.reduced cimport FREE, HISTORY, LOOK_AHEAD, SWEPT, Node, popcount, reduce_round
from mangetout_solver.exact.table cimport Key, Table, answer_in, keep_answer, look_up, move_of
from mangetout_solver.games.peas.rules cimport Rules, State, peas_ops
from mangetout_solver.games.position cimport Position
from mangetout_solver.search.control cimport Control

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


cdef inline int known_of(const Table *t, const Child *child) noexcept nogil:
    return answer_in(t, child.key, child.asked)


cdef inline void learn(Search *search, const Child *question, int answer, int mark, int64_t nodes) noexcept nogil:
    keep_answer(search.table, question.key, question.asked, answer, mark, nodes)


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
    cdef int n, i, j, known, left, preferred, answer
    cdef Child *child
    cdef int order[MAX_CHILDREN]
    cdef int64_t before = search.limits.nodes
    if is_stopped(search.limits, control, done, POLL_NODES):
        return STOPPED
    search.limits.nodes += 1
    n = make_children(s, question.need, children, search.table, WORDS, search.off)
    if n < 0:
        learn(search, question, good, 0, 0)
        return good

    left = 0
    for i in range(n):
        known = -1 if search.off & LOOK_AHEAD else known_of(search.table, &children[i])
        if known == good:
            learn(search, question, good, children[i].mark, 0)
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
    learn(search, question, answer, preferred, search.limits.nodes - before)
    return answer


cdef class DoubleDummy(Context):
    def __cinit__(self, memory_bytes=0, *, threads=1, without=()) -> None:
        cdef int i
        for name in without:
            self.off |= 1 << TECHNIQUES.index(name)
        for i in range(self.threads):
            self.searches[i].table = &self.table
            self.searches[i].limits = &self.limits[i]
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

    cdef int _reduce(self, Position position, Node *out) except -1:
        cdef const State *state = <const State *> position.state_ptr()
        cdef int seat
        if position.ops != peas_ops():
            raise TypeError(f"found a position of {position.game_name}, expected one of peas")
        if state.drawn:
            raise ValueError("found a round while it is dealt, expected hands")
        if state.unknown[0] and state.unknown[1]:
            raise ValueError("found cards of both hands that are not known, expected those of one at most")
        for seat in range(2):
            if state.unknown[seat] and state.hand[seat]:
                raise ValueError("found a hand known in part, expected one known or hidden as a whole")
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
        self._reduce(position, &root.node)
        known = self.at_sight(&root, margin)
        if known < 0:
            known = self.answer(&root, control, max_nodes)
        return None if known == STOPPED else known == 1

    cdef int at_sight(self, Child *root, int margin) noexcept nogil:
        """Whether A's margin is at least `margin`: 1, 0, or -1 where that takes a search, for which it is prepared."""
        cdef int known
        if margin <= -SWEPT:
            return 1
        if margin > SWEPT:
            return 0
        margin -= root.node.score
        root.node.score = 0
        known = estimate(root, margin, self.off)
        if known < 0:
            known = identify(root, WORDS, self.off)
        return known if known >= 0 else known_of(&self.table, root)

    cdef int search(self, int number, const void *question, Control control) noexcept nogil:
        return prove(
            &self.searches[number], <const Child *> question, self.searches[number].children, control, &self.done
        )
