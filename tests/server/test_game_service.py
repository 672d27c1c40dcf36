"""The rules over the wire."""

from __future__ import annotations

import grpc
import pytest
from mangetout.v1 import common_pb2, game_pb2
from mangetout_client import Client, MangetoutError
from mangetout_server.services.game import _count_moves
from mangetout_server.workers import StoppedError
from mangetout_solver.analysis import StopReason
from mangetout_solver.games import registry
from mangetout_solver.search.control import Control

START = "peas +1/-2/+3 B1B2B3 R1R2R3 A"


def test_a_deal_is_repeated_by_its_seed(client: Client) -> None:
    first = client.deal("peas")
    again = client.deal("peas", seed=first.seed)
    assert again == first
    assert client.deal("peas").seed != first.seed
    assert first.position.players == 2
    assert [len(hand.cards) for hand in first.position.peas.hands] == [10, 10]
    assert len(first.position.peas.pods) == 10
    assert len(first.position.key) == 32


def test_a_deal_follows_its_options(client: Client) -> None:
    position = client.deal("peas", options={"pods": "1,-2,3", "colours": "2", "ranks": "5"}, seed=1).position
    assert sorted(pod.value for pod in position.peas.pods) == [-2, 1, 3]
    assert (position.peas.colours, position.peas.ranks) == (2, 5)


def test_a_deal_for_a_seat_hides_the_other_hand(client: Client) -> None:
    whole = client.deal("peas", seed=3).position
    seen = client.deal("peas", seed=3, seat=1).position
    assert seen.peas.hands[1] == whole.peas.hands[1]
    assert list(seen.peas.hands[0].cards) == []
    assert seen.peas.hands[0].unknown == 10
    assert not any(card in seen.notation for card in whole.peas.hands[0].cards)


def test_a_position_in_structure(client: Client) -> None:
    position = client.get_position(f"{START} : B1@0 R1@0 B2@1").position
    assert position.notation == "peas +1[A=B1,B=R1]/-2[A=B2]/+3 B3 R2R3 A"
    assert position.seat_to_move == 1
    assert not position.returns
    view = position.peas
    assert [pod.value for pod in view.pods] == [1, -2, 3]
    assert [(play.seat, play.card) for play in view.pods[0].plays] == [(0, "B1"), (1, "R1")]
    assert [list(hand.cards) for hand in view.hands] == [["B3"], ["R2", "R3"]]
    assert list(view.hands[1].voids) == ["B"]
    assert (view.pea, view.colours, view.ranks) == (0, 4, 6)
    assert client.get_position(position.notation).position == position


def test_a_position_as_a_seat_sees_it(client: Client) -> None:
    position = client.get_position(START, moves=["B1@0"], seat=1).position
    assert position.notation == "peas +1[A=B1]/-2/+3 ?? R1R2R3 A"


def test_a_position_tells_what_comes_next_and_how_many_choices_there_are(client: Client) -> None:
    whole = client.get_position(START, moves=["B1@0"]).position
    assert (whole.next, whole.choices) == ("lay a card on a pod", len(client.list_moves(START, moves=["B1@0"]).moves))
    # How many B has is nothing that A can know.
    seen_by_a = client.get_position(START, moves=["B1@0"], seat=0).position
    assert seen_by_a.next == whole.next
    assert not seen_by_a.HasField("choices")
    assert client.get_position(START, moves=["B1@0"], seat=1).position.choices == whole.choices
    over = client.get_position("peas +1 B1 R1 A : B1@0 R1@0").position
    assert over.next == ""
    assert not over.HasField("choices")


