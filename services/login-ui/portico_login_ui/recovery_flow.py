"""The link in a change notice, for a user who did not make the change; a GET only shows a button (`link_flow`).

The button ends all sessions of the account; the code sent to the notice's address then sets a new password.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from portico_contracts.error_ids import RECOVERY_LINK_WRONG
from portico_contracts.http import FORGOT_PASSWORD_PAGE, RECOVERY_PAGE, SET_PASSWORD_PAGE
from portico_contracts.login_calls import RECOVER, SET_PASSWORD_WITH_CODE
from portico_contracts.users import BeginRecovery, UsePasswordCode
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import REPEATED, Parameters, read_parameters
from portico_web.languages import read_languages
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, email_languages, own_page
from portico_login_ui.methods.emailed_links import (
    INCOMPLETE,
    LOGIN_NAME,
    RECOVERED,
    login_name_in,
    password_typed,
    problem_of,
    read_code,
)
from portico_login_ui.own_form import read_own_form
from portico_login_ui.scripts import loads, page_script

_CODE: Final = "code"
_SENT: Final = "sent"
"""Query parameter of the second page: the challenge of the code."""

_DONE: Final = "done"
"""Query parameter of a final page: why no code was sent."""

_CLOSED: Final = "closed"
_WAITS: Final = "waits"
_WRONG: Final = "wrong"
_MAX: Final = 200


class RecoveryFlow(Flow):
    async def show(self, request: Request) -> Response:
        asked = read_parameters(request.scope["query_string"])
        if _SENT in asked:
            return self._code_page(request, _load(asked, _SENT), login_name_in(asked))
        if _DONE in asked:
            return _ended(request, _WAITS if asked[_DONE] == _WAITS else _CLOSED)
        code = _load(asked, _CODE)
        return own_page(
            "recover_account.html", request, action=_address(login_name_in(asked), **{_CODE: code}), problem=None
        )

    async def submit(self, request: Request) -> Response:
        form = await read_own_form(request, self._issuer)
        if _SENT in form:
            return await self._submit_code(request, form)
        message = BeginRecovery(code=_load(form, _CODE), languages=email_languages(form, read_languages(request)))
        try:
            begun = await self._authz.call(RECOVER, message)
        except ServiceError as error:
            if error.id != RECOVERY_LINK_WRONG:
                raise
            return _ended(request, _WRONG)
        following = {_SENT: begun.challenge} if begun.challenge else {_DONE: _WAITS if begun.waits else _CLOSED}
        return self._onward.to_page(_address(login_name_in(form) if begun.challenge else "", **following))

    async def _submit_code(self, request: Request, form: Parameters) -> Response:
        # `code` is a form field here and not in the URL.
        challenge, code, password = _load(form, _SENT), read_code(form), password_typed(form)
        if not (code and password):
            return self._onward.to_page(_address(login_name_in(form), **{_SENT: challenge}))
        message = UsePasswordCode(challenge=challenge, code=code, new_password=password)
        try:
            await self._authz.call(SET_PASSWORD_WITH_CODE, message)
        except ServiceError as error:
            return self._code_page(request, challenge, login_name_in(form), error)
        return self._onward.to_page(f"{SET_PASSWORD_PAGE}?{_DONE}={RECOVERED}")

    def _code_page(
        self, request: Request, challenge: str, login_name: str, error: ServiceError | None = None
    ) -> Response:
        context = {"problem": problem_of(error) if error else None, "login_name": login_name}
        context["action"] = _address(login_name, **{_SENT: challenge})
        scripts = loads(page_script(), self._issuer)
        return own_page("recovery_code_sent.html", request, again="", back="", **context, **scripts)


def _load(parameters: Parameters, name: str) -> str:
    """Raises LOGIN-110 for a malformed value, OAUTH-00x where it is repeated."""
    if name in parameters.repeated:
        raise REPEATED.error()
    value = parameters.get(name, "")
    if not 0 < len(value) <= _MAX:
        raise INCOMPLETE.error()
    return value


def _address(login_name: str = "", **parameters: str) -> str:
    return f"{RECOVERY_PAGE}?{urlencode(parameters | ({LOGIN_NAME: login_name} if login_name else {}))}"


def _ended(request: Request, reason: str) -> Response:
    return own_page("recovery_ended.html", request, reason=reason, forgot=FORGOT_PASSWORD_PAGE)
