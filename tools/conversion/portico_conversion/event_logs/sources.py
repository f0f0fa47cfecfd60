from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from portico_conversion.event_logs import keycloak, zitadel
from portico_conversion.event_logs.old_request import OldRequest
from portico_conversion.findings import Findings

EVENTS: Final[Mapping[str, Callable[[Path, Findings], Iterator[OldRequest]]]] = {
    "keycloak": keycloak.read_requests,
    "zitadel": zitadel.read_requests,
}