def test_every_stage_of_a_game_has_words_for_what_comes_next(client: Client) -> None:
    split = "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
    stages = [
        ([], "put 4 Mountain into one of two piles", 2),
        (["4MS>0"], "put 8 Diplomat into one of two piles", 1),
        (["8MS>1", "9WY>1", "XM>0"], "a dealt card and its pile are shown", 1),
        (["*AS>0", "*4MS>0", "*8MS>1", "*5YK>0", "*9WY>1", "*XM>0"], "take one of the two piles of B", 2),
        (["take0"], "take one of the two piles of A", 2),
        (["take1"], "both choices are shown", 1),
        (["*take01"], "take a card or pass", None),
    ]
    moves: list[str] = []
    for further, words, choices in stages:
        moves += further
        position = client.get_position(split, moves=moves).position
        assert position.next == words
        assert choices is None or position.choices == choices
    listed = client.list_moves(split, moves=moves).moves
    assert position.choices == len(listed)
    begun = client.get_position(split, moves=[*moves, listed[0].notation]).position
    assert begun.next == "pay for " + listed[0].description.removeprefix("take ")
    # What A divides is not told to B, nor how many ways are left.
    seen_by_b = client.get_position(split, moves=["4MS>0"], seat=1).position
    assert seen_by_b.next == "put a card into one of two piles"
    assert not seen_by_b.HasField("choices")
    level = "pepper_corn 9MS,XY/2WL,6LK 5SW 5YK 0-0 lot"
    lot = client.get_position(level).position
    assert (lot.next, lot.choices) == ("who begins is drawn", 2)


def test_comments_and_line_ends(client: Client) -> None:
    text = "# a deal\r\npeas +1/-2/+3\n\tB1B2B3 R1R2R3 A : # moves\n B1@0\n"
    assert client.get_position(text).position == client.get_position(f"{START} : B1@0").position


def test_the_moves_of_a_position(client: Client) -> None:
    response = client.list_moves(START, moves=["B1@0"])
    assert response.seat_to_move == 1
    notations = [move.notation for move in response.moves]
    assert "R1@0" in notations
    assert "B2@0" not in notations
    assert all(move.description for move in response.moves)
    for notation in notations:
        client.play_moves(START, ["B1@0", notation])


def test_a_finished_round(client: Client) -> None:
    position = client.play_moves("peas +1 B1 R1 A", ["B1@0", "R1@0"]).position
    assert not position.HasField("seat_to_move")
    assert [(r.seat, r.win_share, r.score) for r in position.returns] == [(0, 1.0, 1.0), (1, 0.0, 0.0)]
    assert position.peas.pods[0].winner == 0
    listed = client.list_moves(position.notation)
    assert not listed.moves
    assert not listed.HasField("seat_to_move")


def test_counts_agree_with_walking(client: Client) -> None:
    def walk(moves: list[str], depth: int) -> int:
        if depth == 0:
            return 1
        legal = client.list_moves(START, moves=moves).moves
        return sum(walk([*moves, move.notation], depth - 1) for move in legal) if legal else 1

    for depth in range(4):
        assert client.count_moves(START, depth).count == walk([], depth)
    response = client.count_moves(START, 3)
    assert response.count == sum(divided.count for divided in response.divided)
    assert [d.move for d in response.divided] == [move.notation for move in client.list_moves(START).moves]
    for divided in response.divided:
        assert divided.count == walk([divided.move], 2)


def test_a_finished_round_counts_once(client: Client) -> None:
    response = client.count_moves("peas +1[A=B1,B=R1] - - A", 5)
    assert response == game_pb2.CountMovesResponse(count=1)
    assert client.count_moves("peas +1 B1 R1 A", 12).count == 1


def test_a_count_below_a_single_first_outcome_can_be_stopped() -> None:
    class StoppedSoon(Control):
        looks = 0

        @property
        def stop_reason(self) -> StopReason | None:
            self.looks += 1
            return StopReason.STOPPED if self.looks > 3 else None

    record = registry.parse_record("easy_peasy R1(P5),-/P1(X5),- -/X2 P4,R8 - - - 0-0 0-0 1/6 up score/A/0")
    assert len(record.current.chance_outcomes()) == 1
    with pytest.raises(StoppedError):
        _count_moves(record, 12, 10_000_000, StoppedSoon())


def test_a_count_is_the_same_at_a_stretch_and_in_parts(client: Client) -> None:
    notation = client.deal("erbsenzaehlen", seed=1).position.notation
    response = client.count_moves(notation, 6)
    whole = registry.parse_record(notation).current.count_sequences(6, 50_000_000)
    assert response.count == whole
    assert max(divided.count for divided in response.divided) > 50_000


