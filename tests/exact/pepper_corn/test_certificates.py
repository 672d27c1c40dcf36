"""Certificates of Pepper. Corn!: what the checker accepts is true, all that is written and little else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from mangetout_solver.errors import PreconditionError
from mangetout_solver.exact.certificates import checker
from mangetout_solver.exact.certificates.writer import Certificate, certify
from mangetout_solver.exact.pepper_corn import certificate_rules as rules
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from pepper_corn_brute_force import margin as brute_force

from tests.exact.asking import SMALL, at_least
from tests.exact.pepper_corn.against_brute_force import MOST, kinds, margin_held
from tests.exact.pepper_corn.instances import RULES, SIZES, random_position, real_midgame

# Where a set of cards can be laid down in many ways, or play is soon over.
TINY = ((0, 4, 5), (5, 0, 5), (2, 2, 5), (3, 3, 4), (4, 2, 4), (1, 5, 4))


def margin(position: Position) -> int:
    """A's margin by brute force."""
    return margin_held(position) if position.is_terminal else int(brute_force(position))


def certified(position: Position, *margins: int) -> Certificate:
    found = certify(Record(RULES, (position,), ()), PlaySolver(SMALL), Control(), margins=margins or None)
    assert found is not None
    return found


def is_valid(text: str) -> bool:
    try:
        checker.check(text)
    except checker.Invalid:
        return False
    return True


def known(position: Position) -> rules.Position:
    return rules.parse(RULES.format_position(position))


def turns(position: Position) -> Iterator[tuple[str, Position]]:
    """All legal turns, or ways to end the one under way, with the positions after them."""
    for step in position.legal_moves():
        after, word = position.play(step), RULES.format_move(position, step)
        if word == "pass" or after.is_terminal or after.opens_turn:
            yield word, after
        else:
            yield from ((word + more, end) for more, end in turns(after))


# ---------------------------------------------------------------- what the checker knows


def test_the_checker_plays_by_the_rules() -> None:
    """Beside the compiled rules: its moves are legal, and what it leaves out keeps fewer cards."""
    left_out = 0
    for seed in range(200):
        position = random_position(seed, SIZES if seed % 4 == 0 else TINY)
        rng, found = Random(seed), known(position)
        while not position.is_terminal:
            after = dict(turns(position))
            moves = rules.moves(found)
            assert {*moves} <= {*after}, RULES.format_position(position)
            assert len({*moves}) == len(moves)
            kept: dict[tuple[str, ...], list[set[str]]] = {}
            for move in moves:
                played = rules.play(found, move)
                if not after[move].is_terminal:
                    assert played._replace(hands=sets(played)) == known_sets(after[move])
                kept.setdefault(played.cells, []).append({*played.hands[found.mover]})
            for word, end in after.items():
                if word != "pass" and word not in moves:
                    left_out += 1
                    hand = {*view(end).hands[found.mover].cards}
                    board = rules.play(found, word).cells
                    assert any(hand <= other for other in kept[board]), f"{RULES.format_position(position)}: {word}"
            move = rng.choice(moves)
            position, found = after[move], rules.play(found, move)
        assert rules.is_over(found)
        assert rules.look(found)[:3] == (margin(position),) * 3
    assert left_out > 500


