from __future__ import annotations

from urllib.parse import urlsplit

from portico_contracts.http import HOME, LOGIN, LOGOUT
from portico_oauth.parameters import read_parameters
from portico_web.language_choice import language_cookie
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow
from portico_login_ui.own_form import read_own_form
from portico_login_ui.redirects import is_local
from portico_login_ui.request_context import request_id_in


class LanguageFlow(Flow):
    async def choose(self, request: Request) -> Response:
        """POST: 303 back to the page, in the chosen language."""
        form = await read_own_form(request, self._issuer)
        given = form.get("back", "")
        back = given if is_local(given) else HOME
        parts = urlsplit(back)
        request_id = request_id_in(read_parameters(parts.query.encode())) if parts.path in (LOGIN, LOGOUT) else ""
        chosen = language_cookie(
            form.get("language", ""), secure=self._issuer.startswith("https://"), request_id=request_id
        )
        response = self._onward.to_page(back)
        response.headers.append("Set-Cookie", chosen)
        return response
