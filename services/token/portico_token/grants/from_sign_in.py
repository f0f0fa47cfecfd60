"""The grant of a sign-in, for the code exchange and for implicit responses."""

from __future__ import annotations

from portico_contracts.authz import CodeGrant
from portico_contracts.users import Client
from portico_oauth.grant_types import REFRESH_TOKEN
from portico_oauth.scopes import OFFLINE_ACCESS

from portico_token.domain.audience import audience_of
from portico_token.domain.claims import requested_claims
from portico_token.domain.grants import Grant
from portico_token.grants.permitted_scope import PermittedScope


def grant_of_sign_in(signed_in: CodeGrant, client: Client, permitted: PermittedScope, now: float) -> Grant:
    """What was granted at the sign-in, to this client as it is registered now.

    The returned scope promises no refresh token to a client that may not use one.
    """
    scope = permitted.words
    if REFRESH_TOKEN not in client.grant_types:
        scope = without_offline_access(scope)
    claims = requested_claims(signed_in.claims)
    return Grant(
        id=signed_in.grant_id,
        user_id=signed_in.user_id,
        client_id=signed_in.client_id,
        audience=audience_of(client, scope, permitted.audiences),
        scope=scope,
        session_id=signed_in.session_id,
        auth_time=signed_in.auth_time,
        auth_time_proven=signed_in.auth_time_proven,
        amr=signed_in.amr,
        acr=signed_in.acr,
        created=now,
        userinfo_claims=claims.userinfo,
        id_token_claims=claims.id_token,
        dropped_scope=tuple(word for word in (*signed_in.scope, *signed_in.dropped_scope) if word not in scope),
    )


def without_offline_access(scope: tuple[str, ...]) -> tuple[str, ...]:
    """The scope of a response without a refresh token."""
    return tuple(word for word in scope if word != OFFLINE_ACCESS)
