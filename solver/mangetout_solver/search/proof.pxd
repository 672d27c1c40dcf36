"""Proofs in perfect-information trees: behind each edge stands the share of the win that every player is proven to get
against all others together (after score-bounded MCTS, Cazenave and Saffidine 2010).

The mover can pick its best move, the others must fear its worst for them, chance weighs its outcomes, and a move not
tried yet guarantees nobody anything.
"""

from mangetout_solver.games.interface cimport CHANCE
from mangetout_solver.search.tree cimport Edge, Node, Tree, edge_at


cdef inline float *guaranteed(Edge *edge) noexcept nogil:
    """Proven shares, one a player."""
    return <float *> (<char *> edge + sizeof(Edge))


cdef inline size_t proof_size(int players) noexcept nogil:
    """Bytes behind an edge, a multiple of 8."""
    return (players * sizeof(float) + 7) & ~<size_t> 7


cdef inline bint same(float a, float b) noexcept nogil:
    """Whether two sums of a few shares in single precision are the same share."""
    return -1e-5 < a - b < 1e-5


cdef inline bint is_closed(Edge *edge, int players) noexcept nogil:
    """Whether every player's share after this move is proven: the others' guarantees leave none of them more."""
    cdef float *low = guaranteed(edge)
    cdef float total = 0.0
    cdef int p
    for p in range(players):
        total += low[p]
    return total > 1.0 or same(total, 1.0)


cdef inline bint raise_bound(Edge *edge, const float *bound, int players) noexcept nogil:
    """Takes over what is proven beyond what was; whether that was anything."""
    cdef float *low = guaranteed(edge)
    cdef bint changed = False
    cdef int p
    for p in range(players):
        if bound[p] > low[p]:
            low[p] = bound[p]
            changed = True
    return changed


cdef inline void node_bound(const Tree *tree, const Node *node, int players, float *bound) noexcept nogil:
    """What each player is guaranteed at a node, from its edges."""
    cdef int e, p
    cdef float *low
    cdef bint complete = node.count == node.legal
    for p in range(players):
        bound[p] = 0.0 if node.turn == CHANCE or p == node.turn or not complete else 1.0
    for e in range(node.count):
        low = guaranteed(edge_at(tree, node, e))
        for p in range(players):
            if node.turn == CHANCE:
                bound[p] += <float> edge_at(tree, node, e).total * low[p]
            elif p == node.turn:
                bound[p] = max(bound[p], low[p])
            else:
                bound[p] = min(bound[p], low[p])


cdef inline bint is_proven(const Tree *tree, const Node *node, int players) noexcept nogil:
    """Whether no move can give the mover more than the best one is proven to give."""
    cdef float best = 0.0
    cdef float ceiling = 0.0 if node.count == node.legal else 1.0
    cdef float high
    cdef float *low
    cdef int e, p
    for e in range(node.count):
        low = guaranteed(edge_at(tree, node, e))
        best = max(best, low[node.turn])
        high = 1.0
        for p in range(players):
            if p != node.turn:
                high -= low[p]
        ceiling = max(ceiling, high)
    return best > ceiling or same(best, ceiling)
