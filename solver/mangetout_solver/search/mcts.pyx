"""Monte Carlo tree search over the contract of a game. See mcts.pyi for the contract."""

from libc.math cimport log, sqrt, sqrtf
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

from dataclasses import dataclass

from mangetout_solver.games.interface cimport (
    CHANCE,
    MAX_PLAYERS,
    SAMPLE_ONLY,
    STATE_WORDS,
    TERMINAL,
    GameOps,
)
from mangetout_solver.games.position cimport Position
from mangetout_solver.games.rng cimport Rng, rng_below, rng_seed
from mangetout_solver.limits import DEFAULT_MEMORY_BYTES
from mangetout_solver.search.control cimport POLL_MOVES, Control, now_ns
from mangetout_solver.search.evaluator cimport Evaluator
from mangetout_solver.search.proof cimport (
    guaranteed,
    is_closed,
    is_proven,
    node_bound,
    proof_size,
    raise_bound,
    same,
)
from mangetout_solver.search.regret cimport Secret, add_regret, draw_secret, secret
from mangetout_solver.search.tree cimport Edge, Node, Tree, carve, edge_at, find_edge, insert_edge, new_node, node_at

# More worlds than this are sampled one by one instead of being listed.
MAX_WORLDS_ENUMERATED = 5_000
# Simulations of a move in a world that suffice to say whether it wins there.
MIN_WORLD_VISITS = 10
cdef int64_t _MIN_WORLD_VISITS = MIN_WORLD_VISITS
# Visits are counted in 32 bits.
MAX_SIMULATIONS_PER_TREE = 4_000_000_000
cdef int64_t _MAX_SIMULATIONS = MAX_SIMULATIONS_PER_TREE

cdef enum:
    # A node with fewer edges tries a random move, in the hope of a new one, before it lists them all.
    FEW_EDGES = 16
    # Ends a list of moves; no move has this number.
    NO_MOVE = 0xFFFFFFFF
    # Memory of an entry of the map by information, in units of 8 bytes.
    MAP_UNITS = 8
    NODE_UNITS = (sizeof(Node) + 7) >> 3
    # The part of the memory that the results by world may take is one in this many.
    TALLIES_PART = 8


ctypedef struct WorldTally:
    # What the simulations of one root move in one world came to for the searching seat.
    double share
    int64_t visits


# Added to the value of a move that is not legal in the world at hand, and of one that is.
cdef float BAR[2]
BAR[0] = -1e30
BAR[1] = 0.0

# sqrt(log n) by the exponent and the leading six bits of n's fraction: the growth of the exploration term with a visit
# count, to about one part in a hundred, without a call in the loop and the same on every machine.
cdef float SQRT_LOG[32 * 64]
cdef int _exponent, _fraction
for _exponent in range(32):
    for _fraction in range(64):
        SQRT_LOG[64 * _exponent + _fraction] = <float> sqrt(log((1.0 + _fraction / 64.0) * 2.0 ** _exponent))


cdef inline float sqrt_log(uint32_t n) noexcept nogil:
    """sqrt(log n) for n >= 1."""
    # The bits of a float are its exponent and its fraction, which is faster than to count leading zeros.
    cdef float value = <float> <int64_t> n
    cdef uint32_t bits
    memcpy(&bits, &value, sizeof(bits))
    return SQRT_LOG[(bits >> 17) - (127 << 6)]


@dataclass(frozen=True)
class RootMove:
    move: int
    visits: int
    availability: int
    share_sum: tuple[float, ...]
    share_square_sum: tuple[float, ...]
    score_sum: tuple[float, ...]
    score_square_sum: tuple[float, ...]
    guaranteed: tuple[float, ...]
    probability: float | None


