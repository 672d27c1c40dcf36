"""Pepper. Corn!: building positions and reading them from Python. See positions.pyi for the contract."""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memset

from dataclasses import dataclass

from mangetout_solver.errors import PositionError
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.interface cimport CHANCE, TERMINAL
from mangetout_solver.games.pepper_corn.captures cimport lay, layable, targets, walkable, within_reach
from mangetout_solver.games.pepper_corn.rules cimport (
    AS_GAP,
    CHOOSE,
    CONVERT,
    DECK_SIZE,
    DIVIDE,
    DONE,
    DRAW_LOT,
    EXCUSE,
    FACE_DOWN,
    FIT,
    HIDDEN_CHOICE,
    LAY,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    NO_CARD,
    NO_CELL,
    NO_CHOICE,
    NO_CONVERTER,
    OVER,
    PLAY,
    RANK,
    REVEAL,
    SHOW,
    SPLIT,
    TAKEABLE,
    TARGET,
    UNCOVER,
    UNSEEN,
    Rules,
    State,
    clz,
    converted,
    converters,
    count_worlds,
    ctz,
    deck,
    face_down,
    lowest,
    next_to_turn_up,
    pepper_corn_ops,
    popcount,
    ranks_of,
    usable_converters,
)
from mangetout_solver.games.pepper_corn.split cimport candidates, dealt, decided, n_decisions, next_division, shown
from mangetout_solver.games.position cimport Position, new_position

PHASES = ("split", "show", "choose", "reveal", "lot", "play", "end", "uncover")
EXCUSES = ("gap", "blocker", "takeable")
HIDDEN = HIDDEN_CHOICE
MOST_CELLS = MAX_CELLS
GAP_CELL, FACE_DOWN_CELL = NO_CARD, FACE_DOWN


@dataclass(frozen=True)
class HandView:
    cards: tuple[str, ...]
    unknown: int
    deduced: tuple[str, ...]
    piles: tuple[tuple[str, ...], tuple[str, ...]] | None


@dataclass(frozen=True)
class GameView:
    tableau: tuple[tuple[str | None, ...], ...]
    unseen: tuple[str, ...]
    hands: tuple[HandView, HandView]
    points: tuple[int, int]
    phase: str
    seat: int | None
    next_seat: int | None
    steps: int
    choices: tuple[int | None, int | None]
    passed: bool
    target: str | None
    converter: str | None
    laid: tuple[str, ...]
    access: str
    empty_piles: bool
    dealt_hands_known: bool
    deck: str
    conversion: str
    excuse: str


cdef tuple _texts(uint64_t cards):
    return tuple([CARDS[card].id for card in range(DECK_SIZE) if cards >> card & 1])


cdef const State *_state(Position position) except NULL:
    if position.ops != pepper_corn_ops():
        raise TypeError("not a Pepper. Corn! position")
    return <const State *> position.state_ptr()


cdef _hand_view(const Rules *r, const State *s, int seat):
    cdef uint64_t divided
    cdef uint64_t others
    piles = None
    deduced = ()
    if s.unknown[seat] and not s.unknown[1 - seat]:
        others = candidates(r, s, seat)
        if popcount(others) == s.unknown[seat]:
            deduced = _texts(others)
    if s.phase < DRAW_LOT:
        # The lowest card lies in pile 0 from the start, which says nothing yet.
        divided = lowest(s.hand[seat], decided(s, seat) + 1 if s.division_known[seat] else shown(s, seat))
        if popcount(divided) > 1:
            piles = (_texts(divided & ~s.pile[seat]), _texts(divided & s.pile[seat]))
    return HandView(_texts(s.hand[seat]), s.unknown[seat], deduced, piles)


cdef uint64_t _bit(int converter) noexcept:
    return 0 if converter == NO_CONVERTER else <uint64_t> 1 << converter


cdef str _cell_text(int card):
    if card == NO_CARD:
        return None
    return "?" if card == FACE_DOWN else CARDS[card].id


