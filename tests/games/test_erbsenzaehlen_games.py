"""Whole games of Erbsenzählen: the 123 cards, the numbers of turns, the longest games, and what is said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from erbsenzaehlen_tools import current, game, played
from mangetout_solver.games.erbsenzaehlen import Erbsenzaehlen, GameView, view
from mangetout_solver.games.game import Record

GAME = Erbsenzaehlen()
CENTRE = "0+0,0+0,0+0,0+0,0+0,8+0;0,0,0,0"
Choose = Callable[[list[str], Random], str]


def play(choose: Choose, seed: int, **options: str) -> Record:
    """A game in which decisions are chosen by their texts."""
    rng = Random(seed)
    positions, moves = [GAME.deal(seed, options)], []
    while not positions[-1].is_terminal:
        position = positions[-1]
        if position.is_chance:
            outcomes, chances = zip(*position.chance_outcomes(), strict=True)
            moves.append(rng.choices(outcomes, chances)[0])
        else:
            steps = {GAME.format_move(position, move): move for move in position.legal_moves()}
            moves.append(steps[choose(list(steps), rng)])
        positions.append(position.play(moves[-1]))
    return Record(GAME, tuple(positions), tuple(moves))


def anything(steps: list[str], rng: Random) -> str:
    return rng.choice(steps)


def bonus_or_end(steps: list[str], rng: Random) -> str:
    return "bonus" if "bonus" in steps else "end"


def slowly(steps: list[str], rng: Random) -> str:
    """No bonus pea while another step is there, and an end only where nothing else is; long exchanges."""
    last = [step for step in (".", ",", "bonus", "end") if step in steps]
    rest = [step for step in steps if step not in last]
    return rng.choice(rest) if rest else last[0]


@cache
def random_games() -> list[Record]:
    plain = [play(anything, seed, players=str(2 + seed % 4)) for seed in range(12)]
    return plain + [play(anything, seed, players="3", completion="owner", partners="pooled") for seed in range(4)]


def in_play(shown: GameView) -> int:
    """All cards that are not in the box."""
    players = sum(
        sum(map(len, player.columns)) + player.mush + player.thieves + player.bad_luck for player in shown.players
    )
    return players + sum(shown.centre) + sum(shown.drawn) + shown.bonus


def test_there_are_123_cards_of_which_87_have_points() -> None:
    for preset in ("falling", "flat"):
        centre = view(GAME.deal(0, {"preset": preset})).centre
        assert (sum(centre[:12]), sum(centre[1:12:2]), centre[12:]) == (87, 18, (21, 5, 5, 5))
        assert sum(centre) == 123
    falling, flat = (view(GAME.deal(0, {"preset": preset})).centre for preset in ("falling", "flat"))
    assert [falling[i] + falling[i + 1] for i in range(0, 12, 2)] == [17, 16, 15, 14, 13, 12]
    assert [flat[i] + flat[i + 1] for i in range(0, 12, 2)] == [15, 15, 15, 14, 14, 14]


def test_cards_go_nowhere_but_to_the_box() -> None:
    """What each step puts there is known beforehand; all that is not there is in play."""
    for record in random_games():
        for position, move, after in zip(record.positions, record.moves, record.positions[1:], strict=False):
            shown, then = view(position), view(after)
            step = GAME.format_move(position, move)
            gone = sum(then.box) - sum(shown.box)
            assert in_play(then) + sum(then.box) == 123
            assert all(new >= old for new, old in zip(then.box, shown.box, strict=True))
            completed = sum(player.giant_peas for player in then.players)
            completed -= sum(player.giant_peas for player in shown.players)
            expected = 6 * completed
            if step[0] == "^":
                expected = 1
            elif step[0] == "x" or step == "end":
                expected += sum(shown.drawn) + shown.bonus
            elif step == "bonus" or "@" in step:
                expected += 1
            if shown.options["completion"] == "owner" and step[0] != "^":
                expected -= 6 * completed
            assert gone == expected, f"{step}: {GAME.format_position(position)}"


def test_sequences_cannot_exceed_the_rarest_value() -> None:
    for record in random_games():
        assert sum(record.current.scores()) <= 12
    assert GAME.score_bounds(GAME.deal(0, {})) == (0, 12)
    assert GAME.score_bounds(GAME.deal(0, {"preset": "flat"})) == (0, 14)
    assert GAME.score_bounds(GAME.deal(0, {"preset": "flat", "giant_peas": "12"})) == (0, 12)


def test_how_many_turns_a_game_has_where_every_bonus_is_used() -> None:
    """27 turns and no short draw where all bonus peas turn up three cards: 108 = 27 * 4; by a simulation of 20,000
    shuffles in 88 % of the games, 28 turns in 12 %."""
    turns: Counter[int] = Counter()
    for seed in range(300):
        record = play(bonus_or_end, seed)
        texts = [GAME.format_move(p, m) for p, m in zip(record.positions, record.moves, strict=False)]
        number = texts.count("end")
        turns[number] += 1
        drawn = "".join("c" if text[0] == "*" else text[0] for text in texts)
        assert drawn.count("c") == 123
        if drawn.count("b") == 5 and drawn.count("bccc") == 5:
            assert number == 27
            assert all(len(turn.replace("bccc", "")) == 4 for turn in drawn.split("e")[:-1])
    assert set(turns) <= {27, 28, 29}
    assert turns[27] / 300 == pytest.approx(0.88, abs=0.08)
    assert turns[29] <= 3


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": "5", "partners": "pooled"},
        {"players": "3", "unlimited_exchanges": "7", "completion": "owner"},
        {"players": "3", "unlimited_exchanges": "3", "partners": "pooled", "placing": "must"},
        {"cards": "2,0,0,0,0,0", "red": "0,0,0,0,0,0", "mush": "0", "thieves": "1", "bad_luck": "1", "bonus": "1"},
        {"cards": "0,0,0,0,0,0", "red": "0,0,0,0,0,0", "mush": "1", "thieves": "0", "bad_luck": "0", "bonus": "0"},
    ],
    ids=str,
)
def test_games_that_are_drawn_out_stay_within_the_most_steps(options: dict[str, str]) -> None:
    for seed in range(3):
        record = play(slowly, seed, **options)
        assert len(record.moves) <= record.current.max_steps


def test_a_column_holds_as_many_cards_as_a_value_can_have() -> None:
    options = "cards=31/0/0/0/0/0,red=0/0/0/0/0/0,mush=0"
    text = game(
        f"{'G' * 30},-,-,-,-,-", "-,-,-,-,-,-", hand="1G", centre="0+0,0+0,0+0,0+0,0+0,0+0;0,0,0,5", options=options
    )
    assert view(current(text, "1G")).players[0].columns[0] == "G" * 31
    stolen = game(
        "-,-,-,-,-,-;0,0,1,0,0", f"{'G' * 31},-,-,-,-,-", options=options.replace("31/0/0/0/0/0", "31/0/0/0/0/1")
    )
    assert view(current(stolen, "thief@B1")).players[1].columns[0] == "G" * 30


def descriptions(text: str, *words: str) -> list[str]:
    record = played(text, *words)
    return [GAME.describe_move(p, m) for p, m in zip(record.positions, record.moves, strict=False)]


def test_steps_are_told_in_words() -> None:
    text = game("-,GG,-,-,-,-;0,0,1,1,0", "GG,-,-,-,-,-", hand="4R+", centre="0+0,0+0,0+0,0+0,0+0,9+0;0,0,0,0")
    assert descriptions(text, "4R", "bonus", "*6G") == [
        "place a red 4",
        "use a bonus pea: turn up 3 more cards",
        "a green 6 is turned up",
    ]
    assert descriptions(text, "thief@B1", "luck@B", "end") == [
        "steal a green 1 from B",
        "B misses a turn",
        "end the turn",
    ]
    assert descriptions(text, "xB-2+1+1.") == [
        "exchange with B",
        "give B a 2",
        "take a 1 from B",
        "take a 1 from B",
        "exchange 2 for B's 1 + 1",
    ]


def test_pooled_exchanges_and_choices_are_told_in_words() -> None:
    pooled = game("G,-,-,-,G,-", "-,-,G,-,-,-", "-,-,G,-,-,-", options="mush=0,partners=pooled")
    assert descriptions(pooled, "xBC-5+3,+3-1.")[0::3] == [
        "exchange with B and C",
        "go on with the next partner",
        "exchange 5 for B's 3 and 1 for C's 3",
    ]
    owner = game("GRG,G,G,-,G,G", "-,-,-,-,-,-", hand="4R", options="mush=0,completion=owner")
    assert descriptions(owner, "4R", "^1@1^2@0") == [
        "place a red 4",
        "the red 1 under 1 card leaves",
        "the top green 2 leaves",
    ]


def test_an_exchange_is_one_turn_and_one_sentence() -> None:
    text = game("-,GG,-,-,-,-", "GG,-,-,-,-,-", hand="4R")
    turns = GAME.turns(current(text), 50)
    assert turns is not None
    assert {" ".join(turn.words()): GAME.describe_turn(turn) for turn in turns} == {
        "4R": "place a red 4",
        "end": "end the turn",
        "xB-2+1+1.": "exchange 2 for B's 1 + 1",
    }
    half = played(text, "xB-2+1")
    assert GAME.describe_turn(half) == "exchange 2 for B's 1"


def test_what_comes_next_is_told() -> None:
    text = game("GRG,GG,G,-,G,G", "GG,-,-,-,-,-", hand="4R", options="mush=0,completion=owner", centre=CENTRE)
    for words, expected in (
        ([], "place, use or exchange cards, or end the turn"),
        (["xB-2"], "choose the cards to exchange with B"),
        (["4R", "^1@0"], "choose the 2 that leaves with the complete sequence"),
        (["end"], "the first of 4 cards is turned up"),
        (["end", "*6G", "*6G", "*6G"], "a card is turned up"),
    ):
        assert GAME.describe_next(current(text, *words)) == expected