cdef class TreeSearch:
    cdef const GameOps *ops
    cdef bytes rules_bytes
    cdef const void *rules
    cdef char *root_state
    cdef char *worlds_block  # the enumerated worlds, side by side; NULL when they are sampled
    cdef readonly int64_t worlds
    cdef int64_t world  # the listed one that the simulation at hand is played in
    cdef int players
    cdef bint perfect
    cdef int observer
    cdef float exploration
    cdef Evaluator evaluator  # of late states, or None
    cdef int few
    cdef Rng rng
    cdef Tree tree
    cdef uint32_t answer  # the node of the decision asked about: the root, except in the midst of a secret stage
    cdef char *decision_state  # of that decision
    cdef bint root_proven
    cdef bint mid_turn  # whether the root is a later step of a turn
    cdef bint free  # whether the simulation at hand is still within that turn
    # A secret decision is searched from where its stage opened; the chooser's own moves since then lead to it.
    cdef bint staged
    cdef int chooser
    cdef bint private  # whether another seat does not know what the chooser holds
    cdef uint32_t *own_moves
    cdef int n_own
    cdef int answer_depth  # in the simulation at hand; -1 while the decision has not been reached
    cdef uint32_t *allowed  # root moves to choose from, ascending; NULL: all
    cdef int n_allowed
    # Behind the edges of the root, at this distance, stand sums for each player: share, share squared, score, score
    # squared.
    cdef size_t sums_at
    # Behind these, the place of the move's results by world; 0 where there are none.
    cdef size_t tallies_at
    cdef uint64_t tallies_left  # root moves that may still get such results
    cdef uint32_t *legal
    cdef uint32_t *untried
    cdef double *probability
    cdef Edge **path
    cdef Edge **path_choice  # the proven move that was the choice where another was looked at, else NULL
    cdef uint32_t *path_node
    cdef double *path_probability
    cdef unordered_map[uint64_t, uint32_t] by_information
    cdef readonly int64_t simulations
    cdef readonly int64_t nodes

    def __cinit__(
        self,
        Position root not None,
        *,
        observer,
        seed,
        stream=0,
        memory_bytes=DEFAULT_MEMORY_BYTES,
        allowed=None,
        stage=None,
        exploration=0.7,
        Evaluator evaluator=None,
    ):
        cdef const GameOps *ops = root.ops
        cdef Position start = root if stage is None else stage[0]
        cdef uint64_t key[2]
        cdef size_t length
        cdef int64_t i
        self.ops = ops
        self.rules_bytes = root.rules
        self.rules = <const void *> <const char *> self.rules_bytes
        self.players = ops.players(self.rules)
        length = ops.max_steps(self.rules) + 1
        self.perfect = observer is None
        self.observer = -1 if observer is None else observer
        self.exploration = exploration
        self.evaluator = evaluator
        # Random moves are drawn from the legal ones, so they serve where these are the moves searched.
        self.few = FEW_EDGES if ops.search_moves == ops.legal_moves else 0
        rng_seed(&self.rng, seed, stream)
        self.worlds = ops.count_worlds(self.rules, start.state_ptr())
        self.chooser = ops.turn(self.rules, root.state_ptr())
        if self.chooser < 0:
            raise ValueError("the root is not a decision")
        self.staged = stage is not None
        if self.worlds < 1:
            raise ValueError("no world fits the root")
        if self.perfect and self.worlds != 1:
            raise ValueError("cards are not known")

        self.root_state = <char *> malloc(ops.state_size)
        self.decision_state = <char *> malloc(ops.state_size)
        self.legal = <uint32_t *> malloc((ops.max_moves + 1) * sizeof(uint32_t))
        self.untried = <uint32_t *> malloc(ops.max_moves * sizeof(uint32_t))
        self.probability = <double *> malloc(ops.max_moves * sizeof(double))
        self.path = <Edge **> malloc(length * sizeof(Edge *))
        self.path_choice = <Edge **> malloc(length * sizeof(Edge *))
        self.path_node = <uint32_t *> malloc(length * sizeof(uint32_t))
        self.path_probability = <double *> malloc(length * sizeof(double))
        # Untouched pages of the block cost nothing.
        self.tree.units = <uint64_t> memory_bytes >> 3
        if self.tree.units > <uint64_t> 0xFFFFFFFF:
            self.tree.units = <uint64_t> 0xFFFFFFFF
        self.tree.block = <char *> malloc(self.tree.units << 3)
        if (
            self.root_state == NULL or self.decision_state == NULL or self.legal == NULL or self.untried == NULL
            or self.probability == NULL or self.path == NULL or self.path_choice == NULL or self.path_node == NULL
            or self.path_probability == NULL or self.tree.block == NULL
        ):
            raise MemoryError
        self.tree.used = 1  # place 0 stands for "none"
        memcpy(self.root_state, start.state_ptr(), ops.state_size)
        memcpy(self.decision_state, root.state_ptr(), ops.state_size)
        if stage is not None:
            self.n_own = len(stage[1])
            self.own_moves = <uint32_t *> malloc((self.n_own + 1) * sizeof(uint32_t))
            if self.own_moves == NULL:
                raise MemoryError
            for i in range(self.n_own):
                self.own_moves[i] = stage[1][i]

        if self.worlds <= <int64_t> MAX_WORLDS_ENUMERATED:
            self.worlds_block = <char *> malloc(self.worlds * ops.state_size)
            if self.worlds_block == NULL:
                raise MemoryError
            for i in range(self.worlds):
                memcpy(self.worlds_block + i * ops.state_size, self.root_state, ops.state_size)
                ops.complete(self.rules, self.worlds_block + i * ops.state_size, i)
        if allowed is not None:
            chosen = sorted(set(allowed).intersection(root.legal_moves()))
            if not chosen:
                raise ValueError("no root move is allowed")
            self.n_allowed = len(chosen)
            self.allowed = <uint32_t *> malloc(self.n_allowed * sizeof(uint32_t))
            if self.allowed == NULL:
                raise MemoryError
            for i in range(self.n_allowed):
                self.allowed[i] = chosen[i]
        # Kinds of moves: 0 opens a turn. Later in one the moves to search need not suffice, as those before were given.
        ops.legal_moves(self.rules, self.decision_state, self.legal)
        self.mid_turn = self.free = not self.staged and self.legal[0] >> 24 != 0
        self.answer = self._new_node(self.decision_state, self.chooser)
        if not self.answer:
            raise MemoryError
        if self.staged:
            self.private = not self.perfect and self._is_private()
            if self.tree.units < self.tree.used + MAP_UNITS:
                raise MemoryError
            ops.information_key(self.rules, self.decision_state, self.chooser, key)
            self._remember(key[0], self.answer)
        self.sums_at = node_at(&self.tree, self.answer).stride
        self.tallies_at = self.sums_at + self.players * 4 * sizeof(double)
        node_at(&self.tree, self.answer).stride = <uint16_t> (self.tallies_at + sizeof(uint64_t))
        # Within a stage of secret decisions simulations leave the world they began in.
        if self.worlds > 1 and self.worlds_block != NULL and not self.staged:
            self.tallies_left = (self.tree.units << 3) // TALLIES_PART // (self.worlds * sizeof(WorldTally))

    def __dealloc__(self):
        free(self.root_state)
        free(self.decision_state)
        free(self.own_moves)
        free(self.worlds_block)
        free(self.allowed)
        free(self.legal)
        free(self.untried)
        free(self.probability)
        free(self.path)
        free(self.path_choice)
        free(self.path_node)
        free(self.path_probability)
        free(self.tree.block)

    # -- the search

    def run(self, Control control not None, int64_t simulations, seconds=None) -> None:
        cdef int64_t until = 0 if seconds is None else now_ns() + <int64_t> (seconds * 1e9)
        with nogil:
            self._run(control, simulations, until)

    cdef void _run(self, Control control, int64_t simulations, int64_t until) noexcept nogil:
        cdef int64_t last = min(self.simulations + simulations, _MAX_SIMULATIONS)
        cdef int64_t poll_at = self.nodes
        cdef int64_t now
        while self.simulations < last and not self.root_proven:
            self._simulate()
            if self.nodes >= poll_at:
                poll_at = self.nodes + POLL_MOVES
                now = now_ns()
                if control.poll(now) or (until and now >= until):
                    break

    cdef void _simulate(self) noexcept nogil:
        cdef const GameOps *ops = self.ops
        cdef const void *rules = self.rules
        cdef uint64_t state[STATE_WORDS]
        cdef double share[MAX_PLAYERS]
        cdef double score[MAX_PLAYERS]
        cdef uint32_t node_place = self.answer
        cdef Node *node
        cdef Edge *edge
        cdef uint32_t move
        cdef int32_t turn
        cdef int depth = 0
        cdef bint secret_step
        cdef bint known = False  # whether the line ended inside the tree, at the end of the game or of the round
        cdef bint evaluated = False
        cdef double late_share[MAX_PLAYERS]
        cdef int own = 0  # how many of the chooser's own moves have been repeated; -1 when one was not
        # Half of the simulations repeat them all, with the cards that the chooser holds, so that the decision is often
        # reached; the others teach the opponents, with all that these must reckon with.
        cdef bint focused = (self.n_own or self.private) and not self.simulations & 1
        cdef int stage_depth = 0  # where the stage ends

        self._take_world(state)
        if self.private and not focused:
            self._redeal_for_another(state)
        self.free = self.mid_turn
        self.answer_depth = -1
        if self.staged:
            node_place = self._node_by_information(state, ops.turn(rules, state))
            if not node_place:
                self._play_out(state)
                self.simulations += 1
                return
        while True:
            node = node_at(&self.tree, node_place)
            turn = node.turn
            self.path_node[depth] = node_place
            self.path_choice[depth] = NULL
            secret_step = False
            if turn == CHANCE:
                move = ops.sample_chance(rules, state, &self.rng)
                edge = self._chance_edge(node, state, move)
            else:
                secret_step = node.secret
                if secret_step:
                    edge = self._choose_secret(node, state, depth)
                    if stage_depth == depth and self.staged:
                        stage_depth += 1
                        if turn == self.chooser and own >= 0 and edge != NULL:
                            if own == self.n_own:
                                if self.answer_depth < 0:
                                    self.answer_depth = depth
                            else:
                                if focused:
                                    edge = self._named_edge(node, self.own_moves[own])
                                own = own + 1 if edge.token == self.own_moves[own] else -1
                else:
                    edge = self._choose(node, state, depth)
                if edge != NULL:
                    move = edge.token
            if edge == NULL:  # no room for another edge, and none to follow
                break
            self.path[depth] = edge
            depth += 1
            edge.visits += 1
            ops.apply(rules, state, move)
            turn = ops.turn(rules, state)
            if turn == TERMINAL or (turn == CHANCE and self._round_is_over(state, share, score)):
                known = True
                break
            if secret_step or (turn >= 0 and ops.is_secret(rules, state)):
                node_place = self._node_by_information(state, turn)
            elif edge.visits == 1:
                break
            else:
                if not edge.child:
                    edge.child = self._new_node(state, turn)
                node_place = edge.child
            # Nothing ends a simulation early on the way to the decision asked about: each is to tell something of it.
            if not node_place or (
                secret_step and edge.visits == 1 and not (stage_depth == depth and own >= 0 and self.answer_depth < 0)
            ):
                break

        self.nodes += depth
        if not known:
            evaluated = self.evaluator is not None and self._play_until_evaluated(state, late_share)
            # Scores are those of the playout all the same.
            self._play_out(state)
        if not self._round_is_over(state, share, score):
            ops.returns(rules, state, share, score)
        if evaluated:
            memcpy(share, late_share, sizeof(late_share))
        self._back_up(depth, share, score, known, focused, stage_depth)
        self.simulations += 1

    cdef void _play_out(self, void *state) noexcept nogil:
        """To the end, or to the end of a round, by the policy of the game if it has one, else at random."""
        cdef const GameOps *ops = self.ops
        cdef double share[MAX_PLAYERS]
        cdef double score[MAX_PLAYERS]
        cdef uint32_t move
        cdef int32_t turn
        if ops.policy_move == NULL:
            self.nodes += ops.playout(self.rules, state, &self.rng)
            return
        turn = ops.turn(self.rules, state)
        while turn != TERMINAL and not (turn == CHANCE and self._round_is_over(state, share, score)):
            if turn == CHANCE:
                move = ops.sample_chance(self.rules, state, &self.rng)
            else:
                move = ops.policy_move(self.rules, state, &self.rng)
            ops.apply(self.rules, state, move)
            self.nodes += 1
            turn = ops.turn(self.rules, state)

    cdef bint _play_until_evaluated(self, void *state, double *share) noexcept nogil:
        """Plays on at random, to where the evaluator tells the shares; False where it never does."""
        cdef uint32_t move
        cdef int32_t turn = self.ops.turn(self.rules, state)
        while turn >= 0 and not self.evaluator.covers(state):
            move = self.ops.random_move(self.rules, state, &self.rng)
            self.ops.apply(self.rules, state, move)
            self.nodes += 1
            turn = self.ops.turn(self.rules, state)
        return turn >= 0 and self.evaluator.evaluate(self.rules, state, share)

    cdef inline bint _round_is_over(self, const void *state, double *share, double *score) noexcept nogil:
        """What is searched is the round at hand, where the game is one of rounds; writes its returns."""
        return self.ops.round_returns != NULL and self.ops.round_returns(self.rules, state, share, score)

    cdef inline void _take_world(self, void *state) noexcept nogil:
        cdef size_t size = self.ops.state_size
        if self.worlds == 1:
            memcpy(state, self.worlds_block, size)
        elif self.worlds_block != NULL:
            self.world = rng_below(&self.rng, <uint32_t> self.worlds)
            memcpy(state, self.worlds_block + self.world * size, size)
        else:
            memcpy(state, self.root_state, size)
            self.ops.determinize(self.rules, state, &self.rng)

    cdef void _redeal_for_another(self, void *state) noexcept nogil:
        """Exchanges what another seat than the chooser does not know."""
        cdef int other = 1 + <int> rng_below(&self.rng, self.players - 1)
        other = (self.chooser + other) % self.players
        self.ops.redact(self.rules, state, other)
        self.ops.determinize(self.rules, state, &self.rng)

    cdef bint _is_private(self) noexcept nogil:
        cdef uint64_t state[STATE_WORDS]
        cdef int seat
        for seat in range(self.players):
            self._take_world(state)
            self.ops.redact(self.rules, state, seat)
            if seat != self.chooser and self.ops.count_worlds(self.rules, state) > 1:
                return True
        return False

    cdef uint32_t _new_node(self, const void *state, int32_t turn) noexcept nogil:
        cdef uint32_t place
        cdef size_t extra = 0
        cdef int is_secret = turn >= 0 and self.ops.is_secret(self.rules, state)
        if is_secret:
            extra = sizeof(Secret)
        elif self.perfect:
            extra = proof_size(self.players)
        place = new_node(&self.tree, turn, is_secret, <uint16_t> (sizeof(Edge) + extra))
        if place and self.perfect and turn >= 0:
            node_at(&self.tree, place).legal = <uint16_t> self._moves(state, self.tree.nodes == 1)
        return place

    cdef uint32_t _node_by_information(self, const void *state, int32_t turn) noexcept nogil:
        """The node of a secret decision, which all lines share that its mover cannot tell apart, or of what follows
        one, shared by all lines that the searching seat cannot tell apart."""
        cdef uint64_t key[2]
        cdef uint32_t place
        cdef bint is_secret = turn >= 0 and self.ops.is_secret(self.rules, state)
        self.ops.information_key(self.rules, state, turn if is_secret else self.observer, key)
        place = self.by_information[key[0]]
        if not place:
            if self.tree.units >= self.tree.used + MAP_UNITS + NODE_UNITS:
                place = self._new_node(state, turn)
            if place:
                self._remember(key[0], place)
            else:
                self.by_information.erase(key[0])
        return place

    cdef inline void _remember(self, uint64_t key, uint32_t place) noexcept nogil:
        """Finds the node again by its key. What the map needs is taken off the room of the tree."""
        self.by_information[key] = place
        self.tree.units -= MAP_UNITS

    cdef int _moves(self, const void *state, bint is_answer) noexcept nogil:
        """Writes the moves to choose from to self.legal."""
        cdef int i, n
        cdef int kept = 0
        cdef int a = 0
        if not is_answer or self.allowed == NULL:
            if self.free:
                n = self.ops.legal_moves(self.rules, state, self.legal)
                if self.legal[0] >> 24 != 0:
                    return n
                self.free = False
            return self.ops.search_moves(self.rules, state, self.legal)
        # The caller chose among the legal moves, so the sufficient subset does not bind.
        n = self.ops.legal_moves(self.rules, state, self.legal)
        for i in range(n):
            while a < self.n_allowed and self.allowed[a] < self.legal[i]:
                a += 1
            if a < self.n_allowed and self.allowed[a] == self.legal[i]:
                self.legal[kept] = self.legal[i]
                kept += 1
        return kept

    cdef Edge *_try_any(self, Node *node, const void *state) noexcept nogil:
        """An edge for a random move, if it is new: a uniformly random one of the moves not tried yet."""
        cdef uint32_t at
        cdef uint32_t move = self.ops.random_move(self.rules, state, &self.rng)
        cdef Edge *edge
        if find_edge(&self.tree, node, move, &at) != NULL:
            return NULL
        edge = insert_edge(&self.tree, node, at, move)
        if edge != NULL:
            edge.availability = 1
        return edge

    cdef Edge *_choose(self, Node *node, const void *state, int depth) noexcept nogil:
        """UCT with availability counts; moves not tried yet come first, in random order."""
        cdef uint32_t *legal = self.legal
        cdef uint32_t *untried = self.untried
        cdef bint perfect = self.perfect
        cdef int n
        cdef int n_untried = 0
        cdef uint32_t at = 0
        cdef uint32_t move
        cdef uint32_t stride = node.stride
        cdef size_t is_legal
        cdef char *end
        cdef char *here
        cdef Edge *edge
        cdef Edge *best = NULL
        cdef Edge *closed = NULL
        cdef float value
        cdef float best_value = -1.0
        cdef float closed_value = -1.0
        # While few moves are tried a random one is most likely new: no need to list them all.
        if node.count < self.few and depth:
            best = self._try_any(node, state)
            if best != NULL:
                return best
        n = self._moves(state, self.path_node[depth] == self.answer)
        legal[n] = NO_MOVE
        here = <char *> edge_at(&self.tree, node, 0)
        end = here + node.count * stride
        while here < end:
            edge = <Edge *> here
            here += stride
            while legal[0] < edge.token:
                untried[n_untried] = legal[0]
                n_untried += 1
                legal += 1
            # Whether an edge is legal in this world cannot be foreseen, so it is reckoned with and not branched on.
            is_legal = legal[0] == edge.token
            legal += is_legal
            edge.availability += <uint32_t> is_legal
            if perfect and is_closed(edge, self.players):
                if guaranteed(edge)[node.turn] > closed_value:
                    closed_value = guaranteed(edge)[node.turn]
                    closed = edge
                continue
            value = edge.mean + sqrt_log(edge.availability) * edge.spread + BAR[is_legal]
            if value > best_value:
                best_value = value
                best = edge
        while legal[0] != NO_MOVE:
            untried[n_untried] = legal[0]
            n_untried += 1
            legal += 1
        if n_untried:
            move = untried[rng_below(&self.rng, n_untried)]
            find_edge(&self.tree, node, move, &at)
            edge = insert_edge(&self.tree, node, at, move)
            if edge != NULL:
                edge.availability = 1
                return edge
        if closed == NULL or best_value > closed_value:
            return best
        if best == NULL:
            return closed
        # The proven move is the choice, so its shares count for what led here; the simulation looks at the most
        # promising open move, since there is nothing left to learn of the proven one.
        self.path_choice[depth] = closed
        return best

    cdef Edge *_chance_edge(self, Node *node, const void *state, uint32_t outcome) noexcept nogil:
        """The edge of what the searching seat sees of the outcome; NULL when there is no room for it."""
        cdef uint32_t token = outcome
        cdef uint32_t at
        cdef int i, n
        cdef Edge *edge
        if not self.perfect:
            token = self.ops.observe(self.rules, state, outcome, self.observer)
        edge = find_edge(&self.tree, node, token, &at)
        if edge == NULL:
            edge = insert_edge(&self.tree, node, at, token)
            if edge != NULL and self.perfect:
                n = self.ops.chance_outcomes(self.rules, state, self.legal, self.probability)
                node.legal = <uint16_t> (0 if n == SAMPLE_ONLY else n)
                for i in range(n):
                    if self.legal[i] == outcome:
                        edge.total = self.probability[i]
        return edge

    cdef Edge *_choose_secret(self, Node *node, const void *state, int depth) noexcept nogil:
        """Regret matching over all moves, which are all listed at the first visit."""
        cdef int i, n
        if not node.count:
            n = self._moves(state, self.path_node[depth] == self.answer)
            for i in range(n):
                if insert_edge(&self.tree, node, i, self.legal[i]) == NULL:
                    node.count = 0
                    return NULL
        return draw_secret(&self.tree, node, &self.rng, self.probability, &self.path_probability[depth])

    cdef inline Edge *_named_edge(self, const Node *node, uint32_t token) noexcept nogil:
        cdef uint32_t at
        return find_edge(&self.tree, node, token, &at)

    cdef void _back_up(
        self, int depth, double *share, const double *score, bint known, bint focused, int stage_depth
    ) noexcept nogil:
        """stage_depth: where the stage of a secret root ends. In a focused simulation only the decision asked about and
        the chooser's decisions after it learn within the stage: the others would learn of the moves repeated."""
        cdef int i, p
        cdef float inverse
        cdef Node *node
        cdef Edge *edge
        cdef double *sums
        if self.perfect and depth:
            self._back_up_proof(depth, share, known)
        for i in range(depth - 1, -1, -1):
            node = node_at(&self.tree, self.path_node[i])
            edge = self.path[i]
            if node.turn >= 0:
                edge.total += share[node.turn]
                inverse = <float> 1.0 / <float> edge.visits
                edge.mean = <float> edge.total * inverse
                edge.spread = self.exploration * sqrtf(inverse)
            if node.secret and not (
                focused and i < stage_depth and (node.turn != self.chooser or i < self.answer_depth)
            ):
                add_regret(&self.tree, node, edge, share[node.turn], self.path_probability[i])
            if self.path_node[i] == self.answer:
                sums = self._sums(edge)
                for p in range(self.players):
                    sums[0] += share[p]
                    sums[1] += share[p] * share[p]
                    sums[2] += score[p]
                    sums[3] += score[p] * score[p]
                    sums += 4
                if not self.perfect:
                    self._tally(edge, share[self.observer])
            if self.path_choice[i] != NULL:
                for p in range(self.players):
                    share[p] = guaranteed(self.path_choice[i])[p]

    cdef inline double *_sums(self, Edge *root_edge) noexcept nogil:
        return <double *> (<char *> root_edge + self.sums_at)

    cdef void _tally(self, Edge *root_edge, double share) noexcept nogil:
        cdef uint32_t *place = <uint32_t *> (<char *> root_edge + self.tallies_at)
        cdef WorldTally *tally
        if not place[0]:
            # Begun at one simulation a world, so that short searches do not pay for what they cannot tell.
            if not self.tallies_left or root_edge.visits <= self.worlds:
                return
            place[0] = carve(&self.tree, self.worlds * sizeof(WorldTally))
            self.tallies_left = self.tallies_left - 1 if place[0] else 0
            if not place[0]:
                return
        tally = self._tallies(place[0]) + self.world
        tally.share += share
        tally.visits += 1

    cdef inline WorldTally *_tallies(self, uint32_t place) noexcept nogil:
        return <WorldTally *> (self.tree.block + (<uint64_t> place << 3))

    cdef void _back_up_proof(self, int depth, const double *share, bint known) noexcept nogil:
        """Carries a proven result towards the root as far as it changes what is guaranteed."""
        cdef float bound[MAX_PLAYERS]
        cdef int i, p
        if not known or node_at(&self.tree, self.path_node[depth - 1]).secret:
            return
        for p in range(self.players):
            bound[p] = <float> share[p]
        for i in range(depth - 1, -1, -1):
            if not raise_bound(self.path[i], bound, self.players):
                break
            if i == 0 or node_at(&self.tree, self.path_node[i - 1]).secret:
                break
            node_bound(&self.tree, node_at(&self.tree, self.path_node[i]), self.players, bound)
        if not node_at(&self.tree, self.answer).secret:
            self.root_proven = is_proven(&self.tree, node_at(&self.tree, self.answer), self.players)

    # -- what was found

    @property
    def proven(self) -> bool:
        return self.root_proven

    @property
    def tree_nodes(self) -> int:
        return self.tree.nodes

    @property
    def tree_bytes(self) -> int:
        cdef int64_t own = (self.tree.used + MAP_UNITS * self.by_information.size()) << 3
        return own + (0 if self.evaluator is None else self.evaluator.memory_bytes)

    @property
    def worlds_enumerated(self) -> bool:
        return self.worlds_block != NULL

    def root_moves(self) -> list[RootMove]:
        cdef const Node *root = node_at(&self.tree, self.answer)
        cdef Edge *edge
        cdef double *sums
        cdef double strategy = 0.0
        cdef int e, p
        players = range(self.players)
        if root.secret:
            for e in range(root.count):
                strategy += secret(edge_at(&self.tree, root, e)).strategy
        found = []
        for e in range(root.count):
            edge = edge_at(&self.tree, root, e)
            sums = self._sums(edge)
            found.append(RootMove(
                edge.token,
                edge.visits,
                edge.availability,
                tuple([sums[4 * p] for p in players]),
                tuple([sums[4 * p + 1] for p in players]),
                tuple([sums[4 * p + 2] for p in players]),
                tuple([sums[4 * p + 3] for p in players]),
                tuple([guaranteed(edge)[p] for p in players]) if self.perfect and not root.secret
                else (0.0,) * self.players,
                secret(edge).strategy / strategy if root.secret and strategy > 0.0 else None,
            ))
        return found

    cdef void _add_tallies(self, uint32_t move, vector[WorldTally] &total) noexcept nogil:
        cdef uint32_t at, place
        cdef Edge *edge = find_edge(&self.tree, node_at(&self.tree, self.answer), move, &at)
        cdef WorldTally *tally
        cdef size_t world
        place = (<uint32_t *> (<char *> edge + self.tallies_at))[0] if edge != NULL else 0
        if place:
            for world in range(total.size()):
                tally = self._tallies(place) + world
                total[world].share += tally.share
                total[world].visits += tally.visits

    def principal_variation(self, move: int) -> list[int]:
        cdef uint64_t state[STATE_WORDS]
        cdef uint32_t at
        cdef int e
        cdef uint32_t place = self.answer
        cdef const Node *node = node_at(&self.tree, place)
        cdef Edge *edge = find_edge(&self.tree, node, move, &at)
        cdef Edge *next_edge
        memcpy(state, self.decision_state, self.ops.state_size)
        variation = []
        while edge != NULL:
            variation.append(edge.token)
            place = self._next_own_secret(state, edge.token) if node.secret else edge.child
            if not place:
                break
            node = node_at(&self.tree, place)
            edge = NULL
            for e in range(node.count):
                next_edge = edge_at(&self.tree, node, e)
                if self._better_next(node, next_edge, edge):
                    edge = next_edge
        return variation

    cdef uint32_t _next_own_secret(self, void *state, uint32_t move) noexcept nogil:
        """Plays a secret move of the chooser; the node of its next one, 0 where none follows."""
        cdef uint64_t key[2]
        self.ops.apply(self.rules, state, move)
        if self.ops.turn(self.rules, state) != self.chooser or not self.ops.is_secret(self.rules, state):
            return 0
        self.ops.information_key(self.rules, state, self.chooser, key)
        return self.by_information[key[0]] if self.by_information.count(key[0]) else 0

    cdef bint _better_next(self, const Node *node, Edge *edge, Edge *than) noexcept nogil:
        """Whether `edge` comes before `than` in the principal variation: proven shares first, then the average strategy
        of a secret decision, then visits."""
        cdef float mine, other
        if than == NULL:
            return True
        if node.secret:
            return secret(edge).strategy > secret(than).strategy
        if self.perfect and node.turn >= 0 and not node.secret:
            mine, other = guaranteed(edge)[node.turn], guaranteed(than)[node.turn]
            if not same(mine, other):
                return mine > other
        return edge.visits > than.visits


def worlds_won(trees, uint32_t move) -> int | None:
    cdef TreeSearch tree = trees[0]
    cdef vector[WorldTally] total
    cdef WorldTally tally
    cdef int64_t won = 0
    if tree.worlds == 1 or tree.worlds_block == NULL:
        return None
    total.resize(tree.worlds)
    for tree in trees:
        tree._add_tallies(move, total)
    for tally in total:
        if tally.visits < _MIN_WORLD_VISITS:
            return None
        won += tally.share > 0.5 * tally.visits
    return won
