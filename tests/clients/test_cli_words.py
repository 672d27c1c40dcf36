"""What the command line makes of messages and arguments, without a server."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from mangetout.v1 import analysis_pb2, common_pb2, game_pb2
from mangetout_cli import options, seats, words
from mangetout_cli.analysis_view import analysis_parts
from mangetout_cli.errors import Failure, Violation
from mangetout_cli.main import app
from mangetout_cli.show import outcome, position_parts, result_parts
from mangetout_cli.source import read_notation
from rich.console import Console, RenderableType
from typer.testing import CliRunner


def printed(parts: list[RenderableType], width: int = 100) -> str:
    """What a console writes for the parts, without trailing blanks."""
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    console.print(*parts, sep="\n")
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def exact(value: float) -> common_pb2.Value:
    return common_pb2.Value(exact=common_pb2.ExactValue(value=value))


def interval(low: float, high: float) -> common_pb2.Value:
    return common_pb2.Value(interval=common_pb2.IntervalValue(low=low, high=high))


def estimate(mean: float, error: float) -> common_pb2.Value:
    return common_pb2.Value(estimate=common_pb2.EstimateValue(mean=mean, standard_error=error))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (exact(1), "proven win"),
        (exact(0), "proven loss"),
        (exact(0.5), "50 %, proven"),
        (interval(0, 0.5), "between 0 % and 50 %, proven"),
        (estimate(0.523, 0.004), "52.3 % ± 0.4 (estimate)"),
        (estimate(0.523, 0), "52.3 % ± 0.0 (estimate)"),
        (estimate(0.52341, 0.00004), "52.341 % ± 0.004 (estimate)"),
        (common_pb2.Value(), "not known"),
    ],
)
def test_win_share_names_its_kind(value: common_pb2.Value, text: str) -> None:
    assert words.win_share(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (exact(-3), "-3 (proven)"),
        (exact(0), "0 (proven)"),
        (interval(-2, 4), "between -2 and 4, proven"),
        (estimate(-1.25, 0.04), "-1.25 ± 0.04 (estimate)"),
        (common_pb2.Value(), "not known"),
    ],
)
def test_score_names_its_kind(value: common_pb2.Value, text: str) -> None:
    assert words.score(value) == text


def test_every_stop_reason_and_concept_of_the_contract_has_words() -> None:
    for reason in analysis_pb2.StopReason.values():
        assert "not known" not in words.stop_reason(analysis_pb2.Analysis(stop_reason=reason))
    for concept in analysis_pb2.SolutionConcept.values()[1:]:
        assert "not known" not in words.concept(analysis_pb2.Analysis(concept=concept))


def test_values_of_a_later_contract_are_said_to_be_unknown() -> None:
    analysis = analysis_pb2.Analysis()
    analysis.ParseFromString(bytes([7 << 3, 99, 14 << 3, 99]))
    assert "not known" in words.concept(analysis)
    assert "not known" in words.stop_reason(analysis)


def test_an_analysis_for_another_seat_shows_that_seats_values_and_the_move_expected() -> None:
    values = [common_pb2.PlayerValue(seat=0, win_share=exact(1)), common_pb2.PlayerValue(seat=1, win_share=exact(0))]
    analysis = analysis_pb2.Analysis(seat_to_move=0, seat=1, values=values)
    analysis.best_move.notation = "B1@0"
    analysis.lines.add(rank=1, move=common_pb2.Move(notation="B1@0"), values=values, principal_variation=["B1@0"])
    text = printed(analysis_parts(analysis))
    assert "Expected of A" in text
    assert "Win share of B" in text
    assert "proven loss" in text
    assert "proven win" not in text


def test_worlds_won_stand_beside_the_moves_they_are_known_of() -> None:
    analysis = analysis_pb2.Analysis(counters=analysis_pb2.SearchCounters(worlds=1001))
    analysis.lines.add(rank=1, move=common_pb2.Move(notation="B1@0"), visits=7, worlds_won=640)
    analysis.lines.add(rank=2, move=common_pb2.Move(notation="B2@0"), visits=5)
    rows = {
        line.split()[1]: line.split()[2:] for line in printed(analysis_parts(analysis)).splitlines() if "@0" in line
    }
    assert rows == {"B1@0": ["7", "640", "of", "1,001"], "B2@0": ["5"]}
    analysis.lines[0].ClearField("worlds_won")
    assert "Ahead in" not in printed(analysis_parts(analysis))


def test_an_explanation_comes_first() -> None:
    analysis = analysis_pb2.Analysis(explanation="Best found for A: [x].")
    assert printed(analysis_parts(analysis)).startswith("Best found for A: [x].\n")


def test_texts_with_brackets_are_not_taken_for_markup() -> None:
    analysis = analysis_pb2.Analysis(best_move=common_pb2.Move(notation="B1@0", description="pod [bold]0[/nonsense]"))
    assert "pod [bold]0[/nonsense]" in printed(analysis_parts(analysis))


def peas_round() -> game_pb2.Position:
    """Two pods: the Bottom is full, the Tip waits for B's answer to R5."""
    pods = [
        game_pb2.PeasPod(value=3, plays=[game_pb2.PeasPlay(seat=1, card="Y5"), game_pb2.PeasPlay(seat=0, card="B1")]),
        game_pb2.PeasPod(value=-2, plays=[game_pb2.PeasPlay(seat=0, card="R5")]),
    ]
    hands = [game_pb2.PeasHand(voids=["Y"]), game_pb2.PeasHand(unknown=1)]
    view = game_pb2.PeasView(pods=pods, hands=hands, pea=1, colours=4, ranks=6)
    return game_pb2.Position(game="peas", notation="peas ...", players=2, seat_to_move=1, peas=view)


