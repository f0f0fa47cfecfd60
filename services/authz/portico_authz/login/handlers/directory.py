"""The answer to the page of a directory. Authz forwards the password and never reads it; users counts the attempt."""

from __future__ import annotations

from portico_contracts.login import Answer, Problem
from portico_contracts.users import VERIFY_LDAP, VerifyLdap
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.typed_text import trimmed

from portico_authz.dependencies import Dependencies
from portico_authz.login.finish_external import finish_external
from portico_authz.login.state import Login, Transition


async def submit_directory(deps: Dependencies, login: Login, answer: Answer) -> Transition:
    """Goes on with the identity; a wrong password and a login name the directory has not get the same answer (LG-01)."""
    origin, name = login.progress.directory, trimmed(answer.login_name)
    if origin is None or not name or not answer.password:
        return Transition(login, Problem.WRONG_CREDENTIALS, login_name=name)
    question = VerifyLdap(
        provider_id=origin.provider_id, org_id=origin.org_id, login_name=name, password=answer.password
    )
    try:
        finished = (await deps.bus.call(VERIFY_LDAP, question)).finished
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        deps.publisher.login_failed(login.ctx.client.client_id)
        if error.kind is Kind.TOO_MANY_REQUESTS:
            return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1, login_name=name)
        return Transition(login, Problem.EXTERNAL_FAILED, detail=error.id, login_name=name)
    if finished is None:
        deps.publisher.login_failed(login.ctx.client.client_id)
        return Transition(login, Problem.WRONG_CREDENTIALS, login_name=name)
    return await finish_external(deps, login, origin, finished, answer.languages)
