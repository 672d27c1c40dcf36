from mangetout_solver.exact.context cimport MAX_THREADS, Context, Limits
from mangetout_solver.exact.peas.moves cimport Child
from mangetout_solver.exact.peas.reduced cimport Node
from mangetout_solver.exact.table cimport Table
from mangetout_solver.games.position cimport Position


# What one thread searches with.
ctypedef struct Search:
    Table *table
    Child *children  # of the nodes of the line at hand, one after the other
    int (*history)[32][16]  # by player, card and target: how often the move settled a question, recent ones more
    Limits *limits
    int off
    int number


cdef class DoubleDummy(Context):
    cdef Search searches[MAX_THREADS]
    cdef int off

    cdef int _reduce(self, Position position, Node *out) except -1
    cdef int at_sight(self, Child *root, int margin) noexcept nogil
