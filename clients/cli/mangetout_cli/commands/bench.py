"""`mangetout bench`."""

from __future__ import annotations

from rich import box
from rich.table import Table

from mangetout_cli import output
from mangetout_cli.options import JsonOption


def bench(json: JsonOption = False) -> None:
    """Measure the search speed of this machine. The signature tells whether the search does what it did before."""
    # The one command that measures the solver itself and not a service.
    from mangetout_solver import bench as solver_bench

    errors = output.console(stderr=True)
    result = solver_bench.run(lambda text: errors.print(text) if errors.is_terminal else None)
    if json:
        rows = [
            {"name": row.name, "simulations": row.simulations, "nodes": row.nodes, "seconds": row.seconds}
            for row in result.rows
        ]
        output.print_json({"rows": rows, "rate": result.rate, "signature": result.signature})
        return
    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column("Search", "all")
    for header, total in (
        ("Simulations", f"{sum(row.simulations for row in result.rows):,}"),
        ("Nodes", f"{sum(row.nodes for row in result.rows):,}"),
        ("Seconds", f"{sum(row.seconds for row in result.rows):.2f}"),
        ("Simulations/s", f"{result.rate:,.0f}"),
    ):
        table.add_column(header, total, justify="right")
    for row in result.rows:
        rate = f"{row.simulations / row.seconds:,.0f}" if row.seconds > 0 else ""
        table.add_row(row.name, f"{row.simulations:,}", f"{row.nodes:,}", f"{row.seconds:.2f}", rate)
    output.show(table)
    output.show_line(f"signature {result.signature}")
