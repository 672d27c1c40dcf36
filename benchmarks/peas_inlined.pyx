"""PEAS by hand: the information-set search and random rounds without the contract of games. See peas_inlined.pyi."""

from libc.math cimport log, sqrt, sqrtf
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from mangetout_solver.games.interface cimport TERMINAL
from mangetout_solver.games.peas.rules cimport (
    MAX_PODS,
    Rules,
    State,
    judge,
    nth_bit,
    play_card,
    play_out,
    playable,
    popcount,
    random_play,
)
from mangetout_solver.games.position cimport Position
from mangetout_solver.games.rng cimport Rng, rng_below, rng_seed
from mangetout_solver.limits import DEFAULT_MEMORY_BYTES
from mangetout_solver.search.tree cimport Edge, Node, Tree, edge_at, find_edge, insert_edge, new_node, node_at

cdef enum:
    FEW_EDGES = 16

# What a move that is not legal loses, so that it is never the best one.
cdef float UNLESS[2]
UNLESS[0] = -1e30
UNLESS[1] = 0.0

# The growth of the exploration term with a visit count, as in the search of all games.
cdef float SQRT_LOG[32 * 64]
cdef int _exponent, _fraction
for _exponent in range(32):
    for _fraction in range(64):
        SQRT_LOG[64 * _exponent + _fraction] = <float> sqrt(log((1.0 + _fraction / 64.0) * 2.0 ** _exponent))


cdef inline float sqrt_log(uint32_t n) noexcept nogil:
    cdef float value = <float> <int64_t> n
    cdef uint32_t bits
    memcpy(&bits, &value, sizeof(float))
    return SQRT_LOG[(bits >> 17) - (127 << 6)]


