"""Erbsenzählen: building positions and reading them from Python. See positions.pyi for the contract."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memcpy, memset

from dataclasses import dataclass

from mangetout_solver.errors import PositionError
from mangetout_solver.games.erbsenzaehlen.exchanges cimport (
    balance,
    can_open,
    candidates,
    list_trades,
    own_left,
    theirs_left,
)
from mangetout_solver.games.erbsenzaehlen.rules cimport (
    BAD_LUCK,
    BONUS,
    CARDS_TURNED_UP,
    DECIDE,
    DONE,
    END_TURN,
    EXCHANGE,
    GIVE,
    KINDS_OF_CARDS,
    LEAVE,
    MAX_MOVES,
    MUSH,
    NEXT_PARTNER,
    NUMBER,
    SKIP,
    SORTS,
    STEAL,
    TAKE,
    THIEF,
    TRADE,
    USE_BONUS,
    VALUES,
    Rules,
    State,
    bar_position,
    erbsenzaehlen_ops,
    height,
    is_complete,
    open_exchange,
    trade,
    unprotected,
)
from mangetout_solver.games.interface cimport CHANCE, TERMINAL
from mangetout_solver.games.position cimport Position, new_position

PHASES = ("draw", "play", "complete", "end")
SEATS = "ABCDE"
KINDS = tuple([f"{value}{colour}" for value in range(1, 7) for colour in "GR"] + ["mush", "thief", "luck", "bonus"])
# Several of each kind, in errors.
_NAMES = [f"cards {kind}" for kind in KINDS[:12]] + ["mush cards", "thieves", "bad luck peas", "bonus peas"]


@dataclass(frozen=True)
class PlayerView:
    columns: tuple[str, ...]
    giant_peas: int
    mush: int
    thieves: int
    bad_luck: int
    missed: int


@dataclass(frozen=True)
class TradeView:
    partner: int
    given: tuple[int, ...]
    taken: tuple[int, ...]


@dataclass(frozen=True)
class GameView:
    players: tuple[PlayerView, ...]
    centre: tuple[int, ...]
    box: tuple[int, ...]
    drawn: tuple[int, ...]
    bonus: int
    phase: str
    seat: int | None
    to_turn_up: int
    traded: tuple[int, ...]
    barred: tuple[tuple[tuple[int, int, int], ...], ...]
    partners: tuple[int, ...]
    trades: tuple[TradeView, ...]
    completing: tuple[int, int] | None
    options: dict[str, object]


cdef const State *_state(Position position) except NULL:
    if position.ops != erbsenzaehlen_ops():
        raise TypeError("not an Erbsenzählen position")
    return <const State *> position.state_ptr()


cdef str _column_text(uint32_t column):
    return "".join(["R" if column >> above & 1 else "G" for above in range(height(column) - 1, -1, -1)])


cdef tuple _seats(int seats):
    return tuple([seat for seat in range(len(SEATS)) if seats >> <int> seat & 1])


cdef tuple _values(const uint8_t *count):
    """The values of cards by their numbers, descending."""
    return tuple([value + 1 for value in range(VALUES - 1, -1, -1) for _ in range(count[value])])


cdef _count_in_view(const Rules *r, const State *s, int *count):
    """The cards of each kind that are not in the box; turns to be missed are in it."""
    cdef int seat, value, above
    for kind in range(KINDS_OF_CARDS):
        count[kind] = s.centre[kind] + (s.drawn[kind] if kind < SORTS else 0)
    count[BONUS] += s.bonus
    for seat in range(r.players):
        count[MUSH] += s.mush[seat]
        count[THIEF] += s.thieves[seat]
        count[BAD_LUCK] += s.bad_luck[seat]
        for value in range(VALUES):
            for above in range(height(s.column[seat][value])):
                count[2 * value + (s.column[seat][value] >> above & 1)] += 1


cdef tuple _composition(const Rules *r):
    return (*[r.cards[sort] for sort in range(SORTS)], r.mush, r.thieves, r.bad_luck, r.bonus)


cdef dict _options(const Rules *r):
    return {
        "cards": [r.cards[2 * value] + r.cards[2 * value + 1] for value in range(VALUES)],
        "red": [r.cards[2 * value + 1] for value in range(VALUES)],
        "mush": r.mush,
        "thieves": r.thieves,
        "bad_luck": r.bad_luck,
        "bonus": r.bonus,
        "giant_peas": r.giant_peas,
        "placing": "must" if r.must_place else "may",
        "missed_turns": "one" if r.one_missed else "add_up",
        "completion": "owner" if r.owner_chooses else "top",
        "partners": "pooled" if r.pooled else "one",
        "unlimited_exchanges": r.unlimited,
    }


def view(Position position not None) -> GameView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int in_view[16]
    cdef int seat, value, i
    _count_in_view(r, s, in_view)
    barred = []
    for i in range(s.n_barred):
        differences = []
        for seat in range(r.players):
            for value in range(VALUES):
                difference = s.barred[i][seat][value] - unprotected(s.column[seat][value])
                if difference:
                    differences.append((seat, value + 1, difference))
        barred.append(tuple(differences))
    return GameView(
        players=tuple([
            PlayerView(
                columns=tuple([_column_text(s.column[player][column]) for column in range(VALUES)]),
                giant_peas=s.giant_peas[player],
                mush=s.mush[player],
                thieves=s.thieves[player],
                bad_luck=s.bad_luck[player],
                missed=s.missed[player],
            )
            for player in range(r.players)
        ]),
        centre=tuple([s.centre[kind] for kind in range(KINDS_OF_CARDS)]),
        box=tuple([total - in_view[kind] for kind, total in enumerate(_composition(r))]),
        drawn=tuple([s.drawn[sort] for sort in range(SORTS)]),
        bonus=s.bonus,
        phase="end" if s.turn == TERMINAL else "draw" if s.turn == CHANCE else "complete" if s.completing else "play",
        seat=None if s.turn == TERMINAL else s.seat,
        to_turn_up=s.to_turn_up,
        traded=_seats(s.traded),
        barred=tuple(barred),
        partners=_seats(s.partners),
        trades=tuple([
            TradeView(partner, _values(s.given[<int> partner]), _values(s.taken[<int> partner]))
            for partner in _seats(s.partners)
            if partner <= s.partner
        ]),
        completing=(s.turn, s.completing) if s.completing else None,
        options=_options(r),
    )


def card_above(Position position not None, value: int, above: int) -> str:
    cdef const State *s = _state(position)
    cdef uint32_t column = s.column[s.turn][<int> value] if s.turn >= 0 else 1
    if above >= height(column):
        return ""
    return "R" if column >> <int> above & 1 else "G"


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef uint32_t kind = move >> 24
    cdef int number = move & NUMBER
    if s.turn == CHANCE:
        if number < KINDS_OF_CARDS and kind >= 128:
            return f"the centre has no card {KINDS[number]}"
        return "a card is turned up here, which is chance"
    player = SEATS[s.turn]
    if s.completing:
        if kind == LEAVE and number >> 5 == s.completing - 1:
            return _why_not_leaving(s, number & 31)
        return f"expected the card of {player} that leaves column {s.completing}"
    if s.partners:
        if kind == TRADE:
            return _why_no_trade(r, s, number)
        return f"{player}'s exchange is under way, expected a card given or taken, or its end"
    if kind != DECIDE:
        return f"expected a decision of {player}, no part of an exchange or of a sequence"
    return _why_no_decision(r, s, number)


cdef str _why_not_leaving(const State *s, int above):
    cdef uint32_t column = s.column[s.turn][s.completing - 1]
    if above >= height(column):
        return f"the column has {height(column)} cards"
    return "the card above is of the same colour, and is the one to name"


cdef str _why_no_trade(const Rules *r, const State *s, int number):
    cdef uint32_t found[16]
    cdef int i, value
    player, partner = SEATS[s.seat], SEATS[s.partner]
    for i in range(candidates(r, s, False, found)):
        if <int> found[i] == number:
            if number == DONE and balance(r, s) != 0:
                more = "more" if balance(r, s) > 0 else "less"
                return f"what {player} gives is worth {abs(balance(r, s))} {more} than what it takes"
            if number == DONE:
                return "the position after it must not come back"
            return "no exchange of equal points that leads to a new position can be made of it"
    if number == DONE or number == NEXT_PARTNER:
        if s.partners >> s.partner == 1 and number == NEXT_PARTNER:
            return f"{partner} is the last partner"
        return "every partner named must give and get a card before the exchange ends"
    value = (number - GIVE if number < TAKE else number - TAKE)
    if number < TAKE and own_left(r, s, value) <= 0:
        return f"{player} has no unprotected {value + 1} left to give"
    if number >= TAKE and theirs_left(s, s.partner, value) <= 0:
        return f"{partner} has no unprotected {value + 1} left to take"
    return "cards of an exchange come by descending value, of each value those given first"


cdef str _why_no_decision(const Rules *r, const State *s, int number):
    cdef int seat, value
    player = SEATS[s.seat]
    if number < SORTS:
        return f"no {KINDS[number]} is to be placed"
    if number == USE_BONUS:
        return "the centre is empty" if s.bonus else "no bonus pea is to be used"
    if (number == END_TURN or number > EXCHANGE) and r.must_place and s.to_place:
        return "all point cards turned up must be placed before"
    if number > EXCHANGE:
        partners = _seats(number - EXCHANGE)
        names = " and ".join([SEATS[partner] for partner in partners])
        if s.seat in partners or max(partners) >= r.players:
            return f"{names} are not opponents of {player}" if len(partners) > 1 else f"{names} is no opponent"
        if len(partners) > 1 and not r.pooled:
            return "an exchange has one partner"
        for partner in partners:
            if s.traded >> <int> partner & 1:
                return f"{player} has exchanged cards with {SEATS[partner]} in this turn"
        if r.unlimited and s.n_barred == r.unlimited:
            return f"{r.unlimited} exchanges have been made since the last event that cannot be undone"
        return f"no exchange of equal points between {player} and {names} leads to a new position"
    seat = number - SKIP if number >= SKIP else (number - STEAL) // 6
    if seat == s.seat or seat >= r.players:
        return f"{SEATS[seat]} is no opponent"
    if number >= SKIP:
        return f"{SEATS[seat]} has a turn to miss already" if s.bad_luck[s.seat] else f"{player} has no bad luck pea"
    value = (number - STEAL) % 6
    if not s.thieves[s.seat]:
        return f"{player} has no pea thief"
    return f"{SEATS[seat]} has no unprotected {value + 1}"


def build(
    columns, counts, centre, *, drawn=(), bonus=0, phase="play", seat=0, to_turn_up=0, traded=(), barred=(),
    partners=(), trades=(), completing=None, options,
) -> Position:
    cdef Rules r
    cdef State s
    cdef int in_view[16]
    cdef int i
    _set_rules(&r, len(columns), options)
    memset(&s, 0, sizeof(State))
    s.seat = 0 if phase == "end" else seat
    if s.seat >= r.players:
        raise PositionError("stage", f"found seat {SEATS[seat]}, expected one of {SEATS[: r.players]}")
    _set_players(&r, &s, columns, counts)
    for i in range(KINDS_OF_CARDS):
        s.centre[i] = _fit(centre[i], _composition(&r)[i], "centre", _NAMES[i])
    s.centre_total = sum(centre)
    for i in drawn:
        s.drawn[i] = _fit(s.drawn[i] + 1, r.cards[i], "hand", _NAMES[i])
        s.to_place |= 1 << i
    s.bonus = _fit(bonus, r.bonus, "hand", _NAMES[BONUS])
    _count_in_view(&r, &s, in_view)
    for i, total in enumerate(_composition(&r)):
        if in_view[i] > total:
            raise PositionError("centre", f"found {in_view[i]} {_NAMES[i]} in view, expected at most {total}")
    if in_view[MUSH] < r.mush:
        raise PositionError("centre", f"found {in_view[MUSH]} {_NAMES[MUSH]} in view, expected all {r.mush}")
    _set_stage(&r, &s, phase, to_turn_up, completing)
    _check_box(&r, &s, in_view)
    _set_exchanges(&r, &s, phase, traded, barred, partners, trades)
    return new_position(erbsenzaehlen_ops(), &r, &s)


cdef int _fit(count, most, field, what) except -1:
    """The count as a C number; PositionError where it is more than there are."""
    if count > most:
        raise PositionError(field, f"found {count} {what}, expected at most {most}")
    return count


cdef int _set_rules(Rules *r, players, options) except -1:
    cdef int value
    memset(r, 0, sizeof(Rules))
    r.players = players
    for value in range(VALUES):
        r.cards[2 * value] = options["cards"][value] - options["red"][value]
        r.cards[2 * value + 1] = options["red"][value]
    r.mush, r.thieves = options["mush"], options["thieves"]
    r.bad_luck, r.bonus = options["bad_luck"], options["bonus"]
    r.giant_peas, r.unlimited = options["giant_peas"], options["unlimited_exchanges"]
    r.must_place = options["placing"] == "must"
    r.one_missed = options["missed_turns"] == "one"
    r.owner_chooses = options["completion"] == "owner"
    r.pooled = options["partners"] == "pooled"
    return 0


cdef int _set_players(const Rules *r, State *s, columns, counts) except -1:
    cdef int player, value, red
    for player in range(r.players):
        field = f"players.{SEATS[player]}"
        for value in range(VALUES):
            text = columns[player][value]
            for red in range(2):
                _fit(text.count("GR"[red]), r.cards[2 * value + red], field, _NAMES[2 * value + red])
            s.column[player][value] = 1
            for letter in text:
                s.column[player][value] = s.column[player][value] << 1 | (letter == "R")
        giant_peas, mush, thieves, bad_luck, missed = counts[player]
        sequences = min([r.cards[2 * value] + r.cards[2 * value + 1] for value in range(VALUES)])
        s.giant_peas[player] = _fit(giant_peas, sequences, field, "giant peas")
        s.mush[player] = _fit(mush, r.mush, field, _NAMES[MUSH])
        s.thieves[player] = _fit(thieves, r.thieves, field, _NAMES[THIEF])
        s.bad_luck[player] = _fit(bad_luck, r.bad_luck, field, _NAMES[BAD_LUCK])
        if r.one_missed and missed > 1:
            raise PositionError(field, f"found {missed} turns to miss, expected at most one with missed_turns=one")
        s.missed[player] = _fit(missed, r.bad_luck, field, "turns to miss")
    return 0


cdef int _set_stage(const Rules *r, State *s, phase, to_turn_up, completing) except -1:
    cdef int i, seat
    cdef bint holds = s.to_place or s.bonus
    s.turn = s.seat
    if phase == "end":
        s.turn = TERMINAL
        if s.centre_total or holds:
            raise PositionError("stage", "found the end, expected it with an empty centre and an empty hand only")
    elif s.missed[s.seat]:
        raise PositionError("stage", f"found the turn of {SEATS[s.seat]}, which has a turn to miss")
    if phase == "draw":
        if not 1 <= to_turn_up <= min(CARDS_TURNED_UP, s.centre_total):
            most = min(CARDS_TURNED_UP, s.centre_total)
            expected = f"1 to {most}" if most else "none of an empty centre"
            raise PositionError("stage", f"found {to_turn_up} to turn up, expected {expected}")
        if to_turn_up == CARDS_TURNED_UP and holds:
            raise PositionError("hand", f"found cards, expected none before {CARDS_TURNED_UP} are turned up")
        s.to_turn_up = to_turn_up
        s.turn = CHANCE
    elif phase == "complete":
        if not r.owner_chooses:
            raise PositionError("stage", "found a choice of the owner, expected it with completion=owner only")
        if completing[0] >= r.players:
            raise PositionError("stage", f"found seat {SEATS[completing[0]]}, expected one of {SEATS[: r.players]}")
        s.turn, s.completing = completing
        for i in range(s.completing - 1, VALUES):
            if s.column[s.turn][i] == 1:
                raise PositionError("stage", f"{SEATS[s.turn]} completes a sequence without a {i + 1}")
    # Those completed are looked for in the order of seats, so those behind the one under way may be complete too.
    for i in range(r.players):
        seat = (s.seat + i) % r.players
        if s.completing and seat == s.turn:
            break
        if is_complete(s, seat):
            raise PositionError(f"players.{SEATS[seat]}", "found a card in all columns, expected the sequence removed")
    return 0


cdef int _check_box(const Rules *r, const State *s, const int *in_view) except -1:
    cdef int value
    cdef int seat
    composition = _composition(r)
    awarded = sum([s.giant_peas[seat] for seat in range(r.players)])
    missed = sum([s.missed[seat] for seat in range(r.players)])
    if r.giant_peas and awarded > r.giant_peas:
        raise PositionError("players", f"found {awarded} giant peas, expected at most {r.giant_peas}")
    for value in range(VALUES):
        in_box = sum([composition[sort] - in_view[<int> sort] for sort in (2 * value, 2 * value + 1)])
        needed = awarded + (value < s.completing - 1)
        if in_box < needed:
            reason = f"the box has {in_box} cards of value {value + 1}, expected {needed} or more by the giant peas"
            raise PositionError("players", reason)
    if composition[BAD_LUCK] - in_view[BAD_LUCK] < missed:
        raise PositionError("players", f"found {missed} turns to miss, more than bad luck peas in the box")
    return 0


cdef int _set_exchanges(const Rules *r, State *s, phase, traded, barred, partners, trades) except -1:
    cdef uint32_t found[MAX_MOVES]
    cdef int opened = 0
    cdef int number, i
    if (traded or barred or partners) and (s.to_place or s.bonus):
        raise PositionError("hand", "found cards, expected none once an exchange has begun")
    if traded and r.unlimited:
        raise PositionError("stage", "found seats exchanged with, which do not count with unlimited exchanges")
    for seat in (*traded, *partners):
        if seat == s.seat or seat >= r.players:
            reason = f"found an exchange with {SEATS[seat]}, expected an opponent of {SEATS[s.seat]}"
            raise PositionError("stage", reason)
    for seat in traded:
        s.traded |= 1 << <int> seat
    _set_barred(r, s, barred)
    if not partners:
        return 0
    for seat in partners:
        opened |= 1 << <int> seat
    if opened & s.traded or (len(partners) > 1 and not r.pooled) or not can_open(r, s, opened):
        raise PositionError("stage", "found an exchange that cannot be opened")
    open_exchange(s, opened)
    for number in trades:
        legal = [found[i] & NUMBER for i in range(list_trades(r, s, False, found))]
        if number not in legal:
            raise PositionError("stage", f"found an exchange of which a step is illegal: {_why_no_trade(r, s, number)}")
        trade(r, s, number)
    return 0


cdef int _set_barred(const Rules *r, State *s, barred) except -1:
    cdef State other
    cdef int seat, value, i
    if len(barred) > r.unlimited:
        raise PositionError("stage", f"found {len(barred)} barred positions, expected at most {r.unlimited}")
    for differences in barred:
        other = s[0]
        seen = set()
        for seat, value, difference in differences:
            if seat >= r.players or (seat, value) in seen or difference == 0:
                raise PositionError("stage", "found a barred position that is not written in one way only")
            seen.add((seat, value))
            number = unprotected(other.column[seat][value - 1]) + difference
            if number < 0 or height(other.column[seat][value - 1]) + difference > 31:
                raise PositionError("stage", f"a barred position has {number} unprotected cards in a column")
            if difference < 0:
                other.column[seat][value - 1] >>= <int> -difference
            else:
                other.column[seat][value - 1] <<= <int> difference
        for i in range(1, VALUES + 1):
            if sum([difference for _, value, difference in differences if value == i]):
                raise PositionError("stage", f"a barred position has not the cards of value {i} that there are now")
        for seat in range(r.players):
            points = sum([value * difference for owner, value, difference in differences if owner == seat])
            if points and (seat == s.seat or not r.pooled):
                raise PositionError("stage", f"a barred position has not the points that {SEATS[seat]} has now")
            if is_complete(&other, seat):
                raise PositionError("stage", "a barred position has a complete sequence")
        bar_position(r, &other)
        memcpy(s.barred, other.barred, sizeof(s.barred))
        s.n_barred = other.n_barred
    for i in range(1, s.n_barred):
        if memcmp(s.barred[i - 1], s.barred[i], sizeof(s.barred[0])) == 0:
            raise PositionError("stage", "found a barred position twice")
    return 0
