"""The login API: what to show next."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import AskStep, Step, StepName

from portico_authz.authorize.open_request import REQUEST_GONE
from portico_authz.desk import Desk
from portico_authz.login.open_login import done, keep, new_csrf, open_login, show
from portico_authz.login.proceed import finish, send_code


async def ask_step(desk: Desk, id: str, ask: AskStep) -> Step:
    """What to show for a request. Asking again changes nothing: a form that is open stays good."""
    login = await open_login(desk, id, ask.browser)
    if login.is_repeated:
        return await show(desk, login)
    if login.asked is StepName.DONE:
        return await finish(desk, login) if login.to_finish else done(id)
    csrf = await desk.stores.requests.arm(id, new_csrf(desk, login.browser))
    if csrf is None:
        raise REQUEST_GONE.refusal(part="request")
    login = replace(login, csrf=csrf)
    if login.asked is StepName.VERIFY_MAIL and not login.progress.challenge:
        # The demand came up by itself, so that no answer had the code mailed.
        progress, problem, retry_after = await send_code(desk, login.progress, ())
        await keep(desk, login, progress=progress)
        return await show(desk, login.at(StepName.VERIFY_MAIL, progress), problem, retry_after=retry_after)
    return await show(desk, login)
