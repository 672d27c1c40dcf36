"""`python -m mangetout_cli` runs the same program as `mangetout`."""

from mangetout_cli.main import app

app()
