"""Creates the first administrator from the link of `portico first-run` (decision 0057).

Every request carries the code of the link. The input of the first page is carried in the form of the second,
and nothing is created before that one is submitted.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from portico_contracts.error_ids import (
    DOMAIN_INVALID,
    DOMAIN_OF_OTHERS,
    DOMAIN_TAKEN,
    EMAIL_INVALID,
    FIELD_MISSING,
    NAME_INVALID,
    TOTP_CODE_WRONG,
    TOTP_NOT_FOUND,
    USER_NAME_INVALID,
    USER_NAME_TAKEN,
)
from portico_contracts.http import CONSOLE, FIRST_RUN_PAGE
from portico_contracts.login import Problem
from portico_contracts.login_calls import ASK_FIRST_RUN, COMPLETE_FIRST_RUN, START_FIRST_RUN
from portico_contracts.users import Factor
from portico_contracts.users.first_run import BeginFirstRun, CompleteFirstRun, FirstOwner, FirstRun, GetFirstRun
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import REPEATED, Parameters, read_parameters
from portico_oauth.typed_text import code_letters, trimmed
from portico_web.devices import read_device
from portico_web.key_script import key_script
from portico_web.qr_code import grouped, qr_code
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.flow import Flow, own_page
from portico_login_ui.methods.credential import ANSWER_TOO_LONG, MAX_CREDENTIAL
from portico_login_ui.methods.emailed_links import LinkProblem, problem_of
from portico_login_ui.methods.method import read_typed
from portico_login_ui.own_form import read_own_form
from portico_login_ui.scripts import loads, page_script

NO_CODE = ErrorCode(
    "LOGIN-230",
    Kind.INVALID_REQUEST,
    "This link is incomplete.",
    "Open the link printed by `portico first-run`, or copy the whole link.",
)

_MAX_CODE: Final = 64
_TEMPLATES: Final = {Factor.PASSKEY: "first_run_passkey.html", Factor.TOTP: "first_run_totp.html"}
_FACTORS: Final = {factor.value: factor for factor in _TEMPLATES}
_FIELDS: Final = frozenset(
    (NAME_INVALID, USER_NAME_INVALID, DOMAIN_INVALID, EMAIL_INVALID, USER_NAME_TAKEN, DOMAIN_TAKEN, DOMAIN_OF_OTHERS)
)
"""Errors about fields of the first page."""

_CODES: Final = frozenset((TOTP_NOT_FOUND, TOTP_CODE_WRONG))
_TOTP_PAGE: Final = "enrol_totp"
"""The step whose text for a wrong code is used."""


class _Submitted(NamedTuple):
    code: str
    owner: FirstOwner
    factor: Factor | None
    attempt: str


class FirstRunFlow(Flow):
    async def show(self, request: Request) -> Response:
        code = _load_code(read_parameters(request.scope["query_string"]))
        return await self._owner_page(request, _Submitted(code, _owner_in(Parameters([])), None, ""))

    async def submit(self, request: Request) -> Response:
        """POST: the page of the credential; with the credential, the final page; or a page again with the problem."""
        form = await read_own_form(request, self._issuer)
        sent = _read(form)
        if sent.factor is None:
            return await self._owner_page(request, sent)
        try:
            if not sent.attempt:
                return await self._credential_page(request, sent, sent.factor)
            done = await self._authz.call(COMPLETE_FIRST_RUN, _finished(request, form, sent, sent.factor))
        except ServiceError as error:
            return await self._page_again(request, sent, sent.factor, error)
        # No redirect: the codes are in no URL, and reloading repeats an idempotent submission.
        response = own_page(
            "first_run_done.html",
            request,
            done=done,
            onward=f"{CONSOLE}/orgs/{quote(done.org_id, safe='')}" if done.org_id else CONSOLE,
            codes=done.recovery_codes,
            **loads(page_script(), self._issuer),
        )
        return self._onward.with_cookie(response, done)

    async def _owner_page(self, request: Request, sent: _Submitted, problem: LinkProblem | None = None) -> Response:
        asked = await self._authz.call(ASK_FIRST_RUN, GetFirstRun(code=sent.code))
        return self._form_page("first_run.html", request, sent, asked=asked, problem=problem)

    async def _credential_page(
        self, request: Request, sent: _Submitted, factor: Factor, problem: LinkProblem | None = None
    ) -> Response:
        asked = await self._authz.call(ASK_FIRST_RUN, GetFirstRun(code=sent.code))
        if not _is_complete(sent.owner, asked):
            return await self._owner_page(request, sent, LinkProblem(Problem.INVALID_FIELD, FIELD_MISSING))
        begun = await self._authz.call(
            START_FIRST_RUN, BeginFirstRun(code=sent.code, owner=sent.owner, factor=factor, attempt=sent.attempt)
        )
        script = key_script() if factor is Factor.PASSKEY else page_script()
        shown = {"uri": begun.uri, "image": qr_code(begun.uri), "typed": grouped(begun.secret)} if begun.uri else {}
        return self._form_page(
            _TEMPLATES[factor],
            request,
            sent,
            begun=begun,
            rules=asked.password_rules,
            problem=problem,
            **shown,
            **loads(script, self._issuer),
        )

    async def _page_again(self, request: Request, sent: _Submitted, factor: Factor, error: ServiceError) -> Response:
        """Renders the page on which the error can be corrected; raises the error where there is none."""
        if error.id in _FIELDS:
            return await self._owner_page(request, sent, LinkProblem(Problem.INVALID_FIELD, error.id))
        is_wrong = error.id in _CODES
        problem = LinkProblem(Problem.WRONG_CODE, name=_TOTP_PAGE) if is_wrong else problem_of(error)
        return await self._credential_page(request, sent, factor, problem)

    def _form_page(self, template: str, request: Request, sent: _Submitted, **context: Any) -> Response:
        action = f"{FIRST_RUN_PAGE}?{urlencode({'code': sent.code})}"
        return own_page(template, request, action=action, owner=sent.owner, again=True, **context)


def _load_code(parameters: Parameters) -> str:
    """Returns the code of the link. Raises OAUTH-00x where it is repeated, LOGIN-230 for a malformed code."""
    if "code" in parameters.repeated:
        raise REPEATED.error()
    code = parameters.get("code", "")
    if not 0 < len(code) <= _MAX_CODE:
        raise NO_CODE.error()
    return code


def _read(form: Parameters) -> _Submitted:
    attempt = form.get("attempt", "")
    factor = _FACTORS.get(form.get("factor", "")) if "back" not in form else None
    return _Submitted(_load_code(form), _owner_in(form), factor, attempt if len(attempt) <= _MAX_CODE else "")


def _owner_in(form: Parameters) -> FirstOwner:
    """Raises LOGIN-105 over 200 code points."""
    names = ("email", "first_name", "last_name", "organization")
    return FirstOwner(**{name: trimmed(read_typed(form, name)) for name in names})


def _is_complete(owner: FirstOwner, asked: FirstRun) -> bool:
    return all((owner.email, owner.first_name, owner.organization or not asked.needs_organization))


def _finished(request: Request, form: Parameters, sent: _Submitted, factor: Factor) -> CompleteFirstRun:
    credential, registration = form.get("credential", ""), form.get("registration", "")
    if len(credential) > MAX_CREDENTIAL or len(registration) > _MAX_CODE:
        raise ANSWER_TOO_LONG.error()
    return CompleteFirstRun(
        code=sent.code,
        owner=sent.owner,
        factor=factor,
        attempt=sent.attempt,
        password=read_typed(form, "password"),
        otp=code_letters(read_typed(form, "otp")),
        registration=registration,
        credential=credential,
        device=read_device(request),
    )
