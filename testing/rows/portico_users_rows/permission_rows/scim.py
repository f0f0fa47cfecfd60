"""The rows of SCIM connections."""

from __future__ import annotations

from typing import Any, Final

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NO,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Row,
    nothing,
)

_OF: Final = "portico.management.v1.ScimService"
_ONE: Final = "/management/v1/scim/connections/scim-{caller}-{tag}"


def _new(managed: Any, caller: str) -> dict[str, Any]:
    return {"name": f"by {caller} {managed.tag}"}


SCIM_ROWS: Final = {
    f"{_OF}.AddScimConnection": Row("", _new, OF_OWN_ORG),
    f"{_OF}.GetScimConnection": Row(_ONE, nothing, READERS),
    f"{_OF}.ListScimConnections": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.UpdateScimConnection": Row(_ONE, _new, WRITERS),
    f"{_OF}.RemoveScimConnection": Row(_ONE, nothing, WRITERS),
    f"{_OF}.AddScimSecret": Row(f"{_ONE}/secrets", nothing, WRITERS),
    f"{_OF}.ListScimSecrets": Row(f"{_ONE}/secrets/_search", nothing, READERS),
    f"{_OF}.RemoveScimSecret": Row(f"{_ONE}/secrets/first", nothing, WRITERS),
    f"{_OF}.ListUserProvisioning": Row(
        "/management/v1/users/self-{tag}/provisioning", nothing, (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)
    ),
}
"""Only owners may connect a directory: its secret opens what a manager of users may do."""
