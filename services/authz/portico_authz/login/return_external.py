"""The login API: a browser returns from another identity provider (decision 0047).

The browser that started the flow claims it once, before users verifies anything (RFC 9700 sections 4.4 and
4.7). A JWT provider redirects from another domain, without a cookie: its JWT is parked, and the next request
is compared with the flow.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from portico_contracts.login import Problem
from portico_contracts.login_external import (
    ExternalReturned,
    GetJwtHeader,
    JwtHeader,
    Parked,
    ParkExternal,
    ParkJwt,
    ReturnExternal,
)
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import FIND_INTENT, FINISH_EXTERNAL, FindIntent, FinishExternal, IntentFlow, ProviderKind
from portico_oauth.errors import INVALID_INPUT, ErrorCode, Kind, ServiceError
from portico_oauth.opaque import bucket_in, equal_in_constant_time, fingerprint, new_opaque

from portico_authz.authorize.agents import agent_at
from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.authorize.open_request import of_same_browser, usable
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.external import PARKED_SECONDS, ExternalFlow, Mismatch, ParkedReturn
from portico_authz.domain.submission import new_submission
from portico_authz.login.build_step import build_step
from portico_authz.login.continue_login import complete_login
from portico_authz.login.finish_external import finish_external
from portico_authz.login.open_login import new_csrf, open_loaded, save_progress
from portico_authz.login.return_intent import is_of_intent, return_intent
from portico_authz.login.state import Login, Transition

FLOW_NOT_FOUND = ErrorCode(
    "AUTHZ-060",
    Kind.NOT_FOUND,
    "This sign-in through another provider is finished or has expired. Go back to the application and start again.",
    "Start the sign-in at the provider again. Each provider response can be used once, within 10 minutes.",
)
OTHER_BROWSER = ErrorCode(
    "AUTHZ-061",
    Kind.PERMISSION_DENIED,
    "This sign-in through another provider was started in another browser.",
    "Come back from the provider in the browser where the sign-in began.",
)
OTHER_PROVIDER = ErrorCode(
    "AUTHZ-062",
    Kind.PERMISSION_DENIED,
    "This response comes from another identity provider than the one the sign-in started at.",
    "Register the callback address of this identity provider at the provider.",
)

MAX_PARAMETERS: Final = 20
"""Maximum parameters of a callback; providers send three or four."""

MAX_PARAMETER: Final = 8_192
"""Maximum characters of a parameter."""


async def return_external(deps: Dependencies, _id: str, query: ReturnExternal) -> ExternalReturned:
    back = await _read_return(deps, query)
    if is_of_intent(back.state):
        return await return_intent(deps, query, back)
    browser, found = await asyncio.gather(
        deps.stores.browsers.find(query.browser), deps.stores.external_flows.find(back.state)
    )
    # A JWT provider responds with a JWT, and every other one with parameters.
    if found is None or (found.kind is ProviderKind.JWT) != bool(back.jwt):
        raise FLOW_NOT_FOUND.error(part="flow")
    if browser is None:
        raise FLOW_NOT_FOUND.error(part="browser")
    flow, request = await asyncio.gather(
        _claim(deps, browser, query, back), deps.stores.requests.find(found.request_id)
    )
    opened = usable(deps, request)
    of_same_browser(browser, opened)
    login = await open_loaded(deps, opened, browser, query.browser, agent_at(deps, query.address))
    if _has_its_user(login, opened):
        transition = await complete_login(deps, replace(login, csrf=opened.csrf))
    else:
        login = replace(await _without_other_tab(deps, login, opened), to_application=query.to_application)
        transition = await _continue(deps, login, flow, back, query.languages)
    return ExternalReturned(request_id=flow.request_id, step=await build_step(deps, transition))


def _has_its_user(login: Login, opened: AuthRequest) -> bool:
    """Reports whether the sign-in is decided, so that at most consent is missing, and the callback is ignored.

    A session of another tab alone does not decide it: the user has chosen the account at the provider.
    """
    decided = login.step is StepName.DONE or login.consenting is not None
    return decided and (opened.denied or not opened.is_at_start)


async def _without_other_tab(deps: Dependencies, login: Login, opened: AuthRequest) -> Login:
    """Returns to the first page from where a session of another tab leads, which the request did not begin with."""
    continues = login.step is StepName.DONE or login.consenting or login.progress.step_up
    if not continues or not opened.is_at_start:
        return login
    return (await save_progress(deps, Transition(login.without_identity()))).login


async def park_external(deps: Dependencies, _id: str, query: ParkExternal) -> Parked:
    _check_size(query.parameters)
    state = query.parameters.get("state", "")
    flow = await _find_any(deps, state)
    if flow is None or not flow.form_post or flow.provider_id != query.provider_id:
        raise FLOW_NOT_FOUND.error(part="form_post")
    return await park(deps, ParkedReturn(state, query.provider_id, query.parameters), query.address)


async def park(deps: Dependencies, returned: ParkedReturn, address: str) -> Parked:
    handle = new_opaque(bucket_in(returned.state) or "00", deps.random)
    client_address = fingerprint(address) if address else ""
    await deps.stores.parked_returns.save(handle, returned, PARKED_SECONDS, client_address)
    return Parked(handle=handle)


async def _read_return(deps: Dependencies, query: ReturnExternal) -> ParkedReturn:
    if not query.handle:
        _check_size(query.parameters)
        return ParkedReturn(query.parameters.get("state", ""), query.provider_id, query.parameters)
    parked = await deps.stores.parked_returns.find(query.handle)
    if parked is None:
        raise FLOW_NOT_FOUND.error(part="handle")
    if query.provider_id not in ("", parked.provider_id):
        raise OTHER_PROVIDER.error()
    return parked


def _check_size(parameters: dict[str, str]) -> None:
    if len(parameters) > MAX_PARAMETERS or any(len(value) > MAX_PARAMETER for value in parameters.values()):
        raise INVALID_INPUT.error(cause="too much in a callback")


async def _claim(deps: Dependencies, browser: Browser, query: ReturnExternal, back: ParkedReturn) -> ExternalFlow:
    flow = await deps.stores.external_flows.claim(back.state, browser.id, back.provider_id)
    if flow is Mismatch.BROWSER:
        raise OTHER_BROWSER.error()
    if flow is Mismatch.PROVIDER:
        raise OTHER_PROVIDER.error()
    if not isinstance(flow, ExternalFlow):
        raise FLOW_NOT_FOUND.error(part="flow")
    if query.handle:
        await deps.stores.parked_returns.consume(query.handle)
    return flow


async def _continue(
    deps: Dependencies, login: Login, flow: ExternalFlow, back: ParkedReturn, languages: tuple[str, ...]
) -> Transition:
    """Returns the step after the provider's response, which discards earlier progress (LG-08)."""
    now, csrf = deps.clock.now(), new_csrf(deps, login.browser)
    submission = new_submission(StepName.DONE, csrf, login.handle, deps.random, now)
    login = replace(login, csrf=login.request.csrf, submission=submission)
    question = FinishExternal(
        provider_id=flow.provider_id,
        org_id=flow.org_id,
        redirect_uri=flow.redirect_uri,
        nonce=flow.nonce,
        code_verifier=flow.verifier,
        parameters=back.parameters,
        jwt=back.jwt,
        user_agent=flow.user_agent if back.jwt else "",
        any_organization=login.any_organization,
        home_id=joined_org_of(login.ctx),
    )
    try:
        finished = await deps.bus.call(FINISH_EXTERNAL, question)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        is_cancelled = back.parameters.get("error") == "access_denied"
        failure = SignInFailure.CANCELLED if is_cancelled else SignInFailure.PROVIDER
        deps.publisher.login_failed(login.origin, failure=failure)
        problem = Problem.EXTERNAL_CANCELLED if is_cancelled else Problem.EXTERNAL_FAILED
        return Transition(login, problem, detail=error.id)
    return await finish_external(deps, login, flow.origin, finished, languages)


