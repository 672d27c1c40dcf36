"""Compares the speed of games here with the same games by hand and in other libraries: ``python -m benchmarks.versus``.

All contenders take turns within one run and one thread, at the same positions, and a second is one of processor time,
so that ratios hold on a busy machine too. README.md says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks import connect_four_versus, peas_versus
from benchmarks.comparing import ratios

SUITES = {"peas": peas_versus.SUITE, "connect_four": connect_four_versus.SUITE}


def environment() -> dict[str, str]:
    """What ran, and where."""
    return {
        "mangetout": version("mangetout"),
        "open_spiel": version("open_spiel"),
        "pyplAI": version("pyplAI"),
        "numpy": version("numpy"),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
    }


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _load() -> str:
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus", description=__doc__)
    parser.add_argument(
        "suites", nargs="*", metavar="GAME", help=f"some of {', '.join(SUITES)}; all where none is given"
    )
    parser.add_argument("--quick", action="store_true", help="fewer deals and repeats, about a minute")
    parser.add_argument("--json", action="store_true", help="print all measurements as JSON instead of tables")
    options = parser.parse_args()
    if unknown := set(options.suites) - set(SUITES):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    suites = [SUITES[name] for name in options.suites or SUITES]
    deals, repeats = ((1, 2), 2) if options.quick else ((1, 2, 3, 4, 5), 4)

    load = _load()
    started = perf_counter()
    rates = [suite.run(deals, repeats) for suite in suites]
    about = environment() | {
        "load average at start": load,
        "load average at end": _load(),
        "duration": f"{perf_counter() - started:.0f} s",
    }
    if options.json:
        measured = {
            suite.title: {
                "rates": found,
                "ratios": [
                    {**vars(comparison), "by_deal": by_deal, "median": median(by_deal)}
                    for comparison in suite.comparisons
                    if (by_deal := ratios(found, comparison))
                ],
            }
            for suite, found in zip(suites, rates, strict=True)
        }
        print(json.dumps({"environment": about} | measured, indent=2))
        return
    for name, text in about.items():
        print(f"{name}: {text}")
    print()
    for suite, found in zip(suites, rates, strict=True):
        for line in suite.report(found):
            print(line)


if __name__ == "__main__":
    main()
