"""A slow, plain statement of a round and of a match of PEAS, kept as a judge for faster implementations.

Everything here is written with lists, sets and strings, and everything is worked out afresh from the table whenever it
is asked for. Nothing is shared with any other implementation of the game.

Words used throughout:

* a *seat* is ``"A"`` or ``"B"``;
* a *card* is a colour letter and a rank digit, such as ``"B2"``;
* a *pod* is numbered from 0 at the Bottom (PEAS-19) and worth a whole number of points, negative for a worm;
* a *move* is the text ``CARD@POD``;
* a *play* is a pair ``(seat, card)`` lying on a pod;
* the *pea* is the first-player marker; its holder makes the first play of the round;
* a *match* is a course of up to three rounds, won by the seat that wins two of them (PEAS-18);
* a *deal* is what lies between two rounds of a match: the pods are drawn one by one, Bottom first, then every card of
  the deck, in deck order, goes to a *place*: ``"A"``, ``"B"`` or ``"-"``, which is aside (PEAS-17);
* an *event* is one such step of chance, written ``*+1`` for a pod and ``*B2>A`` for a card; ``*?`` is the event of a
  card whose place is not shown to the reader (PEAS-02);
* a *step* is a move or an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

SEATS = ("A", "B")
ALL_COLOURS = "BRVY"
STANDARD_PODS = (1, 1, 1, 1, 2, 3, -2, -2, -2, -3)
CHANCE = "*"
ASIDE = "-"
UNSEEN_EVENT = "*?"
WINS_NEEDED = 2

Play = tuple[str, str]


def other_seat(seat: str) -> str:
    """Return the seat opposite ``seat``; ValueError when ``seat`` is neither A nor B."""
    if seat == "A":
        return "B"
    if seat == "B":
        return "A"
    raise ValueError(f"no such seat: {seat!r}")


def full_deck(colours: int, ranks: int) -> list[str]:
    """Return every card once, colours in the order B R V Y and ranks ascending within a colour."""
    return [colour + str(rank) for colour in ALL_COLOURS[:colours] for rank in range(1, ranks + 1)]


def can_fill(unseen: Iterable[str], unknown: tuple[int, int], lacking: tuple[set[str], set[str]]) -> bool:
    """Whether different unseen cards can stand for all hidden cards of A and B, none of a colour the seat lacks."""
    unseen = list(unseen)
    for_a = {card for card in unseen if card[0] not in lacking[0]}
    for_b = {card for card in unseen if card[0] not in lacking[1]}
    # Each hand needs enough candidates, and both together need enough different ones; that suffices (Hall).
    return unknown[0] <= len(for_a) and unknown[1] <= len(for_b) and sum(unknown) <= len(for_a | for_b)


def draw_chances(values: Sequence[int]) -> dict[str, float]:
    """Return the events of drawing one pod out of ``values``, each with its probability (PEAS-17)."""
    return {f"{CHANCE}{value:+d}": values.count(value) / len(values) for value in sorted(set(values))}


class ReferencePosition:
    """One position of a round or of a match, as everybody or as one seat sees it; never changed after it was made.

    The constructor rejects malformed values with ValueError: a card outside the deck, a pod worth more than a digit, a
    third card on a pod, a deck too small for two full hands, a deal outside a match or with cards on the table. It does
    not ask whether play can have led here; ``reachable`` does.
    """

    def __init__(
        self,
        pods: Sequence[int],
        hands: tuple[Iterable[str], Iterable[str]],
        unknown: tuple[int, int] = (0, 0),
        plays: Sequence[Sequence[tuple[str, str]]] | None = None,
        pea: str = "A",
        colours: int = 4,
        ranks: int = 6,
        *,
        wins: tuple[int, int] | None = None,
        undrawn: Sequence[int] = (),
        dealt: int | None = None,
        dealt_unseen: bool = False,
    ) -> None:
        """Set up a position.

        pods: points of each pod, Bottom first. hands: the known cards of A and of B. unknown: how many further cards A
        and B hold whose identity is hidden. plays: for each pod, what lies there in the order it was played; None for
        an empty table. pea: the seat that began the round. colours, ranks: size of the deck.

        wins: the rounds won by A and by B, counting a round that is over; None for a single round outside a match.

        Only while a later round of a match is dealt: dealt, how many cards of the deck have been dealt; undrawn, the
        points of the pods still to be drawn, pods being those drawn; dealt_unseen, whether the places of the dealt
        cards that stand in no hand are hidden; where they are not, these cards lie aside.
        """
        if not 1 <= colours <= 4 or not 1 <= ranks <= 8:
            raise ValueError("the deck has 1 to 4 colours and 1 to 8 ranks")
        if not 1 <= len(pods) <= 12 - len(undrawn):
            raise ValueError("there are 1 to 12 pods")
        if colours * ranks < 2 * (len(pods) + len(undrawn)):
            raise ValueError("the deck is too small to deal both hands")
        if any(not -9 <= value <= 9 for value in (*pods, *undrawn)):
            raise ValueError("a pod is worth -9 to +9 points")
        if pea not in SEATS:
            raise ValueError(f"no such seat: {pea!r}")
        if len(hands) != 2 or len(unknown) != 2 or min(unknown) < 0:
            raise ValueError("there are two hands, and unknown cards are counted from 0")
        if plays is None:
            plays = [[] for _ in pods]
        if len(plays) != len(pods):
            raise ValueError("every pod needs its own list of plays")

        deck = full_deck(colours, ranks)
        known_hands = [list(hands[0]), list(hands[1])]
        for card in known_hands[0] + known_hands[1]:
            if card not in deck:
                raise ValueError(f"no such card: {card!r}")
        for pod_plays in plays:
            if len(pod_plays) > 2:
                raise ValueError("a pod takes two cards at most")
            for seat, card in pod_plays:
                if seat not in SEATS:
                    raise ValueError(f"no such seat: {seat!r}")
                if card not in deck:
                    raise ValueError(f"no such card: {card!r}")

        if wins is not None and (len(wins) != 2 or any(not 0 <= number <= 9 for number in wins)):
            raise ValueError("the rounds won are one digit for each seat")
        if dealt is None:
            if undrawn or dealt_unseen:
                raise ValueError("pods are drawn and cards dealt only while a round is dealt")
        else:
            if wins is None:
                raise ValueError("only the later rounds of a match are dealt by chance events")
            if any(plays) or unknown != (0, 0):
                raise ValueError("during a deal the table is clear and hands list their cards")
            if not 0 <= dealt < len(deck):
                raise ValueError("the deal is over once every card of the deck is dealt")

        self._pods = tuple(pods)
        self._hands = (
            tuple(sorted(known_hands[0], key=deck.index)),
            tuple(sorted(known_hands[1], key=deck.index)),
        )
        self._unknown = (unknown[0], unknown[1])
        self._plays: tuple[tuple[Play, ...], ...] = tuple(
            tuple((seat, card) for seat, card in pod_plays) for pod_plays in plays
        )
        self._pea = pea
        self._colours = colours
        self._ranks = ranks
        self._wins = None if wins is None else (wins[0], wins[1])
        self._undrawn = tuple(sorted(undrawn))
        self._dealt = dealt
        self._dealt_unseen = dealt_unseen

    # ---------------------------------------------------------------- what the position consists of

    @property
    def pods(self) -> tuple[int, ...]:
        """Points of each pod, Bottom first; during a deal of those already drawn."""
        return self._pods

    @property
    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Known cards of A and of B, in deck order."""
        return self._hands

    @property
    def unknown(self) -> tuple[int, int]:
        """Number of hidden cards in the hands of A and of B."""
        return self._unknown

    @property
    def plays(self) -> tuple[tuple[Play, ...], ...]:
        """For each pod, the plays lying there in the order they were made."""
        return self._plays

    @property
    def pea(self) -> str:
        """The seat that holds the first-player pea in this round."""
        return self._pea

    @property
    def colours(self) -> int:
        """Number of colours in the deck."""
        return self._colours

    @property
    def ranks(self) -> int:
        """Number of ranks in each colour."""
        return self._ranks

    @property
    def wins(self) -> tuple[int, int] | None:
        """Rounds won by A and by B in this match, or None for a single round."""
        return self._wins

    @property
    def undrawn(self) -> tuple[int, ...]:
        """Points of the pods still to be drawn in a deal, ascending."""
        return self._undrawn

    @property
    def dealt(self) -> int | None:
        """Number of cards dealt so far, or None outside the deal of a later round."""
        return self._dealt

    @property
    def dealt_unseen(self) -> bool:
        """Whether the places of the dealt cards that stand in no hand are hidden."""
        return self._dealt_unseen

    @property
    def round_over(self) -> bool:
        """Whether both seats have a card on every pod (PEAS-12)."""
        return sum(len(pod_plays) for pod_plays in self._plays) == 2 * len(self._pods)

    @property
    def to_move(self) -> str | None:
        """The seat whose turn it is, ``"*"`` before a chance event, or None at the end.

        A single round ends once both seats have a card on every pod, a match once a seat has won two rounds.
        """
        if self._dealt is not None:
            return CHANCE
        if self.round_over:
            # PEAS-18: a match goes on until a seat has won twice.
            return None if self._wins is None or max(self._wins) >= WINS_NEEDED else CHANCE
        played = sum(len(pod_plays) for pod_plays in self._plays)
        # Turns alternate, and the pea holder had the first one.
        return self._pea if played % 2 == 0 else other_seat(self._pea)

    def __repr__(self) -> str:
        """Return the canonical text, for messages."""
        return f"<{self.text()}>"

    def __eq__(self, other: object) -> bool:
        """Two positions are equal when they show the same things, that is, when their texts agree."""
        return isinstance(other, ReferencePosition) and self.text() == other.text()

    def __hash__(self) -> int:
        """Hash in agreement with equality."""
        return hash(self.text())

    # ---------------------------------------------------------------- playing

    def _keeps_the_rules(self, seat: str, card: str, pod: int) -> bool:
        """Whether ``seat`` may put ``card`` on ``pod`` as far as the table and the known cards of ``seat`` tell.

        Says nothing about whether ``seat`` holds the card, nor about whose turn it is.
        """
        on_pod = self._plays[pod]
        # PEAS-07: no second card of one's own on a pod.
        if any(player == seat for player, _ in on_pod):
            return False
        # PEAS-03: an empty pod takes any card.
        if not on_pod:
            return True
        # PEAS-04: only the pod picked matters, cards waiting elsewhere do not bind.
        asked = on_pod[0][1][0]
        # PEAS-05: any rank of the colour asked for will do.
        if card[0] == asked:
            return True
        # PEAS-06: another colour is allowed only without a card of the colour asked for.
        return all(held[0] != asked for held in self._hands[SEATS.index(seat)])

    def legal_moves(self) -> set[str]:
        """Return every move the seat to move may make, as ``CARD@POD``; empty when no seat is to move.

        When the hand of the seat to move has hidden cards: in a match, the moves that are legal in at least one way of
        filling in the hidden cards of both hands; ValueError in a single round.
        """
        seat = self.to_move
        if seat is None or seat == CHANCE:
            return set()
        if self._unknown[SEATS.index(seat)] > 0:
            if self._wins is None:
                raise ValueError("legal moves are defined only for a hand that is fully known")
            return self._moves_of_a_hand_partly_hidden(seat)
        moves = set()
        for card in self._hands[SEATS.index(seat)]:
            for pod in range(len(self._pods)):
                if self._keeps_the_rules(seat, card, pod):
                    moves.add(f"{card}@{pod}")
        return moves

    def _moves_of_a_hand_partly_hidden(self, seat: str) -> set[str]:
        """Return the moves ``seat`` can make in at least one way of filling in the hidden cards of both hands."""
        mover = SEATS.index(seat)
        known = self._hands[mover]
        unseen = self._unseen()
        shown = self.voids()
        # PEAS-06: a hidden card is not of a colour shown to be lacking.
        possible = [*known, *(card for card in unseen if card[0] not in shown[mover])]
        moves = set()
        for pod, on_pod in enumerate(self._plays):
            for card in possible:
                if not self._keeps_the_rules(seat, card, pod):
                    continue
                lacking = (set(shown[0]), set(shown[1]))
                # PEAS-06: an answer in another colour tells that the colour asked for is not among the hidden cards.
                if on_pod and card[0] != on_pod[0][1][0]:
                    lacking[mover].add(on_pod[0][1][0])
                unknown = list(self._unknown)
                if card not in known:
                    unknown[mover] -= 1
                left = [other for other in unseen if other != card]
                if can_fill(left, (unknown[0], unknown[1]), lacking):
                    moves.add(f"{card}@{pod}")
        return moves

    def chance_outcomes(self) -> dict[str, float]:
        """Return the outcomes of the chance event that comes next and their probabilities; empty if none comes next.

        A single round has none. In a match they are the draws of pods and the dealing of cards for a later round.
        """
        if self.to_move != CHANCE:
            return {}
        if self._dealt is None:
            # PEAS-17: all pods of the round just ended are laid out anew.
            return draw_chances(self._pods)
        if self._undrawn:
            return draw_chances(self._undrawn)
        card = full_deck(self._colours, self._ranks)[self._dealt]
        room = self._room()
        spots = sum(room.values())
        return {f"{CHANCE}{card}>{place}": free / spots for place, free in room.items() if free > 0}

    def _room(self) -> dict[str, int]:
        """Return, for A, B and aside, how many cards the place still takes, as far as the cards in view tell.

        Where places of dealt cards are hidden, those cards count as not dealt yet: any of the cards in no hand can be
        in any spot that shows no card.
        """
        size = len(self._pods)
        deck_size = self._colours * self._ranks
        in_hands = len(self._hands[0]) + len(self._hands[1])
        aside = 0 if self._dealt is None or self._dealt_unseen else self._dealt - in_hands
        return {
            "A": size - len(self._hands[0]),
            "B": size - len(self._hands[1]),
            ASIDE: deck_size - 2 * size - aside,
        }

    def _after_event(self, event: str) -> ReferencePosition:
        """Return the position after a chance event of a match; ValueError when it cannot happen here.

        A card may always be dealt unseen.
        """
        a_card_is_next = self._dealt is not None and not self._undrawn
        if event not in self.chance_outcomes() and not (event == UNSEEN_EVENT and a_card_is_next):
            raise ValueError(f"not a possible event: {event!r}")
        if self._dealt is not None and not self._undrawn:
            return self._after_card(self._dealt, event)
        value = int(event.removeprefix(CHANCE))
        if self._dealt is None:
            # PEAS-16: the pea goes to the other seat, whoever won. PEAS-17: the table is cleared.
            drawn, undrawn, pea = [value], list(self._pods), other_seat(self._pea)
        else:
            drawn, undrawn, pea = [*self._pods, value], list(self._undrawn), self._pea
        undrawn.remove(value)
        return ReferencePosition(
            drawn,
            ((), ()),
            pea=pea,
            colours=self._colours,
            ranks=self._ranks,
            wins=self._wins,
            undrawn=undrawn,
            dealt=0,
        )

    def _after_card(self, dealt: int, event: str) -> ReferencePosition:
        """Return the position after the next card of the deck, ``dealt`` lying before it, went where ``event`` says."""
        deck = full_deck(self._colours, self._ranks)
        unseen = self._dealt_unseen or event == UNSEEN_EVENT
        hands = [list(self._hands[0]), list(self._hands[1])]
        if event != UNSEEN_EVENT:
            place = event[-1]
            if place != ASIDE:
                hands[SEATS.index(place)].append(deck[dealt])
        # With both hands full, all other cards lie aside.
        if min(len(hands[0]), len(hands[1])) == len(self._pods):
            unseen = False
        if dealt + 1 < len(deck):
            return ReferencePosition(
                self._pods,
                (hands[0], hands[1]),
                pea=self._pea,
                colours=self._colours,
                ranks=self._ranks,
                wins=self._wins,
                dealt=dealt + 1,
                dealt_unseen=unseen,
            )
        # Every card has its place now. PEAS-02: what a hand is short of are cards that were not shown.
        size = len(self._pods)
        return ReferencePosition(
            self._pods,
            (hands[0], hands[1]),
            (size - len(hands[0]), size - len(hands[1])),
            None,
            self._pea,
            self._colours,
            self._ranks,
            wins=self._wins,
        )

    def play(self, move: str) -> ReferencePosition:
        """Return the position after the seat to move has made ``move``; this position stays as it is.

        ValueError when the move is illegal. A card that is not among the mover's known cards comes out of the mover's
        hidden cards, if there are any and the card can be one of them. When the mover has hidden cards, a move is legal
        exactly if some way of filling in the hidden cards of both hands makes it so.

        Where a chance event comes next, ``move`` is one of its outcomes, or ``*?`` for a card dealt unseen.
        """
        seat = self.to_move
        if seat is None:
            raise ValueError("the round is over" if self._wins is None else "the match is over")
        if seat == CHANCE:
            return self._after_event(move)
        mover = SEATS.index(seat)
        pod_texts = [str(number) for number in range(len(self._pods))]
        card, at, pod_text = move.partition("@")
        if at != "@" or card not in full_deck(self._colours, self._ranks) or pod_text not in pod_texts:
            raise ValueError(f"not a move: {move!r}")
        pod = pod_texts.index(pod_text)
        if not self._keeps_the_rules(seat, card, pod):
            raise ValueError(f"illegal move: {move!r}")

        hands = [list(self._hands[0]), list(self._hands[1])]
        unknown = [self._unknown[0], self._unknown[1]]
        if card in hands[mover]:
            hands[mover].remove(card)
        else:
            # PEAS-02: a hidden card can be anything that is not in view.
            # PEAS-06: but it cannot be of a colour shown to be lacking.
            if unknown[mover] == 0 or card not in self._unseen() or card[0] in self.voids()[mover]:
                raise ValueError(f"the mover cannot hold the card: {move!r}")
            unknown[mover] -= 1
        plays = [list(pod_plays) for pod_plays in self._plays]
        plays[pod].append((seat, card))
        after = ReferencePosition(
            self._pods,
            (hands[0], hands[1]),
            (unknown[0], unknown[1]),
            plays,
            self._pea,
            self._colours,
            self._ranks,
            wins=self._wins,
        )
        # PEAS-06: answering in another colour must leave some cards that the hidden ones can still be.
        if self._unknown[mover] > 0 and not after._hidden_cards_can_be_filled_in():
            raise ValueError(f"no hand of the mover allows the move: {move!r}")
        return after._with_the_round_counted() if self._wins is not None and after.round_over else after

    def _with_the_round_counted(self) -> ReferencePosition:
        """Return this end of a round with the round added to the rounds won by its winner."""
        wins = [0, 0] if self._wins is None else list(self._wins)
        wins[SEATS.index(self.round_winner())] += 1
        return ReferencePosition(
            self._pods,
            self._hands,
            self._unknown,
            self._plays,
            self._pea,
            self._colours,
            self._ranks,
            wins=(wins[0], wins[1]),
        )

    # ---------------------------------------------------------------- what is known about hidden cards

    def voids(self) -> tuple[set[str], set[str]]:
        """Return the colours that A and that B have shown to lack, as sets of colour letters."""
        lacking: tuple[set[str], set[str]] = (set(), set())
        for pod_plays in self._plays:
            if len(pod_plays) == 2:
                asked = pod_plays[0][1][0]
                seat, answer = pod_plays[1]
                # PEAS-06: an answer in another colour tells that the colour asked for was not in the hand.
                if answer[0] != asked:
                    lacking[SEATS.index(seat)].add(asked)
        return lacking

    def seen_by(self, seat: str) -> ReferencePosition:
        """Return the position as ``seat`` sees it: every card of the other hand is hidden (PEAS-02).

        During a deal the other hand shows nothing, and where a card dealt elsewhere lies is not seen.
        """
        hidden = SEATS.index(other_seat(seat))
        hands = [list(self._hands[0]), list(self._hands[1])]
        if self._dealt is not None:
            hands[hidden] = []
            return ReferencePosition(
                self._pods,
                (hands[0], hands[1]),
                pea=self._pea,
                colours=self._colours,
                ranks=self._ranks,
                wins=self._wins,
                undrawn=self._undrawn,
                dealt=self._dealt,
                dealt_unseen=self._dealt > len(hands[0]) + len(hands[1]),
            )
        unknown = [self._unknown[0], self._unknown[1]]
        unknown[hidden] += len(hands[hidden])
        hands[hidden] = []
        return ReferencePosition(
            self._pods,
            (hands[0], hands[1]),
            (unknown[0], unknown[1]),
            self._plays,
            self._pea,
            self._colours,
            self._ranks,
            wins=self._wins,
        )

    def _unseen(self) -> list[str]:
        """Return the cards neither on the table nor among the known cards of a hand, in deck order (PEAS-02)."""
        in_view = {card for pod_plays in self._plays for _, card in pod_plays}
        in_view.update(self._hands[0])
        in_view.update(self._hands[1])
        return [card for card in full_deck(self._colours, self._ranks) if card not in in_view]

    def _hidden_cards_can_be_filled_in(self) -> bool:
        """Whether different unseen cards can stand for all hidden cards without breaking a shown lack (PEAS-06)."""
        return can_fill(self._unseen(), self._unknown, self.voids())

    def worlds(self) -> list[str]:
        """Return the text of every position without hidden cards that fits what this one shows (PEAS-02, PEAS-06).

        Each stands once, and all are equally likely. ValueError during a deal.
        """
        if self._dealt is not None:
            raise ValueError("worlds are not listed during a deal")
        lacking = self.voids()
        found = []
        for extra_a in combinations(self._unseen(), self._unknown[0]):
            left = [card for card in self._unseen() if card not in extra_a]
            for extra_b in combinations(left, self._unknown[1]):
                # PEAS-06: a colour shown to be lacking cannot come back into the hand.
                if any(card[0] in lacking[0] for card in extra_a) or any(card[0] in lacking[1] for card in extra_b):
                    continue
                whole = ReferencePosition(
                    self._pods,
                    ((*self._hands[0], *extra_a), (*self._hands[1], *extra_b)),
                    (0, 0),
                    self._plays,
                    self._pea,
                    self._colours,
                    self._ranks,
                    wins=self._wins,
                )
                found.append(whole.text())
        return found

    # ---------------------------------------------------------------- judging

    def pod_winners(self) -> list[str]:
        """Return the seat that wins each pod, Bottom first. ValueError while the round goes on."""
        # PEAS-12: nothing is judged before both seats have filled every pod.
        if not self.round_over:
            raise ValueError("the round is not over")
        winners: list[str] = []
        # PEAS-08: on the Bottom pod the parent is whoever played there first.
        parent = self._plays[0][0][0]
        for pod_plays in self._plays:
            card_of = dict(pod_plays)
            child = other_seat(parent)
            parent_card = card_of[parent]
            child_card = card_of[child]
            # PEAS-10: who played first on a pod no longer matters.
            # PEAS-11: the parent loses only to a higher card of the parent card's colour.
            winner = child if child_card[0] == parent_card[0] and int(child_card[1]) > int(parent_card[1]) else parent
            winners.append(winner)
            # PEAS-09: who wins a pod is the parent of the next.
            parent = winner
        return winners

    def round_points(self) -> tuple[int, int]:
        """Return the pod points of A and of B, worms counting negative. ValueError while the round goes on."""
        points = [0, 0]
        for value, winner in zip(self._pods, self.pod_winners(), strict=True):
            points[SEATS.index(winner)] += value
        return (points[0], points[1])

    def round_winner(self) -> str:
        """Return the seat that wins the round. ValueError while the round goes on."""
        winners = self.pod_winners()
        points_a, points_b = self.round_points()
        if all(winner == winners[0] for winner in winners):
            # PEAS-13, PEAS-14: taking every single pod wins, whatever the points say.
            return winners[0]
        if points_a > points_b:
            return "A"
        if points_b > points_a:
            return "B"
        # PEAS-15: equal points go to the holder of the pea in this round.
        return self._pea

    def scores(self) -> tuple[int, int]:
        """Return the pod points of A and of B in a single round, the rounds won by A and by B in a match.

        ValueError while the round or the match goes on.
        """
        if self._wins is None:
            return self.round_points()
        if self.to_move is not None:
            raise ValueError("the match is not over")
        return self._wins

    def win_shares(self) -> tuple[float, float]:
        """Return (1.0, 0.0) when A wins and (0.0, 1.0) when B does. ValueError while the round or the match goes on."""
        if self._wins is None:
            return (1.0, 0.0) if self.round_winner() == "A" else (0.0, 1.0)
        # PEAS-18: the first to win two rounds wins the match.
        won_by_a, won_by_b = self.scores()
        return (1.0, 0.0) if won_by_a > won_by_b else (0.0, 1.0)

    # ---------------------------------------------------------------- can play have led here

    def reachable(self) -> bool:
        """Whether some legal course of a round or of a match ends in this position.

        In a match the rounds before are known only by who won how many, so any of them may have come before.
        """
        if self._wins is None:
            return self._round_is_reachable()
        if self._dealt is not None:
            return self._deal_is_reachable()
        if not self._round_is_reachable():
            return False
        if not self.round_over:
            # PEAS-18: no round is begun once a seat has won two.
            return max(self._wins) < WINS_NEEDED
        # The round just judged is counted, and nobody had won two before it.
        won = self._wins[SEATS.index(self.round_winner())]
        lost = self._wins[SEATS.index(other_seat(self.round_winner()))]
        return 1 <= won <= WINS_NEEDED and lost < WINS_NEEDED

    def _deal_is_reachable(self) -> bool:
        """Whether chance events after some round of a match lead to this position in a deal."""
        # PEAS-18: after the first round somebody has won, and nobody has won two rounds yet.
        if self._wins is None or self._dealt is None or max(self._wins) != 1:
            return False
        # PEAS-17: pods first, then cards.
        if self._undrawn and self._dealt > 0:
            return False
        in_hands = [*self._hands[0], *self._hands[1]]
        if len(in_hands) != len(set(in_hands)):
            return False
        # Cards are dealt in deck order.
        dealt_cards = full_deck(self._colours, self._ranks)[: self._dealt]
        if any(card not in dealt_cards for card in in_hands):
            return False
        # Something is hidden only where a dealt card stands in no hand and a hand still takes one.
        if self._dealt_unseen and len(in_hands) in (self._dealt, 2 * len(self._pods)):
            return False
        return all(free >= 0 for free in self._room().values())

    def _round_is_reachable(self) -> bool:
        """Whether some legal course of a round, begun by the pea holder on an empty table, ends in this position.

        Hidden cards may be any cards that fit. The order of the plays within each pod is taken as listed; the order
        between pods is searched for.
        """
        table = [play for pod_plays in self._plays for play in pod_plays]

        # Each card exists once.
        in_view = [card for _, card in table] + list(self._hands[0]) + list(self._hands[1])
        if len(in_view) != len(set(in_view)):
            return False
        # PEAS-07: one card of each seat on a pod.
        for pod_plays in self._plays:
            if len({seat for seat, _ in pod_plays}) != len(pod_plays):
                return False
        # As many cards in hand as there are pods without a card of one's own.
        for index, seat in enumerate(SEATS):
            open_pods = sum(1 for pod_plays in self._plays if all(player != seat for player, _ in pod_plays))
            if len(self._hands[index]) + self._unknown[index] != open_pods:
                return False
        # Turns alternate from the pea holder, so the holder is level or one play ahead.
        by_holder = sum(1 for seat, _ in table if seat == self._pea)
        by_other = len(table) - by_holder
        if by_holder - by_other not in (0, 1):
            return False
        # PEAS-06: a colour shown to be lacking is in the hand no more, neither openly nor hidden.
        for hand, lacking in zip(self._hands, self.voids(), strict=True):
            if any(card[0] in lacking for card in hand):
                return False
        if not self._hidden_cards_can_be_filled_in():
            return False
        return self._some_order_exists([0] * len(self._pods), set())

    def _some_order_exists(self, made: list[int], visited: set[tuple[int, ...]]) -> bool:
        """Whether the plays on the table can be finished legally once the first ``made[pod]`` on each pod are made.

        ``visited`` collects the states already looked at; each of them is looked at once. Hands are taken to hold no
        card of a colour shown to be lacking, so only cards still to come to the table can forbid an answer in another
        colour.
        """
        if tuple(made) in visited:
            return False
        visited.add(tuple(made))
        if all(count == len(pod_plays) for count, pod_plays in zip(made, self._plays, strict=True)):
            return True
        mover = self._pea if sum(made) % 2 == 0 else other_seat(self._pea)
        still_held = [
            card
            for count, pod_plays in zip(made, self._plays, strict=True)
            for seat, card in pod_plays[count:]
            if seat == mover
        ]
        for pod, pod_plays in enumerate(self._plays):
            if made[pod] == len(pod_plays):
                continue
            seat, card = pod_plays[made[pod]]
            if seat != mover:
                continue
            if made[pod] == 1:
                asked = pod_plays[0][1][0]
                # PEAS-06: another colour needs a hand without the colour asked for.
                if card[0] != asked and any(held[0] == asked for held in still_held):
                    continue
            after = list(made)
            after[pod] += 1
            if self._some_order_exists(after, visited):
                return True
        return False

    # ---------------------------------------------------------------- text

    def text(self) -> str:
        """Return the position in canonical notation: one line, single spaces, no line end."""
        options = []
        if self._colours != 4:
            options.append(f"colours={self._colours}")
        if self._ranks != 6:
            options.append(f"ranks={self._ranks}")
        if self._wins is not None:
            options.append("scope=match")
        game = "peas"
        if options:
            game += "{" + ",".join(options) + "}"
        pod_texts = []
        for value, pod_plays in zip(self._pods, self._plays, strict=True):
            pod_text = f"{value:+d}"
            if pod_plays:
                pod_text += "[" + ",".join(f"{seat}={card}" for seat, card in pod_plays) + "]"
            pod_texts.append(pod_text)
        pods_text = "/".join(pod_texts)
        if self._undrawn:
            pods_text += "|" + "/".join(f"{value:+d}" for value in self._undrawn)
        hand_texts = []
        for hand, hidden in zip(self._hands, self._unknown, strict=True):
            hand_texts.append("".join(hand) + "?" * hidden or "-")
        fields = [game, pods_text, hand_texts[0], hand_texts[1], self._pea]
        if self._wins is not None:
            fields.append(f"{self._wins[0]}-{self._wins[1]}")
        if self._dealt is not None:
            fields.append(f"deal/{self._dealt}" + ("?" if self._dealt_unseen else ""))
        return " ".join(fields)

    @staticmethod
    def from_text(text: str) -> ReferencePosition:
        """Return the position that ``text`` describes; ValueError when it is not in canonical notation.

        Runs of white space count as one space. Whether play can have led to the position is not asked here; see
        ``reachable``.
        """
        fields = text.split()
        is_match = bool(fields) and fields[0].endswith(("{scope=match}", ",scope=match}"))
        if is_match:
            if len(fields) not in (6, 7):
                raise ValueError(f"a position of a match has six fields, in a deal seven: {text!r}")
        elif len(fields) != 5:
            raise ValueError(f"a position has five fields: {text!r}")
        game, pods_text, hand_a, hand_b, pea = fields[:5]

        sizes = {"colours": 4, "ranks": 6}
        if game != "peas":
            if not (game.startswith("peas{") and game.endswith("}")):
                raise ValueError(f"not a position of this game: {text!r}")
            for option in game[len("peas{") : -1].split(","):
                if is_match and option == "scope=match":
                    continue
                name, _, number = option.partition("=")
                if name not in sizes:
                    raise ValueError(f"no such option: {name!r}")
                sizes[name] = int(number)

        wins: tuple[int, int] | None = None
        undrawn: list[int] = []
        dealt: int | None = None
        dealt_unseen = False
        if is_match:
            pods_text, bar, undrawn_text = pods_text.partition("|")
            if bar:
                undrawn = [int(value) for value in undrawn_text.split("/")]
            wins_a, _, wins_b = fields[5].partition("-")
            wins = (int(wins_a), int(wins_b))
        if len(fields) == 7:
            dealt_unseen = fields[6].endswith("?")
            dealt = int(fields[6].removeprefix("deal/").removesuffix("?"))

        pods: list[int] = []
        plays: list[list[Play]] = []
        for pod_text in pods_text.split("/"):
            value, bracket, inside = pod_text.partition("[")
            pods.append(int(value))
            pod_plays: list[Play] = []
            if bracket:
                for play_text in inside.removesuffix("]").split(","):
                    seat, _, card = play_text.partition("=")
                    pod_plays.append((seat, card))
            plays.append(pod_plays)

        hands: list[list[str]] = []
        unknown: list[int] = []
        for hand_text in (hand_a, hand_b):
            known = "" if hand_text == "-" else hand_text.rstrip("?")
            hands.append([known[start : start + 2] for start in range(0, len(known), 2)])
            unknown.append(hand_text.count("?"))

        position = ReferencePosition(
            pods,
            (hands[0], hands[1]),
            (unknown[0], unknown[1]),
            plays,
            pea,
            sizes["colours"],
            sizes["ranks"],
            wins=wins,
            undrawn=undrawn,
            dealt=dealt,
            dealt_unseen=dealt_unseen,
        )
        if position.text() != " ".join(fields):
            raise ValueError(f"not canonical: {text!r}")
        return position


