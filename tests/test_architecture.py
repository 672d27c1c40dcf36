"""The direction of imports: games <- search, exact <- engine <- server <- clients, and nothing the other way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {
    "games": ROOT / "solver/mangetout_solver/games",
    "search": ROOT / "solver/mangetout_solver/search",
    "exact": ROOT / "solver/mangetout_solver/exact",
    "solver": ROOT / "solver/mangetout_solver",
    "server": ROOT / "server/mangetout_server",
    "client": ROOT / "clients/python/mangetout_client",
    "cli": ROOT / "clients/cli/mangetout_cli",
}
PROTOBUF = ("google.protobuf", "google.rpc", "grpc", "grpc_status", "mangetout.v1")
ENGINE = tuple(
    f"mangetout_solver.{name}"
    for name in ("engine", "question", "sampled", "solved", "explanation", "levels", "bench", "arena")
)
SEARCH = (*ENGINE, *(f"mangetout_solver.{name}" for name in ("search", "exact", "analysis", "limits")))
FORBIDDEN = {
    "games": (*PROTOBUF, *SEARCH, "mangetout_server", "mangetout_client", "mangetout_cli"),
    "search": (
        *PROTOBUF,
        *ENGINE,
        "mangetout_solver.exact",
        "mangetout_solver.games.peas",
        "mangetout_solver.games.registry",
        "mangetout_server",
        "mangetout_client",
        "mangetout_cli",
    ),
    "exact": (
        *PROTOBUF,
        *ENGINE,
        "mangetout_solver.search.mcts",
        "mangetout_solver.games.registry",
        "mangetout_server",
        "mangetout_client",
        "mangetout_cli",
    ),
    "solver": (*PROTOBUF, "mangetout_server", "mangetout_client", "mangetout_cli"),
    "server": ("mangetout_cli",),
    "client": ("mangetout_solver", "mangetout_server", "mangetout_cli"),
}
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)


def imports(path: Path) -> Iterator[str]:
    """The modules that a source file imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd"):
        for match in CYTHON_IMPORT.finditer(text):
            yield match[1] or match[2]
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def files(layer: str) -> list[Path]:
    found = [p for suffix in ("py", "pyi", "pyx", "pxd") for p in SOURCES[layer].rglob(f"*.{suffix}")]
    assert found, f"no sources in {SOURCES[layer]}"
    return found


@pytest.mark.parametrize("layer", sorted(FORBIDDEN))
def test_imports_do_not_turn_back(layer: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in files(layer)
        for module in imports(path)
        if any(within(module, package) for package in FORBIDDEN[layer])
    ]
    assert wrong == []


def test_command_line_reaches_server_and_solver_in_one_place_each() -> None:
    """Only the file that embeds a server may import it, and only what measures the solver itself the solver."""
    reaching = {
        (path.name, module.split(".")[0])
        for path in files("cli")
        for module in imports(path)
        if within(module, "mangetout_server") or within(module, "mangetout_solver")
    }
    servers = {name for name, package in reaching if package == "mangetout_server"}
    solvers = {name for name, package in reaching if package == "mangetout_solver"}
    assert servers <= {"embedded.py", "serve.py"}
    assert solvers <= {"bench.py", "tournament.py"}


def test_only_search_and_engine_know_control() -> None:
    """The rules have no clock and no stop flag."""
    assert not [path for path in files("games") if "Control" in path.read_text(encoding="utf-8")]


def test_nothing_forks() -> None:
    """A forked child of a process that uses gRPC may hang."""
    pattern = re.compile(r"os\.fork\(|get_context\(\"fork\"\)|prange")
    paths = [path for layer in SOURCES for path in files(layer)]
    assert not [path for path in paths if pattern.search(path.read_text(encoding="utf-8"))]
