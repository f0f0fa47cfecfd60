from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """Options of the sources; each uses its own.

    Attributes:
        hash_config: file with Firebase's hash parameters and signer key.
        org_id: the organization of all rows, instead of those of the export (ZITADEL).
    """

    hash_config: Path | None = None
    org_id: str = ""
