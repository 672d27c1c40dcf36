"""Regret matching+ at secret decisions, with some exploration (Lanctot, Lisy and Winands 2013).

Regrets are kept from falling below zero, and later strategies count more in the average (Tammelin 2014): both let the
noise of the first simulations fade.
"""

from mangetout_solver.games.rng cimport Rng, rng_unit
from mangetout_solver.search.tree cimport Edge, Node, Tree, edge_at


ctypedef struct Secret:
    # What an edge of a secret decision carries behind Edge.
    double regret
    double strategy


cdef inline Secret *secret(Edge *edge) noexcept nogil:
    return <Secret *> (<char *> edge + sizeof(Edge))


cdef inline Edge *draw_secret(
    const Tree *tree, const Node *node, Rng *rng, double *strategy, double *probability
) noexcept nogil:
    """Draws a move by the regrets and adds the strategy to the average, weighed by how often the node was visited.

    strategy: room for one number an edge. probability: receives the chance that the move drawn had.
    """
    cdef double exploration = 0.1
    cdef double positive = 0.0
    cdef double r
    cdef int i
    cdef int n = node.count
    cdef Edge *edge = NULL
    for i in range(n):
        positive += secret(edge_at(tree, node, i)).regret
    for i in range(n):
        edge = edge_at(tree, node, i)
        strategy[i] = secret(edge).regret / positive if positive > 0.0 else 1.0 / n
        edge.availability += 1
        secret(edge).strategy += strategy[i] * edge.availability
    r = rng_unit(rng)
    for i in range(n):
        edge = edge_at(tree, node, i)
        probability[0] = (1.0 - exploration) * strategy[i] + exploration / n
        r -= probability[0]
        if r < 0.0:
            break
    return edge


cdef inline void add_regret(
    const Tree *tree, const Node *node, const Edge *chosen, double share, double probability
) noexcept nogil:
    """Credits the share that the chosen move brought, weighed by the chance it had, against every move of the node."""
    cdef int e
    cdef Edge *edge
    for e in range(node.count):
        edge = edge_at(tree, node, e)
        secret(edge).regret -= share
        if edge == chosen:
            secret(edge).regret += share / probability
        secret(edge).regret = max(secret(edge).regret, 0.0)