def view(Position position not None) -> GameView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    rows = []
    for row in range(r.rows):
        rows.append(tuple([_cell_text(s.cell[row * r.columns + column]) for column in range(r.columns)]))
    return GameView(
        tableau=tuple(rows),
        unseen=_texts(s.unseen),
        hands=(_hand_view(r, s, 0), _hand_view(r, s, 1)),
        points=(s.points[0], s.points[1]),
        phase=PHASES[s.phase],
        seat=s.turn if s.turn >= 0 else None,
        next_seat=s.steps if s.phase == UNCOVER else None,
        steps=0 if s.phase == UNCOVER else s.steps,
        choices=tuple([None if s.choice[seat] == NO_CHOICE else s.choice[seat] for seat in range(2)]),
        passed=s.passes == 1,
        target=None if s.target == NO_CELL else CARDS[s.cell[s.target]].id,
        converter=None if s.converter == NO_CONVERTER else CARDS[s.converter].id,
        laid=_texts(s.laid & ~_bit(s.converter)),
        access="restricted" if r.restricted else "open",
        empty_piles=bool(r.empty_piles),
        dealt_hands_known=bool(r.hands_known),
        deck="extended" if r.extended else "basic",
        conversion="matching" if r.matching else "any",
        excuse=EXCUSES[r.excuse],
    )


def next_card(Position position not None) -> int | None:
    cdef const State *s = _state(position)
    cdef int seat
    if s.phase == SPLIT:
        seat = s.turn
        if s.unknown[seat]:
            return None
        return ctz(lowest(s.hand[seat], s.steps + 2) ^ lowest(s.hand[seat], s.steps + 1))
    return None


def knows_own_cards(Position position not None, seat: int) -> bool:
    cdef const State *s = _state(position)
    cdef int own = seat
    return not s.unknown[own] and s.division_known[own] and s.choice[own] != HIDDEN_CHOICE


def stage_start(Position position not None) -> tuple[Position, tuple[int, ...]]:
    cdef const State *s = _state(position)
    cdef State start = s[0]
    cdef int seat = s.turn
    cdef int i
    moves = []
    if s.phase == SPLIT:
        for i in range(s.steps):
            card = ctz(lowest(s.hand[seat], i + 2) ^ lowest(s.hand[seat], i + 1))
            moves.append(DIVIDE << 24 | (1 if s.pile[seat] >> <int> card & 1 else 0))
        start.pile[0] = start.pile[1] = 0
        start.division_known[0] = start.division_known[1] = 1
        start.turn = start.steps = 0
        next_division(&start)
    elif s.phase == CHOOSE:
        start.choice[0] = NO_CHOICE
        start.turn = 0
    return new_position(pepper_corn_ops(), position.rules_ptr(), &start), tuple(moves)


def card_at(Position position not None, cell: int) -> int | None:
    cdef const State *s = _state(position)
    if not 0 <= cell < MAX_CELLS or s.cell[cell] < 0:
        return None
    return s.cell[cell]


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef uint32_t kind = move >> 24
    cdef int number = move & 0xFFFFFF
    cdef uint64_t laid
    cdef int seat = s.turn
    cdef int card
    if seat == CHANCE:
        return "chance decides here, and not so"
    player = "AB"[seat]
    if number == UNSEEN:
        return "what is known here must be named"
    if kind == TARGET and s.phase == PLAY and s.target == NO_CELL:
        if number >= MAX_CELLS or s.cell[number] == NO_CARD:
            return f"no card lies on cell {number}"
        card = s.cell[number]
        if card == FACE_DOWN:
            return f"the card of cell {number} lies face down"
        if card == EXCUSE and r.excuse != TAKEABLE:
            return f"the Excuse is a {EXCUSES[r.excuse]} and cannot be taken"
        if not within_reach(r, s.occupied, walkable(r, s.occupied, seat, 0), seat) >> number & 1:
            return f"{player} has no access to {CARDS[card].id}"
        if not RANK[card]:
            return f"no card of {player}'s fits {CARDS[card].id}"
        strength = ranks_of(s.hand[seat] & FIT[card])
        return f"{player}'s cards that fit {CARDS[card].id} reach {strength}, less than its rank {RANK[card]}"
    if kind == CONVERT and s.phase == PLAY and s.target != NO_CELL:
        return _why_no_converter(r, s, number)
    if kind == LAY and s.phase == PLAY and s.target != NO_CELL:
        taken = CARDS[s.cell[s.target]].id
        if number == DONE and not s.laid:
            return f"no card is laid down to take {taken} with"
        if number == DONE:
            return f"the cards laid down reach {ranks_of(s.laid)}, less than the rank of {taken}"
        if not s.hand[seat] >> number & 1:
            return f"{player} does not hold {CARDS[number].id}"
        if s.converter:
            if not converted(r, s.converter) >> number & 1:
                return f"{CARDS[s.converter].id} does not convert {CARDS[number].id}"
        elif not FIT[s.cell[s.target]] >> number & 1:
            return f"{CARDS[number].id} shares no suit with {taken}"
        laid = s.laid & ~_bit(s.converter)
        if laid and number <= 63 - clz(laid):
            return "cards are laid down in ascending order"
        return f"with {CARDS[number].id} next, the rank of {taken} is out of reach"
    if kind == DIVIDE and s.phase == SPLIT:
        return "the last card must go to pile 1, which would be empty"
    expected = {SPLIT: "a card for a pile", CHOOSE: "take0 or take1"}.get(s.phase, "a capture or a pass")
    if s.target != NO_CELL:
        expected = f"cards to take {CARDS[s.cell[s.target]].id} with"
    return f"expected {expected} of {player}"


