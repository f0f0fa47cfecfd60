from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from portico_cli.cli import main

EXPORTS = Path(__file__).parents[3] / "tests-e2e/exports"
"""Exports in the format of the real ones; their README names the documentation used."""

PARAMETERS = EXPORTS / "firebase-hash-parameters.txt"


def convert(source: str, *arguments: str | Path) -> Result:
    typed = ["user", "convert", "--from", source, *map(str, arguments)]
    return CliRunner().invoke(main, typed, catch_exceptions=False)


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]
