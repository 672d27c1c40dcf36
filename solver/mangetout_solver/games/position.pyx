"""A position of any game: the game's rules and state behind one Python type. See position.pyi for the contract."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import importlib

from mangetout_solver.games.interface cimport (
    CHANCE,
    MAX_PLAYERS,
    MAX_RULES_BYTES,
    MAX_STATE_BYTES,
    SAMPLE_ONLY,
    STATE_WORDS,
    TERMINAL,
    GameOps,
)
from mangetout_solver.games.rng cimport Rng, rng_seed

MAX_WORLDS_LISTED = 100_000

# Addresses of the games' tables by name, for unpickling.
cdef dict _OPS = {}


cdef void register_ops(const GameOps *ops):
    """Makes a game's table known; called once by each game's module, whose table lives as long as the process."""
    if ops.state_size > MAX_STATE_BYTES or ops.rules_size > MAX_RULES_BYTES:
        raise SystemError("state or rules larger than the contract allows")
    _OPS[ops.name.decode()] = <size_t> ops


cdef Position new_position(const GameOps *ops, const void *rules, const void *state):
    cdef Position position = Position.__new__(Position)
    position.ops = ops
    position.rules = (<const char *> rules)[:ops.rules_size]
    position.state = (<const char *> state)[:ops.state_size]
    return position


def _restore(name: str, rules: bytes, state: bytes) -> Position:
    if name not in _OPS:
        # A fresh process: the game's module, in the package of its name, registers itself.
        importlib.import_module(f"mangetout_solver.games.{name}.rules")
    cdef const GameOps *ops = <const GameOps *> <size_t> _OPS[name]
    return new_position(ops, <const char *> rules, <const char *> state)


cdef class Position:
    cdef const void *rules_ptr(self) noexcept:
        return <const void *> <const char *> self.rules

    cdef const void *state_ptr(self) noexcept:
        return <const void *> <const char *> self.state

    @property
    def game_name(self) -> str:
        return self.ops.name.decode()

    @property
    def players(self) -> int:
        return self.ops.players(self.rules_ptr())

    @property
    def max_steps(self) -> int:
        return self.ops.max_steps(self.rules_ptr())

    @property
    def seat_to_move(self) -> int | None:
        cdef int turn = self.ops.turn(self.rules_ptr(), self.state_ptr())
        return turn if turn >= 0 else None

    @property
    def is_terminal(self) -> bool:
        return self.ops.turn(self.rules_ptr(), self.state_ptr()) == TERMINAL

    @property
    def is_chance(self) -> bool:
        return self.ops.turn(self.rules_ptr(), self.state_ptr()) == CHANCE

    @property
    def is_open(self) -> bool:
        return bool(self.ops.is_open(self.rules_ptr(), self.state_ptr()))

    @property
    def is_secret(self) -> bool:
        return self.seat_to_move is not None and bool(self.ops.is_secret(self.rules_ptr(), self.state_ptr()))

    @property
    def opens_turn(self) -> bool:
        return self.seat_to_move is not None and self.legal_moves()[0] >> 24 == 0

    def legal_moves(self) -> list[int]:
        return self._list(self.ops.legal_moves)

    def search_moves(self) -> list[int]:
        return self._list(self.ops.search_moves)

    cdef list _list(self, int (*moves)(const void *, const void *, uint32_t *) noexcept nogil):
        cdef uint32_t *out
        cdef int i, n
        if self.ops.turn(self.rules_ptr(), self.state_ptr()) < 0:
            return []
        out = <uint32_t *> malloc(self.ops.max_moves * sizeof(uint32_t))
        if out == NULL:
            raise MemoryError
        try:
            n = moves(self.rules_ptr(), self.state_ptr(), out)
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        cdef uint32_t *out
        cdef double *probability
        cdef int i, n
        if not self.is_chance:
            return []
        out = <uint32_t *> malloc(self.ops.max_moves * sizeof(uint32_t))
        probability = <double *> malloc(self.ops.max_moves * sizeof(double))
        try:
            if out == NULL or probability == NULL:
                raise MemoryError
            n = self.ops.chance_outcomes(self.rules_ptr(), self.state_ptr(), out, probability)
            if n == SAMPLE_ONLY:
                raise ValueError("outcomes too many to list")
            return [(out[i], probability[i]) for i in range(n)]
        finally:
            free(out)
            free(probability)

    def play(self, move: int) -> Position:
        cdef uint64_t state[STATE_WORDS]
        if move not in self._moves_or_outcomes() and move not in self.unseen_tokens():
            raise ValueError(f"move {move} is not legal here")
        memcpy(state, self.state_ptr(), self.ops.state_size)
        self.ops.apply(self.rules_ptr(), state, move)
        return new_position(self.ops, self.rules_ptr(), state)

    def unseen_tokens(self) -> set[int]:
        cdef uint64_t world[STATE_WORDS]
        cdef Rng rng
        cdef int seat
        moves = None
        found = set()
        for seat in range(self.players):
            # What a seat knows is a fixed point of redacting for it.
            if self.ops.turn(self.rules_ptr(), self.state_ptr()) == TERMINAL or self.redacted(seat) != self:
                continue
            if moves is None:
                if self.count_worlds() == 0:
                    break
                # Any world will do: the tokens are the same in all.
                rng_seed(&rng, 0, 0)
                memcpy(world, self.state_ptr(), self.ops.state_size)
                self.ops.determinize(self.rules_ptr(), world, &rng)
                moves = new_position(self.ops, self.rules_ptr(), world)._moves_or_outcomes()
            tokens = [self.ops.observe(self.rules_ptr(), world, move, seat) for move in moves]
            found.update(token for token, move in zip(tokens, moves, strict=True) if token != move)
        return found

    def follow(self, move: int, seat: int) -> Position:
        cdef uint64_t state[STATE_WORDS]
        cdef uint32_t token
        self._check_seat(seat)
        self._check_move(move)
        token = self.ops.observe(self.rules_ptr(), self.state_ptr(), move, seat)
        memcpy(state, self.state_ptr(), self.ops.state_size)
        self.ops.redact(self.rules_ptr(), state, seat)
        self.ops.apply(self.rules_ptr(), state, token)
        self.ops.redact(self.rules_ptr(), state, seat)
        return new_position(self.ops, self.rules_ptr(), state)

    cdef tuple _returns(self):
        cdef double share[MAX_PLAYERS]
        cdef double score[MAX_PLAYERS]
        cdef int i
        if not self.is_terminal:
            raise ValueError("the game is not over")
        self.ops.returns(self.rules_ptr(), self.state_ptr(), share, score)
        players = range(self.players)
        return tuple([share[i] for i in players]), tuple([score[i] for i in players])

    def win_shares(self) -> tuple[float, ...]:
        return self._returns()[0]

    def scores(self) -> tuple[float, ...]:
        return self._returns()[1]

    def round_returns(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        cdef double share[MAX_PLAYERS]
        cdef double score[MAX_PLAYERS]
        cdef int i
        if self.ops.round_returns == NULL:
            return None
        if not self.ops.round_returns(self.rules_ptr(), self.state_ptr(), share, score):
            return None
        players = range(self.players)
        return tuple([share[i] for i in players]), tuple([score[i] for i in players])

    def redacted(self, seat: int) -> Position:
        cdef uint64_t state[STATE_WORDS]
        self._check_seat(seat)
        memcpy(state, self.state_ptr(), self.ops.state_size)
        self.ops.redact(self.rules_ptr(), state, seat)
        return new_position(self.ops, self.rules_ptr(), state)

    def count_worlds(self) -> int:
        return self.ops.count_worlds(self.rules_ptr(), self.state_ptr())

    def worlds(self) -> list[Position]:
        cdef uint64_t state[STATE_WORDS]
        cdef int64_t i, n = self.ops.count_worlds(self.rules_ptr(), self.state_ptr())
        if n > MAX_WORLDS_LISTED:
            raise ValueError(f"{n} worlds, more than {MAX_WORLDS_LISTED}")
        found = []
        for i in range(n):
            memcpy(state, self.state_ptr(), self.ops.state_size)
            self.ops.complete(self.rules_ptr(), state, i)
            found.append(new_position(self.ops, self.rules_ptr(), state))
        return found

    def determinize(self, seed: int) -> Position:
        cdef uint64_t state[STATE_WORDS]
        cdef Rng rng
        rng_seed(&rng, seed, 0)
        memcpy(state, self.state_ptr(), self.ops.state_size)
        self.ops.determinize(self.rules_ptr(), state, &rng)
        return new_position(self.ops, self.rules_ptr(), state)

    def observe(self, move: int, seat: int) -> int:
        self._check_seat(seat)
        return self.ops.observe(self.rules_ptr(), self.state_ptr(), move, seat)

    def information_key(self, seat: int) -> int:
        cdef uint64_t key[2]
        if seat != -1:
            self._check_seat(seat)
        self.ops.information_key(self.rules_ptr(), self.state_ptr(), seat, key)
        return (int(key[1]) << 64) | int(key[0])

    def random_step(self, seed: int) -> int:
        cdef uint64_t state[STATE_WORDS]
        cdef Rng rng
        if self.is_terminal:
            raise ValueError("the game is over")
        self._complete(state)
        rng_seed(&rng, seed, 0)
        if self.is_chance:
            return self.ops.sample_chance(self.rules_ptr(), state, &rng)
        return self.ops.random_move(self.rules_ptr(), state, &rng)

    def policy_step(self, seed: int) -> int:
        cdef uint64_t state[STATE_WORDS]
        cdef Rng rng
        if self.is_chance or self.ops.policy_move == NULL:
            return self.random_step(seed)
        if self.is_terminal:
            raise ValueError("the game is over")
        self._complete(state)
        rng_seed(&rng, seed, 0)
        return self.ops.policy_move(self.rules_ptr(), state, &rng)

    def random_playout(self, seed: int) -> Position:
        cdef uint64_t state[STATE_WORDS]
        cdef Rng rng
        self._complete(state)
        rng_seed(&rng, seed, 0)
        while self.ops.turn(self.rules_ptr(), state) != TERMINAL:
            self.ops.playout(self.rules_ptr(), state, &rng)
        return new_position(self.ops, self.rules_ptr(), state)

    cdef int _complete(self, void *state) except -1:
        """Writes the only complete state that fits; ValueError where there is more than one."""
        if self.count_worlds() != 1:
            raise ValueError("some cards are not known")
        memcpy(state, self.state_ptr(), self.ops.state_size)
        self.ops.complete(self.rules_ptr(), state, 0)
        return 0

    def count_sequences(self, depth: int, max_nodes: int) -> int:
        cdef int c_depth = 0
        cdef int64_t budget = max_nodes
        cdef int64_t count
        cdef uint32_t *lists
        cdef double *probability
        cdef const void *rules = self.rules_ptr()
        cdef const void *state = self.state_ptr()
        if depth < 0:
            raise ValueError(f"depth {depth} is negative")
        c_depth = min(depth, self.ops.max_steps(rules))
        # One list of moves for each level of the recursion.
        lists = <uint32_t *> malloc(<size_t> (c_depth + 1) * self.ops.max_moves * sizeof(uint32_t))
        probability = <double *> malloc(self.ops.max_moves * sizeof(double))
        try:
            if lists == NULL or probability == NULL:
                raise MemoryError
            with nogil:
                count = _count(self.ops, rules, state, c_depth, lists, probability, &budget)
        finally:
            free(lists)
            free(probability)
        if count == SAMPLE_ONLY_MET:
            raise ValueError("outcomes too many to list")
        return count

    def _moves_or_outcomes(self):
        return [m for m, _ in self.chance_outcomes()] if self.is_chance else self.legal_moves()

    def _check_move(self, move):
        if move not in self._moves_or_outcomes():
            raise ValueError(f"move {move} is not legal here")

    def _check_seat(self, seat):
        if not 0 <= seat < self.players:
            raise ValueError(f"seat {seat} does not exist")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.ops == (<Position> other).ops
            and self.rules == (<Position> other).rules
            and self.state == (<Position> other).state
        )

    def __hash__(self) -> int:
        return hash((self.rules, self.state))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.game_name, self.rules, self.state)


cdef enum:
    BUDGET_SPENT = -1
    SAMPLE_ONLY_MET = -2


cdef int64_t _count(
    const GameOps *ops, const void *rules, const void *state, int depth, uint32_t *moves, double *probability,
    int64_t *budget,
) noexcept nogil:
    cdef uint64_t child[STATE_WORDS]
    cdef int i, n
    cdef int64_t below, total = 0
    cdef int turn = ops.turn(rules, state)
    budget[0] -= 1
    if budget[0] < 0:
        return BUDGET_SPENT
    if depth == 0 or turn == TERMINAL:
        return 1
    if turn == CHANCE:
        n = ops.chance_outcomes(rules, state, moves, probability)
        if n == SAMPLE_ONLY:
            return SAMPLE_ONLY_MET
    else:
        n = ops.legal_moves(rules, state, moves)
        if depth == 1:
            return n
    for i in range(n):
        memcpy(child, state, ops.state_size)
        ops.apply(rules, child, moves[i])
        below = _count(ops, rules, child, depth - 1, moves + ops.max_moves, probability, budget)
        if below < 0:
            return below
        total += below
    return total