STRUCTURED = {
    "peas +1/-2/+3 B1B2B3 R1R2R3 A": [common_pb2.Move(kind="play", card="B1", place=0)],
    "pepper_corn 4MS,-/9MS,AS AM5ML 6MW 0-0 play/A : x4MS": [common_pb2.Move(kind="lay", card="5ML")],
    "easy_peasy{rounds=1} R9?,P1(G4)/G8?,X5? P2R3G7X10/???? P4,R8 - - - 0-0 0-0 1/0 up turn/A": [
        common_pb2.Move(kind="flip"),
        common_pb2.Move(kind="play", card="G7", place=0),
    ],
    "erbsenzaehlen{mush=0} G,-,-,-,G,-;0,0,1,0,0/-,G,G,G,-,-;0,0,0,0,0 13+3,12+3,11+3,10+3,9+3,9+3;0,4,4,5 - play/A": [
        common_pb2.Move(kind="steal", place=3, seats=[1]),
        common_pb2.Move(kind="exchange", seats=[1]),
        common_pb2.Move(kind="end_turn"),
    ],
}


@pytest.mark.parametrize("notation", STRUCTURED)
def test_moves_have_a_structured_form(client: Client, notation: str) -> None:
    listed = client.list_moves(notation).moves
    for move in listed:
        assert move.notation
        assert move.description
        move.ClearField("notation")
        move.ClearField("description")
    assert all(move in listed for move in STRUCTURED[notation])


@pytest.mark.parametrize("game", [game.name for game in registry.games()])
def test_a_position_has_the_view_of_its_game(client: Client, game: str) -> None:
    position = client.deal(game, seed=1).position
    assert position.WhichOneof("view") == game


@pytest.mark.parametrize("game", [game.name for game in registry.games()])
def test_an_empty_move_is_refused(client: Client, game: str) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.play_moves(client.deal(game, seed=1).position.notation, [""])
    assert (caught.value.code, caught.value.violations[0].field) == (grpc.StatusCode.INVALID_ARGUMENT, "state.moves[0]")


def test_a_count_beyond_its_nodes_is_refused(client: Client) -> None:
    count = client.count_moves(START, 4).count
    with pytest.raises(MangetoutError) as caught:
        client.count_moves(START, 4, max_nodes=count - 1)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert client.count_moves(START, 4, max_nodes=count).count == count


# -- chance and secret decisions: Pepper. Corn!

SPLIT = "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
DIVIDED = f"{SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0"
SHOWN = f"{DIVIDED} *AS>0 *4MS>1 *8MS>0 *5YK>0 *9WY>1 *XM>0"


def test_the_outcomes_of_chance_are_listed(client: Client) -> None:
    position = client.get_position(DIVIDED).position
    assert position.is_chance
    assert not position.HasField("seat_to_move")
    assert not position.returns
    response = client.list_moves(DIVIDED)
    assert not response.moves
    assert [(outcome.move.notation, outcome.probability) for outcome in response.outcomes] == [("*AS>0", 1.0)]
    # To a seat: what will be shown of the other's first card is one of the cards not in view.
    unseen = client.list_moves(client.get_position(DIVIDED, seat=1).position.notation).outcomes
    assert len(unseen) > 1
    assert sum(outcome.probability for outcome in unseen) == pytest.approx(1.0)
    lot = client.list_moves("pepper_corn 9MS,XY 2MK3SK 2SY3MW 0-0 lot").outcomes
    assert [(outcome.move.notation, outcome.probability) for outcome in lot] == [("*A", 0.5), ("*B", 0.5)]


def test_chance_is_drawn_where_a_seed_is_given(client: Client) -> None:
    left = client.play_moves(DIVIDED)
    assert left.position.is_chance
    assert not left.drawn
    played = client.play_moves(DIVIDED, chance_seed=1)
    assert played.record == SHOWN
    assert [move.notation for move in played.drawn] == SHOWN.split()[-6:]
    assert played.position.seat_to_move == 0
    assert played.position.is_secret
    assert client.play_moves(played.record, chance_seed=1).record == played.record
    lot = "pepper_corn 9MS,XY 2MK|3MW 2SY|3SK 0-0 choose/A"
    starters = {
        client.play_moves(lot, ["take0", "take0"], chance_seed=seed).position.seat_to_move for seed in range(20)
    }
    assert starters == {0, 1}


