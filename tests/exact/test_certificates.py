"""Certificates of PEAS, and the checker of all: what it accepts is true, all that is written and little else."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from mangetout_solver.errors import PreconditionError
from mangetout_solver.exact.certificates import checker, writer
from mangetout_solver.exact.certificates.writer import Certificate, certify
from mangetout_solver.exact.peas import certificate_rules as rules
from mangetout_solver.exact.peas.solver import SWEEP, DoubleDummy
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import Peas, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.search.control import Control

GAME = Peas()
CERTIFIED = ("peas", "pepper_corn")
PEPPER_CORN = "pepper_corn 4MS,AS,-,4WL 2MK5ML6LK 8YKXK 14-9 play/A"
# Pods, cards left, colours and ranks.
KINDS = [(4, 8, 1, 8), (5, 9, 2, 8), (6, 9, 2, 6), (8, 9, 3, 8), (10, 9, 4, 6)]
PAGE = (Path(__file__).parent.parent.parent / "docs/certificates.md").read_text(encoding="utf-8")


def random_position(rng: Random, pods: int, left: int, colours: int = 4, ranks: int = 6) -> Position:
    """A position with `left` cards to be played, reached by random play of a random game."""
    values = ",".join(str(rng.choice((-3, -2, -1, 0, 1, 1, 2, 3))) for _ in range(pods))
    options = {"pods": values, "colours": str(colours), "ranks": str(ranks)}
    position = GAME.deal(rng.randrange(1 << 30), options)
    return randomly_played(rng, position, 2 * pods - left)


def randomly_played(rng: Random, position: Position, plies: int) -> Position:
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    return position


def real_position(seed: int, left: int) -> Position:
    position = GAME.deal(seed, {})
    for step in range(20 - left):
        position = position.play(position.random_step(seed + step))
    return position


def small_positions(count: int) -> list[Position]:
    """Positions of small games of all kinds, at most 6 cards left."""
    rng = Random(7)
    found = []
    for number in range(count):
        pods = rng.choice((2, 3, 3, 4))
        colours, ranks = rng.choice(((1, 8), (2, 4), (2, 6), (3, 3), (4, 6)))
        found.append(random_position(rng, pods, min(2 * pods - number % 3, 6), colours, ranks))
    return found


@cache
def margin(position: Position) -> int:
    """A's margin by the plain rules, everything tried."""
    if position.is_terminal:
        winners = [pod.winner for pod in view(position).pods]
        if len(set(winners)) == 1:
            return SWEEP if winners[0] == 0 else -SWEEP
        return sum(pod.value if pod.winner == 0 else -pod.value for pod in view(position).pods)
    best = max if position.seat_to_move == 0 else min
    return best(margin(position.play(move)) for move in position.legal_moves())


def certified(position: Position, *margins: int) -> Certificate:
    found = certify(Record(GAME, (position,), ()), DoubleDummy(1 << 20), Control(), margins=margins or None)
    assert found is not None
    return found


def is_valid(text: str) -> bool:
    try:
        checker.check(text)
    except checker.Invalid:
        return False
    return True


def best_margin(position: rules.Position) -> int:
    """A's margin by the moves that the checker knows, everything tried; also where no play can have led."""
    moves = rules.moves(position)
    if not moves:
        return rules.look(position).low
    best = min if position.mover else max
    return best(best_margin(rules.play(position, move)) for move in moves)


def best_move(position: rules.Position) -> str:
    best = min if position.mover else max
    return best(rules.moves(position), key=lambda move: best_margin(rules.play(position, move)))


# ---------------------------------------------------------------- what is written


@pytest.mark.parametrize("seed", range(4))
def test_the_margin_of_small_games_is_certified(seed: int) -> None:
    for position in small_positions(200)[seed::4]:
        value = margin(position)
        assert checker.check(certified(position).text) == [f"margin >= {value}", f"margin < {value + 1}"]


def test_every_threshold_is_certified_on_the_right_side() -> None:
    for position in small_positions(40):
        value = margin(position)
        thresholds = (-SWEEP, value - 1, value, value + 1, value + 2, SWEEP, SWEEP + 1)
        claims = checker.check(certified(position, *thresholds).text)
        assert claims == [f"margin {'>=' if value >= asked else '<'} {asked}" for asked in thresholds]


@pytest.mark.parametrize(("left", "count"), [(8, 12), (10, 4), (12, 1)])
def test_real_rounds_are_certified(left: int, count: int) -> None:
    for seed in range(count):
        position = real_position(seed, left)
        found = certified(position, 1)
        assert found.position == GAME.format_position(position)
        assert checker.check(found.text) == [str(claim) for claim in found.claims]


