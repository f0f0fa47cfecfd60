"""Sends the browser to another identity provider (decision 0047), or opens the page of a directory (decision 0050)."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Final

from portico_contracts.http import EXTERNAL_CALLBACK
from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import BEGIN_EXTERNAL, BeginExternal, OfferedProvider, ProviderKind
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import b64url, new_opaque
from portico_oauth.pkce import challenge_of

from portico_authz.authorize.decide import Interact
from portico_authz.authorize.login_requirements import org_of
from portico_authz.authorize.pipeline import Begun, Leaving
from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import FLOW_SECONDS, ExternalFlow, ProviderOrigin, user_agent_of
from portico_authz.domain.progress import UNTOUCHED, AtDirectory, Progress
from portico_authz.domain.prompt import Prompt
from portico_authz.login.home_provider import HomeProvider, find_home_provider
from portico_authz.login.open_login import save_progress, update_request
from portico_authz.login.page_options import offered_providers, policy_of_page
from portico_authz.login.state import Login, Transition


async def open_ldap(deps: Dependencies, login: Login, provider: OfferedProvider) -> Transition:
    """Raises AUTHZ-030 when the request has expired."""
    org_id = await org_of(login.ctx, login.progress)
    progress = Progress(
        shown=login.progress.shown_name,
        org_id=login.progress.org_id,
        under_way=AtDirectory(ProviderOrigin(provider.id, provider.name, org_id)),
    )
    return await save_progress(deps, Transition(login.at(StepName.LDAP, progress)))


_FORWARDED: Final = (Prompt.LOGIN, Prompt.SELECT_ACCOUNT)


async def leave_to_provider(
    deps: Dependencies, login: Login, provider_id: str, progress: Progress | None = None, *, login_hint: str = ""
) -> Transition:
    """The flow is bound to this browser, request and provider (RFC 9700 sections 4.4 and 4.7).

    `progress` is stored with it; `login_hint` is sent to the provider in place of that of the request.
    """
    offered = {provider.id: provider for provider in offered_providers(login, await policy_of_page(deps, login))}
    if provider_id not in offered:
        return Transition(login)
    if offered[provider_id].kind is ProviderKind.LDAP:
        return await open_ldap(deps, login, offered[provider_id])
    try:
        leaving = await _begin_flow(deps, login, offered[provider_id], login_hint)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return Transition(login, Problem.EXTERNAL_FAILED, detail=error.id)
    created = deps.stores.external_flows.create(leaving.state, leaving.flow, FLOW_SECONDS)
    if progress is None:
        await created
    else:
        await asyncio.gather(created, update_request(deps, login, progress=progress))
    return Transition(replace(login, step=StepName.DONE), leave_to=leaving.address)


async def _begin_flow(deps: Dependencies, login: Login, provider: OfferedProvider, login_hint: str = "") -> Leaving:
    """Raises errors of users."""
    state, question, verifier = await _question(deps, login, provider, login_hint or login.ctx.login_hint)
    begun = await deps.bus.call(BEGIN_EXTERNAL, question)
    flow = ExternalFlow(
        request_id=login.request.id,
        browser_id=login.browser.id,
        provider_id=provider.id,
        provider_name=begun.provider.name,
        kind=begun.provider.kind,
        org_id=question.org_id,
        redirect_uri=question.redirect_uri,
        nonce=question.nonce,
        verifier=verifier,
        jwt_header=begun.jwt_header,
        form_post=begun.form_post,
        client_address=login.request.client_address,
    )
    return Leaving(begun.url, state, flow)


_WEB_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9\[][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")


async def leave_at_once(deps: Dependencies, begun: Begun, interact: Interact) -> tuple[Leaving, Progress] | None:
    """The flow to the provider that the scope names or the hint leads to, where the first page would only redirect there.

    None where the pages follow: another step, a directory, or a provider that cannot be used, for which they try
    again and show the reason.
    """
    login = Login(begun.request, begun.browser, begun.handle, begun.ctx, interact.step, interact.accounts)
    if login.progress != UNTOUCHED:
        return None
    home = await (_named_by_scope(deps, login) if login.ctx.scope.provider else named_by_hint(deps, login))
    if home is None:
        return None
    try:
        leaving = await _begin_flow(deps, login.at(login.step, home.progress), home.provider)
    except ServiceError:
        return None
    return (leaving, home.progress) if _WEB_ADDRESS.match(leaving.address) else None


async def _named_by_scope(deps: Dependencies, login: Login) -> HomeProvider | None:
    offered = {provider.id: provider for provider in offered_providers(login, await policy_of_page(deps, login))}
    named = offered.get(login.ctx.scope.provider)
    return None if named is None or named.kind is ProviderKind.LDAP else HomeProvider(named, login.restarted)


async def named_by_hint(deps: Dependencies, login: Login) -> HomeProvider | None:
    """Only in place of the first page, before any form; own login pages decide for themselves."""
    if login.step is not StepName.LOGIN_NAME or login.request.submission or deps.own_login_url:
        return None
    return await find_home_provider(deps, login.ctx, login.ctx.login_hint)


async def _question(
    deps: Dependencies, login: Login, provider: OfferedProvider, login_hint: str
) -> tuple[str, BeginExternal, str]:
    """Returns the state, the request to users, and the PKCE verifier: 256 random bits each (RFC 6749 section 10.10)."""
    state, nonce, verifier = new_opaque(login.browser.bucket, deps.random), _secret(deps), _secret(deps)
    question = BeginExternal(
        provider_id=provider.id,
        org_id=await org_of(login.ctx, login.progress),
        redirect_uri=deps.issuer + EXTERNAL_CALLBACK.format(id=provider.id),
        state=state,
        nonce=nonce,
        code_challenge=challenge_of(verifier),
        login_hint=login_hint,
        auth_request=state,
        user_agent=user_agent_of(login.browser.id, provider.id),
        prompt=" ".join(word for word in _FORWARDED if word in login.ctx.prompts),
        max_age=_max_age_of(login),
    )
    return state, question, verifier


def _max_age_of(login: Login) -> int | None:
    """Returns max_age as sent; 0 with prompt=login, because providers state the time only where max_age is sent."""
    if login.ctx.max_age is None and Prompt.LOGIN in login.ctx.prompts:
        return 0
    return login.ctx.max_age


def _secret(deps: Dependencies) -> str:
    return b64url(deps.random(32))
