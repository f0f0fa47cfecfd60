"""A forgotten password: the pages reveal nothing, every login name gets a challenge (LG-01, P9)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from portico_contracts.http import FORGOT_PASSWORD_PAGE, LOGIN, SET_PASSWORD_PAGE
from portico_contracts.login import GetStep, Step
from portico_contracts.login_calls import ASK_STEP, SEND_PASSWORD, SET_PASSWORD_WITH_CODE
from portico_contracts.users import RequestPasswordCode, UsePasswordCode
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import REPEATED, Parameters, read_parameters
from portico_web.client_address import client_address
from portico_web.languages import read_languages
from portico_web.pages import PLAIN
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, email_languages, own_page
from portico_login_ui.methods.emailed_links import (
    LOGIN_NAME,
    login_name_in,
    password_typed,
    problem_of,
    read_code,
    read_login_name,
)
from portico_login_ui.own_form import read_own_form
from portico_login_ui.request_context import address_of, find_request_id
from portico_login_ui.scripts import loads, page_script

_SENT: Final = "sent"
"""Query parameter of the second page: the challenge of the code."""

_BINDING: Final = "by"
"""Query parameter of the second page: shows authz that this browser has requested the code."""

_DONE: Final = "done"
_MAX_CHALLENGE: Final = 200


class _Asked(NamedTuple):
    challenge: str
    binding: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "_Asked(...)"


class ForgottenFlow(Flow):
    async def show(self, request: Request) -> Response:
        asked = read_parameters(request.scope["query_string"])
        if _SENT in asked or _DONE in asked:
            return self._code_page(request, _asked_in(asked), login_name_in(asked))
        step = await self._find_step(request)
        login_name, look = (step.login_name, step.look) if step else ("", PLAIN)
        shown = _page("forgot_password.html", request, login_name=login_name, problem=None, look=look)
        return self._onward.with_cookie(shown, step) if step else shown

    async def submit(self, request: Request) -> Response:
        form = await read_own_form(request, self._issuer)
        if _SENT in form:
            return await self._submit_code(request, form)
        login_name = read_login_name(form)
        if not login_name:
            return self._onward.to_page(_address(request))
        try:
            sender = client_address(request, self._proxies)
            message = RequestPasswordCode(
                login_name=login_name,
                languages=email_languages(form, read_languages(request)),
                sender=sender,
                **self._waiting_request(request),
            )
            sent = await self._authz.call(SEND_PASSWORD, message)
        except ServiceError as error:
            if error.kind is not Kind.TOO_MANY_REQUESTS:
                raise
            return _page("forgot_password.html", request, login_name=login_name, problem=problem_of(error))
        following = _waiting(_Asked(sent.challenge, sent.binding), login_name) if sent.challenge else {_DONE: "1"}
        return self._onward.to_page(_address(request, **following))

    async def _submit_code(self, request: Request, form: Parameters) -> Response:
        asked, code, password = _asked_in(form), read_code(form), password_typed(form)
        login_name = login_name_in(form)
        if not (asked.challenge and code and password):
            return self._onward.to_page(_address(request, **_waiting(asked, login_name)))
        message = UsePasswordCode(
            challenge=asked.challenge,
            code=code,
            new_password=password,
            binding=asked.binding,
            **self._waiting_request(request),
        )
        step = await self._find_step(request)
        try:
            used = await self._authz.call(SET_PASSWORD_WITH_CODE, message)
        except ServiceError as error:
            return self._code_page(request, asked, login_name, error)
        if used.continue_to:
            return self._onward.to_resume(used, read_languages(request), step.look if step else PLAIN)
        return self._onward.to_page(_address(request, SET_PASSWORD_PAGE, **{_DONE: "1"}))

    def _code_page(
        self, request: Request, asked: _Asked, login_name: str, error: ServiceError | None = None
    ) -> Response:
        context = {"problem": problem_of(error) if error else None, "login_name": login_name}
        context["action"] = _address(request, **_waiting(asked, login_name)) if asked.challenge else ""
        scripts = loads(page_script(), self._issuer) if asked.challenge else {}
        return _page("password_link_sent.html", request, again=_address(request), **context, **scripts)

    def _waiting_request(self, request: Request) -> dict[str, str]:
        """The sign-in that waits, and the browser, in which it may continue."""
        request_id = find_request_id(request)
        browser = self._cookie.read(request.headers.get("cookie"))
        return {"request_id": request_id, "browser": browser} if request_id else {}

    async def _find_step(self, request: Request) -> Step | None:
        request_id, browser = find_request_id(request), self._cookie.read(request.headers.get("cookie"))
        if not request_id or not browser:
            return None
        try:
            return await self._authz.call(
                ASK_STEP, GetStep(browser=browser, address=client_address(request, self._proxies)), request_id
            )
        except ServiceError:  # the page works without it
            return None


def _asked_in(parameters: Parameters) -> _Asked:
    """Returns empty texts for malformed ones. Raises OAUTH-00x where one is repeated."""
    if {_SENT, _BINDING} & parameters.repeated:
        raise REPEATED.error()
    texts = (parameters.get(name, "") for name in (_SENT, _BINDING))
    return _Asked(*(text if len(text) <= _MAX_CHALLENGE else "" for text in texts))


def _waiting(asked: _Asked, login_name: str) -> dict[str, str]:
    """Returns the query of the second page: with the name as typed, whether or not it has an account."""
    known = {_SENT: asked.challenge, _BINDING: asked.binding, LOGIN_NAME: login_name}
    return {name: value for name, value in known.items() if value or name == _SENT}


def _address(request: Request, path: str = FORGOT_PASSWORD_PAGE, **parameters: str) -> str:
    request_id = find_request_id(request)
    kept = {"request": request_id} if request_id else {}
    return f"{path}?{urlencode(kept | parameters)}" if kept or parameters else path


def _page(template: str, request: Request, **context: Any) -> Response:
    request_id = find_request_id(request)
    back = address_of(LOGIN, request_id) if request_id else ""
    return own_page(template, request, **{"action": _address(request), "back": back, **context})
