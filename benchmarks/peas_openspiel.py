"""One round of PEAS as an OpenSpiel Python game, ``python_peas``, for speed comparisons.

The rules live in ``Board``, plain Python on integer bit masks; ``PeasState`` hands them to OpenSpiel. Importing the
module registers the game.

* A *card* is an index ``6 * colour + rank - 1`` with the colours in the order B R V Y; a hand is a mask of such bits.
* A *pod* is an index from 0 at the Bottom; a set of pods is a mask of such bits.
* An *action* is ``10 * card + pod``, written ``B2@0``.
* Player 0 is seat A, player 1 is seat B.

Only the Python search of OpenSpiel serves this game: its compiled bots cannot drive games written in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

SEATS = "AB"
COLOURS = "BRVY"
STANDARD_PODS = (1, 1, 1, 1, 2, 3, -2, -2, -2, -3)
CARD_NAMES = tuple(colour + rank for colour in COLOURS for rank in "123456")

_CHANCE = int(pyspiel.PlayerId.CHANCE)
_TERMINAL = int(pyspiel.PlayerId.TERMINAL)
_PODS = 10
_ALL_PODS = (1 << _PODS) - 1
_ALL_CARDS = (1 << 24) - 1
_UNDECIDED = 2
_ACTIONS = 24 * _PODS
# Chance nodes of a deal: who holds the pea, the row of pods, two hands.
_DEAL_NODES = 1 + 2 * _PODS + _PODS

_COLOUR_OF = tuple(card // 6 for card in range(24))
_COLOUR_CARDS = tuple(0b111111 << 6 * colour for colour in range(4))
_CARD_INDEX = {name: card for card, name in enumerate(CARD_NAMES)}
_ACTION_NAMES = tuple(f"{CARD_NAMES[action // _PODS]}@{action % _PODS}" for action in range(_ACTIONS))
# Per action: card, pod, bit of the card, bit of the pod, colour.
_PARTS = tuple(
    (action // _PODS, action % _PODS, 1 << action // _PODS, 1 << action % _PODS, action // (6 * _PODS))
    for action in range(_ACTIONS)
)


def _members(mask: int) -> list[int]:
    """Return the numbers of the bits set in ``mask``, ascending."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


# Per card: for every set of pods, the actions that play the card there.
_CARD_ACTIONS = tuple(
    tuple(tuple(_PODS * card + pod for pod in _members(pods)) for pods in range(1 << _PODS)) for card in range(24)
)
# Per colour: for every set of ranks, the tables above of the cards concerned.
_B_TABLES, _R_TABLES, _V_TABLES, _Y_TABLES = (
    tuple(tuple(_CARD_ACTIONS[6 * colour + rank] for rank in _members(ranks)) for ranks in range(64))
    for colour in range(4)
)
_B_CARDS, _R_CARDS, _V_CARDS, _Y_CARDS = _COLOUR_CARDS
# For every half of a hand: its cards, its card bits and its text.
_LOW_CARDS = tuple(tuple(_members(mask)) for mask in range(1 << 12))
_HIGH_CARDS = tuple(tuple(12 + card for card in cards) for cards in _LOW_CARDS)
_LOW_BITS = tuple(tuple(1 << card for card in cards) for cards in _LOW_CARDS)
_HIGH_BITS = tuple(tuple(1 << card for card in cards) for cards in _HIGH_CARDS)
_LOW_TEXT = tuple("".join(CARD_NAMES[card] for card in cards) for cards in _LOW_CARDS)
_HIGH_TEXT = tuple("".join(CARD_NAMES[card] for card in cards) for cards in _HIGH_CARDS)
_POD_LISTS = tuple(tuple(_members(pods)) for pods in range(1 << _PODS))
# [n][k]: all ways to leave out k of n unseen cards, four at most being in no hand.
_OMISSIONS = tuple(tuple(tuple(combinations(range(n), k)) for k in range(5)) for n in range(25))


