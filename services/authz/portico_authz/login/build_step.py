"""Builds the login API's response from a transition, and rotates the browser's handle with it (LG-11)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace as with_fields
from portico_contracts.diagnostics import DiagnosedEndpoint
from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login import AskingDevice, RequestedScope, Step, StepName
from portico_contracts.users import DESCRIBE_SCOPES, ApiScope, DescribedScope, DescribeScopes, PasswordRules
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.authorize.open_request import REQUEST_NOT_FOUND
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import FactorChallenge
from portico_authz.domain.browser import HandleRotation, RotationResult
from portico_authz.login.named_user import csrf_of_page
from portico_authz.login.open_login import owner_of
from portico_authz.login.page_options import (
    alternative_factors,
    may_use_email_code,
    may_use_passkey,
    offered_providers,
    policy_of_page,
    trust_days,
)
from portico_authz.login.state import EnrolmentShown, Login, Transition
from portico_authz.page_branding import branding_of_login
from portico_authz.session.accounts import account_of
from portico_authz.session.trusted_devices import remember_handle

HANDLE_CHANGED = ErrorCode(
    "AUTHZ-028",
    Kind.FAILED_PRECONDITION,
    "Another sign-in of this browser was completed at the same time.",
    "Open the page again.",
)

_STORED: Final = (RotationResult.ROTATED, RotationResult.ANSWERED)


async def build_step(deps: Dependencies, transition: Transition) -> Step:
    """Rotates the handle last: until then everything can be repeated with the old handle."""
    login, rotation = transition.login, transition.rotation
    step = _done(transition) if login.step is StepName.DONE else await _page_of(deps, transition)
    if rotation and await rotate_handle(deps, transition, rotation) is RotationResult.ANSWERED:
        deps.traces.issued(login.ctx.client, DiagnosedEndpoint.AUTHORIZATION)
        address = login.ctx.verified_address
        step = with_fields(
            step, continue_to=address.with_query({"code": transition.code}), return_uri=address.redirect_uri
        )
    handle = rotation.new if rotation else transition.handle
    return with_fields(step, set_cookie=deps.cookie.set(handle)) if handle else step


async def rotate_handle(deps: Dependencies, transition: Transition, rotation: HandleRotation) -> RotationResult:
    """Publishes the sign-in that is complete with it. Raises AUTHZ-028, AUTHZ-030."""
    result = await _rotate(deps, rotation, transition.user_id)
    if rotation.signed_in and result in _STORED:
        if transition.starts_session:
            deps.publisher.session_started(rotation.signed_in, transition.user_id)
        origin = transition.login.origin
        deps.publisher.login_succeeded(transition.user_id, origin, transition.methods, trusted=transition.trusted)
    return result


def _done(transition: Transition) -> Step:
    login, leave_to = transition.login, transition.leave_to
    resume = "" if leave_to else f"{AUTHORIZE_RESUME}?request={login.request.id}"
    return Step(name=StepName.DONE, continue_to=resume, leave_to=leave_to, ui_locales=login.ctx.ui_locales)


async def _page_of(deps: Dependencies, transition: Transition) -> Step:
    login, policy = transition.login, await policy_of_page(deps, transition.login)
    choosing = login.accounts if login.step is StepName.SELECT_ACCOUNT else ()
    accounts = [
        await account_of(deps, login.browser, choice.session, usable=choice.usable or choice.lacks_factor)
        for choice in choosing
    ]
    naming = login.step in (StepName.LOGIN_NAME, StepName.REGISTER)
    challenge, shown = _challenge_of(login), transition.shown or EnrolmentShown()
    known = login.consenting.shown_name if login.consenting else login.progress.shown_name
    return Step(
        name=login.step,
        csrf=csrf_of_page(login),
        client_name=login.ctx.client.name,
        return_uri=login.ctx.address.redirect_uri if login.ctx.address else "",
        login_name=transition.login_name or known or login.request.prefill,
        problem=transition.problem,
        retry_after=transition.retry_after,
        confirms=login.request.confirms,
        ui_locales=login.ctx.ui_locales,
        accounts=tuple(accounts),
        may_reset=login.step is StepName.PASSWORD and policy.may_reset,
        may_register=naming and policy.may_register,
        mail=_mail_of(login),
        delayed=challenge is not None and challenge.delayed,
        detail=transition.detail,
        may_use_passkey=login.step in (StepName.LOGIN_NAME, StepName.PASSWORD) and may_use_passkey(login, policy),
        may_use_email_code=may_use_email_code(login, policy),
        options=challenge.options if challenge else "",
        others=shown.registrations or await alternative_factors(deps, login),
        uri=shown.uri,
        secret=shown.secret,
        recovery_codes=shown.recovery_codes,
        password_rules=await _password_rules(deps, login),
        providers=offered_providers(login, policy),
        look=await branding_of_login(deps, login.ctx, login.progress),
        trust_days=await trust_days(deps, login),
        emailed=login.step is StepName.FACTOR_MISSING and login.progress.emailed,
        **_external_of(login),
        **await _consent_of(deps, login),
    )


def _challenge_of(login: Login) -> FactorChallenge | None:
    asked = login.progress.asked
    return asked if asked and asked.step is login.step else None


def _mail_of(login: Login) -> str:
    challenge, enrolment = _challenge_of(login), login.progress.enrolment
    if login.step is StepName.VERIFY_EMAIL:
        return login.progress.mail
    if login.step is StepName.ENROL_EMAIL:
        return enrolment.mail if enrolment else ""
    return challenge.mail if challenge else ""


def _external_of(login: Login) -> dict[str, Any]:
    if login.step is StepName.DIRECTORY and login.progress.users_client:
        return {"external_name": login.progress.users_client.provider_name}
    pending = login.progress.external
    if pending is None or login.progress.user_id:
        return {}
    is_form = login.step is StepName.COMPLETE_EXTERNAL
    return {
        "external_name": pending.provider_name,
        "profile": pending.identity.profile if is_form else None,
        "missing": pending.missing if is_form else (),
        "may_link": pending.may_link,
        "may_create": pending.may_create,
    }


async def _consent_of(deps: Dependencies, login: Login) -> dict[str, Any]:
    if login.consenting is None:
        return {}
    client, asked = login.ctx.client, login.ctx.to_be_allowed
    words = tuple(sorted({one.scope for one in asked if one.api}))
    question = DescribeScopes(client_id=client.client_id, scopes=words, org_id=client.org_id)
    described = await deps.bus.call(DESCRIBE_SCOPES, question)
    texts = {ApiScope(one.client_id, one.scope): one for one in described.scopes}
    allowed = await deps.users_client.consent(login.consenting.user_id, client.client_id)
    shown = []
    for scope in asked:
        one = texts.get(scope, DescribedScope(scope=scope.scope, api=scope.api))
        shown.append(RequestedScope(scope.scope, one.api, one.title, one.description, scope in allowed))
    return {"scopes": tuple(shown), "org_name": described.org_name, "device": _device_of(login)}


def _device_of(login: Login) -> AskingDevice | None:
    one = login.ctx.device
    return AskingDevice(one.user_code, one.asked_at, one.address, one.country) if one else None


async def _password_rules(deps: Dependencies, login: Login) -> PasswordRules | None:
    if login.step is StepName.REGISTER:
        return (await deps.users_client.login_policy(joined_org_of(login.ctx))).password_rules
    if login.step is not StepName.CHANGE_PASSWORD:
        return None
    user = await deps.users_client.find_user(login.progress.user_id)
    return (await deps.users_client.login_policy(user.org_id)).password_rules if user else None


async def _rotate(deps: Dependencies, rotation: HandleRotation, user_id: str) -> RotationResult:
    """Raises unless it, or an identical submission of the same user, has rotated the handle."""
    browser = rotation.browser
    await remember_handle(deps, rotation.old, browser)
    seconds = browser.seconds_to_keep(deps.clock.now(), deps.lifetimes.session)
    result = await deps.stores.browsers.rotate_handle(rotation, seconds)
    if result is RotationResult.NOT_FOUND:
        raise REQUEST_NOT_FOUND.error(part="request")
    if result is RotationResult.ALREADY_ROTATED:
        request = await deps.stores.requests.find(rotation.request_id)
        if request is not None and await owner_of(deps, request) == user_id:
            return result
    if result not in _STORED:
        raise HANDLE_CHANGED.error()
    return result
