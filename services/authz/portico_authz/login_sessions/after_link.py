"""The pages of emailed links and codes: who has set a credential there is signed in (decision 0128).

An invitation signs in in the browser that opens it, because no browser has requested it; users names no user after
other links. An emailed code, which a browser requested, signs in only there: users keeps the code from every other
browser by its challenge, and the binding, which only authz can make, keeps a page with a stranger's challenge from
signing in as that stranger (login CSRF).
"""

from __future__ import annotations

from dataclasses import replace as progress_with
from urllib.parse import urlencode

import structlog
from msgspec.structs import replace
from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.users import (
    FINISH_PASSKEY_BY_INVITATION,
    SEND_PASSWORD_LINK,
    SET_PASSWORD_BY_CODE,
    SET_PASSWORD_BY_LINK,
    Factor,
    FinishPasskeyByInvitation,
    LinkUsed,
    PasswordCodeRequested,
    RequestPasswordCode,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    UseLink,
    UsePasskey,
    UsePasswordCode,
    User,
)
from portico_oauth.assurance import ONE_TIME_CODE
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import bucket_in, equal_in_constant_time, fingerprint, new_opaque

from portico_authz.authorize.login_requirements import allowed_factors, is_satisfied
from portico_authz.authorize.open_request import OTHER_BROWSER, open_request
from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser, new_browser
from portico_authz.domain.login_session import PROOF_SECONDS, LoginProof
from portico_authz.domain.progress import Progress
from portico_authz.login_sessions.requirements import checked_context, require_admitted
from portico_authz.session.direct_sign_in import sign_in_directly, with_new_password, with_passkey

log = structlog.get_logger("portico.login")


async def set_password_by_link(deps: Dependencies, _id: str, message: UseLink) -> LinkUsed:
    question = SetPasswordByLink(user_id=message.user_id, code=message.code, new_password=message.new_password)
    done = await deps.bus.call(SET_PASSWORD_BY_LINK, question)
    used = LinkUsed(start=done.start)
    return await _signed_in(deps, used, message, done.user, with_new_password(done.user)) if done.user else used


async def register_invited_passkey(deps: Dependencies, _id: str, message: UsePasskey) -> LinkUsed:
    question = FinishPasskeyByInvitation(
        user_id=message.user_id,
        code=message.code,
        passkey_id=message.passkey_id,
        credential=message.credential,
    )
    done = await deps.bus.call(FINISH_PASSKEY_BY_INVITATION, question)
    used = LinkUsed(start=done.start)
    if done.user is None:
        return used
    return await _signed_in(deps, used, message, done.user, with_passkey(done.user, device_bound=done.device_bound))


async def request_password_code(deps: Dependencies, _id: str, message: RequestPasswordCode) -> PasswordCodeRequested:
    """The reply has a binding with and without an account (LG-01)."""
    browser = await _asking_browser(deps, message.request_id, message.browser)
    question = SendPasswordLink(login_name=message.login_name, sender=message.sender, languages=message.languages)
    challenge = (await deps.bus.call(SEND_PASSWORD_LINK, question)).challenge
    return PasswordCodeRequested(challenge=challenge, binding=_binding(browser, challenge) if browser else "")


async def set_password_by_code(deps: Dependencies, _id: str, message: UsePasswordCode) -> LinkUsed:
    """In the browser that requested the code, the sign-in that waited continues with the password as proven."""
    question = SetPasswordByCode(challenge=message.challenge, code=message.code, new_password=message.new_password)
    user = (await deps.bus.call(SET_PASSWORD_BY_CODE, question)).user
    if user is None or not message.binding:
        return LinkUsed()
    try:
        return LinkUsed(continue_to=await _prove(deps, message, user))
    except ServiceError as error:
        log.info("sign-in does not continue after a reset", cause=error.id)
        return LinkUsed()


async def _prove(deps: Dependencies, message: UsePasswordCode, user: User) -> str:
    """Raises AUTHZ-030, 031, 218, and the errors of the checks of the request."""
    request, browser = await open_request(deps, message.request_id, message.browser)
    if not equal_in_constant_time(message.binding, _binding(browser, message.challenge)):
        raise OTHER_BROWSER.error(part="binding")
    require_admitted(await checked_context(deps, request), user)
    proof = new_opaque(bucket_in(request.id) or "", deps.random)
    record = LoginProof(request.id, user.trust_epoch, await _after_code(deps, user), after_reset=True)
    await deps.stores.login_proofs.save(proof, record, PROOF_SECONDS)
    return f"{AUTHORIZE_RESUME}?{urlencode({'request': request.id, 'proof': proof})}"


async def _after_code(deps: Dependencies, user: User) -> Progress:
    """A mailbox is one factor: where emails are the second one of the user, the new password is entered instead of
    another emailed code (decision 0139).
    """
    progress = progress_with(with_new_password(user), proved_address=True)
    if Factor.OTP_EMAIL not in await allowed_factors(deps, user):
        return progress
    return progress_with(progress, amr=(ONE_TIME_CODE,), emailed=True)


async def _signed_in(
    deps: Dependencies, used: LinkUsed, message: UseLink | UsePasskey, user: User, progress: Progress
) -> LinkUsed:
    """A failed sign-in is not an error: the credential is set."""
    if message.browser is None:
        return used
    try:
        if not await is_satisfied(deps, user, progress):
            return used
        browser = await deps.stores.browsers.find(message.browser)
        old = message.browser if browser else ""
        handle = await sign_in_directly(
            deps, user, progress, browser or new_browser(deps.random), message.device, old=old
        )
    except ServiceError as error:
        log.warning("not signed in after an emailed link", cause=error.private)
        return used
    return replace(used, set_cookie=deps.cookie.set(handle))


async def _asking_browser(deps: Dependencies, request_id: str, handle: str) -> Browser | None:
    if not request_id or not handle:
        return None
    try:
        return (await open_request(deps, request_id, handle))[1]
    except ServiceError:  # the code is sent all the same
        return None


def _binding(browser: Browser, challenge: str) -> str:
    """The id of a browser never leaves authz, so that nothing else can make the binding."""
    return fingerprint(f"{browser.id}:{challenge}")