def sets(position: rules.Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The hands in one order."""
    first, second = position.hands
    return tuple(sorted(first)), tuple(sorted(second))


def known_sets(position: Position) -> rules.Position:
    found = known(position)
    return found._replace(hands=sets(found))


def test_what_the_checker_sees_coming_is_true() -> None:
    """In positions of one game: margins are within the bounds; with equal keys they differ as the scores do."""
    merged = 0
    for seed in range(20):
        start, rng = random_position(seed), Random(seed)
        rest: dict[object, int] = {}
        seen_positions: set[Position] = set()
        for _ in range(60):
            position = start
            while not position.is_terminal and rng.random() < 0.9:
                _, position = rng.choice([*turns(position)])
                if position in seen_positions or position.is_terminal:
                    continue
                seen_positions.add(position)
                seen, value = rules.look(known(position)), margin(position)
                assert seen.low <= value <= seen.high, RULES.format_position(position)
                assert seen.score == margin_held(position)
                other = rest.setdefault(seen.key, value - seen.score)
                assert other == value - seen.score, RULES.format_position(position)
        merged += len(seen_positions) - len(rest)
    assert merged > 200


def reaches(position: rules.Position, margin: int, shown: dict[object, bool]) -> bool:
    """Whether A's margin is at least `margin`, by the rules, bounds and keys of the checker."""
    seen = rules.look(position)
    if seen.low >= margin or seen.high < margin:
        return seen.low >= margin
    key = seen.key, margin - seen.score
    if key not in shown:
        after = (rules.play(position, move) for move in rules.moves(position))
        shown[key] = (all if position.mover else any)(reaches(p, margin, shown) for p in after)
    return shown[key]


def test_positions_with_equal_keys_are_worth_the_same_in_larger_games() -> None:
    """Where brute force does not reach: solved with keys taken to be positions, and by the engine."""
    for seed in range(8):
        position = real_midgame(9, seed) if seed % 2 else random_position(seed, ((4, 4, 9), (6, 2, 9), (8, 3, 8)))
        context, held = PlaySolver(SMALL), margin_held(position)
        for asked in (-9, -3, 0, 1, 4, 10):
            assert reaches(known(position), held + asked, {}) == at_least(context, position, held + asked)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" AM/?/AS|8WL - - 100-88 play/A", "every card known"),
        (" AM AS|AW AL|AY 0-0 choose/A", "every card known"),
        (" 4MS - - 0-0 end", "every card known"),
        (" 4MS 5ML 4MS 0-0 play/A", "stands twice"),
        (" 4MS 5MS - 0-0 play/A", "not in the deck"),
        (" 4MS PMSL - 0-0 play/A", "not in the deck"),
        (" 4MS/5ML,6MW - - 0-0 play/A", "rows"),
        (" 4MS 3SK - 0-0 play/A/x4MS", "not a legal one"),
        (" 4MS 5ML - 0-0 play/A/x2MK", "not a legal one"),
        (" 4MS/2MK/AM - 5ML 0-0 play/B/x2MK", "not a legal one"),
        (" 4MS 5ML6MW - 0-0 play/A/x4MS+6MW+5ML", "not a legal one"),
        (" 4MS 5ML8WL - 0-0 play/A/x4MS+8WL", "not a legal one"),
        ("{deck=extended} 4WL 5MLPMYK - 0-0 play/A/x4WL~PMYK", "not a legal one"),
        ("{deck=extended,conversion=matching} 8WL 8YKPMSL - 0-0 play/A/x8WL~PMSL", "not a legal one"),
    ],
)
def test_what_is_no_position_of_play_is_refused(text: str, reason: str) -> None:
    with pytest.raises(checker.Invalid, match=reason):
        rules.parse(f"pepper_corn{text}")


# ---------------------------------------------------------------- what is written


def test_margins_are_certified() -> None:
    """Of both access rules and decks, after a pass, within captures and with lopsided hands."""
    counted: Counter[str] = Counter()
    for seed in range(100):
        position = random_position(seed)
        value = margin(position)
        assert checker.check(certified(position).text) == [f"margin >= {value}", f"margin < {value + 1}"]
        sizes = sorted(len(hand.cards) for hand in view(position).hands)
        counted.update([*kinds(position), *(["lopsided"] if sizes[1] - sizes[0] >= 5 else [])])
    assert min(counted[kind] for kind in ("open", "restricted", "extended", "after a pass", "within captures")) > 5
    assert counted["lopsided"] > 5


def test_every_threshold_is_certified_on_the_right_side() -> None:
    for seed in range(40):
        position = random_position(seed)
        value = margin(position)
        thresholds = (-MOST, value - 1, value, value + 1, value + 2, MOST, MOST + 1)
        claims = checker.check(certified(position, *thresholds).text)
        assert claims == [f"margin {'>=' if value >= asked else '<'} {asked}" for asked in thresholds]


def test_games_as_they_are_played_are_certified() -> None:
    for seed in range(6):
        position = real_midgame(8 + seed % 2, seed)
        found = certified(position)
        assert found.position == RULES.format_position(position)
        assert checker.check(found.text) == [str(claim) for claim in found.claims]


def test_what_cannot_be_certified_is_refused() -> None:
    for position, reason in (
        (RULES.deal(0, {}), "not a position of play with every card known"),
        (RULES.parse_position("pepper_corn 4MS - - 0-0 end"), "no move is to be made"),
        (real_midgame(13, 0), "13 cards are left, at most 12 unless forced"),
    ):
        with pytest.raises(PreconditionError, match=f"^position: {reason}"):
            certify(Record(RULES, (position,), ()), PlaySolver(SMALL), Control())


# ---------------------------------------------------------------- what is tampered with


@cache
def long_plans() -> list[tuple[Position, Certificate]]:
    """Positions in which brute force finds every margin, with plans that A's margin is at least what it is."""
    positions = [random_position(seed) for seed in range(60)]
    found = [(position, certified(position, margin(position))) for position in positions]
    found.sort(key=lambda at: -len(at[1].claims[0].moves))
    return [at for at in found if len(at[1].claims[0].moves) <= 25][:5]


def with_plan(found: Certificate, plan: Sequence[str]) -> str:
    """The text for the first claim with another plan, under a digest of its own."""
    return replace(found, claims=(replace(found.claims[0], moves=tuple(plan)),)).text


