"""Easy Peasy: building positions and reading them from Python. See positions.pyi for the contract."""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.errors import PositionError
from mangetout_solver.games.easy_peasy.cards import card_text, card_words
from mangetout_solver.games.easy_peasy.rules cimport (
    MAX_SUM,
    best_of,
    clear_table,
    count_worlds,
    easy_peasy_ops,
    list_sums,
    match_over,
    says_something,
)
from mangetout_solver.games.easy_peasy.settings import Settings
from mangetout_solver.games.easy_peasy.state cimport (
    AGAIN,
    BEGIN,
    BONUS,
    COLOURS,
    DEAL,
    DRAW,
    DRAW_LOT,
    EXTRA,
    FLIP,
    FLIPPED,
    FORBID,
    MAIN,
    MAX_ERAS,
    MAX_SEATS,
    MAX_SHOWINGS,
    NONE,
    NOT_CHOSEN,
    NO_CARD,
    NO_SEAT,
    OVER,
    RANKS,
    REVEAL,
    SCORE,
    STUCK,
    TURN,
    TURN_PILE,
    UP,
    Rules,
    State,
    bit_of,
    fitting,
    fitting_any,
    hand_size,
    next_unknown,
    open_cards,
    popcount,
    rank_of,
    ranks_of,
    row_empty,
    row_sum,
    unknown_cards,
)
from mangetout_solver.games.easy_peasy.state cimport UNKNOWN as UNKNOWN_CARD
from mangetout_solver.games.easy_peasy.views import DIRECTIONS, PHASES, GameView, HandView, PileView, Showing
from mangetout_solver.games.position cimport Position, new_position

SEATS = "ABCDEF"
STUCK_RULES = ("again", "end", "forbid")


cdef const State *_state(Position position) except NULL:
    if position.ops != easy_peasy_ops():
        raise TypeError("not an Easy Peasy position")
    return <const State *> position.state_ptr()


cdef tuple _cards(uint64_t cards):
    return tuple([card for card in range(COLOURS * RANKS) if cards >> <int> card & 1])


cdef _settings(const Rules *r):
    return Settings(
        players=r.players,
        piles=r.piles,
        colours=r.colours,
        ranks=r.ranks,
        hand=r.hand,
        first="last" if r.last_round_first else "total",
        first_tie="scored" if r.scored_row_first else "deal",
        stuck=STUCK_RULES[r.stuck],
        rounds=r.rounds or None,
        points=r.points or None,
        turns=r.turns,
    )


def _card(card):
    return None if card == NO_CARD else card


cdef _hand_view(const State *s, int seat):
    cdef int era
    unknown = [s.held[seat][era] - popcount(s.hand[seat] & s.pool[era]) for era in range(s.newest + 1)]
    return HandView(_cards(s.hand[seat]), tuple(unknown))


