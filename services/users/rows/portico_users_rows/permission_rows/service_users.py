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
_NEWER = "portico.user.v2.UserService"
_NEWER_BOT = "/v2/users/bot-{caller}-{tag}"
_KEY = f"{_BOT}/keys/bot-key-{{caller}}-{{tag}}"

SERVICE_USER_ROWS = {
    f"{_OF}.AddMachineUser": Row(
        "", lambda managed, caller: {"userName": f"by-{caller}-{managed.tag}", "name": "new"}, OF_OWN_ORG
    ),
    f"{_OF}.UpdateMachine": Row(f"{_BOT}/machine", body(name="new"), WRITERS),
    f"{_OF}.GenerateMachineSecret": Row(f"{_BOT}/secret", nothing, WRITERS),
    f"{_OF}.RemoveMachineSecret": Row(f"{_BOT}/secret", nothing, but(NOT_NOW, WRITERS)),
    f"{_OF}.AddMachineKey": Row(f"{_BOT}/keys", body(type="KEY_TYPE_JSON"), WRITERS),
    f"{_OF}.GetMachineKeyByIDs": Row(_KEY, nothing, READERS),
    f"{_OF}.RemoveMachineKey": Row(_KEY, nothing, WRITERS),
    f"{_OF}.ListMachineKeys": Row(f"{_BOT}/keys/_search", nothing, READERS),
    f"{_OF}.AddPersonalAccessToken": Row(f"{_BOT}/pats", nothing, WRITERS),
    f"{_OF}.GetPersonalAccessTokenByIDs": Row(f"{_BOT}/pats/none", nothing, but(ABSENT, READERS)),
    f"{_OF}.RemovePersonalAccessToken": Row(f"{_BOT}/pats/none", nothing, but(ABSENT, WRITERS)),
    f"{_OF}.ListPersonalAccessTokens": Row(f"{_BOT}/pats/_search", nothing, READERS),
    f"{_NEWER}.AddKey": Row(f"{_NEWER_BOT}/keys", nothing, WRITERS),
    f"{_NEWER}.RemoveKey": Row(f"{_NEWER_BOT}/keys/bot-key-{{caller}}-{{tag}}", nothing, WRITERS),
    f"{_NEWER}.ListKeys": Row("", nothing, READS_OWN_ORG),
    f"{_NEWER}.AddPersonalAccessToken": Row(f"{_NEWER_BOT}/pats", nothing, WRITERS),
    f"{_NEWER}.RemovePersonalAccessToken": Row(f"{_NEWER_BOT}/pats/none", nothing, but(ABSENT, WRITERS)),
    f"{_NEWER}.ListPersonalAccessTokens": Row("", nothing, READS_OWN_ORG),
    f"{_NEWER}.AddSecret": Row(f"{_NEWER_BOT}/secret", nothing, WRITERS),
    f"{_NEWER}.RemoveSecret": Row(f"{_NEWER_BOT}/secret", nothing, but(NOT_NOW, WRITERS)),
}
"""Those of the matrix have a key, and neither a secret nor a token."""
