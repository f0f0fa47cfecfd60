"""Service users, and what they prove themselves with."""

from __future__ import annotations

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NOT_NOW,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WRITERS,
    Row,
    body,
    but,
    nothing,
)

_OF = "portico.management.v1.ServiceUserService"

_BOT = "/management/v1/users/bot-{caller}-{tag}"
_USER_V2 = "portico.user.v2.UserService"
_USER_V2_BOT = "/v2/users/bot-{caller}-{tag}"
_KEY = f"{_BOT}/keys/bot-key-{{caller}}-{{tag}}"

TRUSTED = body(
    trustedWorkloads=[
        {
            "name": "orders",
            "issuer": "https://kubernetes.example.com",
            "conditions": [{"claim": "sub", "value": "system:serviceaccount:shop:orders"}],
        }
    ],
)

SERVICE_USER_ROWS = {
    f"{_OF}.AddMachineUser": Row(
        "", lambda managed, caller: {"userName": f"by-{caller}-{managed.tag}", "name": "new"}, OF_OWN_ORG
    ),
    f"{_OF}.UpdateMachine": Row(f"{_BOT}/machine", body(name="new"), WRITERS),
    f"{_OF}.GenerateMachineSecret": Row(f"{_BOT}/secret", nothing, WRITERS),
    f"{_OF}.RemoveMachineSecret": Row(f"{_BOT}/secret", nothing, but(NOT_NOW, WRITERS)),
    f"{_OF}.RemovePreviousMachineSecret": Row(f"{_BOT}/previous_secret", nothing, but(NOT_NOW, WRITERS)),
    f"{_OF}.AddMachineKey": Row(f"{_BOT}/keys", body(type="KEY_TYPE_JSON"), WRITERS),
    f"{_OF}.GetMachineKeyByIDs": Row(_KEY, nothing, READERS),
    f"{_OF}.RemoveMachineKey": Row(_KEY, nothing, WRITERS),
    f"{_OF}.ListMachineKeys": Row(f"{_BOT}/keys/_search", nothing, READERS),
    f"{_OF}.SetMachineTrustedWorkloads": Row(f"{_BOT}/trusted_workloads", TRUSTED, WRITERS),
    f"{_OF}.GetMachineTrustedWorkloads": Row(f"{_BOT}/trusted_workloads", nothing, READERS),
    f"{_OF}.AddPersonalAccessToken": Row(f"{_BOT}/pats", nothing, WRITERS),
    f"{_OF}.GetPersonalAccessTokenByIDs": Row(f"{_BOT}/pats/none", nothing, but(ABSENT, READERS)),
    f"{_OF}.RemovePersonalAccessToken": Row(f"{_BOT}/pats/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListPersonalAccessTokens": Row(f"{_BOT}/pats/_search", nothing, READERS),
    f"{_USER_V2}.AddKey": Row(f"{_USER_V2_BOT}/keys", nothing, WRITERS),
    f"{_USER_V2}.RemoveKey": Row(f"{_USER_V2_BOT}/keys/bot-key-{{caller}}-{{tag}}", nothing, WRITERS),
    f"{_USER_V2}.ListKeys": Row("", nothing, READS_OWN_ORG),
    f"{_USER_V2}.AddPersonalAccessToken": Row(f"{_USER_V2_BOT}/pats", nothing, WRITERS),
    f"{_USER_V2}.RemovePersonalAccessToken": Row(f"{_USER_V2_BOT}/pats/none", nothing, but(ABSENT, WRITERS)),
    f"{_USER_V2}.ListPersonalAccessTokens": Row("", nothing, READS_OWN_ORG),
    f"{_USER_V2}.AddSecret": Row(f"{_USER_V2_BOT}/secret", nothing, WRITERS),
    f"{_USER_V2}.RemoveSecret": Row(f"{_USER_V2_BOT}/secret", nothing, but(NOT_NOW, WRITERS)),
}
"""Service users of the matrix have a key, but neither secret nor token."""