def view(Position position not None) -> GameView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int seat, pile, i
    rows = []
    for seat in range(r.players):
        piles = [PileView(_card(s.open[seat][pile]), _card(s.beneath[seat][pile])) for pile in range(r.piles)]
        rows.append(tuple(piles))
    showings = []
    for i in range(MAX_SHOWINGS):
        if s.showing[i].limit:
            limit = s.showing[i].limit
            showings.append(Showing(s.showing[i].seat, limit > 0, abs(limit), s.showing[i].era, s.showing[i].free))
    return GameView(
        settings=_settings(r),
        rows=tuple(rows),
        hands=tuple([_hand_view(s, seat) for seat in range(r.players)]),
        tops=(_card(s.top[0]), _card(s.top[1])),
        discards=_cards(s.discards),
        eras=tuple([_cards(s.pool[i]) for i in range(s.newest + 1)]),
        draw_pile=s.drawable,
        showings=tuple(showings),
        scores=tuple([s.score[seat] for seat in range(r.players)]),
        last_scores=tuple([s.last[seat] for seat in range(r.players)]),
        cut_off=bool(s.cut),
        round=s.round,
        turns=s.turns,
        direction=DIRECTIONS[s.direction],
        phase=PHASES[s.phase],
        seat=None if s.phase in (DEAL, DRAW_LOT, OVER) or s.seat == NO_SEAT else s.seat,
        number=s.number,
        again=s.flips == 2,
        beginners=tuple([seat for seat in range(r.players) if s.beginners >> seat & 1]),
    )


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int kind = move >> 24 & 0xFF
    cdef int number = move & 0xFFFFFF
    cdef int card, pile
    if s.phase < BEGIN:
        return "chance decides here, and not so"
    player = SEATS[s.seat]
    if s.phase == BEGIN:
        return f"{player} begins and chooses up or down first"
    if kind != (EXTRA if s.phase == BONUS else MAIN):
        return f"expected {'a bonus action' if s.phase == BONUS else 'a card or a flip'} of {player}"
    if number < (TURN_PILE if kind == EXTRA else FLIP):
        card = number if kind == EXTRA else number >> 1
        pile = s.number if kind == EXTRA else number & 1
        if not (s.hand[s.seat] | open_cards(r, s, s.seat)) >> card & 1 and not unknown_cards(s, s.seat):
            return f"{player} has no {card_words(card)} in hand or open in the row"
        if not fitting(s.direction, s.top[pile]) >> card & 1:
            return f"{card_words(card)} does not fit {card_words(s.top[pile])}, going {DIRECTIONS[s.direction]}"
        return f"{player} cannot have {card_words(card)}"
    if kind == EXTRA and number < NONE:
        return f"{player}'s row pile {number - TURN_PILE} has no face-down card"
    if number == FLIP and s.phase == TURN:
        return f"no card of {player} would fit after the flip"
    if number in (FLIP, STUCK):
        if s.phase == FLIPPED and not s.flips == 2 and (r.stuck == AGAIN) == (number == FLIP) and r.stuck != FORBID:
            return f"{player} has a card that fits"
        return f"{player} has to play a card"
    return f"{player}'s turn is under way"


def build(
    settings, rows, hands, *, tops, scores, last_scores, phase, discards=(), eras=(), showings=(), cut_off=False,
    round=1, turns=0, direction="-", seat=None, number=0, again=False, beginners=(),
) -> Position:
    cdef Rules r
    cdef State s
    cdef int owner
    memset(&s, 0, sizeof(State))
    _set_rules(&r, settings)
    clear_table(&r, &s, NO_CARD)
    s.phase = <int8_t> PHASES.index(phase)
    s.direction = <int8_t> DIRECTIONS.index(direction)
    s.number = number
    s.flips = (2 if again else 1) if s.phase in (DRAW, FLIPPED) else 0
    if s.phase == SCORE and seat is None:
        s.seat = NO_SEAT
    elif seat is not None:
        s.seat = seat
    for owner in beginners:
        s.beginners |= 1 << owner
    _set_cards(&r, &s, rows, hands, tops, discards, eras)
    _set_scores(&r, &s, scores, last_scores, cut_off, round, turns)
    if s.phase == OVER:
        _check_clear(&s, rows)
    elif s.phase in (DEAL, DRAW_LOT, BEGIN):
        _set_deal(&r, &s)
    elif s.phase == SCORE:
        _check_scoring(&r, &s)
    else:
        _check_turn(&r, &s)
    _set_showings(&r, &s, showings)
    if s.phase not in (DEAL, OVER):
        s.drawable = _drawable(&r, &s)
    if s.phase == DRAW and not (1 <= s.number <= 2 and s.drawable):
        raise PositionError("stage", f"found {number} draws from a pile of {s.drawable}, expected 1 or 2 and a card")
    if count_worlds(&r, &s) == 0:
        raise PositionError("hands", "no hidden cards can be those not known")
    if s.phase == SCORE:
        _check_shown(&r, &s)
    return new_position(easy_peasy_ops(), &r, &s)


