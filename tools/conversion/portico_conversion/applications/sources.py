from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_conversion.applications.auth0.tenant import read_drafts as read_auth0
from portico_conversion.applications.authentik.blueprints import read_drafts as read_authentik
from portico_conversion.applications.draft import Draft
from portico_conversion.applications.keycloak.realms import read_drafts as read_keycloak
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.applications.zitadel.export import read_drafts as read_zitadel
from portico_conversion.findings import Findings

Reader = Callable[[Sequence[Path], DocumentOptions, Findings], Iterator[Draft]]

DOCUMENTS: Final[Mapping[str, Reader]] = {
    "keycloak": read_keycloak,
    "zitadel": read_zitadel,
    "auth0": read_auth0,
    "authentik": read_authentik,
}
