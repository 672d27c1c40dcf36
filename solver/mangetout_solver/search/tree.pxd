"""A search tree in one block of memory that is never outgrown.

Nodes and their edges are carved from the block; places are counted in units of 8 bytes, 0 standing for "none". The
edges of a node lie side by side in the order of their tokens. What an edge carries beyond `Edge` depends on the node:
proven shares in perfect-information trees, regrets at secret decisions.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memmove, memset

cdef enum:
    SIZE_CLASSES = 16
    FIRST_CAPACITY = 4


ctypedef struct Edge:
    double total  # sum of the mover's returns; at chance events the probability of the outcome
    uint32_t token
    uint32_t child
    uint32_t visits
    uint32_t availability  # visits of the node in which the move was weighed against others, its own first one included
    float mean  # total / visits
    float spread  # exploration constant / sqrt(visits)


ctypedef struct Node:
    uint32_t edges
    uint16_t count
    uint16_t capacity
    uint16_t stride  # bytes an edge
    uint16_t legal  # number of legal moves, in perfect-information trees
    int8_t turn
    uint8_t secret


ctypedef struct Tree:
    char *block
    uint64_t units  # size of the block
    uint64_t used
    uint32_t spare[SIZE_CLASSES]  # outgrown edge lists to use again, by capacity
    uint64_t nodes
    int full  # whether growth has been refused


cdef inline Node *node_at(const Tree *t, uint32_t place) noexcept nogil:
    return <Node *> (t.block + (<uint64_t> place << 3))


cdef inline Edge *edge_at(const Tree *t, const Node *node, uint32_t i) noexcept nogil:
    return <Edge *> (t.block + (<uint64_t> node.edges << 3) + <uint64_t> i * node.stride)


cdef inline uint32_t carve(Tree *t, uint64_t size) noexcept nogil:
    """A zeroed piece of `size` bytes; 0 when the block has no room."""
    cdef uint64_t units = (size + 7) >> 3
    cdef uint64_t place = t.used
    if place + units > t.units:
        t.full = 1
        return 0
    t.used += units
    memset(t.block + (place << 3), 0, size)
    return <uint32_t> place


cdef inline uint32_t new_node(Tree *t, int turn, int secret, uint16_t stride) noexcept nogil:
    """An empty node; 0 when the block has no room."""
    cdef uint32_t place = carve(t, sizeof(Node))
    cdef Node *node
    if place:
        node = node_at(t, place)
        node.turn = <int8_t> turn
        node.secret = <uint8_t> secret
        node.stride = stride
        t.nodes += 1
    return place


cdef inline int size_class(uint16_t capacity) noexcept nogil:
    cdef int c = 0
    while FIRST_CAPACITY << c < capacity:
        c += 1
    return c


cdef inline int grow(Tree *t, Node *node) noexcept nogil:
    """Makes room for one more edge; 0 when the block has none."""
    cdef int c = size_class(node.capacity) + 1 if node.capacity else 0
    cdef uint32_t place = t.spare[c]
    cdef uint32_t old = node.edges
    if place and node.stride == (<uint32_t *> (t.block + (<uint64_t> place << 3)))[1]:
        t.spare[c] = (<uint32_t *> (t.block + (<uint64_t> place << 3)))[0]
    else:
        place = carve(t, <uint64_t> (FIRST_CAPACITY << c) * node.stride)
        if not place:
            return 0
    if old:
        memcpy(t.block + (<uint64_t> place << 3), t.block + (<uint64_t> old << 3), <size_t> node.count * node.stride)
        # The outgrown list keeps the next spare one and its stride in its first bytes.
        (<uint32_t *> (t.block + (<uint64_t> old << 3)))[0] = t.spare[c - 1]
        (<uint32_t *> (t.block + (<uint64_t> old << 3)))[1] = node.stride
        t.spare[c - 1] = old
    node.edges = place
    node.capacity = FIRST_CAPACITY << c
    return 1


cdef inline Edge *insert_edge(Tree *t, Node *node, uint32_t at, uint32_t token) noexcept nogil:
    """A new edge before the one at index `at`; NULL when the block has no room."""
    cdef Edge *edge
    if node.count == node.capacity and not grow(t, node):
        return NULL
    edge = edge_at(t, node, at)
    memmove(<char *> edge + node.stride, edge, <size_t> (node.count - at) * node.stride)
    memset(edge, 0, node.stride)
    edge.token = token
    node.count += 1
    return edge


cdef inline Edge *find_edge(const Tree *t, const Node *node, uint32_t token, uint32_t *at) noexcept nogil:
    """The edge with this token, or NULL and the index where it belongs."""
    cdef uint32_t low = 0
    cdef uint32_t high = node.count
    cdef uint32_t middle
    while low < high:
        middle = (low + high) >> 1
        if edge_at(t, node, middle).token < token:
            low = middle + 1
        else:
            high = middle
    at[0] = low
    if low < node.count and edge_at(t, node, low).token == token:
        return edge_at(t, node, low)
    return NULL
