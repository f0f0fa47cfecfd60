from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from portico_cli.conversion.documents import auth0, authentik, keycloak, zitadel
from portico_cli.conversion.documents.draft import Draft
from portico_cli.conversion.documents.options import DocumentOptions
from portico_cli.conversion.events import keycloak as keycloak_events
from portico_cli.conversion.events import zitadel as zitadel_events
from portico_cli.conversion.events.old_request import OldRequest
from portico_cli.conversion.findings import Findings

Reader = Callable[[Sequence[Path], DocumentOptions, Findings], Iterator[Draft]]

DOCUMENTS: Final[Mapping[str, Reader]] = {
    "keycloak": keycloak.read_drafts,
    "zitadel": zitadel.read_drafts,
    "auth0": auth0.read_drafts,
    "authentik": authentik.read_drafts,
}

EVENTS: Final[Mapping[str, Callable[[Path, Findings], Iterator[OldRequest]]]] = {
    "keycloak": keycloak_events.read_requests,
    "zitadel": zitadel_events.read_requests,
}