class Board:
    """A round in progress: everything the rules ask for and nothing of OpenSpiel.

    ``mover`` is the player to move, or OpenSpiel's number for chance (while dealing) or for a finished round.
    ``lead[4 * player + colour]`` are the pods where ``player`` faces a lone card of that colour. ``may[player]`` are
    the cards that the open play leaves possible for that player.
    """

    __slots__ = (
        "dealt", "empty", "first", "hands", "lead", "log", "may", "mover", "outcome", "parent", "pea", "pods", "seen",
    )  # fmt: skip

    mover: int
    dealt: int  # chance outcomes drawn so far
    pea: int  # player who holds the first-player pea
    pods: tuple[int, ...]
    hands: list[int]
    empty: int  # pods without a card
    lead: list[int]
    first: list[int]  # per pod, the card played first
    outcome: list[int]  # per pod, the winner whoever is the parent, or _UNDECIDED where the parent wins
    parent: int  # player who played first at the Bottom
    may: list[int]
    seen: int  # cards on the table
    log: str  # all that both players have seen, in order

    def copy(self) -> Board:
        """Return an independent copy."""
        new = Board.__new__(Board)
        new.mover = self.mover
        new.dealt = self.dealt
        new.pea = self.pea
        new.pods = self.pods
        new.hands = self.hands[:]
        new.empty = self.empty
        new.lead = self.lead[:]
        new.first = self.first[:]
        new.outcome = self.outcome[:]
        new.parent = self.parent
        new.may = self.may[:]
        new.seen = self.seen
        new.log = self.log
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        """Copy cheaply when OpenSpiel clones a state."""
        return self.copy()

    def moves(self) -> list[int]:
        """Return the legal actions of the player to move, ascending. Only while the round is being played."""
        mover = self.mover
        hand = self.hands[mover]
        lead = self.lead
        b, r, v, y = lead[4:] if mover else lead[:4]
        # Any card goes on an empty pod, or on one whose colour the hand lacks.
        free = self.empty
        if not hand & _B_CARDS:
            free |= b
        if not hand & _R_CARDS:
            free |= r
        if not hand & _V_CARDS:
            free |= v
        if not hand & _Y_CARDS:
            free |= y
        moves: list[int] = []
        pods = free | b
        for actions in _B_TABLES[hand & 63]:
            moves += actions[pods]
        pods = free | r
        for actions in _R_TABLES[hand >> 6 & 63]:
            moves += actions[pods]
        pods = free | v
        for actions in _V_TABLES[hand >> 12 & 63]:
            moves += actions[pods]
        pods = free | y
        for actions in _Y_TABLES[hand >> 18]:
            moves += actions[pods]
        return moves

    def play(self, action: int) -> None:
        """Make a legal move of the player to move."""
        card, pod, card_bit, pod_bit, colour = _PARTS[action]
        mover = self.mover
        other = 1 - mover
        self.hands[mover] ^= card_bit
        self.seen |= card_bit
        if self.empty & pod_bit:
            self.empty ^= pod_bit
            self.lead[4 * other + colour] |= pod_bit
            self.first[pod] = card
            if not pod:
                self.parent = mover
        else:
            led = self.first[pod]
            led_colour = _COLOUR_OF[led]
            self.lead[4 * mover + led_colour] ^= pod_bit
            if led_colour == colour:
                self.outcome[pod] = mover if card > led else other
            else:
                self.may[mover] &= ~_COLOUR_CARDS[led_colour]
        self.log += _ACTION_NAMES[action]
        self.mover = other if self.hands[other] else _TERMINAL

    def winner(self) -> int:
        """Return the player who wins a finished round."""
        return _judge(self.parent, self.outcome, self.pods, self.pea)

    def playout(self, random: Callable[[], float]) -> int:
        """Return who wins when both play uniformly random legal moves from here; the board stays as it is.

        ``random`` draws from [0, 1). Any pair of a card in hand and a pod without an own card is drawn, and drawn again
        until it is legal, which gives every legal move the same chance.
        """
        mover = self.mover
        hands = self.hands[:]
        cards = tuple([*_LOW_CARDS[hand & 4095], *_HIGH_CARDS[hand >> 12]] for hand in hands)
        lead = self.lead
        pods = ([*_POD_LISTS[self.empty]], [*_POD_LISTS[self.empty]])
        # Per player and pod: the colour to follow, 4 where there is none.
        follow = ([4] * _PODS, [4] * _PODS)
        for player in (0, 1):
            for colour in range(4):
                for pod in _POD_LISTS[lead[4 * player + colour]]:
                    follow[player][pod] = colour
                    pods[player].append(pod)
        first = self.first[:]
        outcome = self.outcome[:]
        parent = self.parent
        colour_of = _COLOUR_OF
        colour_cards = _COLOUR_CARDS
        plies = len(cards[0]) + len(cards[1])
        if mover == _TERMINAL:
            plies = 0
        for _ in range(plies):
            own_cards = cards[mover]
            own_pods = pods[mover]
            own_follow = follow[mover]
            count = len(own_cards)
            while True:
                card_at = int(random() * count)
                pod_at = int(random() * count)
                card = own_cards[card_at]
                pod = own_pods[pod_at]
                asked = own_follow[pod]
                if asked == 4:
                    follow[1 - mover][pod] = colour_of[card]
                    first[pod] = card
                    if not pod:
                        parent = mover
                    break
                if asked == colour_of[card]:
                    outcome[pod] = mover if card > first[pod] else 1 - mover
                    break
                if not hands[mover] & colour_cards[asked]:
                    break
            hands[mover] ^= 1 << card
            last = own_cards.pop()
            if last != card:
                own_cards[card_at] = last
            last = own_pods.pop()
            if last != pod:
                own_pods[pod_at] = last
            mover = 1 - mover
        return _judge(parent, outcome, self.pods, self.pea)

    def with_hidden_hand_dealt(self, viewer: int, draw: float) -> Board:
        """Return a copy where the hand hidden from ``viewer`` is dealt anew, uniformly over all that it can be.

        ``draw`` from [0, 1) decides which; nothing of the true hidden hand but its size is used. The deal must be over.
        """
        hidden = 1 - viewer
        pool = self.may[hidden] & ~(self.hands[viewer] | self.seen)
        bits = _LOW_BITS[pool & 4095] + _HIGH_BITS[pool >> 12]
        omissions = _OMISSIONS[len(bits)][len(bits) - self.hands[hidden].bit_count()]
        for place in omissions[int(draw * len(omissions))]:
            pool ^= bits[place]
        new = self.copy()
        new.hands[hidden] = pool
        return new

    def deal(self, outcome: int) -> None:
        """Take the next chance outcome of a deal: the pea, then the row of pods, then the cards of A and B in turn."""
        if self.dealt == 0:
            self.pea = outcome
            self.log = f"{SEATS[outcome]} "
        elif self.dealt <= _PODS:
            self.pods += (outcome - 3,)
            self.log += f"{outcome - 3:+d}/"
        else:
            self.hands[(self.dealt - 1) % 2] |= 1 << outcome
            self.log += "."  # a card that only its holder sees
        self.dealt += 1
        if self.dealt == _DEAL_NODES:
            self.log = self.log.rstrip(".") + " "
            self.mover = self.pea

    def deal_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of the next chance node, ascending, and their probabilities."""
        if self.dealt == 0:
            return [(0, 0.5), (1, 0.5)]
        if self.dealt <= _PODS:
            left = list(STANDARD_PODS)
            for value in self.pods:
                left.remove(value)
            return [(value + 3, left.count(value) / len(left)) for value in sorted(set(left))]
        cards = _members(_ALL_CARDS & ~(self.hands[0] | self.hands[1]))
        return [(card, 1 / len(cards)) for card in cards]

    def information(self, player: int) -> str:
        """Return all that ``player`` knows: who asks, the hand and the open play in order."""
        hand = self.hands[player]
        return f"{player} {_LOW_TEXT[hand & 4095]}{_HIGH_TEXT[hand >> 12]} {self.log}"


def _judge(parent: int, outcome: Sequence[int], pods: Sequence[int], pea: int) -> int:
    """Return the winner of a finished round, ``parent`` being the parent of the Bottom pod."""
    points_b = 0
    pods_b = 0
    for decided, value in zip(outcome, pods, strict=True):
        if decided != _UNDECIDED:
            parent = decided
        if parent:
            points_b += value
            pods_b += 1
    if pods_b in (0, _PODS):
        return pods_b // _PODS
    points_a = sum(pods) - points_b
    if points_a == points_b:
        return pea
    return 1 if points_b > points_a else 0


def _new_board() -> Board:
    """Return a board before the deal."""
    board = Board.__new__(Board)
    board.mover = _CHANCE
    board.dealt = 0
    board.pea = 0
    board.pods = ()
    board.hands = [0, 0]
    board.empty = _ALL_PODS
    board.lead = [0] * 8
    board.first = [0] * _PODS
    board.outcome = [_UNDECIDED] * _PODS
    board.parent = 0
    board.may = [_ALL_CARDS, _ALL_CARDS]
    board.seen = 0
    board.log = ""
    return board


_UNDEALT = _new_board()

_GAME_TYPE = pyspiel.GameType(
    short_name="python_peas",
    long_name="Python PEAS (one round)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
)
_GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=_ACTIONS,
    max_chance_outcomes=24,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=2 * _PODS,
)


class PeasGame(pyspiel.Game):  # type: ignore[misc]
    """One round of PEAS: ten pods, 24 cards, ten a hand; the winner gets +1 and the loser -1."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Make the game; there are no parameters."""
        super().__init__(_GAME_TYPE, _GAME_INFO, params or {})

    def new_initial_state(self) -> PeasState:
        """Return the state before the deal, which chance nodes make."""
        return PeasState(self, _UNDEALT.copy())

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes of a deal."""
        return _DEAL_NODES

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> _InformationObserver:
        """Return an observer that gives the information state as text."""
        return _InformationObserver()


class _InformationObserver:
    """Information states as text, for callers inside OpenSpiel."""

    def __init__(self) -> None:
        """Offer no tensor."""
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: PeasState, player: int) -> None:
        """Do nothing: there is no tensor."""

    def string_from(self, state: PeasState, player: int) -> str:
        """Return the information state of ``player``."""
        return state.board.information(player)


class PeasState(pyspiel.State):  # type: ignore[misc]
    """A state of the round; all of it but OpenSpiel's history is in ``board``.

    The methods asked for most often are answered here, before the call would cross into compiled code and back. States
    made by ``position`` or by resampling start with an empty history: the board itself tells what happened.
    """

    def __init__(self, game: pyspiel.Game, board: Board) -> None:
        """Wrap ``board``, which the state owns from now on."""
        super().__init__(game)
        self.board = board

    def current_player(self) -> int:
        """Return the player to move, or OpenSpiel's number for chance or for a finished round."""
        return self.board.mover

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.board.mover == _TERMINAL

    def is_chance_node(self) -> bool:
        """Whether the deal is still going on."""
        return self.board.mover == _CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions, ascending; none for a player not to move, and the outcomes at a chance node."""
        mover = self.board.mover
        if mover < 0:
            return [outcome for outcome, _ in self.board.deal_outcomes()] if mover == _CHANCE else []
        return self.board.moves() if player is None or player == mover else []

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the player to move, ascending."""
        return self.board.moves()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node and their probabilities."""
        return self.board.deal_outcomes()

    def _apply_action(self, action: int) -> None:
        """Make a legal move, or take a chance outcome."""
        board = self.board
        if board.mover >= 0:
            board.play(action)
        else:
            board.deal(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return a move such as ``B2@0``; a chance outcome by what it deals."""
        if player >= 0:
            return _ACTION_NAMES[action]
        if self.board.dealt == 0:
            return f"pea {SEATS[action]}"
        return f"pod {action - 3:+d}" if self.board.dealt <= _PODS else f"card {CARD_NAMES[action]}"

    def returns(self) -> list[float]:
        """Return +1 for the winner and -1 for the loser of a finished round, 0 before."""
        if self.board.mover != _TERMINAL:
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.board.winner() else [1.0, -1.0]

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that ``player`` (by default the one to move) knows; equal texts mean equal knowledge."""
        board = self.board
        if player is None:
            player = board.mover
        if player not in (0, 1):
            raise ValueError(f"no such player: {player}")
        return board.information(player)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> PeasState:
        """Return a state that ``player_id`` cannot tell from this one, uniformly over the possible hidden hands.

        ``probability_sampler`` draws from [0, 1) and is called once. ValueError while the deal goes on.
        """
        if self.board.mover == _CHANCE:
            raise ValueError("the deal is not over")
        return PeasState(self.get_game(), self.board.with_hidden_hand_dealt(player_id, probability_sampler()))

    def __str__(self) -> str:
        """Return both hands and the open play."""
        return f"{self.board.information(0)}| {self.board.information(1)}"


pyspiel.register_game(_GAME_TYPE, PeasGame)
_GAME = PeasGame()


class BoardRolloutEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """One random playout on the bare board: what OpenSpiel's own evaluator does, without its overhead."""

    def __init__(self, random: Callable[[], float]) -> None:
        """Take the source of draws from [0, 1)."""
        self._random = random

    def evaluate(self, state: PeasState) -> list[float]:
        """Return the returns of one random playout."""
        return [-1.0, 1.0] if state.board.playout(self._random) else [1.0, -1.0]

    def prior(self, state: PeasState) -> list[tuple[int, float]]:
        """Return all legal actions with equal probabilities."""
        moves = state.board.moves()
        return [(move, 1 / len(moves)) for move in moves]