def test_chance_is_not_drawn_for_a_reader_who_does_not_know_the_cards(client: Client) -> None:
    seen = client.play_moves(DIVIDED, seat=1).record
    with pytest.raises(MangetoutError) as caught:
        client.play_moves(seen, chance_seed=1)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [violation.field for violation in caught.value.violations] == ["state.notation"]


def test_a_record_for_a_seat_hides_what_it_did_not_see(client: Client) -> None:
    seen = client.play_moves(SHOWN, ["take1"], seat=1)
    assert seen.record == (
        "pepper_corn 9MS,XY/2WL,6LK ??? 5YK9WYXM 0-0 split/A/0 : "
        "? ? 9WY>1 XM>0 *AS>0 *4MS>1 *8MS>0 *5YK>0 *9WY>1 *XM>0 ?"
    )
    # Such a record is played on like any other.
    assert client.play_moves(seen.record, ["take0", "*take10"]).position.pepper_corn.phase == (
        game_pb2.PEPPER_CORN_PHASE_PLAY
    )


def test_whole_turns_are_listed_and_can_be_played(client: Client) -> None:
    divisions = client.list_moves(SPLIT).turns
    assert [turn.description for turn in divisions] == [
        "offer Ace of Suns + 4 Mountain | 8 Diplomat",
        "offer Ace of Suns + 8 Diplomat | 4 Mountain",
        "offer Ace of Suns | 4 Mountain + 8 Diplomat",
    ]
    state = client.play_moves(SHOWN, ["take0", "take1"], chance_seed=1).position.notation
    turns = client.list_moves(state).turns
    assert "pass" in {" ".join(turn.words) for turn in turns}
    assert any(len(turn.words[0]) > 4 for turn in turns)
    for turn in [*divisions, *turns]:
        start = SPLIT if turn in divisions else state
        assert client.play_moves(start, list(turn.words)).position.notation
    assert not client.list_moves("peas +1/-2/+3 B1B2B3 R1R2R3 A").turns


def test_a_game_of_pepper_corn_in_structure(client: Client) -> None:
    view = client.get_position("pepper_corn 9MS,-/2WL,6LK AS4MS8MS 5YK 3-12 play/A/x9MS+AS").position.pepper_corn
    assert [list(row.cells) for row in view.rows] == [["9MS", ""], ["2WL", "6LK"]]
    assert [(list(hand.cards), hand.points) for hand in view.hands] == [(["AS", "4MS", "8MS"], 3), (["5YK"], 12)]
    assert (view.phase, view.target, list(view.laid)) == (game_pb2.PEPPER_CORN_PHASE_PLAY, "9MS", ["AS"])
    assert not view.passed
    passed = client.get_position("pepper_corn 9MS,- AS 5YK 0-0 play/B/passed").position.pepper_corn
    assert passed.passed
    shown = client.get_position(f"{DIVIDED} *AS>0 *4MS>1", seat=1).position.pepper_corn
    assert (shown.phase, shown.cards_shown) == (game_pb2.PEPPER_CORN_PHASE_SHOW, 2)
    assert (list(shown.hands[0].pile_0), list(shown.hands[0].pile_1), shown.hands[0].unknown) == (["AS"], ["4MS"], 1)
    assert (list(shown.hands[1].pile_0), list(shown.hands[1].pile_1)) == (["5YK", "XM"], ["9WY"])
    chosen = client.get_position(SHOWN, moves=["take1"]).position.pepper_corn
    assert [(choice.seat, choice.pile) for choice in chosen.choices] == [(0, 1)]
    unseen = client.get_position(SHOWN, moves=["take1"], seat=1).position.pepper_corn
    assert [(choice.seat, choice.HasField("pile")) for choice in unseen.choices] == [(0, False)]


