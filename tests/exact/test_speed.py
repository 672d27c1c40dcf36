"""The sets that speed is measured on, the figures made of results, and what techniques are worth."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from benchmarks import exact_ablation, exact_sets, exact_speed
from benchmarks.proving import Proof, figures


@pytest.mark.parametrize("development", [False, True])
@pytest.mark.parametrize("name", exact_sets.SETS)
def test_sets(name: str, development: bool) -> None:
    entries = exact_sets.read(name, development)
    wanted = exact_sets.SETS[name]
    assert len({entry.id for entry in entries}) == len({entry.position for entry in entries}) == wanted.count
    assert len(entries) == wanted.count
    if wanted.left:
        assert all(wanted.is_reached(entry.position) for entry in entries)
    assert entries[:4] == list(islice(exact_sets.make(name, development), 4))
    others = {entry.position for entry in exact_sets.read(name, not development)}
    assert others.isdisjoint(entry.position for entry in entries)


def test_margins_are_proven_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for words in ([], ["--margin"]):
        exact_speed.main(["pepper_corn-12", "--count", "20", "--memory", str(1 << 20), *words])
        found.append(json.loads(capsys.readouterr().out.splitlines()[-1]))
    assert [summary["solved"] for summary in found] == [20, 20]
    assert found[0]["won_by_a"] == found[1]["won_by_a"]
    assert found[0]["total_nodes"] < found[1]["total_nodes"]


def proof(seconds: float, winner: str | None = "A") -> Proof:
    return Proof(winner, seconds, seconds, int(1000 * seconds), 1 << 20)


def test_figures() -> None:
    proofs = [proof(second) for second in range(100, 0, -1)]
    assert figures(proofs, "seconds") == {"median": 50, "p90": 90, "p99": 99, "max": 100}
    assert figures(proofs, "nodes") == {"median": 50_000, "p90": 90_000, "p99": 99_000, "max": 100_000}
    unsolved = [proof(2.0, None)] * 10
    assert figures(proofs[-90:] + unsolved, "seconds") == {"median": 50, "p90": 90, "p99": None, "max": None}
    assert figures([proof(3.0)], "seconds") == dict.fromkeys(("median", "p90", "p99", "max"), 3.0)


def test_a_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["peas-14", "--memory", str(1 << 20), "--out", str(file)]
    exact_speed.main([*arguments, "--count", "2"])
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["peas-14-random-000", "peas-14-sensible-001"]
    assert all(line["answer"] in ("A", "B") and line["seconds"] > 0 for line in lines)
    lines[0]["nodes"] = 1 << 40
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    exact_speed.main([*arguments, "--count", "3"])
    assert len(file.read_text("utf-8").splitlines()) == 3
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["set"], summary["positions"], summary["solved"]) == ("peas-14", 3, 3)
    assert summary["nodes"]["max"] == 1 << 40
    with pytest.raises(SystemExit, match="other settings"):
        exact_speed.main([*arguments, "--seconds", "1"])
    with pytest.raises(SystemExit, match="other settings"):
        exact_speed.main([*arguments, "--without", "ranks"])


def test_ratios() -> None:
    base = [proof(0.001), proof(0.003)]  # 1 and 3 nodes
    found = exact_ablation.ratios([proof(0.007), proof(0.015, None)], base)
    expected = {"nodes": 22 / 4, "mean": (8 / 2 * 16 / 4) ** 0.5, "seconds": 5.5, "a_node": 1.0, "unsolved": 1}
    assert found == pytest.approx(expected)


def test_an_ablation_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ["peas-14", "--memory", str(1 << 20), "--out", str(file), "--without", "ranks"]
    exact_ablation.main([*arguments, "--count", "2"])
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    proven = {name: [line for line in lines if line["id"].endswith(name)] for name in (exact_ablation.ALL, "ranks")}
    # Either way a proof is a proof, and only what it costs differs.
    winners = [[line["answer"] for line in made] for made in proven.values()]
    assert winners[0] == winners[1]
    with_ranks, without = (sum(line["nodes"] for line in made) for made in proven.values())
    assert with_ranks != without
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["ranks"]["nodes"] == without / with_ranks
    proven["ranks"][0]["nodes"] += 1 << 40
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    exact_ablation.main([*arguments, "--count", "3"])
    assert len(file.read_text("utf-8").splitlines()) == 6
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["ranks"]["nodes"] > 1 << 20
    with pytest.raises(SystemExit, match="other settings"):
        exact_ablation.main([*arguments, "--nodes", "10"])