def test_a_changed_claim_is_refused() -> None:
    for seed in range(40):
        found = certified(random_position(seed))
        exactly, less = found.claims
        assert is_valid(found.text)
        for wrong in (
            replace(exactly, margin=exactly.margin + 1),
            replace(less, margin=less.margin - 1),
            replace(exactly, holds=False),
            replace(less, holds=True),
        ):
            assert not is_valid(replace(found, claims=(wrong,)).text)


def test_a_plan_without_the_answer_to_a_reply_is_refused() -> None:
    """Cut off or too long always; with an answer left out, told twice or exchanged with the next nearly always: now and
    then the moves prove the same claim in another order, too."""
    others = tried = 0
    for _, found in long_plans():
        (claim,) = found.claims
        moves = claim.moves
        assert is_valid(with_plan(found, moves))
        assert not is_valid(with_plan(found, [*moves, moves[-1]]))
        for at, move in enumerate(moves):
            before, rest = moves[:at], moves[at + 1 :]
            assert not is_valid(with_plan(found, before))
            changed = [[*before, *rest], [*before, move, move, *rest]]
            if rest and move != rest[0]:
                changed.append([*before, rest[0], move, *rest[1:]])
            others += sum(is_valid(with_plan(found, plan)) for plan in changed)
            tried += len(changed)
    assert tried > 80
    assert others < tried / 40


def test_a_move_that_is_illegal_or_gives_the_claim_away_is_refused() -> None:
    """Each move of a plan replaced by all of any position that are not legal there, and by those that brute force knows
    to fall short."""
    refused: Counter[str] = Counter()
    for start, found in long_plans():
        (claim,) = found.claims
        where = decisions(start, found)
        words = {word for position in where for word, _ in turns(position)} | {"x4MS.", "xAM+AM.", "+AS.", "end"}
        for number, position in enumerate(where):
            after = dict(turns(position))
            for word in words:
                if word not in after or margin(after[word]) < claim.margin:
                    assert not is_valid(with_plan(found, [*claim.moves[:number], word, *claim.moves[number + 1 :]]))
                    refused["worse" if word in after else "illegal"] += 1
    assert refused["illegal"] > 300, refused
    assert refused["worse"] > 20, refused


def decisions(start: Position, found: Certificate) -> list[Position]:
    """Where the first plan of a certificate, one for A, makes its moves."""
    at: list[Position] = []
    plan = iter(found.claims[0].moves)

    def choose(_: rules.Position, path: list[str]) -> str:
        record = Record(RULES, (start,), ())
        for move in path:
            record = record.play(move)
        at.append(record.current)
        return next(plan)

    checker.Walk(rules, 0, found.claims[0].margin, choose).walk(known(start), [])
    return at


def test_no_plan_proves_what_is_false() -> None:
    """Whatever is played, well or at random."""

    def value_of(position: rules.Position) -> int:
        seen = rules.look(position)
        if seen.key not in values:
            after = [value_of(rules.play(position, move)) for move in rules.moves(position)]
            values[seen.key] = (min if position.mover else max)(after, default=seen.score) - seen.score
        return seen.score + values[seen.key]

    def best(position: rules.Position, _: list[str]) -> str:
        better = min if position.mover else max
        return better(rules.moves(position), key=lambda move: value_of(rules.play(position, move)))

    rng = Random(3)
    for seed in range(60):
        values: dict[object, int] = {}
        position = random_position(seed, TINY)
        value = margin(position)
        for seat, need in ((0, value + 1), (1, 1 - value)):
            for choose in [best] + [lambda at, _: rng.choice(rules.moves(at))] * 5:
                with pytest.raises(checker.Invalid):
                    checker.Walk(rules, seat, need, choose).walk(known(position), [])


def test_in_a_changed_position_what_is_accepted_is_true_there() -> None:
    """Two cards of it exchanged, the seat to move, the points, a rule."""
    accepted = refused = 0
    for seed in range(60):
        position = random_position(seed, TINY)
        found = certified(position)
        for changed in changes(found.position, Random(seed)):
            text = replace(found, position=changed).text
            try:
                other = RULES.parse_position(changed)
            except ValueError:
                continue
            if is_valid(text):
                accepted += 1
                assert margin(other) == margin(position), changed
            else:
                refused += 1
    assert refused > 200
    assert accepted > 20


def changes(text: str, rng: Random) -> Iterator[str]:
    cards = list(re.findall(rules.CARD, text))
    for _ in range(12):
        one, other = rng.sample(cards, 2)
        yield text.replace(one, "?").replace(other, one).replace("?", other)
    yield text.replace("play/A", "play/?").replace("play/B", "play/A").replace("?", "B")
    yield text.replace("/passed", "") if "/passed" in text else text.replace("play/A", "play/A/passed")
    yield text.replace("access=restricted,", "") if "restricted," in text else text