def test_in_a_match_the_round_at_hand_counts() -> None:
    in_match = "peas{scope=match} +1/-2/+3 B2B6Y1 B3B5R1 A 1-0"
    found = certified(GAME.parse_position(in_match))
    assert found.position == in_match
    value = margin(GAME.parse_position("peas +1/-2/+3 B2B6Y1 B3B5R1 A"))
    assert checker.check(found.text) == [f"margin >= {value}", f"margin < {value + 1}"]


def test_what_cannot_be_certified_is_refused() -> None:
    context, control = DoubleDummy(1 << 20), Control()
    for text, reason in (
        ("peas +1/-2/+3 B2B6Y1 ??? A", "not a position of a round with both hands known: 'peas .*'"),
        ("peas +1[A=B2,B=B3] - - A", "no move is to be made"),
        ("peas{scope=match} +1|-2 - - B 0-1 deal/0", "no move is to be made"),
        (GAME.format_position(real_position(1, 16)), "16 cards are left, at most 14 unless forced"),
    ):
        with pytest.raises(PreconditionError, match=f"^position: {reason}$"):
            certify(Record(GAME, (GAME.parse_position(text),), ()), context, control)


def test_more_cards_are_certified_where_that_is_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    position = real_position(3, 8)
    expected = certified(position)
    monkeypatch.setattr(rules, "MOST_LEFT", 7)
    with pytest.raises(PreconditionError):
        certify(Record(GAME, (position,), ()), DoubleDummy(1 << 20), Control())
    assert certify(Record(GAME, (position,), ()), DoubleDummy(1 << 20), Control(), force=True) == expected


def test_a_plan_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    position, moves = long_plan()
    monkeypatch.setattr(writer, "MOST_MOVES", len(moves))
    certified(position, 1)
    monkeypatch.setattr(writer, "MOST_MOVES", len(moves) - 1)
    with pytest.raises(PreconditionError, match="more than"):
        certified(position, 1)


def test_a_stopped_search_gives_no_certificate() -> None:
    control = Control()
    control.stop()
    assert certify(Record(GAME, (GAME.deal(4, {}),), ()), DoubleDummy(1 << 20), control, force=True) is None


# ---------------------------------------------------------------- what the checker knows


