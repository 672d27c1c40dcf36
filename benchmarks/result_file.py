"""Results of a run that may stop and go on, one JSON line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Result = TypeVar("Result", bound="DataclassInstance")


class ResultFile(Generic[Result]):
    """Results by name, in a file where there is one: written when they come, and not made again."""

    def __init__(self, kind: Callable[..., Result], path: Path | None, settings: Mapping[str, object]) -> None:
        """kind: the dataclass of a result. settings: what all results of the file have in common. Exits where the file
        holds others."""
        self._path = path
        self._settings = settings
        self._known: dict[str, Result] = {}
        if path and path.exists():
            text = path.read_text("utf-8")
            whole = text[: text.rfind("\n") + 1]
            if whole != text:
                # Whoever wrote the last line was killed.
                path.write_text(whole, "utf-8")
            for line in map(json.loads, whole.splitlines()):
                if {name: line.pop(name, None) for name in settings} != settings:
                    sys.exit(f"{path} holds results of other settings: give those, or another file")
                name = line.pop("id")
                self._known[name] = kind(**line)

    def result(self, name: str, make: Callable[[], Result]) -> Result:
        """The result of this name, made where there is none."""
        if name not in self._known:
            result = self._known[name] = make()
            if self._path:
                with self._path.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"id": name, **self._settings, **asdict(result)}) + "\n")
        return self._known[name]
