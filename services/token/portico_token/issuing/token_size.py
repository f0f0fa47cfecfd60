"""Limits issued tokens to what our endpoints accept; the error names the largest part and its setting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from portico_contracts.users import Client
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.jose import MAX_TOKEN
from portico_oauth.scopes import METADATA, PROJECT_ROLES
from portico_oauth.zitadel_names import ROLES_OF, THEIR_METADATA

from portico_token.domain.grants import HookClaims

TOO_MANY_ROLES = ErrorCode(
    "TOKEN-142",
    Kind.INVALID_SCOPE,
    "With the roles of the user the token is longer than 16384 characters.",
    "Request roles of fewer projects, turn off accessTokenRoleAssertion, idTokenRoleAssertion or rolesClaim of the application "
    "and read the roles from userinfo, or set its accessTokenType to bearer.",
)
TOO_MANY_GROUPS = ErrorCode(
    "TOKEN-293",
    Kind.INVALID_SCOPE,
    "With the groups of the user the token is longer than 16384 characters.",
    "Turn off groupsClaim of the application and give it roles, or remove the user from groups that it does not need.",
)
TOO_MUCH_METADATA = ErrorCode(
    "TOKEN-143",
    Kind.INVALID_SCOPE,
    "With the metadata of the user the token is longer than 16384 characters.",
    "Omit the scope urn:portico:user:metadata, turn off idTokenUserinfoAssertion of the application and read the metadata from userinfo, or set its accessTokenType to bearer.",
)
TOO_MANY_CLAIMS = ErrorCode(
    "TOKEN-144",
    Kind.INVALID_SCOPE,
    "With the claims of the user the token is longer than 16384 characters.",
    "Turn off idTokenUserinfoAssertion of the application and read the claims from userinfo.",
)
TOO_MANY_AUDIENCES = ErrorCode(
    "TOKEN-145",
    Kind.INVALID_SCOPE,
    "With its audience the token is longer than 16384 characters.",
    "Name fewer projects in the scope, divide the applications of the project, or set the accessTokenType of the application "
    "to bearer.",
)

TOO_MANY_RULED = ErrorCode(
    "TOKEN-294",
    Kind.INVALID_SCOPE,
    "With the claims of its claim rules the token is longer than 16384 characters.",
    "Shorten their values, or remove id_token or access_token from the places of the largest rules.",
)

TOO_MUCH_BY_HOOK = ErrorCode(
    "TOKEN-299",
    Kind.INVALID_SCOPE,
    "With the claims of its token hook the token is longer than 16384 characters.",
    "Have the hook add less to id_token and access_token, and have the application read the claims from userinfo.",
)

_ROLES_OF: Final = (PROJECT_ROLES.removesuffix("roles"), ROLES_OF)
_encode = msgspec.json.Encoder().encode


def refuse_oversized(token: str, claims: Mapping[str, Any], client: Client, hook: HookClaims | None = None) -> None:
    """Raises TOKEN-142 to TOKEN-145, TOKEN-293, TOKEN-294 or TOKEN-299 when the token is longer than `portico_oauth.jose.MAX_TOKEN`."""
    if len(token) <= MAX_TOKEN:
        return
    added = (name for names in hook.claims.values() for name in names) if hook else ()
    registered = dict.fromkeys(added, TOO_MUCH_BY_HOOK)
    registered |= dict.fromkeys((rule.claim for rule in client.claim_rules), TOO_MANY_RULED)
    registered |= {client.groups_claim: TOO_MANY_GROUPS, client.roles_claim: TOO_MANY_ROLES}
    sizes: Counter[ErrorCode] = Counter()
    for name, value in claims.items():
        sizes[registered.get(name) or _reason(name)] += len(_encode(value))
    raise max(sizes, key=lambda reason: sizes[reason]).error(length=len(token), compared=Compared("token_size"))


def _reason(name: str) -> ErrorCode:
    if name.startswith(_ROLES_OF):
        return TOO_MANY_ROLES
    if name in (METADATA, THEIR_METADATA):
        return TOO_MUCH_METADATA
    return TOO_MANY_AUDIENCES if name == "aud" else TOO_MANY_CLAIMS