def position(
    pods: Sequence[int],
    hands: tuple[Sequence[str], Sequence[str]],
    plays: Sequence[Sequence[tuple[str, str]]],
    pea: str,
) -> PeasState:
    """Return the state of a round in progress, the player to move following from the plays.

    pods: values of the ten pods, Bottom first. hands: the cards that A and B still hold. plays: for each pod, the
    ``(seat, card)`` lying there in the order played. pea: the seat that began the round. ValueError when the parts do
    not fit together; whether the plays could be made in some legal order is not searched for.
    """
    if len(pods) != _PODS or len(plays) != _PODS:
        raise ValueError("there are ten pods, each with its own list of plays")
    on_table = [play for pod_plays in plays for play in pod_plays]
    in_view = [*hands[0], *hands[1], *(card for _, card in on_table)]
    if len(set(in_view)) != len(in_view) or not set(in_view) <= _CARD_INDEX.keys():
        raise ValueError("unknown or repeated card")
    if pea not in ("A", "B") or any(seat not in ("A", "B") for seat, _ in on_table):
        raise ValueError("a seat is A or B")
    made = [sum(seat == name for seat, _ in on_table) for name in SEATS]
    first = SEATS.index(pea)
    if [len(hand) + count for hand, count in zip(hands, made, strict=True)] != [_PODS, _PODS]:
        raise ValueError("each seat has ten cards in hand and on the table")
    if made[first] - made[1 - first] not in (0, 1):
        raise ValueError("the seats play in turn from the holder of the pea")

    board = _UNDEALT.copy()
    board.dealt = _DEAL_NODES
    board.pea = first
    board.pods = tuple(pods)
    board.hands = [sum(1 << _CARD_INDEX[card] for card in hand) for hand in hands]
    text = []
    for pod, pod_plays in enumerate(plays):
        if len({seat for seat, _ in pod_plays}) != len(pod_plays):
            raise ValueError("a seat plays one card on a pod")
        for seat, card in pod_plays:
            # The order between pods has no bearing on what is left, so each play is made as if its turn had come.
            board.mover = SEATS.index(seat)
            board.hands[board.mover] |= 1 << _CARD_INDEX[card]
            board.play(_PODS * _CARD_INDEX[card] + pod)
        text.append(f"{pods[pod]:+d}" + "".join(seat + card for seat, card in pod_plays) + "/")
    if any(hand & ~may for hand, may in zip(board.hands, board.may, strict=True)):
        raise ValueError("a hand holds a colour that its player has shown to lack")
    board.log = f"{pea} {''.join(text)} "
    if len(on_table) == 2 * _PODS:
        board.mover = _TERMINAL
    else:
        board.mover = first if made[0] == made[1] else 1 - first
    return PeasState(_GAME, board)


