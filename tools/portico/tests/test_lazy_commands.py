"""`portico` starts quickly: a command's imports happen only when the command is used."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import click
import pytest
from portico_cli.cli import COMMANDS, LazyGroup, main

PORTICO = Path(sys.executable).with_name("portico")
HEAVY = (
    "asyncio",
    "cryptography",
    "httpx",
    "motor",
    "msgspec",
    "nats",
    "pydantic",
    "pymongo",
    "redis",
    "structlog",
    "yaml",
)
"""Modules that made ``--help`` take 1.7 s of processor time."""

NAMES = [
    "app",
    "apply",
    "backup",
    "console",
    "convert",
    "doctor",
    "events",
    "explain",
    "export",
    "first-run",
    "keys",
    "migrate",
    "restore",
    "sessions",
    "status",
    "token",
    "up",
    "upgrade",
    "user",
    "workload",
]

PROGRAM = """
import sys
from portico_cli.cli import main
try:
    main({arguments})
except SystemExit:
    pass
print("loaded:", *sorted(set({heavy}) & set(sys.modules)))
"""


def loaded_by(*arguments: str, **environment: str) -> str:
    program = PROGRAM.format(arguments=list(arguments), heavy=HEAVY)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return ran.stdout


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("-h",)])
def test_help_and_version_import_no_command(arguments: tuple[str, ...]) -> None:
    """Help and version import neither drivers nor cryptography, so that they are fast."""
    assert loaded_by(*arguments).splitlines()[-1] == "loaded:"


def test_up_loads_no_library_of_its_start() -> None:
    """`portico up` runs as long as its services, and keeps in memory what it loads (decision 0044)."""
    assert loaded_by("up", "--help").splitlines()[-1] == "loaded: asyncio msgspec"


@pytest.mark.slow
def test_completion_imports_no_command() -> None:
    """Completion takes names from the table, because every press of the tab key runs the command."""
    words = {"COMP_WORDS": "portico ", "COMP_CWORD": "1", "_PORTICO_COMPLETE": "bash_complete"}
    ran = subprocess.run([PORTICO], capture_output=True, text=True, check=False, env={**os.environ, **words})
    options = {**words, "COMP_WORDS": "portico app add --", "COMP_CWORD": "3"}
    inner = subprocess.run([PORTICO], capture_output=True, text=True, check=False, env={**os.environ, **options})

    assert [line.partition(",")[2] for line in ran.stdout.splitlines()] == NAMES
    assert "plain,--framework" in inner.stdout


def test_command_table_is_correct() -> None:
    """Each name loads the command of that name, with the table's line of help."""
    group = main
    assert isinstance(group, LazyGroup)
    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}

    assert list(found) == NAMES
    for name, command in found.items():
        assert command is not None
        assert command.name == name
        assert (command.help or "").splitlines()[0] == COMMANDS[name]
    assert group.get_command(context, "nothing") is None


def test_version_is_that_of_the_package() -> None:
    """`portico --version` in an activated shell prints the installed version."""
    environment = {**os.environ, "PATH": f"{PORTICO.parent}:{os.environ['PATH']}"}
    ran = subprocess.run("portico --version", shell=True, capture_output=True, text=True, check=True, env=environment)  # noqa: S602

    assert ran.stdout == f"portico {metadata.version('portico-cli')}\n"


def test_entry_point_is_declared() -> None:
    """pip, pipx and uv create the program `portico` from the package's entry point."""
    [entry] = [one for one in metadata.entry_points(group="console_scripts") if one.name == "portico"]

    assert entry.load() is main
    assert entry.dist is not None
    assert entry.dist.name == "portico-cli"
