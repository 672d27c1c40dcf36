"""PEAS: building positions and reading them from Python. See positions.pyi for the contract."""

from libc.stdint cimport int8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dataclasses import dataclass

from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.interface cimport CHANCE, TERMINAL
from mangetout_solver.games.peas.rules cimport (
    ASIDE,
    MAX_COLOURS,
    MAX_PODS,
    MAX_RANKS,
    NO_CARD,
    POD,
    ROUNDS_TO_WIN,
    UNSEEN,
    Rules,
    State,
    colour_of,
    count_worlds,
    ctz,
    judge,
    lose_track,
    next_card,
    nth_bit,
    peas_ops,
    play_card,
    popcount,
)
from mangetout_solver.games.position cimport Position, new_position

COLOUR_LETTERS = "BRVY"


@dataclass(frozen=True)
class PodView:
    value: int
    plays: tuple[tuple[int, str], ...]
    winner: int | None


@dataclass(frozen=True)
class HandView:
    cards: tuple[str, ...]
    unknown: int
    voids: tuple[str, ...]


@dataclass(frozen=True)
class DealView:
    undrawn: tuple[int, ...]
    dealt: int
    placed: bool


@dataclass(frozen=True)
class RoundView:
    pods: tuple[PodView, ...]
    hands: tuple[HandView, ...]
    pea: int
    colours: int
    ranks: int
    wins: tuple[int, int] | None
    deal: DealView | None

    def values(self):
        undrawn = self.deal.undrawn if self.deal else ()
        return sorted([*(pod.value for pod in self.pods), *undrawn])


def card_text(card: int) -> str:
    return f"{COLOUR_LETTERS[card >> 3]}{(card & 7) + 1}"


cdef tuple _texts(uint32_t cards):
    return tuple([card_text(card) for card in range(32) if cards >> card & 1])


cdef const State *_state(Position position) except NULL:
    if position.ops != peas_ops():
        raise TypeError("not a PEAS position")
    return <const State *> position.state_ptr()


def view(Position position not None) -> RoundView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int8_t winners[MAX_PODS]
    cdef int points_a
    over = not s.open[0] | s.open[1]
    if over:
        judge(r, s, &points_a, winners)
    pods = []
    for pod in range(s.drawn if s.drawn else r.pods):
        seats = (0, 1) if s.led[0] >> pod & 1 else (1, 0)
        plays = tuple([(seat, card_text(s.card[seat][pod])) for seat in seats if s.card[seat][pod] != NO_CARD])
        pods.append(PodView(s.value[pod], plays, winners[pod] if over else None))
    hands = []
    for seat in range(2):
        voids = tuple([COLOUR_LETTERS[c] for c in range(r.colours) if s.excluded[seat] >> (8 * c) & 1])
        hands.append(HandView(_texts(s.hand[seat]), 0 if s.drawn else s.unknown[seat], voids))
    deal = None
    if s.drawn:
        undrawn = [r.value[i] for i in range(r.pods)]
        for pod in pods:
            undrawn.remove(pod.value)
        deal = DealView(tuple(undrawn), s.dealt, not (s.unknown[0] or s.unknown[1]))
    wins = (s.wins[0], s.wins[1]) if r.match else None
    return RoundView(tuple(pods), tuple(hands), s.pea, r.colours, r.ranks, wins, deal)


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int pod = move >> 5
    cdef int card = move & 31
    cdef int seat = s.turn
    if move >> 24 or seat == CHANCE:
        return _why_not_dealt(r, s, move >> 24, move & UNSEEN)
    player = "AB"[seat]
    if pod >= r.pods:
        return f"found pod {pod}, expected 0 to {r.pods - 1}"
    if not r.deck >> card & 1:
        return f"{card_text(card)} is not in this deck"
    if not s.open[seat] >> pod & 1:
        return f"{player} has already played on pod {pod}"
    lead = s.card[1 - seat][pod]
    if lead != NO_CARD and s.hand[seat] & colour_of(lead) and (lead ^ card) & 24:
        return f"{player} holds {COLOUR_LETTERS[lead >> 3]} and must match {card_text(lead)} on pod {pod}"
    return f"{player} cannot hold {card_text(card)}"


cdef str _why_not_dealt(const Rules *r, const State *s, int kind, int number):
    if s.turn != CHANCE:
        return "the round is under way and nothing is dealt"
    if kind == 0:
        return "the next round is dealt first"
    if s.drawn < r.pods:
        return "no pod of this value is left to be drawn" if kind == POD else "pods are drawn before cards are dealt"
    if kind == POD:
        return "all pods are drawn"
    if number == UNSEEN:
        return "the position shows where the card goes"
    due = next_card(r, s)
    if number & 31 != due:
        return f"the next card is {card_text(due)}"
    zone = number >> 5
    return "as many cards lie aside as can" if zone == ASIDE else f"{'AB'[zone]} has all cards of its hand"