cdef str _why_no_converter(const Rules *r, const State *s, int number):
    cdef int target = s.cell[s.target]
    player, taken = "AB"[s.turn], CARDS[target].id
    if number >= DECK_SIZE or not converters() >> number & 1:
        return "only Pawns and Courts convert other cards"
    converter = CARDS[number].id
    if not s.hand[s.turn] >> number & 1:
        return f"{player} does not hold {converter}"
    if s.laid:
        return "a converter is laid down before the other cards"
    if target == EXCUSE or not FIT[target] >> number & 1:
        return f"{converter} shares no suit with {taken}"
    strength = ranks_of(s.hand[s.turn] & converted(r, number))
    return f"{player}'s cards that {converter} converts reach {strength}, less than the rank of {taken}"


def build(
    tableau, hands, *, unseen=(), unknown=(0, 0), piles=(None, None), points=(0, 0), phase="play", seat=None, steps=0,
    choices=(None, None), passed=False, target=None, converter=None, laid=(), restricted=False, empty_piles=False,
    hands_known=False, extended=False, matching=False, excuse="gap",
) -> Position:
    cdef Rules r
    cdef State s
    cdef uint64_t seen = 0
    cdef int cell, card, left
    memset(&r, 0, sizeof(Rules))
    memset(&s, 0, sizeof(State))
    memset(s.cell, NO_CARD, sizeof(s.cell))
    _set_board(&r, tableau)
    r.restricted, r.empty_piles, r.hands_known = restricted, empty_piles, hands_known
    r.extended, r.matching, r.excuse = extended, matching, EXCUSES.index(excuse)
    for cell in range(r.rows * r.columns):
        card = tableau[cell // r.columns][cell % r.columns]
        if card >= 0:
            _take(&r, &seen, card, f"tableau[{cell // r.columns}][{cell % r.columns}]")
        s.cell[cell] = <int8_t> card
        if card != NO_CARD and not (card == EXCUSE and r.excuse == AS_GAP):
            s.occupied |= <uint64_t> 1 << cell
    for player in range(2):
        for number in hands[player]:
            _take(&r, &seen, number, f"hands.{'AB'[player]}")
            s.hand[player] |= <uint64_t> 1 << <int> number
        s.division_known[player] = 1
    if hands_known and sum(unknown):
        raise PositionError("hands", "found cards that are not known, expected open hands with dealt_hands_known")
    left = popcount(deck(&r) & ~seen) - popcount(face_down(&r, &s))
    if sum(unknown) > left:
        raise PositionError("hands", f"found {sum(unknown)} unknown cards, but {max(left, 0)} are left")
    s.unknown[0], s.unknown[1] = unknown
    s.phase = PHASES.index(phase)
    s.turn = CHANCE if seat is None or s.phase == UNCOVER else seat
    s.steps = seat if s.phase == UNCOVER else min(steps, 2 * DECK_SIZE)  # too many by far, but a number that fits
    s.choice[0] = s.choice[1] = NO_CHOICE
    s.target = NO_CELL
    _set_face_down(&r, &s, unseen, &seen, left)
    if s.phase < DRAW_LOT:
        _set_split(&r, &s, steps, piles, choices)
    elif sum(unknown):
        raise PositionError("hands", "found cards that are not known, expected open hands from the lot on")
    if count_worlds(&r, &s) == 0:
        raise PositionError("hands", "no cards that are left can be those not known: the cards shown come in order")
    if s.phase < PLAY and points != (0, 0):
        raise PositionError("points", f"found {points[0]}-{points[1]}, expected 0-0 before play")
    _set_points(&r, &s, points, seen)
    if s.phase == DRAW_LOT:
        _check_lot(&s)
    elif s.phase == PLAY:
        _set_play(&r, &s, passed, target, converter, laid)
    elif s.phase == OVER:
        s.turn = TERMINAL
    return new_position(pepper_corn_ops(), &r, &s)


cdef int _set_board(Rules *r, tableau) except -1:
    cdef int cell
    rows, columns = len(tableau), len(tableau[0])
    if any(len(row) != columns for row in tableau):
        raise PositionError("tableau", "found rows of different lengths, expected one length")
    if not (1 <= rows <= MAX_ROWS and 1 <= columns <= MAX_COLUMNS and rows * columns <= MAX_CELLS):
        raise PositionError(
            "tableau",
            f"found {rows} rows of {columns}, expected 1 to {MAX_ROWS} rows, 1 to {MAX_COLUMNS} columns and at most "
            f"{MAX_CELLS} cells",
        )
    r.rows, r.columns = rows, columns
    for cell in range(rows * columns):
        r.board |= <uint64_t> 1 << cell
        if cell % columns == 0:
            r.first_column |= <uint64_t> 1 << cell
        if cell % columns == columns - 1:
            r.last_column |= <uint64_t> 1 << cell
        if cell < columns:
            r.front[0] |= <uint64_t> 1 << cell
        if cell >= columns * (rows - 1):
            r.front[1] |= <uint64_t> 1 << cell
    return 0


cdef int _take(const Rules *r, uint64_t *seen, int card, field) except -1:
    """Marks a card as seen; raises PositionError for one that is not in the deck, or not any more."""
    if not deck(r) >> card & 1:
        raise PositionError(field, f"{CARDS[card].id} is not in the basic deck")
    if seen[0] >> card & 1:
        raise PositionError(field, f"{CARDS[card].id} stands twice")
    seen[0] |= <uint64_t> 1 << card
    return 0


cdef int _set_face_down(const Rules *r, State *s, unseen, uint64_t *seen, int left) except -1:
    """Checks face-down cells, and takes the cards listed as face down or out of play."""
    hidden = popcount(face_down(r, s))
    if hidden and r.extended:
        raise PositionError("tableau", "found a face-down card in the extended deck, expected none there")
    if hidden and left < 0:
        raise PositionError("tableau", f"found {hidden} face-down cards, but {hidden + left} are left")
    if unseen and not (hidden and s.phase >= DRAW_LOT):
        raise PositionError("tableau", "found a list of cards, expected one from the lot on, while cards lie face down")
    if hidden and s.phase >= DRAW_LOT and len(unseen) < hidden:
        raise PositionError("tableau", f"found {len(unseen)} cards listed, expected at least the {hidden} face down")
    for number in unseen:
        _take(r, seen, number, "tableau")
        s.unseen |= <uint64_t> 1 << <int> number
    within = next_to_turn_up(r, s) != NO_CELL
    if within and s.phase != UNCOVER:
        raise PositionError("tableau", "found a face-down card within reach, expected it turned up")
    if s.phase == UNCOVER and not within:
        raise PositionError("stage", "found no card to turn up, expected a face-down one within reach")
    return 0


cdef int _set_points(const Rules *r, State *s, points, uint64_t seen) except -1:
    """Checks that cards not in view can have brought the points: some for A, others for B."""
    cdef int card
    played = ranks_of(deck(r) & ~seen)
    if s.unseen and sum(points) != played:
        found = f"found {points[0]}-{points[1]}"
        raise PositionError("points", f"{found}, expected {played} together, for the cards neither in view nor listed")
    if points == (0, 0):
        return 0
    # For each sum of A, the sums that B can have at the same time, as bits.
    sums = [1] + [0] * points[0]
    limit = (1 << (points[1] + 1)) - 1
    for card in range(DECK_SIZE):
        if deck(r) & ~seen & <uint64_t> 1 << card:
            rank = int(RANK[card])
            sums = [
                (of_b | of_b << rank | (sums[of_a - rank] if of_a >= rank else 0)) & limit
                for of_a, of_b in enumerate(sums)
            ]
    if not sums[points[0]] >> points[1] & 1:
        raise PositionError("points", f"found {points[0]}-{points[1]}, which the cards not in view cannot make up")
    s.points[0], s.points[1] = points
    return 0


cdef int _set_split(const Rules *r, State *s, steps, piles, choices) except -1:
    """Everything before the hands are made up."""
    cdef int seat, n
    cdef uint64_t pile[2]
    cdef uint64_t expected
    least = 1 if r.empty_piles else 2
    for seat in range(2):
        if dealt(s, seat) < least:
            reason = f"found {dealt(s, seat)} cards to divide, expected {least} or more"
            raise PositionError(f"hands.{'AB'[seat]}", reason)
    if s.phase == SPLIT and not 0 <= s.steps < n_decisions(s, s.turn):
        raise PositionError("stage", f"found {steps} decisions, expected 0 to {n_decisions(s, s.turn) - 1}")
    if s.phase == SHOW and not 0 <= s.steps < dealt(s, 0) + dealt(s, 1):
        raise PositionError("stage", f"found {steps} cards shown, expected 0 to {dealt(s, 0) + dealt(s, 1) - 1}")
    for seat in range(2):
        field = f"hands.{'AB'[seat]}"
        if s.unknown[seat] and popcount(s.hand[seat]) != shown(s, seat):
            reason = f"found {popcount(s.hand[seat])} known cards, expected all or the {shown(s, seat)} shown"
            raise PositionError(field, reason)
        n = decided(s, seat) + 1
        pile[0] = pile[1] = 0
        for number in range(2):
            for card in () if piles[seat] is None else piles[seat][number]:
                pile[number] |= <uint64_t> 1 << <int> card
        if piles[seat] is None:
            # All decisions are known only where there are none; else what has been shown must be given.
            s.division_known[seat] = n == 1 or (shown(s, seat) == 1 and dealt(s, seat) == 1)
            if shown(s, seat) > 1:
                raise PositionError(field, f"found no piles, expected those of the {shown(s, seat)} cards shown")
            continue
        s.division_known[seat] = popcount(pile[0] | pile[1]) == n and not s.unknown[seat]
        expected = lowest(s.hand[seat], n if s.division_known[seat] else shown(s, seat))
        if pile[0] | pile[1] != expected or not pile[0] & lowest(s.hand[seat], 1) or popcount(expected) < 2:
            raise PositionError(field, "the piles are not those of the lowest cards, as many as the stage tells")
        if s.division_known[seat] and n == dealt(s, seat) and not pile[1] and not r.empty_piles:
            raise PositionError(field, "found an empty pile, expected a card in each")
        s.pile[seat] = pile[1]
    for seat in range(2):
        made = s.phase == REVEAL or (s.phase == CHOOSE and s.turn == 1 and seat == 0)
        if (choices[seat] is not None) != made:
            raise PositionError("stage", "the choices are not those of the seats before the one to move")
        if made:
            s.choice[seat] = choices[seat]
    return 0


cdef int _check_lot(const State *s) except -1:
    if not s.occupied:
        raise PositionError("stage", "found a lot with an empty tableau, expected the end")
    if ranks_of(s.hand[0]) != ranks_of(s.hand[1]) or popcount(s.hand[0]) != popcount(s.hand[1]):
        raise PositionError("stage", "found a lot, expected hands with equal points and numbers of cards")
    return 0


cdef int _set_play(const Rules *r, State *s, passed, target, converter, laid) except -1:
    cdef int cell, card
    if not s.occupied:
        raise PositionError("stage", "found play on an empty tableau, expected the end")
    s.passes = 1 if passed else 0
    if target is None:
        return 0
    for cell in range(r.rows * r.columns):
        if s.cell[cell] == target and targets(r, s) >> cell & 1:
            s.target = cell
    if s.target == NO_CELL:
        raise PositionError("stage", f"{CARDS[target].id} cannot be taken here")
    if converter is not None:
        if not usable_converters(r, s.hand[s.turn], target) >> <int> converter & 1:
            raise PositionError("stage", f"{CARDS[converter].id} cannot convert cards there")
        lay(s, CONVERT << 24 | converter)
    for card in laid:
        if not layable(r, s) >> card & 1:
            raise PositionError("stage", f"{CARDS[card].id} cannot be laid down there")
        lay(s, LAY << 24 | card)
    return 0
