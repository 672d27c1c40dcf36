"""Easy Peasy: the hands that are possible, counted, listed and drawn."""

from libc.stdint cimport uint64_t

from mangetout_solver.games.easy_peasy.state cimport Rules, State
from mangetout_solver.games.rng cimport Rng


# What is asked of worlds beyond what the state shows.
ctypedef struct Demand:
    uint64_t loose  # cards that are in no hand
    uint64_t barred  # cards that are not in the hand of `seat`
    int seat


# Numbers of ways to complete the hands: by numbers, showings and the demand alone; the same with some card of `fits` in
# the hand of the demand's seat, of whose known cards none is; and the worlds in which the cards `loose` are in no hand.
cdef long double weigh(const Rules *r, const State *s, const Demand *demand) noexcept nogil
cdef long double weigh_fitting(const Rules *r, const State *s, Demand demand, uint64_t fits) noexcept nogil
cdef long double world_weight(const Rules *r, const State *s, uint64_t loose) noexcept nogil
# Whether the hand of the seat to move must have a card that fits, and none of its known cards does (EP-12 forbid).
cdef bint must_fit(const Rules *r, const State *s) noexcept nogil
cdef void complete_world(const Rules *r, State *s, uint64_t index) noexcept nogil
cdef void draw_world(const Rules *r, State *s, Rng *rng) noexcept nogil