cdef class InlinedSearch:
    cdef Rules rules
    cdef State *worlds
    cdef uint32_t n_worlds
    cdef int mover  # seat to move at the root; the seats alternate from there
    cdef float exploration
    cdef Rng rng
    cdef Tree tree
    cdef uint32_t root
    cdef Edge *path[2 * MAX_PODS]
    cdef readonly int64_t simulations

    def __cinit__(self, Position root not None, seed, memory_bytes=DEFAULT_MEMORY_BYTES, exploration=0.7):
        _check_game(root)
        if root.seat_to_move is None:
            raise ValueError("the round is over")
        memcpy(&self.rules, root.rules_ptr(), sizeof(Rules))
        self.mover = (<const State *> root.state_ptr()).turn
        self.exploration = exploration
        rng_seed(&self.rng, seed, 0)
        worlds = root.worlds()
        self.n_worlds = len(worlds)
        self.worlds = <State *> malloc(self.n_worlds * sizeof(State))
        self.tree.units = <uint64_t> memory_bytes >> 3
        self.tree.block = <char *> malloc(self.tree.units << 3)
        if self.worlds == NULL or self.tree.block == NULL:
            raise MemoryError
        for i in range(self.n_worlds):
            self.worlds[i] = (<const State *> (<Position> worlds[i]).state_ptr())[0]
        self.tree.used = 1
        self.root = new_node(&self.tree, self.mover, 0, sizeof(Edge))
        if not self.root:
            raise MemoryError

    def __dealloc__(self):
        free(self.worlds)
        free(self.tree.block)

    def run(self, int64_t simulations) -> None:
        cdef int64_t last = self.simulations + simulations
        with nogil:
            while self.simulations < last:
                self._simulate()
                self.simulations += 1

    cdef inline void _simulate(self) noexcept nogil:
        cdef State state = self.worlds[rng_below(&self.rng, self.n_worlds) if self.n_worlds > 1 else 0]
        cdef uint32_t place = self.root
        cdef Edge *edge
        cdef int depth = 0
        cdef int points_a, winner, seat, i
        cdef float inverse
        while True:
            edge = self._choose(node_at(&self.tree, place), &state, depth == 0)
            if edge == NULL:
                break
            self.path[depth] = edge
            depth += 1
            edge.visits += 1
            play_card(&state, state.turn, edge.token >> 5, edge.token & 31)
            if state.turn == TERMINAL or edge.visits == 1:
                break
            if not edge.child:
                edge.child = new_node(&self.tree, state.turn, 0, sizeof(Edge))
                if not edge.child:
                    break
            place = edge.child
        play_out(&state, &self.rng)
        winner = judge(&self.rules, &state, &points_a, NULL)
        seat = self.mover
        for i in range(depth):
            edge = self.path[i]
            if seat == winner:
                edge.total += 1.0
            inverse = <float> 1.0 / <float> edge.visits
            edge.mean = <float> edge.total * inverse
            edge.spread = self.exploration * sqrtf(inverse)
            seat = 1 - seat

    cdef inline Edge *_choose(self, Node *node, const State *s, bint at_root) noexcept nogil:
        cdef uint32_t legal[MAX_PODS]  # cards, by pod
        cdef int seat = s.turn
        cdef int pod
        cdef uint32_t untried = 0
        cdef uint32_t at, match, move
        cdef Edge *edge
        cdef Edge *end
        cdef Edge *best = NULL
        cdef float value
        cdef float best_value = -1.0
        if node.count < FEW_EDGES and not at_root:
            move = random_play(s, &self.rng)
            if find_edge(&self.tree, node, move, &at) == NULL:
                edge = insert_edge(&self.tree, node, at, move)
                if edge != NULL:
                    edge.availability = 1
                    return edge
        for pod in range(self.rules.pods):
            legal[pod] = playable(s, seat, pod) if s.open[seat] >> pod & 1 else 0
            untried += popcount(legal[pod])
        edge = edge_at(&self.tree, node, 0)
        end = edge + node.count
        while edge < end:
            match = legal[edge.token >> 5] >> (edge.token & 31) & 1
            untried -= match
            edge.availability += match
            value = edge.mean + sqrt_log(edge.availability) * edge.spread + UNLESS[match]
            if value > best_value:
                best_value = value
                best = edge
            edge += 1
        if untried:
            edge = self._try_new(node, legal, rng_below(&self.rng, untried))
            if edge != NULL:
                return edge
        return best

    cdef Edge *_try_new(self, Node *node, uint32_t *legal, uint32_t index) noexcept nogil:
        """An edge for the index-th of the legal moves not tried yet; NULL when there is no room for it."""
        cdef uint32_t e, move
        cdef uint32_t pod = 0
        cdef Edge *edge
        for e in range(node.count):
            move = edge_at(&self.tree, node, e).token
            legal[move >> 5] &= ~(<uint32_t> 1 << (move & 31))
        while index >= <uint32_t> popcount(legal[pod]):
            index -= popcount(legal[pod])
            pod += 1
        move = pod << 5 | <uint32_t> nth_bit(legal[pod], index)
        find_edge(&self.tree, node, move, &e)
        edge = insert_edge(&self.tree, node, e, move)
        if edge != NULL:
            edge.availability = 1
        return edge

    @property
    def tree_nodes(self) -> int:
        return self.tree.nodes

    def root_visits(self) -> list[tuple[int, int]]:
        cdef const Node *root = node_at(&self.tree, self.root)
        cdef uint32_t i
        return [(edge_at(&self.tree, root, i).token, edge_at(&self.tree, root, i).visits) for i in range(root.count)]


def random_rounds(Position position not None, seed, int64_t rounds) -> int:
    cdef Rules rules
    cdef State start, state
    cdef Rng rng
    cdef int points_a
    cdef int64_t _i
    cdef int64_t wins = 0
    _check_complete(position)
    memcpy(&rules, position.rules_ptr(), sizeof(Rules))
    memcpy(&start, position.state_ptr(), sizeof(State))
    rng_seed(&rng, seed, 0)
    with nogil:
        for _i in range(rounds):
            state = start
            play_out(&state, &rng)
            wins += judge(&rules, &state, &points_a, NULL) == 0
    return wins


cdef int _check_game(Position position) except -1:
    if position.game_name != "peas":
        raise TypeError("not a PEAS position")
    return 0


cdef int _check_complete(Position position) except -1:
    cdef const State *s = <const State *> position.state_ptr()
    _check_game(position)
    if s.unknown[0] or s.unknown[1]:
        raise ValueError("some cards are not known")
    return 0
