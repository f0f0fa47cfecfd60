"""The answers that concern another identity provider: sign in there, make an account for an identity, or link it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.http import EXTERNAL_CALLBACK
from portico_contracts.login import Answer, Problem, StepName
from portico_contracts.users import (
    BEGIN_EXTERNAL,
    CREATE_EXTERNAL,
    BeginExternal,
    CreateExternal,
    OfferedProvider,
    Profile,
    User,
)
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import b64url, new_opaque
from portico_oauth.pkce import challenge_of

from portico_authz.authorize.login_requirements import org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.external import FLOW_SECONDS, ExternalFlow, PendingIdentity, user_agent_of
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.provider_options import offered_providers
from portico_authz.login.state import Login, Transition

_OF_THE_FORM: Final = (Kind.INVALID_REQUEST, Kind.ALREADY_EXISTS, Kind.FAILED_PRECONDITION)


async def leave_to_provider(deps: Dependencies, login: Login, provider_id: str) -> Transition:
    """Begins a flow to a provider that is offered; for any other one the step stays open.

    The flow is bound to this browser and request, and to the provider (RFC 9700 §4.4, §4.7).
    """
    offered = {provider.id: provider for provider in await offered_providers(deps, login)}
    if provider_id not in offered:
        return Transition(login)
    state, question, verifier = await _question(deps, login, offered[provider_id])
    try:
        begun = await deps.bus.call(BEGIN_EXTERNAL, question)
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return Transition(login, Problem.EXTERNAL_FAILED, detail=error.id)
    flow = ExternalFlow(
        request_id=login.request.id,
        browser_id=login.browser.id,
        provider_id=provider_id,
        provider_name=begun.provider.name,
        kind=begun.provider.kind,
        org_id=question.org_id,
        redirect_uri=question.redirect_uri,
        nonce=question.nonce,
        verifier=verifier,
        jwt_header=begun.jwt_header,
        form_post=begun.form_post,
    )
    await deps.stores.external_flows.create(state, flow, FLOW_SECONDS)
    return Transition(replace(login, step=StepName.DONE), leave_to=begun.url)


async def _question(deps: Dependencies, login: Login, provider: OfferedProvider) -> tuple[str, BeginExternal, str]:
    """The state, the question to users, and the PKCE verifier: 256 random bits each (RFC 6749 §10.10)."""
    state, nonce, verifier = new_opaque(login.browser.bucket, deps.random), _secret(deps), _secret(deps)
    question = BeginExternal(
        provider_id=provider.id,
        org_id=await org_of(login.ctx, login.progress),
        redirect_uri=deps.issuer + EXTERNAL_CALLBACK.format(id=provider.id),
        state=state,
        nonce=nonce,
        code_challenge=challenge_of(verifier),
        login_hint=login.ctx.login_hint,
        auth_request=state,
        user_agent=user_agent_of(login.browser.id, provider.id),
    )
    return state, question, verifier


def _secret(deps: Dependencies) -> str:
    return b64url(deps.random(32))


async def submit_details(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Makes the account of the pending identity, or goes to the sign-in of an account it is linked to."""
    pending = login.progress.external
    if answer.link:
        return await _prove_account(deps, login)
    if pending is None or answer.profile is None:
        return Transition(login)

    async def create(profile: Profile = answer.profile) -> User | None:
        question = CreateExternal(identity=pending.identity, org_id=pending.org_id, profile=_entered(profile, pending))
        return (await deps.bus.call(CREATE_EXTERNAL, question)).user

    try:
        user = await attempt(deps, login, create)
    except ServiceError as error:
        if error.kind not in _OF_THE_FORM:
            raise
        return Transition(login, Problem.INVALID_FIELD, detail=error.id)
    if not isinstance(user, User):
        return user or Transition(login, Problem.EXTERNAL_FAILED)
    progress = Progress(user_id=user.user_id, amr=pending.identity.amr, external_factor=True)
    return await continue_login(deps, login, progress, user, answer.languages)


async def answer_no_account(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Goes to the sign-in of an account the identity is linked to, where that is permitted."""
    return await _prove_account(deps, login) if answer.link else Transition(login)


async def create_instead(deps: Dependencies, login: Login) -> Transition:
    """Goes from the account that was offered to the details of a new one, where that is permitted."""
    pending = login.progress.external
    if pending is None or not pending.may_create:
        return Transition(login)
    progress = Progress(external=replace(pending, step=StepName.COMPLETE_EXTERNAL, user_id=""))
    return await save_progress(deps, Transition(login.at(StepName.COMPLETE_EXTERNAL, progress)))


async def _prove_account(deps: Dependencies, login: Login) -> Transition:
    pending = login.progress.external
    if pending is None or not pending.may_link:
        return Transition(login)
    progress = Progress(external=replace(pending, step=None))
    return await save_progress(deps, Transition(login.at(StepName.LOGIN_NAME, progress)))


def _entered(profile: Profile, pending: PendingIdentity) -> Profile:
    """The details without the blanks around them; that an address is verified is never taken from a form."""
    return Profile(
        user_name=profile.user_name.strip(),
        first_name=profile.first_name.strip(),
        last_name=profile.last_name.strip(),
        display_name=profile.display_name.strip(),
        email=profile.email.strip(),
        language=pending.identity.profile.language,
        picture=pending.identity.profile.picture,
    )
