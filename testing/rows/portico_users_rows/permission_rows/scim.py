"""The rows of SCIM connections."""

from __future__ import annotations

from typing import Any, Final

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
    but,
    nothing,
)

_OF: Final = "portico.management.v1.ScimService"
_ONE: Final = "/management/v1/scim/connections/scim-{caller}-{tag}"


def _new(managed: Any, caller: str) -> dict[str, Any]:
    return {"name": f"by {caller} {managed.tag}"}


def _new_mapping(_managed: Any, _caller: str) -> dict[str, Any]:
    return {"mapping": {"displayName": "SCIM_DISPLAY_NAME_PARTS"}}


_TARGETS: Final = "/management/v1/projects/p-{caller}-{tag}/apps/app-{caller}-{tag}/scim/targets"
_TARGET: Final = f"{_TARGETS}/target-{{caller}}-{{tag}}"
_TO: Final = "portico.management.v1.ScimTargetService"


def _new_target(managed: Any, caller: str) -> dict[str, Any]:
    return {"name": f"by {caller} {managed.tag}", "url": "https://scim.example/v2", "tokenSecret": "secret"}


_SERVERS: Final = "portico.management.v1.OutsideServerService"
_SERVER: Final = "/management/v1/outside-servers/server-{caller}-{tag}"


def _new_server(managed: Any, caller: str) -> dict[str, Any]:
    return {
        "name": f"by {caller} {managed.tag}",
        "issuer": "https://auth.wiki.example",
        "applications": [{"clientId": "assistant"}],
        "resources": ["https://mcp.wiki.example"],
        "people": "OUTSIDE_SERVER_PEOPLE_ORGANIZATION",
    }


SCIM_ROWS: Final = {
    f"{_OF}.AddScimConnection": Row("", _new, OF_OWN_ORG),
    f"{_OF}.GetScimConnection": Row(_ONE, nothing, READERS),
    f"{_OF}.ListScimConnections": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.UpdateScimConnection": Row(_ONE, _new, WRITERS),
    f"{_OF}.SetScimMapping": Row(f"{_ONE}/mapping", _new_mapping, WRITERS),
    f"{_OF}.RemoveScimConnection": Row(_ONE, nothing, WRITERS),
    f"{_OF}.AddScimSecret": Row(f"{_ONE}/secrets", nothing, WRITERS),
    f"{_OF}.ListScimSecrets": Row(f"{_ONE}/secrets/_search", nothing, READERS),
    f"{_OF}.RemoveScimSecret": Row(f"{_ONE}/secrets/first", nothing, WRITERS),
    f"{_OF}.ListUserProvisioning": Row(
        "/management/v1/users/self-{tag}/provisioning", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)
    ),
    f"{_TO}.AddScimTarget": Row(_TARGETS, _new_target, WRITERS),
    f"{_TO}.GetScimTarget": Row(_TARGET, nothing, READERS),
    f"{_TO}.ListScimTargets": Row(f"{_TARGETS}/_search", nothing, READERS),
    f"{_TO}.UpdateScimTarget": Row(_TARGET, _new_target, WRITERS),
    f"{_TO}.ActivateScimTarget": Row(f"{_TARGET}/_activate", nothing, WRITERS),
    f"{_TO}.DeactivateScimTarget": Row(f"{_TARGET}/_deactivate", nothing, but(NOT_NOW, WRITERS)),
    f"{_TO}.RemoveScimTarget": Row(_TARGET, nothing, WRITERS),
    f"{_TO}.TestScimTarget": Row(f"{_TARGET}/_test", nothing, WRITERS),
    f"{_TO}.DryRunScimTarget": Row(f"{_TARGET}/_dry_run", nothing, WRITERS),
    f"{_SERVERS}.AddOutsideServer": Row("", _new_server, OF_OWN_ORG),
    f"{_SERVERS}.GetOutsideServer": Row(_SERVER, nothing, READERS),
    f"{_SERVERS}.ListOutsideServers": Row("", nothing, READS_OWN_ORG),
    f"{_SERVERS}.UpdateOutsideServer": Row(_SERVER, _new_server, WRITERS),
    f"{_SERVERS}.RemoveOutsideServer": Row(_SERVER, nothing, WRITERS),
    f"{_TO}.CompareScimTarget": Row(f"{_TARGET}/_compare", nothing, but(NOT_NOW, WRITERS)),
}
"""Only owners may connect a directory: its secret opens what a manager of users may do."""
