from __future__ import annotations

from pathlib import Path
from typing import Final

import click

FILE: Final = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
KEY: Final = click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the age private key.",
)


MASTER_KEYS: Final = click.option(
    "--master-keys",
    "master_keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with PORTICO_MASTER_KEYS of the keys service, which authenticates backups. Default: from the data directory.",
)
