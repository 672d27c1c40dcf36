"""A position is accepted exactly if some deal and some legal order of play lead to it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest
from mangetout_solver.errors import PositionError
from mangetout_solver.games.peas.reference import SEATS, ReferencePosition, full_deck, other_seat
from peas_tools import GAME, random_twin, text_of, with_cards_hidden, with_hands

Plays = tuple[tuple[str, str], ...]


def refusal(text: str) -> PositionError | None:
    """Why a text that follows the grammar is not read as a position; None if it is, and is written as it was read."""
    try:
        assert text_of(GAME.parse_position(text)) == text
    except PositionError as error:
        return error
    return None


def accepted(text: str) -> bool:
    error = refusal(text)
    assert error is None or error.field == "notation"
    return error is None


def reached_by_play(pods: int, colours: int, ranks: int, pea: str) -> set[str]:
    """Texts of all positions that legal play reaches from any deal, hands known."""
    deck = full_deck(colours, ranks)
    found: set[str] = set()
    waiting = [
        ReferencePosition([1] * pods, (hand_a, hand_b), pea=pea, colours=colours, ranks=ranks)
        for hand_a in combinations(deck, pods)
        for hand_b in combinations([card for card in deck if card not in hand_a], pods)
    ]
    while waiting:
        twin = waiting.pop()
        if twin.text() not in found:
            found.add(twin.text())
            waiting.extend(twin.play(move) for move in twin.legal_moves())
    return found


def tables(pods: int, cards: list[str]) -> Iterator[tuple[list[Plays], list[str]]]:
    """All ways to put cards on the pods, at most one of each seat on a pod; with the cards left over."""
    if pods == 0:
        yield [], cards
        return
    for count in range(3):
        for laid in permutations(cards, count):
            left = [card for card in cards if card not in laid]
            for first in SEATS if count else SEATS[:1]:
                on_pod = tuple(zip((first, other_seat(first)), laid, strict=False))
                for rest, remaining in tables(pods - 1, left):
                    yield [on_pod, *rest], remaining


def conceivable(pods: int, colours: int, ranks: int, pea: str) -> Iterator[ReferencePosition]:
    """Every table of that many pods, with all hands of the right size."""
    for plays, left in tables(pods, full_deck(colours, ranks)):
        sizes = [sum(all(player != seat for player, _ in on_pod) for on_pod in plays) for seat in SEATS]
        for hand_a in combinations(left, sizes[0]):
            for hand_b in combinations([card for card in left if card not in hand_a], sizes[1]):
                yield ReferencePosition([1] * pods, (hand_a, hand_b), (0, 0), plays, pea, colours, ranks)


@pytest.mark.parametrize(
    ("pods", "colours", "ranks", "pea"),
    [(1, 2, 1, "A"), (1, 3, 2, "B"), (2, 2, 2, "A"), (2, 2, 2, "B"), (2, 4, 1, "A"), (2, 1, 4, "B")],
)
def test_of_all_positions_of_a_tiny_game_those_reached_by_play_are_accepted(
    pods: int, colours: int, ranks: int, pea: str
) -> None:
    reached = reached_by_play(pods, colours, ranks, pea)
    tried: set[str] = set()
    for twin in conceivable(pods, colours, ranks, pea):
        text = twin.text()
        tried.add(text)
        assert accepted(text) == (text in reached) == twin.reachable(), text
    assert reached <= tried
    assert len(reached) < len(tried)


def test_of_many_positions_of_a_game_with_two_pods_those_reached_by_play_are_accepted() -> None:
    reached = reached_by_play(2, 2, 3, "A")
    sample = list(conceivable(2, 2, 3, "A"))[::8]
    verdicts = []
    for twin in sample:
        verdicts.append(accepted(twin.text()))
        assert verdicts[-1] == (twin.text() in reached), twin
    assert min(verdicts.count(True), verdicts.count(False)) > 100


def test_with_unknown_cards_a_position_is_accepted_if_some_cards_make_it_one_reached_by_play() -> None:
    reached = reached_by_play(2, 2, 2, "A")
    verdicts = []
    for twin in conceivable(2, 2, 2, "A"):
        for hidden_a in range(len(twin.hands[0]) + 1):
            for hidden_b in range(len(twin.hands[1]) + 1):
                hands = (twin.hands[0][hidden_a:], twin.hands[1][hidden_b:])
                hidden = with_hands(twin, hands, (hidden_a, hidden_b))
                if (hidden_a or hidden_b) and Random(hidden.text()).random() < 0.3:
                    verdicts.append(accepted(hidden.text()))
                    assert verdicts[-1] == any(world in reached for world in hidden.worlds()), hidden
    assert min(verdicts.count(True), verdicts.count(False)) > 100


def changed(rng: Random, twin: ReferencePosition) -> ReferencePosition:
    """A position near a reachable one: cards, orders, seats or the pea exchanged."""
    hands = [list(hand) for hand in twin.hands]
    plays = [list(on_pod) for on_pod in twin.plays]
    pea = twin.pea
    for _ in range(rng.randint(1, 2)):
        places = [(0, i, j) for i, hand in enumerate(hands) for j in range(len(hand))]
        places += [(1, i, j) for i, on_pod in enumerate(plays) for j in range(len(on_pod))]
        what = rng.randrange(5)
        if what == 0 and len(places) > 1:
            # Two cards change places, wherever they are.
            one, two = rng.sample(places, 2)
            cards = [hands[i][j] if kind == 0 else plays[i][j][1] for kind, i, j in (one, two)]
            for (kind, i, j), card in zip((one, two), reversed(cards), strict=True):
                if kind == 0:
                    hands[i][j] = card
                else:
                    plays[i][j] = (plays[i][j][0], card)
        elif what == 1:
            pea = other_seat(pea)
        elif what == 2:
            full = [on_pod for on_pod in plays if len(on_pod) == 2]
            if full:
                rng.choice(full).reverse()
        elif what == 3:
            on_pod = rng.choice(plays)
            on_pod[:] = [(other_seat(seat), card) for seat, card in on_pod]
        else:
            # A card that is out of play comes in.
            seen = {card for on_pod in plays for _, card in on_pod} | set(hands[0]) | set(hands[1])
            unseen = [card for card in full_deck(twin.colours, twin.ranks) if card not in seen]
            held = [(seat, j) for seat in (0, 1) for j in range(len(hands[seat]))]
            if unseen and held:
                seat, j = rng.choice(held)
                hands[seat][j] = rng.choice(unseen)
    return ReferencePosition(twin.pods, (hands[0], hands[1]), twin.unknown, plays, pea, twin.colours, twin.ranks)


def test_changed_positions_are_judged_as_by_the_twin() -> None:
    verdicts = []
    by_order_only = 0
    for seed in range(1000):
        rng = Random(seed)
        twin = changed(rng, random_twin(rng, max_pods=6, max_ranks=4, min_pods=3))
        if seed % 3 == 0:
            twin = with_cards_hidden(rng, twin)
        verdicts.append(accepted(twin.text()))
        assert verdicts[-1] == twin.reachable(), twin
        by_order_only += "no order of play" in str(refusal(twin.text()))
    assert min(verdicts.count(True), verdicts.count(False)) > 200
    assert by_order_only > 10


def test_what_was_reached_by_play_is_accepted_and_so_is_all_that_anybody_sees_of_it() -> None:
    for seed in range(400):
        rng = Random(9000 + seed)
        twin = random_twin(rng)
        assert accepted(twin.text())
        for view in (twin.seen_by("A"), twin.seen_by("B"), with_cards_hidden(rng, twin)):
            assert accepted(view.text())


def test_answers_that_wait_for_each_other_are_refused_however_much_else_was_played() -> None:
    """B answered blue with pink and pink with blue: each answer says that the other card was gone already."""
    others = "/".join(f"+1[A={c}{rank},B={c}{rank + 1}]" for c in "VY" for rank in (1, 3, 5, 7))
    more = "/+1[A=B3,B=B4]/+1[A=R3,B=R4]"
    assert not accepted(f"peas{{ranks=8}} {others}{more}/+1[A=B1,B=R2]/+1[A=R1,B=B2] - - A")
    # Three answers in a ring: purple with blue, blue with pink, pink with purple.
    ring = others.replace("B=V2", "B=B2")
    assert not accepted(f"peas{{ranks=8}} {ring}{more}/+1[A=B1,B=R2]/+1[A=R1,B=V2] - - A")
    # Without the first of the three there is an order: B matched blue and purple before.
    chain = others.replace("A=V1,B=V2", "A=B5,B=B6")
    assert accepted(f"peas{{ranks=8}} {chain}{more}/+1[A=B1,B=R2]/+1[A=R1,B=V2] - - A")


def test_who_played_first_on_every_pod_of_a_full_row_began_the_round() -> None:
    pods = "/".join(f"+1[A=B{rank},B=R{rank}]" for rank in range(1, 7))
    assert accepted(f"peas {pods} - - A")
    assert not accepted(f"peas {pods} - - B")
