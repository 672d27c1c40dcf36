"""Easy Peasy: how cards come and go, and how turns, rounds and matches go on. Rulings EP-* stand where they apply."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.easy_peasy.state cimport (
    BEGIN,
    BONUS,
    COLOURS,
    DEAL,
    DOWN,
    DRAW,
    DRAW_LOT,
    FLIPPED,
    MAX_ERAS,
    MAX_PILES,
    MAX_SEATS,
    MAX_SHOWINGS,
    NOT_CHOSEN,
    NO_CARD,
    NO_SEAT,
    OVER,
    REVEAL,
    SCORE,
    TURN,
    UNKNOWN,
    UNSEEN,
    UP,
    Rules,
    Showing,
    State,
    bit_of,
    ctz,
    era_of,
    hand_size,
    next_unknown,
    open_cards,
    outside,
    popcount,
    rank_of,
    ranks_of,
    row_empty,
    row_sum,
)
from mangetout_solver.games.interface cimport GameOps

cdef enum:
    MAX_SUM = 330  # of a hand that holds all cards: COLOURS * (1 + ... + RANKS)

cdef const GameOps *easy_peasy_ops() noexcept nogil
cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil
cdef int list_sums(const Rules *r, const State *s, int seat, uint32_t *out, double *probability) noexcept nogil


# ---------------------------------------------------------------- what being stuck shows


cdef inline void drop_showing(State *s, int index) noexcept nogil:
    while index < MAX_SHOWINGS - 1:
        s.showing[index] = s.showing[index + 1]
        index += 1
    memset(&s.showing[index], 0, sizeof(Showing))


cdef inline bint says_something(const State *s, const Showing *shown) noexcept nogil:
    cdef int era
    for era in range(shown.era):
        if s.held[shown.seat][era]:
            return True
    return s.held[shown.seat][shown.era] > shown.free


cdef inline void drop_idle_showings(State *s) noexcept nogil:
    cdef int i = MAX_SHOWINGS
    while i:
        i -= 1
        if s.showing[i].limit and not says_something(s, &s.showing[i]):
            drop_showing(s, i)


cdef inline void show_stuck(State *s) noexcept nogil:
    """The seat to move has no card that fits."""
    cdef int i
    cdef int a = rank_of(s.top[0])
    cdef int b = rank_of(s.top[1])
    cdef int last = MAX_SHOWINGS - 1
    for i in range(MAX_SHOWINGS):
        if s.showing[i].limit and s.showing[i].seat == s.seat:
            drop_showing(s, i)
            break
    if s.showing[last].limit:
        drop_showing(s, 0)
    while last and not s.showing[last - 1].limit:
        last -= 1
    s.showing[last].limit = <int8_t> (-min(a, b) if s.direction == UP else max(a, b))
    s.showing[last].seat = s.seat
    s.showing[last].era = s.newest
    s.showing[last].free = 0


# ---------------------------------------------------------------- cards come and go


cdef inline void strike_out(State *s, int era) noexcept nogil:
    """Removes an era without hidden cards; later ones move down."""
    cdef int i, seat
    for i in range(MAX_SHOWINGS):
        if s.showing[i].limit and s.showing[i].era >= era:
            if s.showing[i].era == era:
                s.showing[i].free = 0
            s.showing[i].era -= 1
    for i in range(era, s.newest):
        s.pool[i] = s.pool[i + 1]
        for seat in range(MAX_SEATS):
            s.held[seat][i] = s.held[seat][i + 1]
    s.pool[s.newest] = 0
    for seat in range(MAX_SEATS):
        s.held[seat][s.newest] = 0
    s.newest -= 1


cdef inline void join_eras(State *s) noexcept nogil:
    """Makes eras 1 and 2 one."""
    cdef int i, seat
    for i in range(MAX_SHOWINGS):
        if s.showing[i].limit and s.showing[i].era == 1:
            s.showing[i].free += s.held[s.showing[i].seat][2]
        elif s.showing[i].era > 1:
            s.showing[i].era -= 1
    s.pool[1] |= s.pool[2]
    for seat in range(MAX_SEATS):
        s.held[seat][1] += s.held[seat][2]
    for i in range(2, s.newest):
        s.pool[i] = s.pool[i + 1]
        for seat in range(MAX_SEATS):
            s.held[seat][i] = s.held[seat][i + 1]
    s.pool[s.newest] = 0
    for seat in range(MAX_SEATS):
        s.held[seat][s.newest] = 0
    s.newest -= 1
    drop_idle_showings(s)


cdef inline void shuffle_discards(State *s) noexcept nogil:
    """EP-13: they become the draw pile; everybody knows which cards they are."""
    if s.newest == MAX_ERAS - 1:
        join_eras(s)
    s.newest += 1
    s.pool[s.newest] = s.discards
    s.drawable = <uint8_t> popcount(s.discards)
    s.discards = 0


cdef inline void await_draw(State *s) noexcept nogil:
    """A draw is due, or all are made. EP-13, EP-14."""
    if s.number and not s.drawable:
        if s.discards:
            shuffle_discards(s)
        else:
            s.number = 0
    s.phase = DRAW if s.number else FLIPPED


cdef inline void draw(State *s, uint32_t card) noexcept nogil:
    """`card` may be UNSEEN."""
    cdef int i
    for i in range(MAX_SHOWINGS):
        if s.showing[i].limit and s.showing[i].seat == s.seat and s.showing[i].era == s.newest:
            s.showing[i].free += 1
    s.held[s.seat][s.newest] += 1
    if card != UNSEEN:
        s.hand[s.seat] |= bit_of(card)
    s.drawable -= 1
    s.number -= 1
    await_draw(s)


cdef inline void leave_hand(State *s, int card) noexcept nogil:
    cdef uint64_t bit = bit_of(card)
    cdef int era = era_of(s, card)
    cdef int i
    s.hand[s.seat] &= ~bit
    s.pool[era] &= ~bit
    s.held[s.seat][era] -= 1
    if s.showing[0].limit:
        for i in range(MAX_SHOWINGS):
            if s.showing[i].limit and s.showing[i].seat == s.seat and s.showing[i].era == era:
                if outside(&s.showing[i]) & bit:
                    s.showing[i].free -= 1
    if era and not s.pool[era]:
        strike_out(s, era)
    if s.showing[0].limit:
        drop_idle_showings(s)


# ---------------------------------------------------------------- rounds


cdef inline void clear_table(const Rules *r, State *s, int beneath) noexcept nogil:
    cdef int seat, pile
    memset(s.pool, 0, sizeof(s.pool))
    memset(s.hand, 0, sizeof(s.hand))
    memset(s.held, 0, sizeof(s.held))
    memset(s.showing, 0, sizeof(s.showing))
    memset(s.open, NO_CARD, sizeof(s.open))
    memset(s.beneath, NO_CARD, sizeof(s.beneath))
    for seat in range(r.players):
        for pile in range(r.piles):
            s.beneath[seat][pile] = <int8_t> beneath
    s.pool[0] = r.deck
    s.discards = 0
    s.top[0] = s.top[1] = NO_CARD
    s.direction = NOT_CHOSEN
    s.turns = 0
    s.seat = s.number = s.flips = 0
    s.newest = s.beginners = s.drawable = 0


cdef inline int best_of(int seats, const int *value) noexcept nogil:
    """Those of a set of seats that have the greatest value, as a set."""
    cdef int seat
    cdef int greatest = -1
    cdef int found = 0
    for seat in range(MAX_SEATS):
        if seats >> seat & 1 and value[seat] >= greatest:
            found = (found if value[seat] == greatest else 0) | 1 << seat
            greatest = value[seat]
    return found


cdef inline void begin_round(State *s, int seat) noexcept nogil:
    s.phase = BEGIN
    s.seat = <int8_t> seat
    s.number = 0
    s.beginners = 0


cdef inline void finish_deal(const Rules *r, State *s) noexcept nogil:
    """Decides who begins, or who draws lots for it. EP-03, EP-05."""
    cdef int value[MAX_SEATS]
    cdef int seat
    if s.round == 1 or not r.scored_row_first:
        for seat in range(r.players):
            value[seat] = ranks_of(open_cards(r, s, seat))
        s.beginners = <uint8_t> best_of(s.beginners, value)
    s.drawable = <uint8_t> (popcount(r.deck) - r.players * (2 * r.piles + r.hand) - 2)
    if s.beginners & (s.beginners - 1):
        s.phase = DRAW_LOT
        s.number = 0
    else:
        begin_round(s, ctz(s.beginners))


cdef inline int seat_dealt_to(const Rules *r, const State *s) noexcept nogil:
    """The seat whose hand gets the next card of the deal, or NO_SEAT while open places are filled."""
    cdef int places = r.players * r.piles + 2
    return NO_SEAT if s.number < places else (s.number - places) // r.hand


cdef inline void deal_card(const Rules *r, State *s, uint32_t card) noexcept nogil:
    cdef int seat = seat_dealt_to(r, s)
    cdef int open_places = r.players * r.piles
    if seat != NO_SEAT:
        s.held[seat][0] += 1
        if card != UNSEEN:
            s.hand[seat] |= bit_of(card)
    else:
        s.pool[0] &= ~bit_of(card)
        if s.number < open_places:
            s.open[s.number // r.piles][s.number % r.piles] = <int8_t> card
        else:
            s.top[s.number - open_places] = <int8_t> card
    s.number += 1
    if s.number == open_places + 2 + r.players * r.hand:
        finish_deal(r, s)


cdef inline bint match_over(const Rules *r, const State *s) noexcept nogil:
    """EP-30, EP-31."""
    cdef int seat
    if r.rounds:
        return s.round >= r.rounds
    for seat in range(r.players):
        if s.score[seat] >= r.points:
            return True
    return False


cdef inline void finish_round(const Rules *r, State *s) noexcept nogil:
    """All hands are shown: the scores, and the next deal. EP-04, EP-05, EP-29."""
    cdef int value[MAX_SEATS]
    cdef int seat, beginners
    cdef bint lowest = True
    if s.seat != NO_SEAT:
        for seat in range(r.players):
            if seat != s.seat and s.last[seat] <= s.last[s.seat]:
                lowest = False
        s.last[s.seat] = 0 if lowest else 2 * s.last[s.seat]
    for seat in range(r.players):
        s.score[seat] += s.last[seat]
        value[seat] = s.last[seat] if r.last_round_first else s.score[seat]
    if match_over(r, s):
        clear_table(r, s, NO_CARD)
        s.phase = OVER
        return
    beginners = best_of((1 << r.players) - 1, value)
    if r.scored_row_first:
        for seat in range(r.players):
            value[seat] = row_sum(r, s, seat)
        beginners = best_of(beginners, value)
    clear_table(r, s, UNKNOWN)
    s.beginners = <uint8_t> beginners
    s.phase = DEAL
    s.round += 1


cdef inline void show_hand(const Rules *r, State *s, int sum_) noexcept nogil:
    """EP-28; of the seat that has ended the round all cards count."""
    cdef int seat = s.number
    cdef int row = row_sum(r, s, seat)
    s.last[seat] = <uint16_t> (sum_ + row if seat == s.seat else max(sum_, row))
    s.number += 1
    if s.number == r.players:
        finish_round(r, s)


# ---------------------------------------------------------------- turns


cdef inline void start_scoring(State *s, int ended_by) noexcept nogil:
    s.phase = SCORE
    s.seat = <int8_t> ended_by
    s.number = 0
    s.cut = ended_by == NO_SEAT
    memset(s.last, 0, sizeof(s.last))
    memset(s.showing, 0, sizeof(s.showing))


cdef inline void end_turn(const Rules *r, State *s) noexcept nogil:
    """EP-24 to EP-27, EP-34."""
    s.turns += 1
    s.flips = s.number = 0
    if not hand_size(s, s.seat) or row_empty(r, s, s.seat):
        start_scoring(s, s.seat)
    elif s.turns == r.turns * r.players:
        start_scoring(s, NO_SEAT)
    else:
        s.phase = TURN
        s.seat = <int8_t> (s.seat + 1 if s.seat + 1 < r.players else 0)


cdef inline void flip(State *s) noexcept nogil:
    """EP-10; a second one only by EP-12."""
    if s.phase == FLIPPED:
        show_stuck(s)
    s.direction = UP + DOWN - s.direction
    s.flips += 1
    s.number = 2
    await_draw(s)


cdef inline void play(const Rules *r, State *s, int card, int pile) noexcept nogil:
    cdef int covered = s.top[pile]
    cdef int i
    for i in range(r.piles):
        if s.open[s.seat][i] == card:
            s.open[s.seat][i] = NO_CARD  # EP-15
            break
    else:
        leave_hand(s, card)
    s.discards |= bit_of(covered)
    s.top[pile] = <int8_t> card
    if (card - covered) % COLOURS == 0:  # EP-16
        s.phase = BONUS
        s.number = <int8_t> pile
        s.flips = 0
    else:
        end_turn(r, s)


cdef inline void exchange(const Rules *r, State *s, int pile, int turned_up) noexcept nogil:
    """The card beneath comes up, an open one goes down and stays known. EP-18, EP-20, EP-23."""
    s.beneath[s.seat][pile] = s.open[s.seat][pile]
    s.open[s.seat][pile] = <int8_t> turned_up
    end_turn(r, s)


cdef inline void turn_pile(const Rules *r, State *s, int pile) noexcept nogil:
    if s.beneath[s.seat][pile] == UNKNOWN:
        s.phase = REVEAL
        s.number = <int8_t> pile
    else:
        exchange(r, s, pile, s.beneath[s.seat][pile])


cdef inline void turn_up(const Rules *r, State *s, int card) noexcept nogil:
    """A row card that nobody knew comes to light."""
    cdef int place
    s.pool[0] &= ~bit_of(card)
    if s.phase == REVEAL:
        exchange(r, s, s.number, card)
    else:
        place = next_unknown(r, s)
        s.beneath[place // MAX_PILES][place % MAX_PILES] = <int8_t> card