def playouts_per_second(state: PeasState, seconds: float, seed: int = 0, *, through_openspiel: bool = False) -> float:
    """Return how many random playouts from ``state`` a second of processor time allows, measured for about ``seconds``.

    By default they run on the bare board, the fastest way this module has. With ``through_openspiel`` each one clones
    the state and asks it for legal actions and successors as any OpenSpiel caller would.
    """
    random = Random(seed).random
    board = state.board
    count = 0
    start = process_time()
    end = start + seconds
    while (now := process_time()) < end:
        for _ in range(10):
            if through_openspiel:
                walker = state.clone()
                while not walker.is_terminal():
                    actions = walker.legal_actions()
                    walker.apply_action(actions[int(random() * len(actions))])
                walker.returns()
            else:
                board.playout(random)
        count += 10
    return count / (now - start)


def ismcts_per_second(state: PeasState, simulations: int, seed: int = 0, *, board_rollouts: bool = False) -> float:
    """Return the simulations of OpenSpiel's Python IS-MCTS for the player to move in a second of processor time.

    One tree for the searcher's worlds, UCT with constant 0.7, the most-visited move, one random rollout a simulation:
    by OpenSpiel's own evaluator, or on the bare board with ``board_rollouts``. ValueError when there is no choice.
    """
    if len(state.legal_actions()) < 2:
        raise ValueError("a search needs a choice of moves")
    random = Random(seed).random
    numbers = np.random.RandomState(seed)
    evaluator = BoardRolloutEvaluator(random) if board_rollouts else mcts.RandomRolloutEvaluator(1, numbers)
    bot = ismcts.ISMCTSBot(
        state.get_game(),
        evaluator,
        uct_c=0.7,
        max_simulations=simulations,
        random_state=numbers,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    )
    # A seeded source of worlds, and no new generator for each of them.
    bot.set_resampler(lambda searched, player: searched.resample_from_infostate(player, random))
    start = process_time()
    bot.step(state)
    return simulations / (process_time() - start)
