"""Issues an authorization code for a session, stored only as a hash (RFC 6749 §4.1.2), or tokens (OIDC Core §3.2.2.5)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.authz import CodeGrant
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, ImplicitTokens, IssueImplicitTokens
from portico_oauth.assurance import acr_claim
from portico_oauth.errors import SERVER_ERROR
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.checked_request import CheckedRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.code import CodeRecord, IssueResult
from portico_authz.domain.session import Session


def new_code(deps: Dependencies, session: Session) -> str:
    return new_opaque(bucket_of(session.user_id), deps.random)


async def issue_code(deps: Dependencies, ctx: CheckedRequest, session: Session, code: str) -> IssueResult:
    now = deps.clock.now()
    used = replace(session, idle_until=now + deps.lifetimes.session_idle)
    return await deps.stores.codes.issue(code, record_of(deps, ctx, session, now), used, now)


def record_of(deps: Dependencies, ctx: CheckedRequest, session: Session, now: float) -> CodeRecord:
    """The id of the grant is chosen now, so that a replayed code identifies the grant to revoke."""
    return CodeRecord(
        redirect_uri=ctx.verified_address.redirect_uri,
        challenge=ctx.code_challenge,
        issued_at=now,
        expires_at=now + deps.lifetimes.code,
        grant=grant_of(ctx, session, new_opaque(bucket_of(session.user_id), deps.random)),
        jkt=ctx.dpop_jkt,
    )


def grant_of(ctx: CheckedRequest, session: Session, grant_id: str) -> CodeGrant:
    return CodeGrant(
        grant_id=grant_id,
        client_id=ctx.client.client_id,
        user_id=session.user_id,
        session_id=session.sid,
        scope=ctx.scope.granted,
        auth_time=int(session.auth_time),
        amr=session.amr,
        acr=acr_claim(session.acr, ctx.acr.words),
        nonce=ctx.nonce,
        claims=ctx.claims.text,
        dropped_scope=tuple(word for word in ctx.scope.words if word not in ctx.scope.granted),
        auth_time_proven=session.is_age_known,
        resources=ctx.resources,
        session_began=int(session.began),
        client_org_id=ctx.client.org_id,
    )


async def issue_tokens(deps: Dependencies, ctx: CheckedRequest, session: Session) -> dict[str, str] | None:
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