cdef int _set_rules(Rules *r, settings) except -1:
    cdef int rank, colour
    memset(r, 0, sizeof(Rules))
    r.players, r.piles, r.hand = settings.players, settings.piles, settings.hand
    r.colours, r.ranks = settings.colours, settings.ranks
    r.last_round_first = settings.first == "last"
    r.scored_row_first = settings.first_tie == "scored"
    r.stuck = STUCK_RULES.index(settings.stuck)
    r.rounds, r.points, r.turns = settings.rounds or 0, settings.points or 0, settings.turns
    for rank in range(r.ranks):
        for colour in range(r.colours):
            r.deck |= bit_of(COLOURS * rank + colour)
    return 0


cdef uint64_t _take(const Rules *r, uint64_t *seen, int card, field) except? 0:
    """Marks a card as seen and returns its bit; raises PositionError for a second one or one not in the deck."""
    if not r.deck >> card & 1:
        raise PositionError(field, f"{card_text(card)} is not in this deck")
    if seen[0] >> card & 1:
        raise PositionError(field, f"{card_text(card)} stands twice")
    seen[0] |= bit_of(card)
    return bit_of(card)


cdef int _set_cards(const Rules *r, State *s, rows, hands, tops, discards, eras) except -1:
    cdef uint64_t seen = 0  # in the open
    cdef uint64_t in_hands
    cdef int owner, pile, era, card
    for owner in range(r.players):
        for pile in range(r.piles):
            given = rows[owner][pile]
            if given.open is not None:
                _take(r, &seen, given.open, f"rows.{SEATS[owner]}")
                s.open[owner][pile] = given.open
            if given.beneath is not None:
                if given.beneath != UNKNOWN_CARD:
                    _take(r, &seen, given.beneath, f"rows.{SEATS[owner]}")
                s.beneath[owner][pile] = given.beneath
    for pile in range(2):
        if tops[pile] is not None:
            _take(r, &seen, tops[pile], "tops")
            s.top[pile] = tops[pile]
    for card in discards:
        s.discards |= _take(r, &seen, card, "discards")
    in_hands = seen
    if len(eras) >= MAX_ERAS:
        raise PositionError("eras", f"found {len(eras)} later eras, expected at most {MAX_ERAS - 1}")
    s.newest = len(eras)
    for era in range(1, MAX_ERAS):
        for card in eras[era - 1] if era <= s.newest else ():
            s.pool[era] |= _take(r, &seen, card, "eras")
    s.pool[0] = r.deck & ~seen
    for owner in range(r.players):
        for card in hands[owner].cards:
            s.hand[owner] |= _take(r, &in_hands, card, f"hands.{SEATS[owner]}")
        for era in range(MAX_ERAS):
            unknown = hands[owner].unknown[era] if era < len(hands[owner].unknown) else 0
            if unknown and era > s.newest:
                raise PositionError(f"hands.{SEATS[owner]}", f"found a card of era {era}, expected 0 to {s.newest}")
            if unknown > COLOURS * RANKS:
                raise PositionError(f"hands.{SEATS[owner]}", f"found {unknown} unknown cards, more than there are")
            s.held[owner][era] = unknown + popcount(s.hand[owner] & s.pool[era])
    return 0


cdef int _drawable(const Rules *r, const State *s) except -1:
    """Cards in the draw pile; raises PositionError where the eras do not come out."""
    cdef int owner, era, pile
    cdef int left = 0
    for era in range(s.newest + 1):
        left = popcount(s.pool[era])
        for owner in range(r.players):
            left -= s.held[owner][era]
            for pile in range(r.piles):
                if era == 0 and s.beneath[owner][pile] == UNKNOWN_CARD:
                    left -= 1
        if left < 0 or (left and era < s.newest):
            found = f"found {-left} cards too few" if left < 0 else f"found {left} cards that nobody holds"
            raise PositionError("hands", f"{found} in era {era}")
    return left


