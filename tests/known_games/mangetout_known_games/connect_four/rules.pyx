"""Connect four on boards of up to 64 bits: the game's table of functions, and building and reading positions.

The cells are the bits of a 64-bit word, column by column from the bottom, with a spare cell above each column: so
neighbours in a direction stand a fixed distance apart, and no line runs over an edge. A move is the column.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.errors import PositionError
from mangetout_solver.games.defaults cimport (
    already_complete,
    already_determined,
    always,
    never,
    no_chance,
    no_outcomes,
    nothing_to_redact,
    one_world,
    seen_by_all,
    two_players,
)
from mangetout_solver.games.interface cimport TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport Position, new_position, register_ops
from mangetout_solver.games.rng cimport Rng, rng_below

cdef extern from *:
    int ctz "__builtin_ctzll"(uint64_t x) noexcept nogil
    int popcount "__builtin_popcountll"(uint64_t x) noexcept nogil

cdef enum:
    MAX_SIZE = 8


ctypedef struct Rules:
    uint64_t cells
    uint64_t bottom  # the lowest cell of each column
    int8_t rows
    int8_t columns
    int8_t connect  # stones in a line that win
    int8_t height  # distance from a cell to its right neighbour
    int8_t grow[4]  # by how much each step of `has_line` lengthens the lines looked for; the last is not used


ctypedef struct State:
    uint64_t stones[2]
    int64_t turn  # seat to move, or TERMINAL


cdef inline bint has_line(const Rules *r, uint64_t stones) noexcept nogil:
    cdef int stride[4]
    cdef int i, k
    cdef uint64_t lines
    cdef uint64_t found = 0
    stride[0], stride[1], stride[2], stride[3] = 1, r.height - 1, r.height, r.height + 1
    for i in range(4):
        lines = stones  # the first cells of lines, of a single stone at first
        for k in range(3):
            lines &= lines >> (r.grow[k] * stride[i])
        found |= lines
    return found != 0


cdef inline uint64_t open_cells(const Rules *r, const State *s) noexcept nogil:
    """The cell of each open column that the next stone falls to."""
    return ((s.stones[0] | s.stones[1]) + r.bottom) & r.cells


cdef inline bint is_over(const Rules *r, const State *s, int last) noexcept nogil:
    """Whether the stone that seat `last` has just placed ends the game."""
    return (s.stones[0] | s.stones[1]) == r.cells or has_line(r, s.stones[last])


cdef inline void place(const Rules *r, State *s, uint64_t cell) noexcept nogil:
    cdef int seat = s.turn
    s.stones[seat] |= cell
    s.turn = TERMINAL if is_over(r, s, seat) else 1 - seat


cdef int max_steps(const void *rules) noexcept nogil:
    return popcount((<const Rules *> rules).cells)


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).turn


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef uint64_t cells = open_cells(r, <const State *> state)
    cdef int n = 0
    while cells:
        out[n] = ctz(cells) // r.height
        cells &= cells - 1
        n += 1
    return n


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    place(r, s, open_cells(r, s) & (((<uint64_t> 1 << r.rows) - 1) << (move * r.height)))


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    score[0] = <int> has_line(r, s.stones[0]) - <int> has_line(r, s.stones[1])
    score[1] = 0.0 - score[0]
    win_share[0] = 0.5 + 0.5 * score[0]
    win_share[1] = 0.5 + 0.5 * score[1]


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(Rules), out)
    hash_bytes(state, sizeof(State), out)


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef uint64_t cells = open_cells(r, <const State *> state)
    cdef uint32_t n = rng_below(rng, popcount(cells))
    while n:
        cells &= cells - 1
        n -= 1
    return ctz(cells) // r.height


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    """Draws any column until it is open: that is uniform over the open ones, and most are."""
    cdef Rules r = (<const Rules *> rules)[0]
    cdef State s = (<State *> state)[0]
    cdef uint64_t column = (<uint64_t> 1 << r.rows) - 1
    cdef uint64_t cells, cell
    cdef int n = 0
    while s.turn >= 0:
        cells = open_cells(&r, &s)
        cell = 0
        while not cell:
            cell = cells & (column << (rng_below(rng, r.columns) * r.height))
        place(&r, &s, cell)
        n += 1
    (<State *> state)[0] = s
    return n


cdef GameOps _OPS
_OPS.name = "connect_four"
_OPS.rules_size = sizeof(Rules)
_OPS.state_size = sizeof(State)
_OPS.max_moves = MAX_SIZE
_OPS.players = two_players
_OPS.max_steps = max_steps
_OPS.is_open = always
_OPS.turn = turn
_OPS.is_secret = never
_OPS.legal_moves = legal_moves
_OPS.search_moves = legal_moves
_OPS.apply = apply
_OPS.chance_outcomes = no_outcomes
_OPS.sample_chance = no_chance
_OPS.returns = returns
_OPS.observe = seen_by_all
_OPS.redact = nothing_to_redact
_OPS.count_worlds = one_world
_OPS.complete = already_complete
_OPS.determinize = already_determined
_OPS.information_key = information_key
_OPS.random_move = random_move
_OPS.playout = playout
register_ops(&_OPS)


def view(Position position not None) -> tuple[tuple[str, ...], int]:
    if position.ops != &_OPS:
        raise TypeError("not a position of connect four")
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef const State *s = <const State *> position.state_ptr()
    rows = []
    for row in reversed(range(r.rows)):
        bits = [row + column * r.height for column in range(r.columns)]
        rows.append("".join(["A" if s.stones[0] >> b & 1 else "B" if s.stones[1] >> b & 1 else "." for b in bits]))
    return tuple(rows), r.connect


def build(rows, connect: int) -> Position:
    cdef Rules r
    cdef State s
    cdef int mover
    memset(&r, 0, sizeof(Rules))
    memset(&s, 0, sizeof(State))
    r.rows, r.columns, r.connect = len(rows), len(rows[0]), connect
    if not (1 <= r.rows <= MAX_SIZE and 1 <= r.columns <= MAX_SIZE and r.columns * (r.rows + 1) <= 64):
        raise PositionError("board", f"found {r.rows} rows of {r.columns}, expected up to 7 rows of 8, or 8 of 7")
    if not 2 <= connect <= MAX_SIZE:
        raise PositionError("connect", f"found {connect}, expected 2 to {MAX_SIZE}")
    r.height = r.rows + 1
    length = 1
    for step in range(3):
        r.grow[step] = min(length, connect - length)
        length += r.grow[step]
    for column in range(r.columns):
        r.bottom |= <uint64_t> 1 << (column * r.height)
        for row in range(r.rows):
            r.cells |= <uint64_t> 1 << (column * r.height + row)
            stone = rows[r.rows - 1 - row][column]
            if stone != ".":
                s.stones["AB".index(stone)] |= <uint64_t> 1 << (column * r.height + row)
    counts = popcount(s.stones[0]), popcount(s.stones[1])
    if counts[0] - counts[1] not in (0, 1):
        raise PositionError("board", f"found {counts[0]} stones of A and {counts[1]} of B, expected turns from A")
    mover = counts[0] - counts[1]
    if (s.stones[0] | s.stones[1]) & ~((s.stones[0] | s.stones[1]) << 1 | r.bottom):
        raise PositionError("board", "found a stone above an empty cell")
    if not _reachable(&r, s.stones[1 - mover], s.stones[mover], set()):
        raise PositionError("board", "no order of play leads here")
    s.turn = TERMINAL if is_over(&r, &s, 1 - mover) else mover
    return new_position(&_OPS, &r, &s)


cdef bint _reachable(const Rules *r, uint64_t last, uint64_t other, set seen) except -1:
    """Whether stones can be taken back one by one, first one of `last`, and no line was made before the end."""
    cdef uint64_t stones = last | other
    cdef uint64_t top
    if has_line(r, other):
        return False
    if not stones:
        return True
    seen.add(stones)
    for column in range(r.columns):
        top = stones & ~(stones >> 1) & (((<uint64_t> 1 << r.rows) - 1) << (column * r.height)) & last
        if top and (stones ^ top) not in seen and _reachable(r, other, last ^ top, seen):
            return True
    return False
