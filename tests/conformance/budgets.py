"""How much the suite tries, in positions and steps, so that a long game costs what a short one does.

    CONFORMANCE_EFFORT=20 python -m pytest tests/conformance

tries twenty times as much, and every test in every variant.
"""

from __future__ import annotations

import os

EFFORT = int(os.environ.get("CONFORMANCE_EFFORT", "1"))

# Positions of a variant that a test looks at: where one costs much, a little, next to nothing.
FEW = 8 * EFFORT
SOME = 24 * EFFORT
MANY = 60 * EFFORT
# Positions picked out of one game, more where games are long; and games looked through from the deal to the end.
PER_GAME = 4
LOOKED_THROUGH = 3 * EFFORT
# Positions reached by few moves from few deals, so that many are nearly the same.
ALIKE = 480 * EFFORT
# Steps of a variant that a test takes one by one.
STEPS = 150 * EFFORT
# The same in lockstep with the twin, which finds most and is the only one to find much.
LOCKSTEP_STEPS = 600 * EFFORT
# Steps of whole games of a variant of which only the ends count, and the numbers of games they make.
WHOLE_STEPS = 2_500 * EFFORT
FEWEST_GAMES, MOST_GAMES = 3, 20 * EFFORT
# The same where the results of random play are a sample.
SAMPLE_STEPS = 10_000 * EFFORT
FEWEST_SAMPLES, MOST_SAMPLES = 15, 150 * EFFORT


def for_seats(number: int, seats: int) -> int:
    """A number of positions or steps of games with so many seats: each seat is a view more of every one of them."""
    return max(2, 3 * number // (1 + seats))


def games(steps: int, steps_per_game: int, fewest: int, most: int) -> int:
    """Games of a length that make a number of steps, within bounds."""
    return min(most, max(fewest, steps // steps_per_game))
