"""The login name and password of a directory: forwarded, never read; users counts the attempts."""

from __future__ import annotations

from portico_contracts.login import Problem
from portico_contracts.login_steps.ldap import LdapAnswer, LdapStep
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import VERIFY_LDAP, VerifyLdap
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import AtDirectory
from portico_authz.login.finish_external import finish_external
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.state import Login, Transition


async def _show(_deps: Dependencies, transition: Transition, common: Common) -> LdapStep:
    under_way = transition.login.progress.under_way
    name = under_way.server.provider_name if isinstance(under_way, AtDirectory) else ""
    return LdapStep(**common, external_name=name)


async def _submit(deps: Dependencies, login: Login, answer: LdapAnswer) -> Transition:
    """Continues with the identity; a wrong password and an unknown login name get the same response (LG-01)."""
    under_way, name = login.progress.under_way, trimmed(answer.login_name)
    if not isinstance(under_way, AtDirectory) or not name or not answer.password:
        return Transition(login, Problem.WRONG_CREDENTIALS, login_name=name)
    origin = under_way.server
    question = VerifyLdap(
        provider_id=origin.provider_id,
        org_id=origin.org_id,
        login_name=name,
        password=answer.password,
        any_organization=login.any_organization,
        home_id=joined_org_of(login.ctx),
    )
    try:
        finished = (await deps.bus.call(VERIFY_LDAP, question)).finished
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        is_slowed = error.kind is Kind.TOO_MANY_REQUESTS
        failure = SignInFailure.TOO_MANY_ATTEMPTS if is_slowed else SignInFailure.PROVIDER
        deps.publisher.login_failed(login.origin, failure=failure)
        if is_slowed:
            return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1, login_name=name)
        return Transition(login, Problem.EXTERNAL_FAILED, detail=error.id, login_name=name)
    if finished is None:
        deps.publisher.login_failed(login.origin, failure=SignInFailure.WRONG_PASSWORD)
        return Transition(login, Problem.WRONG_CREDENTIALS, login_name=name)
    return await finish_external(deps, login, origin, finished, answer.languages)


STEP = LoginStep(LdapAnswer, _show, _submit, failure=SignInFailure.WRONG_PASSWORD)
