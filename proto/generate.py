"""Generates the Python code of the contract: messages, service stubs and their types.

    python proto/generate.py            writes clients/python/mangetout/v1
    python proto/generate.py --check    fails when what is checked in differs from what would be written

Needs grpcio-tools and mypy-protobuf, in the versions that pyproject.toml pins: generated code refuses to run on older
runtimes than its generator, so the generator's version is the oldest one that clients may have.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
PACKAGE = Path("mangetout/v1")
TARGET = PROTO.parent / "clients/python"


def generate(target: Path) -> None:
    """Writes the generated package under `target`. Raises SystemExit when protoc fails."""
    scripts = Path(sysconfig.get_path("scripts"))
    arguments = [
        "protoc",
        f"-I{PROTO}",
        f"-I{resources.files('grpc_tools') / '_proto'}",
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        f"--python_out={target}",
        f"--grpc_python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--mypy_grpc_out=quiet:{target}",
        *sorted(str(path) for path in (PROTO / PACKAGE).glob("*.proto")),
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed")


def generated_files(target: Path) -> dict[str, bytes]:
    """The generated files under `target`, by name."""
    return {path.name: path.read_bytes() for path in sorted((target / PACKAGE).glob("*_pb2*.py*"))}


def stale_files() -> list[str]:
    """One line for each file that is missing, left over or different; empty when the checked-in code is current."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        expected = generated_files(Path(folder))
    found = generated_files(TARGET)
    lines = [f"missing: {name}" for name in sorted(expected.keys() - found.keys())]
    lines += [f"left over: {name}" for name in sorted(found.keys() - expected.keys())]
    lines += [f"different: {name}" for name in sorted(expected.keys() & found.keys()) if expected[name] != found[name]]
    return lines


def main() -> None:
    """Generates, or checks with --check."""
    parser = argparse.ArgumentParser(description="Generates the Python code of the contract.")
    parser.add_argument("--check", action="store_true", help="fail when the checked-in code is not current")
    if parser.parse_args().check:
        if lines := stale_files():
            sys.exit("\n".join(["generated code is not current; run: python proto/generate.py", *lines]))
        return
    for name in generated_files(TARGET):
        (TARGET / PACKAGE / name).unlink()
    generate(TARGET)


if __name__ == "__main__":
    main()
