"""The options of a conversion beside its files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """Options of the sources; each reads its own.

    Attributes:
        hash_config: Firebase's hash parameters of the project, a file with the signer key.
        org_id: the organization of all rows, in place of those of the export (ZITADEL).
    """

    hash_config: Path | None = None
    org_id: str = ""
