"""Passkeys in the login name field (WebAuthn Level 3, conditional mediation).

The challenge is stored apart from the progress of the login: a script requests it while the end user may be
submitting the form, and neither must undo the other.
"""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Answer, PasskeyOffered, RequestPasskey
from portico_contracts.login_steps.login_name import LoginNameAnswer
from portico_contracts.login_steps.passkey import PasskeyAnswer
from portico_contracts.step_names import StepName
from portico_contracts.users import BeginAssertion

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress, UsingPasskey
from portico_authz.login.key_challenges import begin_assertion
from portico_authz.login.open_login import open_login
from portico_authz.login.page_options import may_use_passkey, policy_of_page
from portico_authz.login.state import Login


async def offer_passkey(deps: Dependencies, id: str, query: RequestPasskey) -> PasskeyOffered:
    """Returns a challenge for any discoverable passkey; empty where passkeys are not accepted."""
    login = await open_login(deps, id, query.browser)
    if login.step is not StepName.LOGIN_NAME or not may_use_passkey(login, await policy_of_page(deps, login)):
        return PasskeyOffered()
    offered = login.request.offered
    if offered is None or offered.renew_at <= deps.clock.now():
        offered = await begin_assertion(deps, StepName.PASSKEY, BeginAssertion(user_id="", passkey=True))
        await deps.stores.requests.set_passkey_challenge(id, offered)
    return PasskeyOffered(options=offered.options)


def as_passkey(answer: Answer) -> Answer:
    if not isinstance(answer, LoginNameAnswer) or not answer.credential:
        return answer
    common = {name: getattr(answer, name) for name in Answer.__struct_fields__}
    return PasskeyAnswer(**common, credential=answer.credential)


async def use_offer(deps: Dependencies, login: Login, answer: Answer) -> Login:
    """Returns the login at its passkey step if the answer is to the offered challenge, which is consumed (LG-19)."""
    offered = login.request.offered
    if login.step is not StepName.LOGIN_NAME or answer.step is not StepName.PASSKEY or offered is None:
        return login
    await deps.stores.requests.set_passkey_challenge(login.request.id, replace(offered, renew_at=0.0))
    return login.at(
        StepName.PASSKEY, Progress(under_way=UsingPasskey(), asked=offered, external=login.progress.external)
    )
