"""The pipeline of the login pages: show the step a sign-in is at, take the answer to it."""

from __future__ import annotations

from typing import Final, Protocol

from portico_contracts.login import Answer, Problem, Step, StepName
from portico_oauth.errors import Fact, Kind
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.cookies import BrowserCookie
from portico_web.forms import read_form
from portico_web.same_origin import refuse_foreign_form
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.onward import Onward
from portico_login_ui.steps import find_method, load_method, render
from portico_login_ui.visit import Visit, load_visit

NO_CSRF = Fact(
    "LOGIN-103",
    Kind.NOT_ALLOWED,
    "The form did not come from this page.",
    "Open the sign-in page again and use its form.",
)
_MAX_CSRF: Final = 512


class LoginApi(Protocol):
    """What the pages need of authz; `authz_client.AuthzClient` asks the real one."""

    async def ask(self, visit: Visit) -> Step:
        """The step the sign-in is at."""
        ...

    async def answer(self, visit: Visit, answer: Answer) -> Step:
        """Hands an answer over; the step that follows."""
        ...


class LoginFlow:
    """Shows steps and takes answers. Holds nothing between two requests."""

    def __init__(self, authz: LoginApi, cookie: BrowserCookie, onward: Onward, issuer: str) -> None:
        self._authz = authz
        self._cookie = cookie
        self._onward = onward
        self._issuer = issuer

    async def show_step(self, request: Request) -> Response:
        """GET: the page of the step, or on to authz when nothing is left to ask."""
        visit = load_visit(read_parameters(request.scope["query_string"]), request, self._cookie)
        return self._respond(await self._authz.ask(visit), visit)

    async def take_answer(self, request: Request) -> Response:
        """POST: 303 to what follows; or, when the answer was wrong, the page again with status 200.

        200 because the page is the normal next thing to show: browsers and password managers see that the
        password field is still there, and no status tells a wrong password from a wrong name (LG-01).
        """
        # 1 only from our own page (LG-14)
        refuse_foreign_form(request, self._issuer)
        # 2 the form, once, each field once
        form = await read_form(request, with_query=True)
        form.refuse_repeats()
        # 3 whose sign-in, in which browser
        visit = load_visit(form, request, self._cookie)
        # 4 what was entered, within its limits, before anybody is asked (LG-15)
        answer = _read_answer(form, visit)
        if answer is None:
            return self._onward.to_step(visit)
        # 5 authz decides
        step = await self._authz.answer(visit, answer)
        # 6 see other (AZ-16), or say what was wrong
        if step.problem is Problem.NONE and step.name is not StepName.DONE:
            return self._onward.to_step(visit, step)
        return self._respond(step, visit)

    def _respond(self, step: Step, visit: Visit) -> Response:
        if find_method(step.name) is None:
            return self._onward.to_authz(step)
        return self._onward.with_cookie(render(step, visit.request_id), step)


def _read_answer(form: Parameters, visit: Visit) -> Answer | None:
    """The answer in a form; None when nothing was entered. Who cancels or restarts sends nothing that was typed."""
    csrf = form.get("csrf", "")
    if not csrf or len(csrf) > _MAX_CSRF:
        raise NO_CSRF.refusal()
    method = load_method(form.get("step", ""))
    bare = Answer(
        browser=visit.browser,
        csrf=csrf,
        step=method.step,
        cancel="cancel" in form,
        restart="restart" in form,
    )
    return bare if bare.cancel or bare.restart else method.read(form, bare)