cdef int _set_scores(const Rules *r, State *s, scores, last_scores, cut_off, round_, turns) except -1:
    cdef int owner
    most = 2 * ranks_of(r.deck)
    rounds = r.rounds or r.players * (r.points - 1) // (r.players - 1) + 1
    if not 1 <= round_ <= rounds:
        raise PositionError("clock", f"found round {round_}, expected 1 to {rounds}")
    if not 0 <= turns <= r.turns * r.players:
        raise PositionError("clock", f"found {turns} turns, expected at most {r.turns * r.players}")
    s.round, s.turns, s.cut = round_, turns, bool(cut_off)
    finished = round_ if s.phase == OVER else round_ - 1
    for owner in range(r.players):
        if scores[owner] > most * finished:
            raise PositionError("scores", f"found {scores[owner]}, expected at most {most * finished}")
        limit = most if s.phase == SCORE else min(most, scores[owner])
        if last_scores[owner] > limit:
            raise PositionError("last", f"found {last_scores[owner]}, expected at most {limit}")
        s.score[owner] = scores[owner]
        s.last[owner] = last_scores[owner]
        if r.points and scores[owner] - (last_scores[owner] if s.phase == OVER else 0) >= r.points:
            raise PositionError("scores", f"found {scores[owner]}, which had ended the match before")
    if cut_off and not finished and s.phase != SCORE:
        raise PositionError("last", "found a round cut off before the first one was over")
    if s.phase == OVER and not match_over(r, s):
        raise PositionError("stage", "found the end of a match that goes on")
    if s.phase == SCORE:
        _check_earlier(scores, finished, most)
    elif finished:
        _check_earlier([scores[owner] - last_scores[owner] for owner in range(r.players)], finished - 1, most)
        _check_last(last_scores, cut_off, ranks_of(r.deck))
    return 0


def _check_earlier(points, rounds, most):
    """Scores of rounds before the last: all seats but one get points in each (EP-28, 29), and the deck bounds them."""
    if sum(points) > most * rounds:
        raise PositionError("scores", f"found {sum(points)} before the last round, expected at most {most * rounds}")
    without = sum([max(0, rounds - own) for own in points])
    if without > rounds:
        reason = f"found at least {without} times 0 before the last round, expected at most {rounds}, one a round"
        raise PositionError("scores", reason)