def build(
    pods, plays, hands, unknown, pea: int, colours: int, ranks: int, *, wins=None, undrawn=(), dealt=None, placed=True
) -> Position:
    cdef Rules r
    cdef State s
    cdef int card
    if not 1 <= colours <= MAX_COLOURS:
        raise InputError("options.colours", f"found {colours}, expected 1 to {MAX_COLOURS}")
    if not 1 <= ranks <= MAX_RANKS:
        raise InputError("options.ranks", f"found {ranks}, expected 1 to {MAX_RANKS}")
    values = [*pods, *undrawn]
    if not 1 <= len(values) <= MAX_PODS:
        raise PositionError("pods", f"found {len(values)} pods, expected 1 to {MAX_PODS}")
    if 2 * len(values) > colours * ranks:
        most = colours * ranks // 2
        raise PositionError("pods", f"found {len(values)} pods, expected at most {most}: two cards each")
    for pod, value in enumerate(values):
        if not -9 <= value <= 9:
            raise PositionError(f"pods[{pod}]", f"found {value}, expected -9 to 9")
    memset(&r, 0, sizeof(Rules))
    r.pods, r.colours, r.ranks, r.match = len(values), colours, ranks, wins is not None
    for pod, value in enumerate(sorted(values)):
        r.value[pod] = value
    for card in range(8 * colours):
        if (card & 7) < ranks:
            r.deck |= <uint32_t> 1 << card

    memset(&s, 0, sizeof(State))
    memset(s.card, NO_CARD, sizeof(s.card))
    for pod, value in enumerate(pods):
        s.value[pod] = value
    s.open[0] = s.open[1] = (1 << r.pods) - 1
    s.pea = pea
    if wins is not None:
        s.wins[0], s.wins[1] = wins
    if dealt is None:
        if undrawn:
            raise PositionError("pods", "found pods to be drawn, expected all drawn once the round is dealt")
        _set_table(&r, &s, plays, hands, unknown)
    else:
        _set_deal(&r, &s, len(pods), plays, hands, unknown, dealt, placed)
    if wins is not None:
        _check_wins(&r, &s)
    return new_position(peas_ops(), &r, &s)


cdef int _set_table(const Rules *r, State *s, plays, hands, unknown) except -1:
    """A round under way or over."""
    cdef int pod, seat, card
    cdef uint32_t seen = 0
    cdef uint32_t bit
    cdef int pea = s.pea
    for pod in range(r.pods):
        for seat, card in plays[pod]:
            bit = _take(r, &seen, card, f"pods[{pod}]")
            if not s.open[seat] >> pod & 1:
                raise PositionError(f"pods[{pod}]", f"found two cards of {'AB'[seat]}, expected at most one")
            s.hand[seat] |= bit  # play_card takes it from there
            play_card(s, seat, pod, card)
    for seat in range(2):
        for card in hands[seat]:
            s.hand[seat] |= _take(r, &seen, card, f"hands.{'AB'[seat]}")
        found, expected = len(hands[seat]) + unknown[seat], popcount(s.open[seat])
        if found != expected:
            reason = f"found {found} cards, expected {expected}: one for each open pod"
            raise PositionError(f"hands.{'AB'[seat]}", reason)
        s.unknown[seat] = unknown[seat]
        for card in hands[seat]:
            if s.excluded[seat] >> card & 1:
                reason = f"found {card_text(card)}, expected none of a colour that {'AB'[seat]} has shown not to hold"
                raise PositionError(f"hands.{'AB'[seat]}", reason)
    s.pool = r.deck & ~seen

    played = [r.pods - popcount(s.open[seat]) for seat in range(2)]
    if played[pea] - played[1 - pea] not in (0, 1):
        raise PositionError(
            "pods", f"found {played[0]} cards of A and {played[1]} of B, expected turns that alternate from {'AB'[pea]}"
        )
    s.turn = pea if played[0] == played[1] else 1 - pea
    if not s.open[0] | s.open[1]:
        s.turn = TERMINAL
    if count_worlds(r, s) == 0:
        raise PositionError("hands", "the unseen cards are too few or of colours shown not to be held")
    if not _reachable(r, s):
        raise PositionError("pods", "no order of play leads here: a colour not held cannot be played later on")
    return 0


