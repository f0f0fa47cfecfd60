"""The page for the code of a device (RFC 8628 section 3.3); the sign-in that follows ends with the approval.

A link with the code only fills it in. The answer in the address of the last page only selects its text.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.http import DEVICE_PAGE
from portico_contracts.login import Problem
from portico_contracts.login_calls import OPEN_DEVICE
from portico_contracts.login_device import OpenDevice
from portico_oauth.parameters import REPEATED, Parameters, read_parameters
from portico_web.client_address import client_address
from portico_web.devices import read_device
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, own_page
from portico_login_ui.methods.emailed_links import LinkProblem
from portico_login_ui.own_form import read_own_form

_CODE: Final = "user_code"
_ANSWER: Final = "answer"
_LONGEST: Final = 40


class DeviceFlow(Flow):
    async def show(self, request: Request) -> Response:
        parameters = read_parameters(request.scope["query_string"])
        if _ANSWER in parameters:
            return own_page("device_answered.html", request, is_approved=parameters[_ANSWER] == "approved")
        return _page(request, _code_in(parameters))

    async def submit(self, request: Request) -> Response:
        form = await read_own_form(request, self._issuer)
        opened = await self._authz.call(
            OPEN_DEVICE,
            OpenDevice(
                browser=self._cookie.read(request.headers.get("cookie")),
                user_code=_code_in(form),
                address=client_address(request, self._proxies),
                agent=read_device(request),
            ),
        )
        if opened.problem is not Problem.NONE:
            return _page(request, _code_in(form), LinkProblem(opened.problem, retry_after=opened.retry_after))
        return self._onward.to_request(opened)


def _code_in(parameters: Parameters) -> str:
    """Returns the code as entered; a text that is too long for one is cut."""
    if _CODE in parameters.repeated:
        raise REPEATED.error()
    return parameters.get(_CODE, "")[:_LONGEST]


def _page(request: Request, code: str, problem: LinkProblem | None = None) -> Response:
    return own_page("device.html", request, action=DEVICE_PAGE, code=code, problem=problem, again="")
