"""Late rounds of PEAS for tree search: who wins with all cards known. See leaves.pyi."""

from mangetout_solver.exact.context cimport STOPPED
from mangetout_solver.exact.peas.moves cimport Child
from mangetout_solver.exact.peas.reduced cimport popcount, reduce_round
from mangetout_solver.exact.peas.solver cimport DoubleDummy
from mangetout_solver.games.peas.rules cimport Rules, State
from mangetout_solver.search.control cimport Control
from mangetout_solver.search.evaluator cimport Evaluator


cdef class ExactLeaves(Evaluator):
    cdef DoubleDummy solver
    cdef Control control
    cdef int most_cards

    def __init__(self, cards: int, memory_bytes: int) -> None:
        self.solver = DoubleDummy(memory_bytes)
        self.control = Control()
        self.most_cards = 2 * cards
        self.solver.limits[0].most_nodes = <long long> 1 << 60

    @property
    def memory_bytes(self) -> int:
        return self.solver.table_bytes

    cdef bint covers(self, const void *state) noexcept nogil:
        cdef const State *s = <const State *> state
        return popcount(s.hand[0]) + popcount(s.hand[1]) <= self.most_cards

    cdef bint evaluate(self, const void *rules, const void *state, double *share) noexcept nogil:
        cdef const State *s = <const State *> state
        cdef Child root
        cdef int known
        reduce_round(<const Rules *> rules, s, &root.node, 0)
        # A level score is the pea holder's (PEAS-15).
        known = self.solver.at_sight(&root, 0 if s.pea == 0 else 1)
        if known < 0:
            known = self.solver.search(0, &root, self.control)
        if known == STOPPED:
            return False
        share[0] = known
        share[1] = 1 - known
        return True