def test_peas_board_shows_the_row_of_pods_between_the_players_and_marks_first_cards() -> None:
    lines = printed(position_parts(peas_round(), 0)).splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
    assert lines[0] == "peas: B to move"
    assert rows["Bottom"] == ["Tip"]
    assert rows["pod"] == ["0", "1"]
    assert rows["worth"] == ["+3", "-2"]
    order = [line.split()[0] for line in lines if line.split()[:1] and line.split()[0] in ("A", "B", "worth")]
    assert order == ["B", "worth", "A", "B", "A"]
    assert " B (pea): 1 hidden card" in lines
    assert " A (you): no cards left" in lines
    assert "Y5*" in lines[5]
    assert "R5*" in lines[7]


def test_peas_hands_are_told_by_colour_with_the_colours_known_to_be_missing() -> None:
    position = peas_round()
    position.peas.hands[0].cards.extend(["B2", "B4", "R6"])
    text = printed(position_parts(position))
    assert " A: blue B2 B4  pink R6  (has no yellow)" in text


def pepper_corn(rows: list[list[str]], **fields: Any) -> str:
    """The drawing of a game with a card in each hand."""
    hands = [game_pb2.PepperCornHand(cards=["5ML"]), game_pb2.PepperCornHand(cards=["6SY"])]
    cells = [game_pb2.PepperCornRow(cells=row) for row in rows]
    view = game_pb2.PepperCornView(rows=cells, hands=hands, **fields)
    return printed(position_parts(game_pb2.Position(game="pepper_corn", players=2, pepper_corn=view), 0))


def test_pepper_corn_board_shows_face_down_cards_and_what_they_can_be() -> None:
    rows = [["AM", ""], ["?", "?"], ["XK", "9MS"]]
    text = pepper_corn(rows, unseen=["3MW", "4WL", "8YK"], next_seat=1)
    lines = [line.strip("│").split("│") for line in text.splitlines() if line.startswith("│")]
    # The viewer's front row stands below.
    assert [[cell.strip() for cell in line] for line in lines] == [["XK", "9MS"], ["?", "?"], ["AM", "·"]]
    assert " face down or out of play: 3MW 4WL 8YK" in text
    assert " a card is turned up, before B's turn" in text
    assert "turned up" not in pepper_corn(rows, unseen=["3MW", "4WL", "8YK"])
    assert "face down" not in pepper_corn([["AM", ""]])


def test_pepper_corn_board_shows_what_converts_and_what_the_excuse_is() -> None:
    text = pepper_corn([["9MS", "EX"]], target="9MS", converter="PMSL", laid=["3LY"])
    assert " taking 9MS with 3LY, converted by PMSL" in text
    assert "converted" not in pepper_corn([["9MS", "EX"]], target="9MS", laid=["8MS"])
    gap = pepper_corn([["9MS", "EX"]], excuse=game_pb2.PEPPER_CORN_EXCUSE_GAP)
    assert "·" in gap
    assert "EX" not in gap
    blocker = pepper_corn([["9MS", "EX"]], excuse=game_pb2.PEPPER_CORN_EXCUSE_BLOCKER)
    assert " EX, the Excuse, bars the way: nothing takes it" in blocker
    takeable = pepper_corn([["9MS", "EX"]], excuse=game_pb2.PEPPER_CORN_EXCUSE_TAKEABLE)
    assert " EX, the Excuse, can be taken with any card" in takeable


def test_a_game_without_a_drawing_is_shown_by_its_heading() -> None:
    position = game_pb2.Position(game="later", notation="later [x]", players=3, seat_to_move=2)
    assert printed(position_parts(position)) == "later: C to move"


