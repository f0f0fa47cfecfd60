from __future__ import annotations

from typing import NamedTuple

from portico_conversion.findings import Place

AUTHORIZE = "authorize"
TOKEN = "token"


class OldRequest(NamedTuple):
    """A request that worked at the source, as far as its event log shows. `scope` is what was granted."""

    place: Place
    at: float
    client_id: str
    redirect_uri: str = ""
    response_type: str = ""
    response_mode: str = ""
    scope: str = ""
    grant_type: str = ""
    with_secret: bool | None = None
    user_id: str = ""
    provider: str = ""
