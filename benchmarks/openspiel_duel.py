"""PEAS against OpenSpiel's information-set search, equal time a move: `python -m benchmarks.openspiel_duel`.

Both sides play on one thread, bound to one core, and take turns every move; deals are duplicate, as told in
docs/strength/measuring.md. OpenSpiel searches the same rules by `peas_openspiel`, with the fastest evaluator that it
can be given there.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from mangetout_solver.arena.duplicate import Usage, play_rotations
from mangetout_solver.arena.settings import Choice, Player, parse_setting
from mangetout_solver.arena.statistics import Outcomes
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.registry import game
from open_spiel.python.algorithms import ismcts

from benchmarks import peas_openspiel

FIRST_SEED = 700_000


class _TimedBot(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's own search, stopped by the clock in place of a number of simulations."""

    def __init__(self, state: peas_openspiel.PeasState, seconds: float, seed: int) -> None:
        random, numbers = Random(seed).random, np.random.RandomState(seed % 2**32)
        super().__init__(
            state.get_game(),
            peas_openspiel.BoardRolloutEvaluator(random),
            uct_c=0.7,
            max_simulations=1,
            random_state=numbers,
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        self.set_resampler(lambda searched, player: searched.resample_from_infostate(player, random))
        self._seconds = seconds
        self.simulations = 0

    def run_search(self, state: peas_openspiel.PeasState) -> Any:
        """As in OpenSpiel, but for what ends it."""
        end = time.monotonic() + self._seconds
        self.reset()
        self._root_node = self.create_new_node(state)
        while not self.simulations or time.monotonic() < end:
            self.run_simulation(self.sample_root_state(state))
            self.simulations += 1
        return self.get_final_policy(state, self._root_node)


@dataclass(frozen=True)
class OpenSpielPlayer:
    """seconds: by the clock, for each move."""

    seconds: float

    def choose(self, record: Record, seed: int) -> Choice:
        """See `arena.settings.Player`."""
        position = record.current
        legal = position.legal_moves()
        if len(legal) == 1:
            return Choice(legal[0])
        seen = view(position)
        # The search deals the hidden hand anew each time, so any hand that fits may stand for it.
        whole = view(position.determinize(seed))
        state = peas_openspiel.position(
            [pod.value for pod in seen.pods],
            (whole.hands[0].cards, whole.hands[1].cards),
            [[("AB"[seat], card) for seat, card in pod.plays] for pod in seen.pods],
            "AB"[seen.pea],
        )
        bot = _TimedBot(state, self.seconds, seed)
        action = bot.step(state)
        return Choice(record.game.parse_move(position, state.action_to_string(action)), bot.simulations)


def duel(ours: Player, theirs: Player, pairs: int) -> Iterator[tuple[float, Usage, Usage]]:
    """Plays the pairs; the mean win share of `ours` and what either took, for each."""
    peas = game("peas")
    for seed in range(FIRST_SEED, FIRST_SEED + pairs):
        shares, (us, them) = play_rotations(Record(peas, (peas.deal(seed, {}),), ()), seed, ours, theirs)
        yield sum(shares) / len(shares), us, them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=0.1, help="for each move, by the clock")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--setting", default="", help="further settings of ours, such as exact_cards=0")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ours = parse_setting(",".join([f"time={arguments.seconds}", *filter(None, [arguments.setting])]))
    outcomes, us, them = Outcomes(2), Usage(), Usage()
    for number, (share, one, other) in enumerate(duel(ours, OpenSpielPlayer(arguments.seconds), arguments.pairs), 1):
        outcomes.add(share)
        us, them = us + one, them + other
        if number % 10 == 0 or number == arguments.pairs:
            interval = outcomes.interval()
            elo = interval.as_elo()
            print(
                f"{number} pairs: win share {interval.mean:.1%} ({interval.low:.1%} to {interval.high:.1%}), "
                f"Elo {elo.mean:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})",
                flush=True,
            )
    for name, use in ((ours.text, us), ("OpenSpiel", them)):
        simulations, milliseconds = use.simulations / use.moves, 1e3 * use.seconds / use.moves
        print(f"{name}: {simulations:,.0f} simulations and {milliseconds:.1f} ms of processor time a move")


if __name__ == "__main__":
    main()
