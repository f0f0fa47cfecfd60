"""Tokens from the authorization endpoint (OIDC Core §3.2.2.5): token issues them, and only the requested ones (AZ-13)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, ImplicitTokens, IssueImplicitTokens
from portico_oauth.errors import SERVER_ERROR
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.codes.issue_code import grant_of
from portico_authz.context import Context
from portico_authz.dependencies import Dependencies
from portico_authz.domain.session import Session


async def issue_tokens(deps: Dependencies, ctx: Context, session: Session) -> dict[str, str] | None:
    """The members of an implicit response; None when the session ended meanwhile."""
    now = deps.clock.now()
    used = replace(session, idle_until=now + deps.lifetimes.session_idle)
    if not await deps.stores.sessions.use(used, ctx.client.client_id, now):
        return None
    with_access_token = ctx.response_type.has_access_token
    grant = grant_of(ctx, session, new_opaque(bucket_of(session.user_id), deps.random))
    query = IssueImplicitTokens(grant=grant, with_access_token=with_access_token)
    tokens = await deps.bus.call(ISSUE_IMPLICIT_TOKENS, query)
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
