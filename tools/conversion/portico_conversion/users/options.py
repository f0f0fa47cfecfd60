from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """`hash_config` is Firebase's; `org_id` replaces the organization of all rows (ZITADEL); `realm` is Keycloak's."""

    hash_config: Path | None = None
    org_id: str = ""
    realm: str = ""
