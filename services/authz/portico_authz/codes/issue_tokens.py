"""Tokens from the authorization endpoint (OIDC Core §3.2.2.5): token mints them, and only what was asked for (AZ-13)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, ImplicitTokens, IssueImplicitTokens
from portico_oauth.errors import SERVER_ERROR
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.codes.issue_code import grant_of
from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.session import Session


async def issue_tokens(desk: Desk, ctx: Context, session: Session) -> dict[str, str] | None:
    """The members of an implicit answer; None when the session ended meanwhile."""
    now = desk.clock.now()
    used = replace(session, idle_until=now + desk.lifetimes.session_idle)
    if not await desk.stores.sessions.use(used, ctx.client.client_id, now):
        return None
    with_access_token = ctx.response_type.has_access_token
    grant = grant_of(ctx, session, new_opaque(bucket_of(session.user_id), desk.random))
    asked = IssueImplicitTokens(grant=grant, with_access_token=with_access_token)
    tokens = await desk.bus.call(ISSUE_IMPLICIT_TOKENS, asked)
    return _with_access_token(tokens) if with_access_token else {"id_token": tokens.id_token}


def _with_access_token(tokens: ImplicitTokens) -> dict[str, str]:
    if not tokens.access_token:
        raise SERVER_ERROR.error(cause="no access token came back")
    return {
        "access_token": tokens.access_token,
        "token_type": "Bearer",
        "expires_in": str(tokens.expires_in),
        "scope": tokens.scope,
        "id_token": tokens.id_token,
    }