EASY_PEASY = (
    "easy_peasy{turns=9} R9?,P1(G4)/G8,X5? P2R3G7X10/????1 P4,R8 "
    "R1G1X1R2G2X2P3G3X3R4X4R5P5G5R6P6G6X6R7P7X7P8 P9R10 B>6@0+2 9-7 2-7! 3/3 up turn/A"
)


def test_a_match_of_easy_peasy_in_structure(client: Client) -> None:
    view = client.get_position(EASY_PEASY, seat=0).position.easy_peasy
    first, second = view.players
    assert [(pile.open, pile.beneath, pile.beneath_unknown) for pile in first.row] == [
        ("R9", "", True),
        ("P1", "G4", False),
    ]
    assert (list(first.hand), first.unknown, list(second.hand), second.unknown) == (["P2", "R3", "G7", "X10"], 0, [], 4)
    assert list(second.unknown_by_shuffle) == [3, 1]
    assert [(player.score, player.last_score) for player in view.players] == [(9, 2), (7, 7)]
    assert (second.stuck.above, second.stuck.rank, second.stuck.shuffle, second.stuck.free) == (True, 6, 0, 2)
    assert not first.HasField("stuck")
    assert [list(shuffle.cards) for shuffle in view.shuffles] == [["P9", "R10"]]
    assert (list(view.tops), len(view.discards), view.draw_pile) == (["P4", "R8"], 22, 1)
    assert (view.round, view.rounds, view.turns, view.most_turns, view.cut_off) == (3, 3, 3, 18, True)
    assert not view.HasField("points")
    assert (view.direction, view.phase) == (
        game_pb2.EASY_PEASY_DIRECTION_UP,
        game_pb2.EASY_PEASY_PHASE_TURN,
    )
    assert view.active_seat == 0
    drawing = client.get_position(EASY_PEASY, moves=["flip"]).position
    assert drawing.is_chance
    assert (drawing.easy_peasy.phase, drawing.easy_peasy.draws_left) == (game_pb2.EASY_PEASY_PHASE_DRAW, 2)
    bonus = client.get_position(EASY_PEASY, moves=["R9>1"]).position.easy_peasy
    assert (bonus.phase, bonus.bonus_pile) == (game_pb2.EASY_PEASY_PHASE_BONUS, 1)
    turning = client.get_position(
        "easy_peasy R9?,P1?/G8,X5? P2/X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A", moves=["R9>1+turn1"]
    ).position.easy_peasy
    assert (turning.phase, turning.row_pile) == (game_pb2.EASY_PEASY_PHASE_REVEAL, 1)
    scoring = client.get_position("easy_peasy R1,-/P1,- -/X2 P4,R8 - - - 0-0 0-0 1/6 up score/A/0", moves=["*=0"])
    shown = scoring.position.easy_peasy
    assert (shown.phase, shown.ended_by, shown.hands_shown) == (game_pb2.EASY_PEASY_PHASE_SCORE, 0, 1)
    assert not shown.HasField("active_seat")
    dealt = client.get_position("easy_peasy ?,?/?,? -/- -,- - - - 0-2 0-2 2/0 - deal/B").position.easy_peasy
    assert (dealt.phase, list(dealt.beginners), list(dealt.tops)) == (game_pb2.EASY_PEASY_PHASE_DEAL, [1], ["", ""])


ROUND_OVER = "peas{scope=match} +1[A=B2,B=B3]/-2[B=Y5,A=Y1]/+3[A=B6,B=R2] - - A 0-1"


