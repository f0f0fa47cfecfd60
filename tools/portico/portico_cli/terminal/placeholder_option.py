from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import click
from portico_conversion.placeholders import Environment

ENVIRONMENT: Final = click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME",
    help="Take the value of the placeholder NAME in the files from this environment variable. Can be repeated.",
)


def environment_of(names: Sequence[str]) -> Environment:
    for name in names:
        if name not in os.environ:
            raise click.UsageError(f"--env: the environment has no {name}.")
    return Environment({name: os.environ[name] for name in names})
