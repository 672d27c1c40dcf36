"""Random numbers for rules and search: xoshiro256++ (Blackman and Vigna 2019), seeded by splitmix64.

One generator belongs to one thread. Inline, so that every module that draws compiles it into its own loops.
"""

from libc.stdint cimport uint32_t, uint64_t


ctypedef struct Rng:
    uint64_t word[4]


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """One step of splitmix64: a bijection of 64 bits that spreads every input bit."""
    x = x + <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline void rng_seed(Rng *rng, uint64_t seed, uint64_t stream) noexcept nogil:
    """Equal seeds with different streams give independent sequences."""
    cdef int i
    cdef uint64_t x = mix64(seed) ^ mix64(mix64(stream))
    for i in range(4):
        x = mix64(x)
        rng.word[i] = x
    rng.word[0] |= 1  # the all-zero state is the one that must not occur


cdef inline uint64_t rng_next(Rng *rng) noexcept nogil:
    """Uniform 64 bits."""
    cdef uint64_t *w = rng.word
    cdef uint64_t sum_ = w[0] + w[3]
    cdef uint64_t result = ((sum_ << 23) | (sum_ >> 41)) + w[0]
    cdef uint64_t t = w[1] << 17
    w[2] ^= w[0]
    w[3] ^= w[1]
    w[1] ^= w[2]
    w[0] ^= w[3]
    w[2] ^= t
    w[3] = (w[3] << 45) | (w[3] >> 19)
    return result


cdef inline uint32_t rng_below(Rng *rng, uint32_t n) noexcept nogil:
    """Uniform in [0, n) for n >= 1, up to a bias below n / 2**32 (multiply and shift)."""
    return <uint32_t> (((rng_next(rng) >> 32) * <uint64_t> n) >> 32)


cdef inline uint64_t rng_below_large(Rng *rng, uint64_t n) noexcept nogil:
    """Uniform in [0, n) for n >= 1, without bias (rejection)."""
    cdef uint64_t limit = <uint64_t> 0xFFFFFFFFFFFFFFFF - (<uint64_t> 0xFFFFFFFFFFFFFFFF) % n
    cdef uint64_t x = rng_next(rng)
    while x >= limit:
        x = rng_next(rng)
    return x % n


cdef inline double rng_unit(Rng *rng) noexcept nogil:
    """Uniform in [0, 1), 53 bits."""
    return <double> (rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
