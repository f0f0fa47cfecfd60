"""What Keycloak puts into every realm, which belongs to no application."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

BUILT_IN: Final = "a client of Keycloak itself"
MASTER: Final = "master"

_OWN: Final = frozenset(
    {"account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console"}
)
_SUFFIX: Final = "-realm"


def is_own(client_id: str, realm: str, realms: Collection[str]) -> bool:
    """The realm master has a client for each realm, ``X-realm``; elsewhere such a name is one of an application."""
    return client_id in _OWN or (
        realm == MASTER and client_id.endswith(_SUFFIX) and client_id.removesuffix(_SUFFIX) in realms
    )