def test_the_heading_tells_who_may_do_what() -> None:
    position = game_pb2.Position(game="later", players=5, seat_to_move=4, next="steal a card", choices=1)
    assert printed(position_parts(position)) == "later: E to move: steal a card (1 choice)"
    assert printed(position_parts(position, 4)) == "later: E (you) to move: steal a card (1 choice)"
    position.is_secret = True
    position.choices = 12
    assert printed(position_parts(position, 0)) == "later: E to move, unseen by the others: steal a card (12 choices)"
    position.ClearField("choices")
    assert printed(position_parts(position)) == "later: E to move, unseen by the others: steal a card"
    chance = game_pb2.Position(game="later", players=5, is_chance=True, next="a card is drawn", choices=3)
    assert printed(position_parts(chance, 0)) == "later: chance comes next: a card is drawn (3 outcomes)"


def test_the_others_of_several_seats_have_a_row_each() -> None:
    analysis = analysis_pb2.Analysis(seat_to_move=1, seat=1)
    for seat in range(6):
        analysis.values.add(seat=seat, win_share=estimate(seat / 15, 0.01), score=estimate(10 * seat, 0.5))
    rows = [
        line.strip("│ ").split("│") for line in printed(analysis_parts(analysis)).splitlines() if "Win share" in line
    ]
    assert [name.strip() for name, *_ in rows[:6]] == [f"Win share of {letter}" for letter in "BACDEF"]
    assert rows[5][1].strip() == "33.3 % ± 1.0 (estimate); score 50.00 ± 0.50 (estimate)"
    del analysis.values[2:]
    assert "Win share of A" not in printed(analysis_parts(analysis))


def test_the_end_tells_winner_and_totals() -> None:
    position = peas_round()
    position.ClearField("seat_to_move")
    position.returns.add(seat=0, win_share=0, score=-2)
    position.returns.add(seat=1, win_share=1, score=3)
    for pod in position.peas.pods:
        pod.winner = 1
    text = printed(result_parts(position, "pod points, higher is better"))
    assert "Total: A -2, B 3 (pod points, higher is better)\n" in text
    assert text.endswith("B wins")
    assert outcome(position) == "B wins"
    position.returns[0].win_share = position.returns[1].win_share = 0.5
    assert outcome(position) == "A and B share the win"


def test_an_analysis_of_a_match_names_both_win_shares_and_what_they_rest_on() -> None:
    values = [
        common_pb2.PlayerValue(seat=0, win_share=estimate(0.75, 0), utility=common_pb2.UTILITY_MATCH),
        common_pb2.PlayerValue(seat=0, win_share=exact(1), score=exact(2), utility=common_pb2.UTILITY_ROUND),
    ]
    line = analysis_pb2.Line(rank=1, move=common_pb2.Move(notation="B1@0"), values=values)
    analysis = analysis_pb2.Analysis(
        best_move=common_pb2.Move(notation="B1@0"), values=values, lines=[line], utility=common_pb2.UTILITY_MATCH
    )
    text = printed(analysis_parts(analysis))
    for title, share in (("Match", "75.0 % ± 0.0 (estimate)"), ("Round", "proven win")):
        assert re.search(rf"{title} win share of A +│ {re.escape(share)}", text)
        assert text.count(f"{title} win share of A") == text.count(share) == 2
    assert "all have the same chances" in " ".join(text.split())
    for value in (*analysis.values, *analysis.lines[0].values):
        value.utility = common_pb2.UTILITY_ROUND
    analysis.utility = common_pb2.UTILITY_ROUND
    alone = printed(analysis_parts(analysis))
    assert "Match" not in alone
    assert "Round" not in alone
    assert "same chances" not in " ".join(alone.split())


def test_a_round_that_ends_in_a_match_names_its_winner_and_the_rounds_won() -> None:
    position = peas_round()
    position.ClearField("seat_to_move")
    position.is_chance = True
    position.round_returns.add(seat=0, win_share=1, score=3)
    position.round_returns.add(seat=1, win_share=0, score=-2)
    position.peas.wins.extend([1, 0])
    lines = printed(position_parts(position)).splitlines()
    assert lines[:2] == ["peas: A wins the round; chance comes next", "Rounds won: A 1, B 0"]
    assert printed(result_parts(position, "points")).endswith("Total: A 3, B -2 (points)\nA wins the round")
    position.ClearField("round_returns")
    position.peas.deal.undrawn.extend([-2, 1])
    lines = printed(position_parts(position)).splitlines()
    assert lines[0] == "peas: chance comes next"
    assert lines[2] == "The next round is dealt; pods to be drawn: -2, +1"
    position.peas.deal.ClearField("undrawn")
    position.peas.deal.dealt = 1
    assert "The next round is dealt; 1 card dealt" in printed(position_parts(position))