cdef int _set_deal(
    const Rules *r, State *s, int drawn, plays, hands, unknown, int dealt, bint placed
) except -1:
    """A later round while it is dealt."""
    cdef int pod, seat, card
    cdef uint32_t seen = 0
    cdef uint32_t due
    cdef int cards = popcount(r.deck)
    if not r.match:
        raise PositionError("deal", "found a deal in a single round, expected one in a match only")
    for pod in range(drawn):
        if plays[pod]:
            raise PositionError(f"pods[{pod}]", "found cards on a pod, expected none while the round is dealt")
    most = cards - 1 if drawn == r.pods else 0
    if not 0 <= dealt <= most:
        expected = f"0 to {most}" if most else "0 while pods are drawn"
        raise PositionError("deal", f"found {dealt} cards dealt, expected {expected}")
    due = <uint32_t> 1 << nth_bit(r.deck, dealt)
    for seat in range(2):
        field = f"hands.{'AB'[seat]}"
        if unknown[seat]:
            raise PositionError(field, "found '?', expected only known cards while the round is dealt")
        if len(hands[seat]) > r.pods:
            raise PositionError(field, f"found {len(hands[seat])} cards, expected at most {r.pods}")
        for card in hands[seat]:
            s.hand[seat] |= _take(r, &seen, card, field)
            if s.hand[seat] >= due:
                raise PositionError(field, f"found {card_text(card)}, expected one of the {dealt} lowest cards")
    s.pool = r.deck & ~seen
    s.turn = CHANCE
    s.drawn, s.dealt = drawn, dealt
    unplaced = dealt - popcount(seen)
    if placed:
        room = cards - 2 * r.pods
        if unplaced > room:
            raise PositionError("deal", f"found {unplaced} cards dealt to no hand, expected at most {room}")
    else:
        lose_track(r, s)
        if not unplaced or not (s.unknown[0] or s.unknown[1]):
            raise PositionError("deal", "found '?', expected none: it is known where all cards lie")
    return 0


cdef int _check_wins(const Rules *r, State *s) except -1:
    """The rounds won fit the round; at its end the winner's is among them, and decides what comes next."""
    cdef int points_a, winner
    wins = [s.wins[0], s.wins[1]]
    found = f"found {wins[0]}-{wins[1]}"
    if s.turn == TERMINAL:
        winner = judge(r, s, &points_a, NULL)
        if not (1 <= wins[winner] <= ROUNDS_TO_WIN and wins[1 - winner] < ROUNDS_TO_WIN):
            letter = "AB"[winner]
            raise PositionError("wins", f"{found}, expected one or two rounds of {letter}, who has won this one, and "
                                "none or one of the other")
        s.turn = TERMINAL if wins[winner] == ROUNDS_TO_WIN else CHANCE
    elif max(wins) >= ROUNDS_TO_WIN:
        raise PositionError("wins", f"{found}, expected none or one of each before the match is over")
    elif s.drawn and not any(wins):
        raise PositionError("wins", f"{found}, expected a round won before another one is dealt")
    return 0


cdef uint32_t _take(const Rules *r, uint32_t *seen, int card, field) except? 0:
    """Marks a card as seen and returns its bit; raises PositionError for a second one or one not in the deck."""
    cdef uint32_t bit = <uint32_t> 1 << card
    if not r.deck & bit:
        raise PositionError(field, f"{card_text(card)} is not in this deck")
    if seen[0] & bit:
        raise PositionError(field, f"{card_text(card)} stands twice")
    seen[0] |= bit
    return bit


cdef bint _reachable(const Rules *r, const State *s) except -1:
    """Whether some order of the plays is legal: depth first over sets of plays already made.

    A play is named by its bit pod + 12 * seat. It needs the first card of its pod, and an answer in another colour
    needs every play of the colour led by the same player before it.
    """
    cdef uint32_t need[2 * MAX_PODS]
    cdef uint32_t all_plays = 0
    cdef uint32_t done, options, bit
    cdef int seat, pod, other, lead, depth = 0
    cdef uint32_t stack[2 * MAX_PODS + 1]
    cdef uint32_t left[2 * MAX_PODS + 1]
    cdef size_t size = <size_t> 1 << (2 * MAX_PODS - 3)
    cdef unsigned char *seen
    for seat in range(2):
        for pod in range(r.pods):
            if s.card[seat][pod] == NO_CARD:
                continue
            bit = <uint32_t> 1 << (pod + MAX_PODS * seat)
            all_plays |= bit
            need[pod + MAX_PODS * seat] = 0
            if s.led[seat] >> pod & 1:
                continue
            lead = s.card[1 - seat][pod]
            need[pod + MAX_PODS * seat] = <uint32_t> 1 << (pod + MAX_PODS * (1 - seat))
            if (lead ^ s.card[seat][pod]) & 24:
                for other in range(r.pods):
                    if s.card[seat][other] != NO_CARD and not (s.card[seat][other] ^ lead) & 24:
                        need[pod + MAX_PODS * seat] |= <uint32_t> 1 << (other + MAX_PODS * seat)
    seen = <unsigned char *> calloc(size, 1)
    if seen == NULL:
        raise MemoryError
    try:
        stack[0] = 0
        left[0] = all_plays & (<uint32_t> 0xFFF << (MAX_PODS * s.pea))
        while depth >= 0:
            done = stack[depth]
            if done == all_plays:
                return True
            options = left[depth]
            if not options:
                depth -= 1
                continue
            bit = options & -options
            left[depth] = options ^ bit
            if need[ctz(bit)] & ~done or seen[(done | bit) >> 3] >> ((done | bit) & 7) & 1:
                continue
            done |= bit
            seen[done >> 3] |= <unsigned char> (1 << (done & 7))
            depth += 1
            stack[depth] = done
            seat = 1 if depth & 1 == (1 - s.pea) else 0
            left[depth] = all_plays & ~done & (<uint32_t> 0xFFF << (MAX_PODS * seat))
        return False
    finally:
        free(seen)
