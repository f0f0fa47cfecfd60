"""Issues an authorization code for a session: 256 random bits, kept only as a hash (RFC 6749 §4.1.2)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.authz import CodeGrant
from portico_oauth.assurance import acr_to_say
from portico_oauth.opaque import bucket_of, new_opaque

from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.code import CodeRecord, Issued
from portico_authz.domain.session import Session


def new_code(desk: Desk, session: Session) -> str:
    """A code that is worth nothing yet. It lives in the user's bucket, beside the session it is issued for."""
    return new_opaque(bucket_of(session.user_id), desk.random)


async def issue_code(desk: Desk, ctx: Context, session: Session, code: str) -> Issued:
    """Makes a code stand for a checked request.

    The id of the grant it will give is chosen now, so that a code presented twice can tell which grant to revoke.
    """
    now = desk.clock.now()
    record = CodeRecord(
        redirect_uri=ctx.proven.redirect_uri,
        challenge=ctx.code_challenge,
        issued_at=now,
        expires_at=now + desk.lifetimes.code,
        grant=grant_of(ctx, session, new_opaque(bucket_of(session.user_id), desk.random)),
    )
    used = replace(session, idle_until=now + desk.lifetimes.session_idle)
    return await desk.stores.codes.issue(code, record, used, now)


def grant_of(ctx: Context, session: Session, grant_id: str) -> CodeGrant:
    """What is granted to the client of a checked request for a session."""
    return CodeGrant(
        grant_id=grant_id,
        client_id=ctx.client.client_id,
        user_id=session.user_id,
        session_id=session.sid,
        scope=ctx.scope,
        auth_time=int(session.auth_time),
        amr=session.amr,
        acr=acr_to_say(session.acr, ctx.acr_named),
        nonce=ctx.nonce,
        claims=ctx.claims,
        auth_time_asked=ctx.auth_time_asked,
    )
