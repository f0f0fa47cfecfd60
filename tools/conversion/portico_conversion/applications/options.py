from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple


class DocumentOptions(NamedTuple):
    """`seen` are redirect URIs of sign-ins that worked at the source, by client id; `grants` adds users with roles."""

    org_id: str = ""
    realms: Collection[str] = ()
    seen: Mapping[str, Collection[str]] = {}
    grants: bool = False
