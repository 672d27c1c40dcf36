"""The program `mangetout`: its commands and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer
from mangetout_client import MangetoutError
from typer.core import TyperGroup

from mangetout_cli import output
from mangetout_cli.commands.bench import bench
from mangetout_cli.commands.deal import deal
from mangetout_cli.commands.games import games
from mangetout_cli.commands.hint import hint
from mangetout_cli.commands.moves import moves
from mangetout_cli.commands.perft import perft
from mangetout_cli.commands.play import play
from mangetout_cli.commands.serve import serve
from mangetout_cli.commands.show import show
from mangetout_cli.commands.solve import solve
from mangetout_cli.commands.tournament import tournament
from mangetout_cli.errors import Failure


class _Program(TyperGroup):
    """The group of all commands. Every failure, of usage too, ends here: as one clear line or as JSON."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the program and exits: 0 done, 2 bad input, 1 any other failure, 130 interrupted."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        arguments = list(sys.argv[1:] if args is None else args)
        output.tolerate_encodings()
        try:
            code = super().main(arguments, prog_name, complete_var, False, windows_expand_args, **extra)
        except Failure as failure:
            code = _report(failure, arguments)
        except MangetoutError as error:
            code = _report(Failure.from_client(error), arguments)
        except typer.TyperException as error:
            code = _report(_from_usage(error), arguments)
        except typer.Abort:
            code = _report(Failure("CANCELLED", "the input ended too early"), arguments)
        except UnicodeEncodeError:
            # A message takes any text but one made of undecodable bytes, which only an argument can hold.
            code = _report(Failure("INVALID_ARGUMENT", "an argument is no valid text"), arguments)
        except OSError as error:
            code = _report(Failure("UNAVAILABLE", str(error)), arguments)
        sys.exit(code if isinstance(code, int) else 0)


def _from_usage(error: typer.TyperException) -> Failure:
    """The failure for arguments that the command does not take."""
    parameter = getattr(error, "param", None)
    if parameter is None:
        return Failure("INVALID_ARGUMENT", error.format_message())
    return Failure.bad_input(parameter.name, error.message or error.format_message())


def _report(failure: Failure, arguments: list[str]) -> int:
    # An option that could not be parsed leaves nothing but the arguments to tell how the caller wants to read.
    if "--json" in arguments:
        output.print_json(failure.as_json())
    else:
        output.console(stderr=True).print(failure.as_text(), soft_wrap=True)
    return failure.exit_code


app = typer.Typer(
    name="mangetout",
    cls=_Program,
    help="Deals, shows, analyses and plays card games with an engine that sees no hidden cards.",
    no_args_is_help=False,
    add_completion=True,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


for _command in (serve, games, deal, show, moves, hint, solve, play, perft, bench, tournament):
    app.command()(_command)
