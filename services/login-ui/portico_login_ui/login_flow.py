from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from portico_contracts.http import AUTHORIZE_RESUME, LOGIN
from portico_contracts.login import Answer, GetStep, Problem, RequestPasskey, Step
from portico_contracts.login_calls import ANSWER_STEP, ASK_STEP, OFFER_PASSKEY
from portico_contracts.login_steps.done import DoneStep
from portico_contracts.login_steps.login_name import LoginNameAnswer
from portico_contracts.login_steps.password import PasswordStep
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.client_address import client_address
from portico_web.headers import NO_STORE
from portico_web.pages import page
from portico_web.same_origin import refuse_foreign_form
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, email_languages
from portico_login_ui.methods.method import PageContext, read_typed
from portico_login_ui.own_form import csrf_in, read_own_form
from portico_login_ui.prepared_pages import render_step
from portico_login_ui.request_context import RequestContext, address_of, find_request_context, load_request_context
from portico_login_ui.steps import METHODS, load_step

_RESENT: Final = "resent"
"""Query parameter of a page: another code was sent. It only selects a text."""


class LoginFlow(Flow):
    async def show_step(self, request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        ctx = find_request_context(parameters, request, self._cookie)
        if not ctx.browser:
            return self._restart(ctx)
        step = await self._authz.call(
            ASK_STEP, GetStep(browser=ctx.browser, address=client_address(request, self._proxies)), ctx.request_id
        )
        if isinstance(step, DoneStep) and step.leave_to:
            return self._onward.to_provider(step)
        return self.respond(step, ctx, resent=_RESENT in parameters)

    async def submit_answer(self, request: Request) -> Response:
        """POST: 303 to the next page, the page that continues to authz, or the page again after a wrong answer.

        The name is answered with the page of the password (decision 0018). A wrong answer is 200: password managers
        see that the password field is still there, and the status does not distinguish a wrong password from a
        wrong name (LG-01).
        """
        # 1 origin and form: only from our own page, each field once (LG-14)
        form = await read_own_form(request, self._issuer)
        # 2 request and browser
        ctx = find_request_context(form, request, self._cookie)
        if not ctx.browser:
            return self._restart(ctx)
        # 3 input within its limits, before authz is called (LG-15)
        answer = _read_answer(form, ctx)
        if answer is None:
            return self._onward.to_page(address_of(LOGIN, ctx.request_id))
        # 4 authz decides
        answer = replace(answer, address=client_address(request, self._proxies))
        step = await self._authz.call(ANSWER_STEP, answer, ctx.request_id)
        # 5 see other (AZ-16); at once the page of the password after the name, and a page with a problem
        is_next = isinstance(answer, LoginNameAnswer) and isinstance(step, PasswordStep)
        if step.problem is Problem.NONE and not isinstance(step, DoneStep) and not is_next:
            note = f"&{_RESENT}=1" if "resend" in form else ""
            return self._onward.to_page(address_of(LOGIN, ctx.request_id) + note, step)
        return self.respond(step, ctx, submitted=answer)

    async def offer_passkey(self, request: Request) -> Response:
        refuse_foreign_form(request, self._issuer)
        ctx = load_request_context(read_parameters(request.scope["query_string"]), request, self._cookie)
        asked = RequestPasskey(browser=ctx.browser)
        options = (await self._authz.call(OFFER_PASSKEY, asked, ctx.request_id)).options
        if not options:
            return Response(status_code=204, headers=NO_STORE)
        return Response(options, media_type="application/json", headers=NO_STORE)

    def respond(
        self,
        step: Step,
        ctx: RequestContext,
        *,
        submitted: Answer | None = None,
        resent: bool = False,
    ) -> Response:
        if isinstance(step, DoneStep):
            return self._leave(step, ctx) if step.leave_to else self._onward.after_sign_in(step, ctx.languages)
        page_context = PageContext(
            step=step,
            action=address_of(LOGIN, ctx.request_id),
            language=ctx.language(step.ui_locales),
            submitted=submitted,
            resent=resent,
            issuer=self._issuer,
        )
        return self._onward.with_cookie(render_step(page_context), step)

    def _restart(self, ctx: RequestContext) -> Response:
        """Authz restarts the request where nothing was proven, and detects blocked cookies."""
        return self._onward.to_page(address_of(AUTHORIZE_RESUME, ctx.request_id))

    def _leave(self, step: DoneStep, ctx: RequestContext) -> Response:
        """Renders a page that continues to the provider by script and by a link (CSP form-action, decision 0047)."""
        self._onward.check_provider(step)
        language = ctx.language(step.ui_locales)
        return page("leave.html", package="portico_login_ui", language=language, look=step.look, address=step.leave_to)


def _read_answer(form: Parameters, ctx: RequestContext) -> Answer | None:
    csrf = csrf_in(form)
    method = METHODS[load_step(form.get("step", ""))]
    bare: Answer = method.answer(
        browser=ctx.browser,
        csrf=csrf,
        cancel="cancel" in form,
        restart="restart" in form,
        languages=email_languages(form, ctx.languages),
        to_application=True,
    )
    if bare.cancel or bare.restart:
        return bare
    if provider := read_typed(form, "provider"):
        return replace(bare, provider=provider)
    if "create" in form:
        return replace(bare, create=True)
    read: Answer | None = method.read(form, bare)
    return read
