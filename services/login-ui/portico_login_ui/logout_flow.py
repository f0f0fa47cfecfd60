from __future__ import annotations

from msgspec.structs import replace
from portico_contracts.http import LANGUAGE_CHOICE, LOGOUT
from portico_contracts.login_calls import ASK_LOGOUT, CONFIRM_LOGOUT
from portico_contracts.login_logout import ConfirmLogout, Logout, RequestLogout
from portico_oauth.parameters import read_parameters
from portico_web.language_choice import LanguageSwitch
from portico_web.pages import page
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.client_names import shown_name
from portico_login_ui.flow import Flow
from portico_login_ui.own_form import csrf_in, read_own_form
from portico_login_ui.request_context import RequestContext, address_of, load_request_context


class LogoutFlow(Flow):
    """No session is ended without confirmation (IR-13)."""

    async def show_confirmation(self, request: Request) -> Response:
        ctx = load_request_context(read_parameters(request.scope["query_string"]), request, self._cookie)
        logout = await self._authz.call(ASK_LOGOUT, RequestLogout(browser=ctx.browser), ctx.request_id)
        return self._respond(logout, ctx)

    async def submit_confirmation(self, request: Request) -> Response:
        """POST: 303 to the signed-out page, or the page that returns to the application (AZ-16, IR-10)."""
        # 1 origin and form: only from our own page, each field once (LG-14)
        form = await read_own_form(request, self._issuer)
        # 2 logout and browser
        ctx = load_request_context(form, request, self._cookie)
        # 3 authz ends the sessions
        confirmed = ConfirmLogout(browser=ctx.browser, csrf=csrf_in(form))
        return self._respond(await self._authz.call(CONFIRM_LOGOUT, confirmed, ctx.request_id), ctx)

    def _respond(self, logout: Logout, ctx: RequestContext) -> Response:
        if logout.done:
            return self._onward.after_logout(logout, ctx.languages)
        language, action = ctx.language(logout.ui_locales), address_of(LOGOUT, ctx.request_id)
        shown = page(
            "logout.html",
            package="portico_login_ui",
            language=language,
            look=logout.look,
            logout=replace(logout, client_name=shown_name(logout.client_name, logout.look, language)),
            action=action,
            language_switch=LanguageSwitch(LANGUAGE_CHOICE, action),
        )
        return self._onward.with_cookie(shown, logout)
