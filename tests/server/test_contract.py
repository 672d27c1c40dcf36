"""The generated code is that of the contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GENERATE = Path(__file__).parents[2] / "proto/generate.py"


def test_the_generated_code_is_current() -> None:
    pytest.importorskip("grpc_tools", reason="needs grpcio-tools and mypy-protobuf")
    run = subprocess.run([sys.executable, str(GENERATE), "--check"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
