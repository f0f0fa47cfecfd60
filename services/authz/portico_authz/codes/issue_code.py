"""Issues an authorization code for a session: 256 random bits, stored only as a hash (RFC 6749 §4.1.2)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.authz import CodeGrant
from portico_oauth.assurance import acr_claim
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.context import Context
from portico_authz.dependencies import Dependencies
from portico_authz.domain.code import CodeRecord, IssueResult
from portico_authz.domain.session import Session


def new_code(deps: Dependencies, session: Session) -> str:
    """A code that is not valid yet, in the bucket of its user and session."""
    return new_opaque(bucket_of(session.user_id), deps.random)


async def issue_code(deps: Dependencies, ctx: Context, session: Session, code: str) -> IssueResult:
    """Issues a code for a checked request.

    The id of its grant is chosen now, so that a code presented twice identifies the grant to revoke.
    """
    now = deps.clock.now()
    record = CodeRecord(
        redirect_uri=ctx.verified_address.redirect_uri,
        challenge=ctx.code_challenge,
        issued_at=now,
        expires_at=now + deps.lifetimes.code,
        grant=grant_of(ctx, session, new_opaque(bucket_of(session.user_id), deps.random)),
    )
    used = replace(session, idle_until=now + deps.lifetimes.session_idle)
    return await deps.stores.codes.issue(code, record, used, now)


def grant_of(ctx: Context, session: Session, grant_id: str) -> CodeGrant:
    """The grant of a session to the client of a checked request."""
    return CodeGrant(
        grant_id=grant_id,
        client_id=ctx.client.client_id,
        user_id=session.user_id,
        session_id=session.sid,
        scope=ctx.scope,
        auth_time=int(session.auth_time),
        amr=session.amr,
        acr=acr_claim(session.acr, ctx.acr_requested),
        nonce=ctx.nonce,
        claims=ctx.claims,
        auth_time_asked=ctx.auth_time_requested,
        dropped_scope=tuple(word for word in ctx.requested_scope if word not in ctx.scope),
        auth_time_proven=session.is_age_known,
    )
