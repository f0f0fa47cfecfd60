"""Finishes an authorization request with a login session. The browser of the request does the rest (`resume_with_proof`)."""

from __future__ import annotations

from urllib.parse import urlencode

from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login_sessions import FinishLogin, GetLoginRequest, LoginFinished, LoginRequest
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import bucket_in, equal_in_constant_time, fingerprint, new_opaque

from portico_authz.authorize.open_request import REQUEST_NOT_FOUND, load_request
from portico_authz.dependencies import Dependencies
from portico_authz.domain.login_session import PROOF_SECONDS, LoginProof, LoginSession
from portico_authz.login_sessions.records import load_of_actor
from portico_authz.login_sessions.requirements import checked_context, prove

OTHER_TOKEN = ErrorCode(
    "AUTHZ-215",
    Kind.PERMISSION_DENIED,
    "The session token is not the latest one of this login session.",
    "Send the token that the last change of the login session returned.",
)


async def get_login_request(deps: Dependencies, query: GetLoginRequest) -> LoginRequest:
    """Raises AUTHZ-030, and the errors of the checks of the request."""
    request = await load_request(deps, query.request_id)
    ctx = await checked_context(deps, request)
    sent = request.parameters
    return LoginRequest(
        request_id=request.id,
        began=request.began,
        client_id=ctx.client.client_id,
        redirect_uri=ctx.verified_address.redirect_uri,
        scope=tuple(sent.get("scope", "").split()),
        prompts=tuple(sent.get("prompt", "").split()),
        ui_locales=ctx.ui_locales,
        login_hint=ctx.login_hint,
        max_age=ctx.max_age,
        hint_user_id=ctx.subject,
    )


async def finish_login(deps: Dependencies, message: FinishLogin) -> LoginFinished:
    """Raises AUTHZ-030, 210, 214 to 218, and the errors of the checks of the request, which stays open."""
    request = await load_request(deps, message.request_id)
    ctx = await checked_context(deps, request)
    if message.denied:
        if not await deps.stores.requests.update(request.id, denied=True):
            raise REQUEST_NOT_FOUND.error(part="request")
        return LoginFinished(callback_url=_callback(deps, request.id))
    session = await load_of_actor(deps, message.session_id, message.actor)
    require_token(session, message.session_token)
    user, progress = await prove(deps, ctx, request, session)
    proof = new_opaque(bucket_in(request.id) or "", deps.random)
    record = LoginProof(request.id, user.trust_epoch, progress)
    await deps.stores.login_proofs.save(proof, record, PROOF_SECONDS)
    return LoginFinished(callback_url=_callback(deps, request.id, proof))


def require_token(session: LoginSession, token: str) -> None:
    """Raises AUTHZ-215."""
    if not session.token or not equal_in_constant_time(session.token, fingerprint(token)):
        raise OTHER_TOKEN.error()


def _callback(deps: Dependencies, request_id: str, proof: str = "") -> str:
    query = {"request": request_id} | ({"proof": proof} if proof else {})
    return f"{deps.issuer}{AUTHORIZE_RESUME}?{urlencode(query)}"