def test_a_match_between_its_rounds_in_structure(client: Client) -> None:
    over = client.get_position(ROUND_OVER).position
    assert over.is_chance
    assert list(over.peas.wins) == [0, 1]
    assert [pod.winner for pod in over.peas.pods] == [1, 1, 1]
    assert (over.next, over.choices) == ("a pod of the next round is drawn", 3)
    assert [(r.seat, r.win_share, r.score) for r in over.round_returns] == [(0, 0, 0), (1, 1, 2)]
    assert not over.returns
    assert not over.peas.HasField("deal")
    drawn = client.get_position(ROUND_OVER, moves=["*+3"]).position
    assert [pod.value for pod in drawn.peas.pods] == [3]
    assert drawn.peas.deal == game_pb2.PeasDeal(undrawn=[-2, 1], placed=True)
    assert not drawn.round_returns
    seen = client.get_position(ROUND_OVER, moves=["*+3", "*-2", "*+1", "*B1>A", "*B2>B"], seat=0).position
    assert seen.peas.deal == game_pb2.PeasDeal(dealt=2)
    assert seen.next == "a card of the next round is dealt"
    assert [list(hand.cards) for hand in seen.peas.hands] == [["B1"], []]
    assert client.get_position("peas +1 B1 B2 A").position.peas.wins == []


def test_chance_deals_the_next_round_and_a_seat_sees_its_own_cards_of_it(client: Client) -> None:
    whole, seen = (client.play_moves(ROUND_OVER, seat=seat, chance_seed=4) for seat in (None, 0))
    assert len(whole.drawn) == len(seen.drawn) == 3 + 24
    for event, shown in zip(whole.drawn, seen.drawn, strict=True):
        assert shown == event or (shown.notation == "*?" and not event.notation.endswith(">A"))
    hand = "".join(whole.position.peas.hands[0].cards)
    assert seen.position.notation.split()[2:] == [hand, "???", "B", "0-1"]
    assert client.get_position(seen.record).position == seen.position


# -- chance in every turn, exchanges step by step: Erbsenzählen

TRADING = (
    "erbsenzaehlen{partners=pooled} GG,R,-,GRG,GG,-;2,3,0,1,0/-,-,GGG,-,-,-;1,4,1,0,0/-,GG,G,-,-,R;0,1,0,0,1 "
    "10+2,8+2,6+2,7+1,6+2,5+2;13,3,3,5 - play/A"
)


def test_a_game_of_erbsenzaehlen_in_structure(client: Client) -> None:
    view = client.get_position(TRADING, moves=["xBC-5+3,+3-1"]).position.erbsenzaehlen
    first, second, third = view.players
    assert [list(player.columns) for player in (first, second)] == [
        ["GG", "R", "", "GRG", "GG", ""],
        ["", "", "GGG", "", "", ""],
    ]
    assert (first.giant_peas, first.mush, first.thieves, first.bad_luck, first.missed) == (2, 3, 0, 1, 0)
    assert (second.thieves, third.missed) == (1, 1)
    assert (view.phase, view.seat) == (game_pb2.ERBSENZAEHLEN_PHASE_PLAY, 0)
    assert (list(view.centre.green), list(view.centre.red)) == ([10, 8, 6, 7, 6, 5], [2, 2, 2, 1, 2, 2])
    assert (view.centre.mush, view.centre.thieves, view.centre.bad_luck, view.centre.bonus) == (13, 3, 3, 5)
    # There are 17 to 12 cards of the values, three of each red, and 5 of each kind with an action.
    assert (list(view.box.green), list(view.box.red)) == ([2, 3, 2, 2, 2, 4], [1, 0, 1, 1, 1, 0])
    assert (view.box.mush, view.box.thieves, view.box.bad_luck, view.box.bonus) == (0, 1, 1, 0)
    assert list(view.partners) == [1, 2]
    assert [(trade.partner, list(trade.given), list(trade.taken)) for trade in view.trades] == [
        (1, [5], [3]),
        (2, [1], [3]),
    ]
    traded = client.get_position(TRADING, moves=["xBC-5+3,+3-1."]).position.erbsenzaehlen
    assert (list(traded.traded), list(traded.partners), list(traded.trades)) == ([1, 2], [], [])