@pytest.mark.parametrize("seed", range(3))
def test_the_checker_plays_by_the_rules(seed: int) -> None:
    """Beside the compiled rules, from deals of any deck to the end, where it knows the margin."""
    rng = Random(seed)
    for _ in range(60):
        pods = rng.randint(1, 12)
        position = random_position(rng, pods, 2 * pods, 4, rng.randint((pods + 1) // 2, 8))
        known = rules.parse(GAME.format_position(position))
        while not position.is_terminal:
            assert known == rules.parse(GAME.format_position(position))
            assert known.mover == position.seat_to_move
            moves = rules.moves(known)
            assert moves == [GAME.format_move(position, m) for m in position.legal_moves()]
            move = rng.choice(moves)
            position = position.play(GAME.parse_move(position, move))
            known = rules.play(known, move)
        seen = rules.look(known)
        assert seen.low == seen.high == margin(position)


@pytest.mark.parametrize(
    "deal",
    [
        "peas{colours=1,ranks=8} +1/-2/+3/+2 B1B3B5B7 B2B4B6B8 A",
        "peas{colours=2,ranks=4} +2/-1/+3/-2 B1B4R2R3 B2B3R1R4 B",
        "peas -3/+2/+1/-1 B2B5R3V6 B4R1R6Y2 A",
        "peas +1/+2/-3 B1R3V2 B2R1V3 B",
    ],
)
def test_what_the_checker_sees_coming_is_true(deal: str) -> None:
    """In positions of one deal: margins are within the bounds; with equal keys they differ as the scores do."""
    rng = Random(5)
    start = GAME.parse_position(deal)
    positions = {randomly_played(rng, start, rng.randint(3, 2 * deal.count("/") + 1)) for _ in range(2500)}
    rest: dict[object, tuple[int, int]] = {}
    for position in positions:
        seen = rules.look(rules.parse(GAME.format_position(position)))
        value = margin(position)
        assert seen.low <= value <= seen.high
        score, other = rest.setdefault(seen.key, (seen.score, value))
        assert value == other if abs(value) == SWEEP else value - other == seen.score - score
    assert len(positions) > 2 * len(rest)


@pytest.mark.parametrize(("pods", "left", "colours", "ranks"), KINDS)
def test_positions_with_equal_keys_are_worth_the_same_in_larger_games(
    pods: int, left: int, colours: int, ranks: int
) -> None:
    """Where brute force does not reach: solved with keys taken to be positions, and by the engine."""
    rng = Random(13)
    for _ in range(4):
        position = random_position(rng, pods, left, colours, ranks)
        start, context = rules.parse(GAME.format_position(position)), DoubleDummy(1 << 20)
        for asked in (-4, -2, 0, 1, 3, 5, SWEEP):
            assert reaches(start, asked, {}) == context.at_least(position, asked, Control())


def reaches(position: rules.Position, margin: int, known: dict[object, bool]) -> bool:
    """Whether A's margin is at least `margin`, by the rules, bounds and keys of the checker."""
    seen = rules.look(position)
    if seen.low >= margin or seen.high < margin:
        return seen.low >= margin
    key = seen.key, margin - seen.score
    if key not in known:
        after = (rules.play(position, move) for move in rules.moves(position))
        known[key] = (all if position.mover else any)(reaches(p, margin, known) for p in after)
    return known[key]


def played(position: Position, path: list[str]) -> Position:
    for move in path:
        position = position.play(GAME.parse_move(position, move))
    return position


def test_what_is_shown_with_some_points_is_shown_with_more_and_not_with_less() -> None:
    rest = "/-2/+1 B1R3 B2R2 A"
    little, much = (rules.parse(f"peas {value:+d}[A=Y2,B=Y1]{rest}") for value in (1, 4))
    assert rules.look(little).key == rules.look(much).key
    asked = []

    def choose(position: rules.Position, path: list[str]) -> str:
        asked.append(path)
        return best_move(position)

    value = best_margin(little)
    walk = checker.Walk(rules, 0, value, choose)
    walk.walk(little, [])
    count = len(asked)
    assert count > 0
    walk.walk(much, [])
    assert len(asked) == count
    walk = checker.Walk(rules, 0, value + 3, choose)
    walk.walk(much, [])
    with pytest.raises(checker.Invalid):
        walk.walk(little, [])


def test_no_plan_proves_what_is_false() -> None:
    """Whatever is played, well or at random."""
    rng = Random(11)
    for position in small_positions(60):
        value = margin(position)
        start = rules.parse(GAME.format_position(position))

        for seat, need in ((0, value + 1), (1, 1 - value)):
            for choose in [lambda at, _: best_move(at)] + [lambda at, _: rng.choice(rules.moves(at))] * 5:
                with pytest.raises(checker.Invalid):
                    checker.Walk(rules, seat, need, choose).walk(start, [])


# ---------------------------------------------------------------- what is tampered with


@cache
def long_plan() -> tuple[Position, tuple[str, ...]]:
    """A position with a long proof of whether A's margin is at least 1."""
    position = max((real_position(seed, 10) for seed in range(6)), key=lambda p: len(certified(p, 1).claims[0].moves))
    return position, certified(position, 1).claims[0].moves


def test_any_changed_character_is_noticed() -> None:
    text = certified(GAME.parse_position("peas +1/-2/+3 B2B6Y1 B3B5R1 A")).text
    assert is_valid(text)
    for at in range(len(text)):
        for changed in (text[:at] + text[at + 1 :], text[:at] + "0" + text[at:], text[:at] + "0" + text[at + 1 :]):
            assert changed == text or not is_valid(changed)
    assert not any(is_valid(text[:end]) for end in range(len(text)))


def with_plan(found: Certificate, plan: Sequence[str]) -> str:
    """The text for the first claim with another plan, under a digest of its own."""
    return replace(found, claims=(replace(found.claims[0], moves=tuple(plan)),)).text


def test_a_changed_plan_is_refused() -> None:
    """Cut off, too long or with a move that is none always; with moves left out, told twice or exchanged nearly always:
    now and then the moves prove the same claim in another order, too."""
    position, moves = long_plan()
    found = certified(position, 1)
    assert len(moves) > 50

    def accepted(*plans: Sequence[str]) -> int:
        return sum(is_valid(with_plan(found, plan)) for plan in plans)

    assert accepted(moves) == 1
    assert accepted(*(moves[:at] for at in range(0, len(moves), 8)), [*moves, moves[-1]]) == 0
    others = 0
    for at in range(0, len(moves), 8):
        before, move, rest = moves[:at], moves[at], moves[at + 1 :]
        assert accepted([*before, "B1@99", *rest], [*before, move.lower(), *rest]) == 0
        others += accepted([*before, *rest], [*before, move, move, *rest])
        if rest and move != rest[0]:
            others += accepted([*before, rest[0], move, *rest[1:]])
    assert others < len(moves) / 80


def test_a_move_that_gives_the_claim_away_is_refused() -> None:
    """Each move of a plan replaced by all that are illegal there or, by the plain rules, do not keep the claim."""
    rng = Random(2)
    certificates = [
        certified(position, margin(position)) for position in (random_position(rng, 4, 6) for _ in range(40))
    ]
    certificates.sort(key=lambda found: -len(found.claims[0].moves))
    refused = 0
    for found in certificates[:6]:
        (claim,) = found.claims
        cards = re.findall("[BRVY].", found.position.split(" ", 2)[2])
        for number, position in enumerate(decisions(found)):
            after = {GAME.format_move(position, move): position.play(move) for move in position.legal_moves()}
            for move in (f"{card}@{pod}" for card in cards for pod in range(4)):
                if move not in after or margin(after[move]) < claim.margin:
                    assert not is_valid(with_plan(found, [*claim.moves[:number], move, *claim.moves[number + 1 :]]))
                    refused += 1
    assert refused > 200


def decisions(found: Certificate) -> list[Position]:
    """Where the first plan of a certificate, one for A, makes its moves."""
    at: list[Position] = []
    plan = iter(found.claims[0].moves)

    def choose(_: rules.Position, path: list[str]) -> str:
        at.append(played(GAME.parse_position(found.position), path))
        return next(plan)

    checker.Walk(rules, 0, found.claims[0].margin, choose).walk(rules.parse(found.position), [])
    return at


def test_a_changed_claim_is_refused() -> None:
    for position in small_positions(60):
        found = certified(position)
        at_least, less = found.claims
        for wrong in (
            replace(at_least, margin=at_least.margin + 1),
            replace(less, margin=less.margin - 1),
            replace(at_least, holds=False),
            replace(less, holds=True),
        ):
            assert is_valid(found.text)
            assert not is_valid(replace(found, claims=(wrong,)).text)


def test_in_a_changed_position_what_is_accepted_is_true_there() -> None:
    """Each character replaced by every other that may stand in a position."""
    rng = Random(4)
    accepted = refused = 0
    for position in (random_position(rng, 3, 4) for _ in range(8)):
        found = certified(position)
        for at, letter in enumerate(found.position):
            for other in set("peas+-/[]=,BRVY123456789 ?") - {letter}:
                changed = replace(found, position=found.position[:at] + other + found.position[at + 1 :])
                if is_valid(changed.text):
                    accepted += 1
                    assert best_margin(rules.parse(changed.position)) == margin(position), changed
                else:
                    refused += 1
    assert accepted < refused / 10
    assert accepted + refused > 4_000


@pytest.mark.parametrize(
    ("position", "claim", "reason"),
    [
        ("peas +1 B1 B2 A", "margin > 1:", "not a claim: 'margin > 1'"),
        ("peas +1 B1 B2 A", "margin >= 01:", "not a claim: 'margin >= 01'"),
        ("peas +1 B1 B2 A", "margin < 1000:", "not a claim: 'margin < 1000'"),
        ("peas +1 B1 B2 A", "", "not a claim"),
        ("peas +1 B1 B? A", "margin < 1:", "not a position of a round with both hands known"),
        ("peas +1 B1 B2", "margin < 1:", "not a position of a round with both hands known"),
        ("peas{ranks=9} +1 B1 B2 A", "margin < 1:", "not a position of a round with both hands known"),
        ("peas +1[A=B1,A=B2] - - A", "margin < 1:", r"not a pod: '\+1\[A=B1,A=B2\]'"),
        ("peas +1[A=B1] - B1 A", "margin < 1:", "a card stands twice"),
        ("peas +1 B1 B7 A", "margin < 1:", "is not in the deck"),
        ("peas{colours=2,ranks=8} +1 B8 V1 A", "margin < 1:", "is not in the deck"),
        ("peas +1/+2 B1 B2 A", "margin < 1:", "one card for each pod"),
        ("peas +1[B=B2] B1 - A", "margin < 1:", "turns do not alternate"),
        ("peas +1/+2 B1R1 B2R2 A", "margin >= 121:", "margin >= 121: at the start: the claim can no longer come true"),
        ("peas +1/+2 B1R3 B2R2 A", "margin >= 1:", "margin >= 1: at the start: the plan has nothing"),
        (
            "peas +1/+2 B1R3 B2R2 A",
            "margin >= 1: B2@0",
            "at the start: the plan has B2@0, which is not a move to be made there",
        ),
        ("peas +1/+2 B1R3 B2R2 A", "margin >= 1: R3@0", "after R3@0 R2@0: the claim can no longer come true"),
        ("peas +1/+2 B1R1 B2R2 A", "margin >= -120: B1@0", "the plan goes on with B1@0 when all is shown"),
    ],
)
def test_what_is_not_a_proof_is_refused_with_the_reason(position: str, claim: str, reason: str) -> None:
    body = f"{checker.header('peas')}\n{position}\n{claim}\n"
    with pytest.raises(checker.Invalid, match=reason):
        checker.check(body + checker.seal(body))


@pytest.mark.parametrize("name", ["easy_peasy", "solution", "certificates"])
def test_games_without_certificates_are_refused(name: str) -> None:
    body = f"{checker.header(name)}\npeas +1 B1 B2 A\nmargin < 1:\n"
    with pytest.raises(checker.Invalid, match=f"there are no certificates of '{name}'"):
        checker.check(body + checker.seal(body))
    if name == "easy_peasy":
        record = Record(game(name), (game(name).deal(0, {}),), ())
        with pytest.raises(PreconditionError, match="there are no certificates"):
            certify(record, DoubleDummy(1 << 20), Control())


@pytest.mark.parametrize(
    "body", ["", "peas-certificate 1\npeas +1 B1 B2 A\n", "peas 1\npeas +1 B1 B2 A\nmargin < 1:\n"]
)
def test_what_is_no_certificate_is_refused(body: str) -> None:
    with pytest.raises(checker.Invalid, match="not the line 'GAME-certificate 1'"):
        checker.check(body + checker.seal(body))


# ---------------------------------------------------------------- the checker alone


def test_the_page_shows_certificates_and_how_to_write_one(capsys: pytest.CaptureFixture[str]) -> None:
    of_peas, of_pepper_corn = re.findall(r"^```\n([a-z_]+-certificate 1\n.*?)```$", PAGE, re.DOTALL | re.MULTILINE)
    assert checker.check(of_peas) == ["margin >= 4", "margin < 5"]
    assert checker.check(of_pepper_corn) == ["margin >= 3", "margin < 4"]
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code)
    assert len(checker.check(capsys.readouterr().out.removesuffix("\n"))) == 2


def alone(path: Path) -> Path:
    """A folder with all that the checker needs: nothing of it is compiled."""
    package = Path(checker.__file__).parents[2]
    names = ["__init__.py", "exact/__init__.py"]
    names += [f"exact/certificates/{name}.py" for name in ("__init__", "__main__", "checker")]
    names += [f"exact/{name}/{module}.py" for name in CERTIFIED for module in ("__init__", "certificate_rules")]
    for name in names:
        copy = path / package.name / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(package / name, copy)
    return path


def test_the_checker_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    imported: set[str] = set()
    for path in alone(tmp_path).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    own = {name for name in imported if name.startswith("mangetout_solver")}
    assert own == {"mangetout_solver.exact.certificates.checker"}
    assert {name.split(".")[0] for name in imported - own} <= sys.stdlib_module_names


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """Without the packages of this environment, on files and on standard input."""
    alone(tmp_path)
    certificates = {
        "peas": certified(GAME.parse_position("peas +1/-2/+3 B2B6Y1 B3B5R1 A")),
        "pepper": certify(parse_record(PEPPER_CORN), PlaySolver(1 << 20), Control()),
    }
    valid = []
    for name, found in certificates.items():
        assert found is not None
        with (tmp_path / name).open("w") as file:
            found.write(file)
        valid.append(f"{name}: valid: {', '.join(map(str, found.claims))}")
    text = (tmp_path / "peas").read_text()
    (tmp_path / "bad").write_text(text.replace(" A\n", " B\n"))
    (tmp_path / "not ascii").write_text("peas\u00e9", encoding="utf-8")

    def run(*names: str, text: str = "") -> tuple[int, list[str]]:
        command = [sys.executable, "-E", "-s", "-S", "-m", "mangetout_solver.exact.certificates", *names]
        done = subprocess.run(command, cwd=tmp_path, input=text, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()

    assert run("peas", "pepper") == (0, valid)
    assert run("-", text=text) == (0, [valid[0].replace("peas", "-", 1)])
    code, lines = run("peas", "bad", "missing", "not ascii")
    assert code == 1
    assert lines[0] == valid[0]
    assert [line.split(": ")[:2] for line in lines[1:]] == [[n, "invalid"] for n in ("bad", "missing", "not ascii")]
    assert run()[0] == 1
