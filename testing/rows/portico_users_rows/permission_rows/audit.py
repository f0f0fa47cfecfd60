"""The operations that list role grants, events and sessions."""

from __future__ import annotations

from typing import Any

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NO,
    NOT_NOW,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Row,
    body,
    but,
    nothing,
)

_GRANT = "portico.management.v1.UserGrantService"
_EVENT = "portico.management.v1.EventService"
_ACCESS = "portico.management.v1.AppAccessService"
_AGENT = "portico.management.v1.AgentService"
_SESSION = "portico.management.v1.SessionService"

_HELD = "/management/v1/users/bot-{caller}-{tag}/grants/{grant}"
_SESSIONS = "/management/v1/users/self-{tag}/sessions"
_TRUSTED = "/management/v1/users/self-{tag}/trusted_devices"
_AGENTS = "/management/v1/users/self-{tag}/agents"
_APPS = "/management/v1/users/self-{tag}/app_access"


def _new_grant(managed: Any, caller: str) -> dict[str, Any]:
    return {"projectId": f"p-{caller}-{managed.tag}", "roleKeys": ["reader"]}


GRANT_ROWS = {
    f"{_GRANT}.AddUserGrant": Row(
        "/management/v1/users/robot-{tag}/grants", _new_grant, (WHO, WHO, NO, NO, NO, YES, YES, ABSENT), furnished=True
    ),
    f"{_GRANT}.GetUserGrantByID": Row(_HELD, nothing, READERS),
    f"{_GRANT}.UpdateUserGrant": Row(_HELD, body(roleKeys=["reader"]), but(NOT_NOW, WRITERS)),
    f"{_GRANT}.DeactivateUserGrant": Row(f"{_HELD}/_deactivate", nothing, WRITERS),
    f"{_GRANT}.ReactivateUserGrant": Row(f"{_HELD}/_reactivate", nothing, but(NOT_NOW, WRITERS)),
    f"{_GRANT}.RemoveUserGrant": Row(_HELD, nothing, WRITERS),
    f"{_GRANT}.ListUserGrants": Row("", nothing, READS_OWN_ORG),
}
"""Each service user of the matrix already has one role."""

AUDIT_ROWS = {
    f"{_EVENT}.ListEvents": Row("", nothing, (WHO, WHO, NO, NO, NO, YES, YES, YES)),
    f"{_SESSION}.ListUserSessions": Row(f"{_SESSIONS}/_search", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)),
    f"{_SESSION}.RemoveUserSession": Row(f"{_SESSIONS}/one", nothing, (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)),
    f"{_ACCESS}.ListUserAppAccess": Row(f"{_APPS}/_search", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)),
    f"{_ACCESS}.RemoveUserAppAccess": Row(f"{_APPS}/web", nothing, (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)),
    f"{_AGENT}.ListUserAgents": Row(f"{_AGENTS}/_search", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)),
    f"{_AGENT}.EndUserAgents": Row(
        f"{_AGENTS}/_end", body(clientId="none"), (WHO, WHO, ABSENT, NO, NO, ABSENT, ABSENT, ABSENT)
    ),
    f"{_AGENT}.ListAgents": Row("", nothing, READS_OWN_ORG),
    f"{_AGENT}.EndAgents": Row("", body(host="agents.example"), OF_OWN_ORG),
    f"{_SESSION}.ListUserTrustedDevices": Row(
        f"{_TRUSTED}/_search", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)
    ),
    f"{_SESSION}.RemoveUserTrustedDevice": Row(f"{_TRUSTED}/one", nothing, (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)),
    f"{_SESSION}.RemoveUserSessions": Row(_SESSIONS, nothing, (WHO, WHO, YES, NO, NO, YES, YES, ABSENT)),
}
"""Callers who may read everything else of an organization may not read its events."""