def test_drawing_choosing_and_the_end_in_structure(client: Client) -> None:
    start = "erbsenzaehlen{mush=0,completion=owner} G,G,G,G,GRR,-;0,0,0,0,0/-,-,-,-,-,-;0,0,0,0,0"
    centre = "9+3,8+3,7+3,6+3,5+1,1+0;0,0,0,1"
    drawing = client.get_position(f"{start} {centre} 6R+ draw/A/2").position
    view = drawing.erbsenzaehlen
    assert drawing.is_chance
    assert (view.phase, view.seat, view.to_turn_up) == (game_pb2.ERBSENZAEHLEN_PHASE_DRAW, 0, 2)
    assert (list(view.drawn), view.bonus) == (["6R"], 1)
    choosing = client.get_position(f"{start} {centre} 6R play/A", moves=["6R", "^1@0^2@0"]).position.erbsenzaehlen
    assert choosing.phase == game_pb2.ERBSENZAEHLEN_PHASE_COMPLETE
    assert (choosing.completing_seat, choosing.completing_value) == (0, 3)
    last = f"{start} 0+0,0+0,0+0,0+0,0+0,0+0;0,0,0,0 - play/A"
    ended = client.get_position(last, moves=["end"]).position
    assert ended.erbsenzaehlen.phase == game_pb2.ERBSENZAEHLEN_PHASE_END
    assert not ended.erbsenzaehlen.HasField("seat")
    assert [(result.win_share, result.score) for result in ended.returns] == [(0.5, 0), (0.5, 0)]


def test_positions_that_must_not_come_back_are_counted(client: Client) -> None:
    unlimited = TRADING.replace("partners=pooled", "unlimited_exchanges=7")
    assert client.get_position(unlimited).position.erbsenzaehlen.barred == 0
    assert client.get_position(unlimited, moves=["xC-5+3+2."]).position.erbsenzaehlen.barred == 1


def test_an_exchange_is_a_turn_in_one_word_and_one_sentence(client: Client) -> None:
    turns = {" ".join(turn.words): turn.description for turn in client.list_moves(TRADING).turns}
    assert turns["xBC-5+3,+3-1."] == "exchange 5 for B's 3 and 1 for C's 3"
    assert turns["xC-5+3+2."] == "exchange 5 for C's 3 + 2"
    assert turns["luck@B"] == "B misses a turn"


def test_variants_of_pepper_corn_in_structure(client: Client) -> None:
    start = "pepper_corn 2WL/?/XK|3MW9MS AS4WL - 100-69 play/A"
    hidden = client.get_position(start).position.pepper_corn
    assert [list(row.cells) for row in hidden.rows] == [["2WL"], ["?"], ["XK"]]
    assert list(hidden.unseen) == ["3MW", "9MS"]
    assert not hidden.HasField("next_seat")
    uncover = client.get_position(start, moves=["x2WL+4WL."]).position.pepper_corn
    assert (uncover.phase, uncover.next_seat) == (game_pb2.PEPPER_CORN_PHASE_UNCOVER, 1)
    outcomes = client.list_moves(start, moves=["x2WL+4WL."]).outcomes
    assert [(outcome.move.notation, outcome.probability) for outcome in outcomes] == [("*3MW", 0.5), ("*9MS", 0.5)]
    turned = client.play_moves(start, ["x2WL+4WL."], chance_seed=1).position.pepper_corn
    assert turned.rows[1].cells[0] in ("3MW", "9MS")
    assert not turned.unseen

    named = client.get_position("pepper_corn{deck=extended} 9MS,EX 3LY8YKPMSL - 0-0 play/A/x9MS~PMSL+3LY")
    view = named.position.pepper_corn
    assert (view.target, view.converter, list(view.laid)) == ("9MS", "PMSL", ["3LY"])
    assert view.excuse == game_pb2.PEPPER_CORN_EXCUSE_GAP
    for excuse in ("blocker", "takeable"):
        position = client.get_position(f"pepper_corn{{deck=extended,excuse={excuse}}} 9MS,EX 3LY - 0-0 play/A").position
        assert position.pepper_corn.excuse == game_pb2.PepperCornExcuse.Value(f"PEPPER_CORN_EXCUSE_{excuse.upper()}")
    # Only where it lies on the tableau.
    held = client.get_position("pepper_corn{deck=extended} 9MS EX - 0-0 play/A").position.pepper_corn
    assert held.excuse == game_pb2.PEPPER_CORN_EXCUSE_UNSPECIFIED
