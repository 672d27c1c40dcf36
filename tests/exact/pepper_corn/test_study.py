"""What first moves and splits are worth: by brute force, from files that a run goes on with, in tables and pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import build
from pepper_corn_brute_force import margin as brute_force

from benchmarks import pepper_corn_plots as plots
from benchmarks import pepper_corn_study as study
from benchmarks.pepper_corn_study import ACCURACY, FOLDER, STRATEGIES, Beginnings, SplitWorth
from tests.exact.pepper_corn.small_splits import brute_force_game, piles_of, small_split, split_of, value_of_matrix

DOCS = Path(__file__).parents[3] / "docs/exact/pepper_corn.md"
MEMORY = 1 << 20
LONG = 600.0
FIRST, SPLIT = plots.read(sorted(FOLDER.glob("*.jsonl")))


def points(cards: list[int]) -> int:
    return sum(CARDS[card].points for card in cards)


@pytest.mark.parametrize("seed", range(12))
def test_beginnings_are_those_of_brute_force(seed: int) -> None:
    tableau, dealt, _ = small_split(seed)
    found = study.prove_beginnings(split_of(tableau, dealt), LONG, MEMORY)
    expected = [brute_force(build(tableau, [sorted(hand) for hand in dealt], seat=seat)) for seat in range(2)]
    assert found.margins == [[margin, margin] for margin in expected]
    assert found.points == [points(hand) for hand in dealt]
    assert found.solved


@pytest.mark.parametrize("seed", range(9))
def test_splits_are_those_of_brute_force(seed: int) -> None:
    tableau, dealt, empty_piles = small_split(seed)
    found = study.prove_split(split_of(tableau, dealt, empty_piles), LONG, MEMORY)
    assert found.solved
    for payoff in Payoff:
        game = np.array(brute_force_game(tableau, dealt, empty_piles, payoff))
        for seat, own in enumerate((game, 2 * payoff.of(0) - game.T)):
            gaps = [abs(points(a) - points(b)) for a, b in map(list, piles_of(dealt[seat], empty_piles))]
            even = [row for row, gap in zip(own, gaps, strict=True) if gap == min(gaps)]
            expected = {
                "mixture": value_of_matrix(own.tolist()),
                "division": own.min(axis=1).max(),
                "even": np.mean(even, axis=0).min(),
                "random": own.mean(axis=0).min(),
            }
            assert list(expected) == list(STRATEGIES)
            for name, worth in expected.items():
                assert found.worth[payoff.value][name][seat] == pytest.approx([worth, worth], abs=ACCURACY)
            if payoff is Payoff.MARGIN:
                each = [(gap, sure[0]) for gap, sure in sorted(found.divisions[seat])]
                alone = sorted(zip(gaps, own.min(axis=1), strict=True))
                np.testing.assert_allclose(each, alone, atol=ACCURACY)


def test_a_lot_counts_half() -> None:
    """Hands of equal points and numbers of cards come about where all cards dealt are of one rank (PC-06)."""
    numbers = [CARD_NUMBERS[card] for card in ("9MS", "9WY", "XM", "XS", "XW", "XL", "2MK", "3MW")]
    tableau, dealt = [numbers[6:], numbers[:2]], [numbers[2:4], numbers[4:6]]
    for payoff in Payoff:
        expected = brute_force_game(tableau, dealt, False, payoff)[0][0]
        found = study.prove_split(split_of(tableau, dealt), LONG, MEMORY)
        assert found.worth[payoff.value]["mixture"][0] == pytest.approx([expected, expected], abs=ACCURACY)


def contains(outer: list[float], inner: list[float]) -> bool:
    return outer[0] - ACCURACY <= inner[0] <= inner[1] <= outer[1] + ACCURACY


def test_what_is_proven_when_time_runs_out() -> None:
    seed, proven = max(enumerate(FIRST["3 x 6, hands of 6"], 1), key=lambda entry: entry[1].nodes)
    found = study.prove_beginnings(study.deal(seed, 3, 6, 6), 0.0, MEMORY)
    assert found.nodes < proven.nodes
    assert proven.solved
    assert not found.solved
    assert all(map(contains, found.margins, proven.margins))


def test_what_is_proven_of_a_split_when_time_runs_out() -> None:
    proven = SPLIT["3 x 4, hands of 6"][0]
    found = study.prove_split(study.deal(1, 3, 4, 6), 0.5, MEMORY)
    assert found.nodes < proven.nodes
    assert proven.solved
    assert not found.solved
    for payoff in Payoff:
        for name in STRATEGIES:
            assert all(map(contains, found.worth[payoff.value][name], proven.worth[payoff.value][name]))
    for seat in range(2):
        for (gap, sure), (same, known) in zip(found.divisions[seat], proven.divisions[seat], strict=True):
            assert gap == same
            assert contains(sure, known)


@pytest.mark.parametrize("board", FIRST)
def test_recorded_deals_are_proven_anew(board: str) -> None:
    rows, columns = int(board[0]), int(board[4])
    cheap = sorted(enumerate(FIRST[board], 1), key=lambda entry: entry[1].nodes)[:5]
    for seed, recorded in cheap:
        found = study.prove_beginnings(study.deal(seed, rows, columns, 6), LONG, 1 << 24)
        assert replace(found, nodes=0, seconds=0) == replace(recorded, nodes=0, seconds=0)


@pytest.mark.parametrize("kind", study.STUDIES)
def test_a_run_goes_on_where_it_was(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    words = [kind, "1x4", "--hand", "3", "--memory", str(MEMORY), "--out", str(file)]
    assert study.main([*words, "--deals", "2"]) == 0
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["1", "2"]
    assert all(line["nodes"] > 0 and line["seconds"] > 0 for line in lines)
    lines[0]["nodes"] = 1 << 40
    before = "".join(json.dumps(line) + "\n" for line in lines)
    file.write_text(before, "utf-8")
    capsys.readouterr()
    assert study.main([*words, "--deals", "3"]) == 0
    assert f"1 of 3: {lines[0]['seconds']:.3f} s, {1 << 40:,} nodes" in capsys.readouterr().err
    assert file.read_text("utf-8").startswith(before)
    assert [json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()] == ["1", "2", "3"]
    other = "split" if kind == "first" else "first"
    for changed in (
        [*words, "--seconds", "1"],
        [kind, "2x2", *words[2:]],
        [other, *words[1:]],
        [*words, "--hand", "4"],
    ):
        with pytest.raises(SystemExit, match="other settings"):
            study.main(changed)


def test_boards_that_cannot_be_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    assert study.main(["first", "9x9", "--out", str(path)]) == 2
    assert "error: options." in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        study.main(["first", "3", "--out", str(path)])
    assert "found '3', expected ROWSxCOLUMNS" in capsys.readouterr().err
    assert not path.exists()


def beginnings(a: int, b: int, margins: tuple[int, int]) -> Beginnings:
    return Beginnings("", [a, b], [[margin, margin] for margin in margins], 1, 1.0)


def test_figures_of_first_moves() -> None:
    deals = [beginnings(20, 24, (5, -3)), beginnings(30, 20, (12, 8)), beginnings(25, 25, (1, -4))]
    assert plots.worth_of_the_move(deals).tolist() == [4, 2, 2.5]
    assert plots.begun(deals).tolist() == [[5, 3], [12, -8], [1, 4]]
    assert plots.of_fewer_points(deals).tolist() == [[4, 5, -3], [10, -8, -12]]
    # Between both beginnings the seat with fewer points is 1 ahead for 4 and 10 behind for 10.
    assert plots.per_point(np.array([4.0, 10.0]), np.array([1.0, -10.0])) == pytest.approx(-96 / 116)
    unsolved = Beginnings("", [20, 30], [[-5, 5], [-9, 0]], 1, 1.0)
    moves, fewer = plots.first_tables({"small": [*deals, unsolved]})
    assert moves.splitlines()[2].startswith(
        "| small | 3 of 4 | 2.8 ± 1.2 | 2.1 | 2.5 | 3.7 | 4.0 | 83 % | 0 % | 67 % | 33 % |"
    )
    assert fewer.splitlines()[2].startswith(
        "| small | 2 of 3 | 7.0 | -1.5 ± 12.7 | 50 % | 0 % | -7.5 ± 8.8 | 0 % | -0.83 | 3.4 points |"
    )
    assert "| none | 0 of 1 |" in plots.first_tables({"none": [unsolved]})[0]


def split_worth(lead: int, margin: float, losses: tuple[float, float, float]) -> SplitWorth:
    """losses: of A, and half as much of B, in the order of WORDS."""
    worth = {}
    for payoff, scale in ((Payoff.SHARE, 0.01), (Payoff.MARGIN, 1.0)):
        value = [margin, -margin] if payoff is Payoff.MARGIN else [payoff.of(margin), payoff.of(-margin)]
        lost = {"mixture": 0.0, **dict(zip(plots.WORDS, losses, strict=True))}
        worth[payoff.value] = {
            name: [[value[seat] - scale * less / (1 + seat)] * 2 for seat in range(2)] for name, less in lost.items()
        }
    divisions = [[(gap, [value - gap] * 2) for gap in (0, 1, 4)] for value in (margin, -margin)]
    return SplitWorth("", [30 + lead, 30], worth, divisions, 1, 1.0)


def test_figures_of_splits() -> None:
    deals = [split_worth(2, 3.0, (0.0, 4.0, 24.0)), split_worth(-4, -1.0, (4.0, 6.0, 30.0))]
    assert plots.losses(deals, Payoff.MARGIN, "even").tolist() == [4, 2, 6, 3]
    assert plots.losses(deals, Payoff.SHARE, "even") == pytest.approx([0.04, 0.02, 0.06, 0.03])
    by_gap = {gap: lost.tolist() for gap, lost in plots.losses_by_gap(deals).items()}
    assert by_gap == {1: [0, 1] * 4, 5: [4] * 4}
    unsolved = replace(deals[0], worth={**deals[0].worth, "margin": {"mixture": [[0.0, 1.0], [-1.0, 0.0]]}})
    table, fact = plots.split_tables({"small": [*deals, unsolved]})
    rows = table.splitlines()[2:]
    assert rows[0].startswith("| small | 2 of 3 | best single division | 1.5 ± 2.9 | 0.0 | 1.0 | 3.4 | 4.0 | 50 % | ")
    assert rows[2].startswith(
        "| small | 2 of 3 | random division | 20.2 ± 4.4 | 12.9 | 19.5 | 28.2 | 30.0 | 0 % | 0.20 "
    )
    assert "wins whatever the other does in 1 of 2 deals" in fact
    assert "2.0 points on average, 0.50 for each point" in fact
    assert plots.split_tables({"none": [unsolved]})[1] == "none: 0 of 1 deals proven"


def small_files(folder: Path) -> list[str]:
    files = []
    for kind in study.STUDIES:
        files.append(str(folder / f"{kind}.jsonl"))
        words = ["--hand", "3", "--deals", "3", "--memory", str(MEMORY), "--out", files[-1]]
        assert study.main([kind, "1x4", *words]) == 0
    return files


def test_pictures_and_tables_by_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, pictures = small_files(tmp_path), tmp_path / "pictures"
    assert plots.main([*files, "--out", str(pictures)]) == 0
    assert capsys.readouterr().out.count("\n| 1 x 4, hands of 3 |") == 5
    drawn = {path.name: path.read_bytes() for path in pictures.iterdir()}
    assert sorted(drawn) == [f"pepper_corn_{name}.svg" for name in ("fewer_points", "first_move", "split")]
    assert all(ElementTree.fromstring(picture).tag.endswith("svg") for picture in drawn.values())
    # The same results make the same files, others do not.
    assert plots.main([*files, "--out", str(pictures)]) == 0
    assert {path.name: path.read_bytes() for path in pictures.iterdir()} == drawn
    first = Path(files[0])
    first.write_text("".join(first.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    assert plots.main([files[0], "--out", str(pictures)]) == 0
    changed = {path.name for path in pictures.iterdir() if path.read_bytes() != drawn[path.name]}
    assert changed == {"pepper_corn_fewer_points.svg", "pepper_corn_first_move.svg"}


def test_pictures_need_matplotlib(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert plots.main(["--out", str(tmp_path)]) == 2
    assert (
        "error: plot: matplotlib is not installed, expected it: pip install 'mangetout[plot]'"
        in capsys.readouterr().err
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"study": "other", "rows": 1, "columns": 1, "hand": 1}'])
def test_files_of_another_kind_are_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text + "\n", "utf-8")
    assert plots.main([str(path), "--out", str(tmp_path)]) == 2
    assert f"error: data: {path}:1 is no result of a study: " in capsys.readouterr().err


def test_the_page_shows_what_the_files_say() -> None:
    page = DOCS.read_text("utf-8")
    for table in (*plots.first_tables(FIRST), plots.split_tables(SPLIT)[0]):
        assert table in page
