"""``portico user convert`` on files, as its tests call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from portico_cli.cli import main

EXPORTS = Path(__file__).parents[3] / "tests-e2e/exports"
"""Exports in the form of the real ones; their README names the documentation they were written from."""

PARAMETERS = EXPORTS / "firebase-hash-parameters.txt"


def convert(source: str, *arguments: str | Path) -> Result:
    """The command on files; a bug would raise here."""
    typed = ["user", "convert", "--from", source, *map(str, arguments)]
    return CliRunner().invoke(main, typed, catch_exceptions=False)


def rows(result: Result) -> list[dict[str, Any]]:
    """What it wrote, row by row."""
    return [json.loads(line) for line in result.stdout.splitlines()]