MAX_JWT: Final = 16_384
"""Maximum characters of a JWT, the header limit of the gateway."""


async def get_jwt_header(deps: Dependencies, _id: str, query: GetJwtHeader) -> JwtHeader:
    return JwtHeader(name=(await _find_flow(deps, query.auth_request, query.user_agent)).jwt_header)


async def park_jwt(deps: Dependencies, _id: str, query: ParkJwt) -> Parked:
    """Parks a JWT; it is not trusted before users has verified it."""
    flow = await _find_flow(deps, query.auth_request, query.user_agent)
    if not 0 < len(query.jwt) <= MAX_JWT:
        raise INVALID_INPUT.error(cause="no JWT in the header")
    return await park(deps, ParkedReturn(query.auth_request, flow.provider_id, {}, query.jwt), query.address)


async def _find_any(deps: Dependencies, state: str) -> ExternalFlow | IntentFlow | None:
    if is_of_intent(state):
        return await deps.bus.call(FIND_INTENT, FindIntent(state=state))
    return await deps.stores.external_flows.find(state)


async def _find_flow(deps: Dependencies, auth_request: str, user_agent: str) -> ExternalFlow | IntentFlow:
    flow = await _find_any(deps, auth_request)
    if flow is None or flow.kind is not ProviderKind.JWT or not equal_in_constant_time(flow.user_agent, user_agent):
        raise FLOW_NOT_FOUND.error(part="jwt")
    return flow
