"""A form that was sent twice: the second gets what the first one got, or the page that follows it.

Nothing in it is looked at a second time (LG-14). Where the first one has no answer yet, as after a double click, it is waited
for: its answer may change the handle that this browser has to get.
"""

from __future__ import annotations

import asyncio
from typing import Final

from portico_contracts.login import Answer, Step, StepName
from portico_oauth.opaque import equal_in_constant_time

from portico_authz.dependencies import Dependencies
from portico_authz.login.build_step import build_step
from portico_authz.login.get_step import current_step
from portico_authz.login.open_login import open_login
from portico_authz.login.replay_submission import replay_submission
from portico_authz.login.verify_submission import FORM_USED

LOOKS: Final = 40
LOOK_SECONDS: Final = 0.1
"""How often, and how long between, the answer to the first one is looked for."""


async def repeat_submission(deps: Dependencies, id: str, answer: Answer) -> Step:
    """The step after the form that was sent before by the same browser.

    Raises:
        ServiceError: LOGIN-001 for a form that is not the last one, or whose answer does not come; those of `open_login`.
    """
    for _ in range(LOOKS):
        login = await open_login(deps, id, answer.browser)
        if login.is_retry:
            return await build_step(deps, await replay_submission(deps, login, answer))
        sent = login.request.submission
        if sent is None or sent.step is not answer.step or not equal_in_constant_time(sent.csrf, answer.csrf):
            raise FORM_USED.error(cause="another form was sent meanwhile")
        if not sent.is_of(login.handle, deps.clock.now()):
            raise FORM_USED.error(cause="not sent by this browser a moment ago")
        if login.step is StepName.DONE or equal_in_constant_time(login.request.settled, answer.csrf):
            return await build_step(deps, await current_step(deps, id, answer.browser))
        await asyncio.sleep(LOOK_SECONDS)
    raise FORM_USED.error(cause="the first one has no answer yet")
