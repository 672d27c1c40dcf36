"""The C contract of a game: plain functions over a fixed-size rules struct and a fixed-size state struct.

docs/game-contract.md works the contract through for every game. All functions are `noexcept nogil`, keep no state of
their own and never allocate. `rules` never changes during play; `state` is copied with memcpy.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from mangetout_solver.games.rng cimport Rng, mix64

cdef enum:
    CHANCE = -1
    TERMINAL = -2
    SAMPLE_ONLY = -1
    MAX_PLAYERS = 6
    MAX_STATE_BYTES = 512
    STATE_WORDS = 64  # a buffer for any state, in aligned words of 8 bytes
    MAX_RULES_BYTES = 512


ctypedef struct GameOps:
    const char *name
    size_t rules_size
    size_t state_size
    # Length of the longest list that legal_moves or chance_outcomes writes.
    int max_moves

    int (*players)(const void *rules) noexcept nogil
    # Most moves and chance events, together, that can follow any state.
    int (*max_steps)(const void *rules) noexcept nogil
    # 1 where nothing is hidden from any player, now or later: such a state is searched with perfect information.
    int (*is_open)(const void *rules, const void *state) noexcept nogil
    # Seat to move, CHANCE or TERMINAL.
    int32_t (*turn)(const void *rules, const void *state) noexcept nogil
    # 1 where the decision is taken at the same time as another player's: the other does not see it until both are
    # made. Every other decision is seen by all.
    int (*is_secret)(const void *rules, const void *state) noexcept nogil
    # Ascending, without duplicates; returns the count. Where the mover's own cards are not all known: every move that
    # is legal in at least one world.
    int (*legal_moves)(const void *rules, const void *state, uint32_t *out) noexcept nogil
    # A subset of legal_moves, in the same form, that is proven sufficient for best play from the start of a turn. Later
    # in a turn it continues the search moves before; after other moves it need not suffice.
    int (*search_moves)(const void *rules, const void *state, uint32_t *out) noexcept nogil
    # Plays a legal move or a chance outcome, in place.
    void (*apply)(const void *rules, void *state, uint32_t move) noexcept nogil
    # Outcomes of a chance event and their probabilities, or SAMPLE_ONLY.
    int (*chance_outcomes)(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil
    uint32_t (*sample_chance)(const void *rules, const void *state, Rng *rng) noexcept nogil
    # Per player, at terminal states: share of the win in [0, 1], summing to 1, and the game's own score.
    void (*returns)(const void *rules, const void *state, double *win_share, double *score) noexcept nogil

    # What `seat` sees of a move or outcome about to be applied: itself, or a coarser token.
    uint32_t (*observe)(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil
    # Forgets, in place, what `seat` cannot know.
    void (*redact)(const void *rules, void *state, int seat) noexcept nogil
    # Number of complete states that fit what the state shows, all equally likely; saturates at INT64_MAX.
    int64_t (*count_worlds)(const void *rules, const void *state) noexcept nogil
    # The index-th of them, in place; 0 <= index < count_worlds, which must not have saturated.
    void (*complete)(const void *rules, void *state, int64_t index) noexcept nogil
    # A uniformly random one of them, in place. There must be one.
    void (*determinize)(const void *rules, void *state, Rng *rng) noexcept nogil
    # 128-bit key of what `seat` knows; -1: of all that the state shows.
    void (*information_key)(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil

    # A uniformly random one of search_moves, the mover's cards being known.
    uint32_t (*random_move)(const void *rules, const void *state, Rng *rng) noexcept nogil
    # Plays uniformly random search_moves and chance outcomes to the end, in place, from a complete state; returns their
    # number. Where there is round_returns: to the end of a round.
    int (*playout)(const void *rules, void *state, Rng *rng) noexcept nogil
    # NULL, or a playout policy: one of search_moves, at random among those that a player might make, the mover's cards
    # being known. Searches then play out by it and not by playout.
    uint32_t (*policy_move)(const void *rules, const void *state, Rng *rng) noexcept nogil

    # NULL, or for games of rounds that are all new deals and of which the most wins count: 1 where a round has just
    # ended, the last one included, and what `returns` would say if it had been the only one; 0 elsewhere. A search ends
    # here, as nothing decided so far bears on the rounds to come.
    int (*round_returns)(const void *rules, const void *state, double *win_share, double *score) noexcept nogil


cdef inline void hash_bytes(const void *data, size_t size, uint64_t *out) noexcept nogil:
    """Adds `size` bytes, a multiple of 4, to the 128-bit key in out[0..1]. Structs must have no padding bytes."""
    cdef uint32_t word
    cdef size_t i
    for i in range(size // 4):
        memcpy(&word, <const char *> data + 4 * i, 4)
        out[0] = mix64(out[0] ^ word)
        out[1] = mix64((out[1] + word) * <uint64_t> 0xD6E8FEB86659FD93)