def test_a_caret_stands_below_the_column() -> None:
    failure = Failure("INVALID_ARGUMENT", "", (Violation("state.notation", "column 8: found x"),), "# a\npeas x")
    assert failure.as_text().plain.splitlines() == ["error: state.notation: column 8: found x", "  peas x", "     ^"]


def test_a_caret_in_a_long_line_stays_in_sight() -> None:
    failure = Failure(
        "INVALID_ARGUMENT", "", (Violation("notation", "column 5001: x"),), "a" * 5000 + "Xb" + "c" * 5000
    )
    line, caret = failure.as_text().plain.splitlines()[1:]
    assert line[caret.index("^")] == "X"
    assert len(line) <= 102


def test_columns_inside_a_move_get_no_caret() -> None:
    failure = Failure("INVALID_ARGUMENT", "", (Violation("state.moves[0]", "column 1: x"),), "peas")
    assert "^" not in failure.as_text().plain


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [("INVALID_ARGUMENT", 2), ("FAILED_PRECONDITION", 2), ("NOT_FOUND", 2), ("UNAVAILABLE", 1), ("INTERNAL", 1)],
)
def test_exit_codes_tell_bad_input_from_other_failures(code: str, exit_code: int) -> None:
    assert Failure(code, "").exit_code == exit_code


def test_seats_are_letters() -> None:
    assert [seats.letter(seat) for seat in range(3)] == ["A", "B", "C"]
    assert seats.parse("b") == 1
    assert seats.parse_optional(None) is None
    for text in ("", "1", "AB", "?", "Ä", "ß"):
        with pytest.raises(Failure, match="seat: found"):
            seats.parse(text)


@pytest.mark.parametrize(
    ("text", "size"), [("1048576", 1 << 20), ("512M", 512 << 20), ("1GiB", 1 << 30), ("2kb", 2 << 10), (None, None)]
)
def test_memory_sizes(text: str | None, size: int | None) -> None:
    assert options.parse_memory(text) == size


@pytest.mark.parametrize("text", ["", "M", "1X", "-1", "1.5G", "1MM", "²", "9" * 30, "9999999999999G"])
def test_bad_memory_sizes(text: str) -> None:
    with pytest.raises(Failure, match="memory: found"):
        options.parse_memory(text)


def test_rules_options() -> None:
    assert options.parse_rules(["ranks=5", "pods=+1,-2", "note=a=b"]) == {"ranks": "5", "pods": "+1,-2", "note": "a=b"}
    for bad in (["ranks"], ["=5"], ["ranks=5", "ranks=6"]):
        with pytest.raises(Failure, match="option"):
            options.parse_rules(bad)


def test_a_file_is_read_and_anything_else_is_the_notation_itself(tmp_path: Path) -> None:
    path = tmp_path / "a record.txt"
    path.write_bytes(b"\xef\xbb\xbfpeas # \xff\n")
    assert read_notation(str(path)) == "peas # \ufffd\n"
    assert read_notation("peas +1 B1 R1 A") == "peas +1 B1 R1 A"
    for text in ("peas\0x", "x" * 5000, str(tmp_path)):
        assert read_notation(text) == text
    with pytest.raises(Failure, match="a file that exists"):
        read_notation(str(tmp_path / "missing.txt"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["show"],
        ["hint", "peas", "--time", "soon"],
        ["hint", "peas", "--time", "nan"],
        ["hint", "peas", "--seed", "-1"],
        ["hint", "peas", "--seed", str(2**64)],
        ["hint", "peas", "--lines", str(2**31)],
        ["hint", "peas", "--simulations", "0"],
        ["hint", "peas", "--memory", "much"],
        ["hint", "peas", "--seat", "first"],
        ["perft", "deep", "peas"],
        ["perft", "-1", "peas"],
        ["deal", "--option", "ranks"],
        ["play", "--level", "11"],
        ["serve", "--port", "65536"],
        ["show", "missing.txt"],
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_arguments_end_in_one_line_or_in_json(arguments: list[str], as_json: bool) -> None:
    # No server is asked: this one does not exist.
    environment = {"MANGETOUT_SERVER": "127.0.0.1:1"}
    result = CliRunner().invoke(app, [*arguments, "--json"] if as_json else arguments, env=environment)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    if as_json:
        assert result.stdout.startswith('{\n  "error"')
        assert result.stderr == ""
    else:
        assert result.stdout == ""
        assert result.stderr.startswith("error: ")
        assert len(result.stderr.splitlines()) == 1


def test_help_needs_no_server() -> None:
    for command in ("serve", "games", "deal", "show", "moves", "hint", "play", "perft", "bench"):
        result = CliRunner().invoke(app, [command, "--help"])
        assert result.exit_code == 0
        assert command in result.stdout
    assert "hint" in CliRunner().invoke(app, []).stdout
