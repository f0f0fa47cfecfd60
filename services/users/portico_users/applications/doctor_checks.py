from __future__ import annotations

from typing import Final

from portico_contracts.users import AuthMethod, ClientKind
from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import Database

from portico_users.applications.store import MongoApps
from portico_users.values.records import State

_NAMED: Final = 5
_MOST: Final = 50
_BY_ENDPOINT: Final[dict[str, object]] = {
    "authMethod": AuthMethod.PRIVATE_KEY_JWT.value,
    "kind": ClientKind.OIDC.value,
    "state": State.ACTIVE.value,
    "listed": True,
    "issuerAudienceOnly": {"$ne": True},
}


async def check_assertion_audiences(database: Database) -> list[Finding]:
    """Reports applications whose client assertions may name the endpoint's URL, which RFC 10070 refuses."""
    found = await MongoApps(database).list_where(_BY_ENDPOINT, _MOST)
    if not found:
        return []
    names = ", ".join(f"{one.name} ({one.client_id})" for one in found[:_NAMED])
    more = f" and {'at least ' if len(found) == _MOST else ''}{len(found) - _NAMED} more" if len(found) > _NAMED else ""
    text = f"client assertions may name the URL of the endpoint instead of the issuer: {names}{more}"
    fix = "Let the library send the issuer as aud, then set clientAssertionAudience of the application to issuer."
    why = "An attacker's provider that names this endpoint as its own could use an assertion meant for it (RFC 10070)."
    return [Finding("assertions", "warning", text, fix, why)]
