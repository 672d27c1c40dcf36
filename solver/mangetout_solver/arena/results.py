"""Results of a tournament in memory and, line by line, in a file that a later run can take up.

The file holds JSON lines: first the tournament, then each unit as it ends. A line that was being written when the
program was killed is dropped.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from mangetout_solver.arena.duplicate import Usage
from mangetout_solver.arena.tournament import Tournament, Unit
from mangetout_solver.errors import InputError


class Results:
    """Units by contest and deal."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._units: dict[tuple[int, int], Unit] = {}
        self._file: BinaryIO | None = None

    @classmethod
    def recorded(cls, tournament: Tournament, path: Path, resume: bool) -> Results:
        """Results that are also written to a file, a new one, or with `resume` one begun by the same tournament.

        Raises InputError (``out``) for a file that exists, belongs to another tournament or is damaged; OSError.
        """
        results = cls(tournament)
        if not resume and path.exists():
            raise InputError("out", f"{str(path)!r} exists, expected a new file, or to resume it")
        results._file = path.open("a+b")
        try:
            results._take_up(str(path))
        except BaseException:
            results.close()
            raise
        return results

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __len__(self) -> int:
        return len(self._units)

    def get(self, contest: int, deal: int) -> Unit | None:
        """The unit, None where it was not played."""
        return self._units.get((contest, deal))

    def add(self, unit: Unit) -> None:
        """Takes a unit in, and writes it to the file at once."""
        self._units[unit.contest, unit.deal] = unit
        usage = [[side.moves, side.simulations, round(side.seconds, 6)] for side in unit.usage]
        self._write({"contest": unit.contest, "deal": unit.deal, "shares": unit.shares, "usage": usage})

    def in_order(self, contest: int) -> list[Unit]:
        """The contest's units in the order of deals, up to the first that is missing.

        Units behind a gap ended early by chance; to count them would favour short games.
        """
        units: list[Unit] = []
        while (unit := self.get(contest, len(units))) is not None:
            units.append(unit)
        return units

    def _write(self, value: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
            self._file.flush()

    def _take_up(self, name: str) -> None:
        assert self._file is not None
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        self._file.truncate(whole)
        lines = data[:whole].splitlines()
        if not lines:
            self._write(self.tournament.header())
            return
        _check_header(lines[0], self.tournament.header(), name)
        for number, line in enumerate(lines[1:], start=2):
            unit = _read_unit(line, self.tournament)
            if unit is None:
                raise InputError("out", f"{name!r} is damaged in line {number}, expected a pair of its tournament")
            self._units[unit.contest, unit.deal] = unit


def _check_header(line: bytes, expected: dict[str, Any], name: str) -> None:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "protocol" not in found:
        raise InputError("out", f"{name!r} is no record of a tournament")
    differing = [key for key in expected if found.get(key) != expected[key]]
    if differing:
        parts = [f"{key} {json.dumps(found.get(key))}, not {json.dumps(expected[key])}" for key in differing]
        raise InputError("out", f"{name!r} belongs to another tournament: it has {'; '.join(parts)}")


def _read_unit(line: bytes, tournament: Tournament) -> Unit | None:
    try:
        value = json.loads(line)
        solo, others = (Usage(int(m), int(n), float(s)) for m, n, s in value["usage"])
        unit = Unit(int(value["contest"]), int(value["deal"]), tuple(map(float, value["shares"])), (solo, others))
    except (ValueError, TypeError, KeyError):
        return None
    known = 0 <= unit.contest < len(tournament.contests) and 0 <= unit.deal < tournament.pairs
    return unit if known and len(unit.shares) == tournament.players else None
