"""A passkey beside the login name: browsers offer it in the field (WebAuthn Level 3, conditional mediation).

The challenge is kept apart from the progress of the login: a script requests it while the person may already be sending
the form, and neither must undo the other. Answering it is answering the page of a passkey, with the same checks, counts
and page to try again.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields
from portico_contracts.login import Answer, PasskeyOffered, RequestPasskey, StepName
from portico_contracts.users import BEGIN_ASSERTION, BeginAssertion

from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Asked, Progress
from portico_authz.login.open_login import Login, may_use_passkey, open_login
from portico_authz.login.prepare import RENEW_SECONDS


async def offer_passkey(desk: Desk, id: str, ask: RequestPasskey) -> PasskeyOffered:
    """A challenge for whoever has a passkey; nothing where none would do.

    Raises:
        ServiceError: AUTHZ-030, AUTHZ-031, UNAVAILABLE.
    """
    login = await open_login(desk, id, ask.browser)
    if login.asked is not StepName.LOGIN_NAME or not await may_use_passkey(desk, login):
        return PasskeyOffered()
    offered, now = login.request.offered, desk.clock.now()
    if offered is None or offered.renew_at <= now:
        begun = await desk.bus.call(BEGIN_ASSERTION, BeginAssertion(passkey=True))
        offered = Asked(StepName.PASSKEY, begun.assertion, begun.options, renew_at=now + RENEW_SECONDS)
        await desk.stores.requests.offer(id, offered)
    return PasskeyOffered(options=offered.options)


def as_passkey(answer: Answer) -> Answer:
    """An answer to the login name page that has a credential is one to the page of a passkey."""
    if answer.step is not StepName.LOGIN_NAME or not answer.credential:
        return answer
    return with_fields(answer, step=StepName.PASSKEY, login_name="")


async def at_offer(desk: Desk, login: Login, answer: Answer) -> Login:
    """The login at the passkey that was offered, where that is what was answered; the challenge is used up (LG-19)."""
    offered = login.request.offered
    if login.asked is not StepName.LOGIN_NAME or answer.step is not StepName.PASSKEY or offered is None:
        return login
    await desk.stores.requests.offer(login.request.id, replace(offered, renew_at=0.0))
    return login.at(StepName.PASSKEY, Progress(passkey=True, asked=offered))