def _check_last(points, cut_off, deck):
    """Scores of the last round finished: 0 only for the seat that ended it, or its sum twice (EP-28, 29)."""
    without = points.count(0)
    if without > (not cut_off):
        expected = "none in a round cut off" if cut_off else "at most 1 in a round"
        raise PositionError("last", f"found {without} times 0, expected {expected}")
    ended = [0] if cut_off or without else [own // 2 for own in points if own % 2 == 0 and own // 2 >= min(points)]
    if not ended:
        raise PositionError("last", "found neither a 0 nor an even score of twice the least or more")
    held = sum(points) - max(ended)
    if held > deck:
        raise PositionError("last", f"found {held} points of cards, expected at most {deck}, those of the deck")


cdef int _check_clear(const State *s, rows) except -1:
    """After the match the table is clear."""
    clear = all(pile.open is None and pile.beneath is None for row in rows for pile in row)
    if not clear or s.top[0] != NO_CARD or s.top[1] != NO_CARD or s.discards or s.newest or s.turns:
        raise PositionError("stage", "found cards or turns at the end, expected a clear table")
    for owner in range(MAX_SEATS):
        if hand_size(s, owner):
            raise PositionError(f"hands.{SEATS[owner]}", "found cards at the end, expected none")
    return _check_direction(s, False)


cdef int _check_direction(const State *s, bint chosen) except -1:
    if (s.direction != NOT_CHOSEN) != chosen:
        raise PositionError("direction", f"found {DIRECTIONS[s.direction]}, expected {'up or down' if chosen else '-'}")
    return 0


cdef int _set_deal(const Rules *r, State *s) except -1:
    """A deal under way or just made: its first places are filled, and those begin who may."""
    cdef int value[MAX_SEATS]
    cdef int owner, pile
    cdef int dealt = 0
    cdef int expected
    _check_direction(s, False)
    if s.turns or s.discards or s.newest:
        raise PositionError("stage", "found turns, discards or eras, expected a new deal")
    filled = []
    for owner in range(r.players):
        for pile in range(r.piles):
            filled.append(s.open[owner][pile] != NO_CARD)
            if s.beneath[owner][pile] != UNKNOWN_CARD:
                raise PositionError(f"rows.{SEATS[owner]}", f"found no '?' in pile {pile}, expected one in a new deal")
    filled += [s.top[0] != NO_CARD, s.top[1] != NO_CARD]
    for owner in range(r.players):
        if hand_size(s, owner) > r.hand:
            raise PositionError(f"hands.{SEATS[owner]}", f"found more than the {r.hand} cards dealt to a hand")
        filled += [index < hand_size(s, owner) for index in range(r.hand)]
    dealt = sum(filled)
    if not all(filled[:dealt]):
        raise PositionError("stage", "found a place filled after an empty one")
    if (dealt == len(filled)) != (s.phase != DEAL):
        expected_cards = f"{'fewer than ' if s.phase == DEAL else ''}{len(filled)}"
        raise PositionError("stage", f"found {dealt} cards dealt, expected {expected_cards}")
    s.number = dealt if s.phase == DEAL else 0
    expected = (1 << r.players) - 1
    if s.round > 1:
        for owner in range(r.players):
            value[owner] = s.last[owner] if r.last_round_first else s.score[owner]
        expected = best_of(expected, value)
    if s.phase != DEAL and (s.round == 1 or not r.scored_row_first):
        for owner in range(r.players):
            value[owner] = ranks_of(open_cards(r, s, owner))
        expected = best_of(expected, value)
    may_begin = "".join([SEATS[owner] for owner in range(r.players) if expected >> owner & 1])
    if s.phase == BEGIN:
        if not expected >> s.seat & 1:
            raise PositionError("stage", f"found {SEATS[s.seat]} to begin, expected one of {may_begin}")
        return 0
    free = s.round > 1 and r.scored_row_first  # a part of them, by rows that are no longer known
    if (s.beginners & ~expected if free else s.beginners != expected) or not s.beginners:
        raise PositionError("stage", f"found other seats that may begin, expected {may_begin}")
    if s.phase == DRAW_LOT and popcount(s.beginners) < 2:
        raise PositionError("stage", "found a lot for one seat, expected more")
    return 0


cdef int _check_holds(const Rules *r, const State *s, int owner) except -1:
    """A seat that has not ended the round has a hand and a row."""
    if not hand_size(s, owner):
        raise PositionError(f"hands.{SEATS[owner]}", "found no cards, expected some before the end of the round")
    if row_empty(r, s, owner):
        raise PositionError(f"rows.{SEATS[owner]}", "found no cards, expected some before the end of the round")
    return 0


cdef int _check_table(const Rules *r, const State *s) except -1:
    _check_direction(s, True)
    if s.top[0] == NO_CARD or s.top[1] == NO_CARD:
        raise PositionError("tops", "found no card, expected one on each discard pile")
    return 0


cdef int _check_scoring(const Rules *r, const State *s) except -1:
    cdef int owner
    _check_table(r, s)
    if not 0 <= s.number < r.players:
        raise PositionError("stage", f"found {s.number} hands shown, expected 0 to {r.players - 1}")
    if s.number and next_unknown(r, s) >= 0:
        raise PositionError("stage", "found hands shown before all cards of the rows")
    if s.cut != (s.seat == NO_SEAT):
        raise PositionError("last", "found '!' exactly where a seat has ended the round, expected it where none has")
    if not 1 <= s.turns or (s.seat == NO_SEAT and s.turns != r.turns * r.players):
        raise PositionError("clock", f"found {s.turns} turns, which do not end a round")
    for owner in range(r.players):
        if owner != s.seat:
            _check_holds(r, s, owner)
        elif hand_size(s, owner) and not row_empty(r, s, owner):
            raise PositionError("stage", f"found {SEATS[owner]} to have ended the round with cards in hand and row")
        if owner >= s.number and s.last[owner]:
            raise PositionError("last", f"found {s.last[owner]} for a hand that is not shown, expected 0")
    return 0


cdef int _check_shown(const Rules *r, const State *s) except -1:
    """The scores of hands shown are those of hand and row (EP-28, 29)."""
    cdef uint32_t sums[MAX_SUM + 1]
    cdef double chances[MAX_SUM + 1]
    cdef int owner, i
    for owner in range(s.number):
        row = row_sum(r, s, owner)
        hands = [sums[i] & 0xFFFFFF for i in range(list_sums(r, s, owner, sums, chances))]
        possible = [hand + row if owner == s.seat else max(hand, row) for hand in hands]
        if s.last[owner] not in possible:
            least, most = min(possible), max(possible)
            expected = least if least == most else f"what hand and row can give, {least} to {most}"
            raise PositionError("last", f"found {s.last[owner]} for {SEATS[owner]}, expected {expected}")
    return 0


cdef int _check_turn(const Rules *r, const State *s) except -1:
    cdef int owner
    _check_table(r, s)
    if s.turns >= r.turns * r.players:
        raise PositionError("clock", f"found {s.turns} finished turns, after which the round is cut off")
    for owner in range(r.players):
        if owner != s.seat or s.phase not in (BONUS, REVEAL):
            _check_holds(r, s, owner)
    if s.phase == BONUS and not 0 <= s.number <= 1:
        raise PositionError("stage", f"found discard pile {s.number}, expected 0 or 1")
    if s.phase == REVEAL and not (0 <= s.number < r.piles and s.beneath[s.seat][s.number] == UNKNOWN_CARD):
        raise PositionError("stage", f"found row pile {s.number} to turn up, expected one with an unknown card")
    if s.flips == 2 and r.stuck != AGAIN:
        raise PositionError("stage", "found a second flip, expected none by these rules")
    if s.phase == FLIPPED and r.stuck == FORBID and not unknown_cards(s, s.seat):
        if not (s.hand[s.seat] | open_cards(r, s, s.seat)) & fitting_any(s, s.direction):
            raise PositionError("stage", f"found no card of {SEATS[s.seat]} that fits, expected one after a flip")
    return 0


cdef int _set_showings(const Rules *r, State *s, showings) except -1:
    cdef int i, limit
    if showings and (r.stuck == FORBID or s.phase not in (DRAW, REVEAL, TURN, FLIPPED, BONUS)):
        raise PositionError("stuck", "found a seat that was stuck, expected none here")
    if len(showings) > MAX_SHOWINGS or len({shown.seat for shown in showings}) != len(showings):
        raise PositionError("stuck", f"found {len(showings)}, expected at most {MAX_SHOWINGS} of different seats")
    for i in range(len(showings)):
        shown = showings[i]
        if shown.seat >= r.players or not 1 <= shown.rank <= r.ranks or shown.era > s.newest:
            raise PositionError("stuck", "found a seat, rank or era that there is not")
        s.showing[i].seat = shown.seat
        s.showing[i].limit = shown.rank if shown.above else -shown.rank
        s.showing[i].era = shown.era
        s.showing[i].free = shown.free
        if not says_something(s, &s.showing[i]):
            raise PositionError("stuck", f"found what says nothing of the cards of {SEATS[shown.seat]}")
    if s.flips == 2:
        # What the mover could not play on, in the other direction.
        limit = max(rank_of(s.top[0]), rank_of(s.top[1]))
        if s.direction != UP:
            limit = -min(rank_of(s.top[0]), rank_of(s.top[1]))
        i = len(showings) - 1
        if i < 0 or s.showing[i].seat != s.seat or s.showing[i].limit != limit:
            reason = f"found no newest one of {SEATS[s.seat]} by the tops, expected that of its flip"
            raise PositionError("stuck", reason)
    return 0
