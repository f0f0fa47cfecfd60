"""Passkey registration by an emailed link, in three requests that all carry the link.

A GET only shows a button (see `link_flow`); the button has the code verified and loads the challenge; the new
credential is posted.
"""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_contracts.login_calls import BEGIN_PASSKEY, FINISH_PASSKEY
from portico_contracts.users import BeginPasskeyByLink, CheckLink, FinishPasskeyByLink, LinkKind, PasskeyBegun
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.key_script import key_script
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.checked_links import ended_page, is_usable
from portico_login_ui.flow import Flow, own_page
from portico_login_ui.methods.emailed_links import (
    PasskeyLink,
    load_passkey_link,
    made_credential,
    passkey_link_address,
    problem_of,
)
from portico_login_ui.own_form import read_own_form
from portico_login_ui.scripts import loads

_DONE: Final = "done"
"""Query parameter of the page: the action is done. It only selects the text of the page."""


class PasskeyFlow(Flow):
    async def show(self, request: Request) -> Response:
        asked = read_parameters(request.scope["query_string"])
        if _DONE in asked:
            return own_page("passkey_registered.html", request)
        link = load_passkey_link(asked)
        checked = CheckLink(kind=LinkKind.PASSKEY, **link._asdict())
        if not await is_usable(self._authz, request, checked):
            return ended_page(request, "passkey")
        return self._link_page(request, link)

    async def submit(self, request: Request) -> Response:
        """POST: the challenge; with the new credential, 303 to the confirmation, or the page again."""
        form = await read_own_form(request, self._issuer)
        link = load_passkey_link(form)
        try:
            if "credential" not in form:
                begun = await self._authz.call(BEGIN_PASSKEY, BeginPasskeyByLink(**link._asdict()))
                return self._link_page(request, link, begun=begun)
            await self._authz.call(FINISH_PASSKEY, _finished(link, form))
        except ServiceError as error:
            return self._link_page(request, link, problem=problem_of(error))
        return self._onward.to_page(f"{REGISTER_PASSKEY_PAGE}?{_DONE}=1")

    def _link_page(
        self, request: Request, link: PasskeyLink, *, begun: PasskeyBegun | None = None, problem: Any = None
    ) -> Response:
        scripts = loads(key_script(), self._issuer) if begun else {}
        return own_page(
            "register_passkey.html", request, action=passkey_link_address(link), begun=begun, problem=problem, **scripts
        )


def _finished(link: PasskeyLink, form: Parameters) -> FinishPasskeyByLink:
    passkey_id, credential = made_credential(form)
    return FinishPasskeyByLink(**link._asdict(), passkey_id=passkey_id, credential=credential)
