"""The details of a new account for an external identity."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from portico_contracts.login import Problem
from portico_contracts.login_steps.complete_external import CompleteExternalAnswer, CompleteExternalStep
from portico_contracts.step_names import StepName
from portico_contracts.users import CREATE_EXTERNAL, CreateExternal, Profile, User
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import PendingIdentity
from portico_authz.domain.progress import Progress
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.named_user import is_named
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import linking
from portico_authz.login.state import Login, Transition

_OF_THE_FORM: Final = (Kind.INVALID_REQUEST, Kind.ALREADY_EXISTS, Kind.FAILED_PRECONDITION)


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> CompleteExternalStep:
    pending = transition.login.progress.external
    return CompleteExternalStep(
        **common,
        **linking(transition.login),
        profile=pending.identity.profile if pending else None,
        missing=pending.missing if pending else (),
    )


async def _submit(deps: Dependencies, login: Login, answer: CompleteExternalAnswer) -> Transition:
    pending = login.progress.external
    if answer.link:
        return await prove_account(deps, login)
    if pending is None or answer.profile is None or not is_named(login):
        return Transition(login)

    async def create(profile: Profile = answer.profile) -> User | None:
        question = CreateExternal(
            identity=pending.identity,
            org_id=pending.org_id,
            profile=_entered(profile, pending),
            any_organization=login.any_organization,
            home_id=joined_org_of(login.ctx),
        )
        return (await deps.bus.call(CREATE_EXTERNAL, question)).user

    try:
        user = await attempt(deps, login, create())
    except ServiceError as error:
        if error.kind not in _OF_THE_FORM:
            raise
        return Transition(login, Problem.INVALID_FIELD, detail=error.id)
    if not isinstance(user, User):
        return user or Transition(login, Problem.EXTERNAL_FAILED)
    identity = pending.identity
    progress = Progress(user_id=user.user_id, amr=identity.amr, external_factor=True, auth_time=identity.auth_time)
    return await continue_login(deps, login, progress, user, answer.languages)


async def create_instead(deps: Dependencies, login: Login) -> Transition:
    pending = login.progress.external
    if pending is None or not pending.may_create:
        return Transition(login)
    progress = Progress(external=replace(pending, step=StepName.COMPLETE_EXTERNAL, user_id=""))
    return await save_progress(deps, Transition(login.at(StepName.COMPLETE_EXTERNAL, progress)))


async def prove_account(deps: Dependencies, login: Login) -> Transition:
    pending = login.progress.external
    if pending is None or not pending.may_link:
        return Transition(login)
    progress = Progress(external=replace(pending, step=None))
    return await save_progress(deps, Transition(login.at(StepName.LOGIN_NAME, progress)))


def _entered(profile: Profile, pending: PendingIdentity) -> Profile:
    """Trims the profile fields; whether the address is verified is never taken from a form."""
    return Profile(
        user_name=trimmed(profile.user_name),
        first_name=trimmed(profile.first_name),
        last_name=trimmed(profile.last_name),
        display_name=trimmed(profile.display_name),
        email=trimmed(profile.email),
        language=pending.identity.profile.language,
        picture=pending.identity.profile.picture,
    )


STEP = LoginStep(CompleteExternalAnswer, _show, _submit)