def deal(seed: int, pods: Sequence[int] | None = None, colours: int = 4, ranks: int = 6) -> ReferencePosition:
    """Return a freshly dealt round; the same arguments give the same round.

    Pods given by the caller stay in their order; without them the ten standard pods are shuffled. Each seat is dealt as
    many cards as there are pods, and a random seat holds the pea (PEAS-01). ValueError when the deck is too small.
    """
    random = Random(seed)
    if pods is None:
        row = list(STANDARD_PODS)
        random.shuffle(row)
    else:
        row = list(pods)
    deck = full_deck(colours, ranks)
    random.shuffle(deck)
    pea = random.choice(SEATS)
    size = len(row)
    return ReferencePosition(row, (deck[:size], deck[size : 2 * size]), pea=pea, colours=colours, ranks=ranks)


def deal_match(seed: int, pods: Sequence[int] | None = None, colours: int = 4, ranks: int = 6) -> ReferencePosition:
    """Return the start of a match, its first round dealt as ``deal`` does it (PEAS-01)."""
    first = deal(seed, pods, colours, ranks)
    return ReferencePosition(first.pods, first.hands, pea=first.pea, colours=colours, ranks=ranks, wins=(0, 0))


# -------------------------------------------------------------------- records


def token_seen_by(step: str, seat: str) -> str:
    """Return what ``seat`` sees of a step: all of it, but of a card dealt elsewhere only that one was dealt (PEAS-02).

    Moves, and the values of drawn pods, are seen by everybody.
    """
    other_seat(seat)
    is_card_dealt = step == UNSEEN_EVENT or (step.startswith(CHANCE) and ">" in step)
    return UNSEEN_EVENT if is_card_dealt and not step.endswith(">" + seat) else step


def split_record(record: str) -> tuple[ReferencePosition, list[str]]:
    """Return the start position of a record and its steps in the order they were made; nothing is played."""
    start, _, steps = record.partition(":")
    return (ReferencePosition.from_text(start), steps.split())


def replay(record: str) -> list[ReferencePosition]:
    """Return the positions of a record, from its start to the end; ValueError at an illegal step."""
    start, steps = split_record(record)
    positions = [start]
    for step in steps:
        positions.append(positions[-1].play(step))
    return positions


def record_seen_by(record: str, seat: str) -> str:
    """Return the record as ``seat`` sees it: its view of the start, then what it sees of each step."""
    start, steps = split_record(record)
    return " ".join([start.seen_by(seat).text(), ":", *(token_seen_by(step, seat) for step in steps)])
