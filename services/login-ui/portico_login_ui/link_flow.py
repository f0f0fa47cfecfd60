"""The pages of emailed links, outside of a sign-in.

A GET only shows a page, because email scanners follow every link; its button acts, in any browser. Only the
code identifies the user, so the pages reveal nothing about the account. A link that would not be accepted is answered
with what to do instead (`checked_links`).
"""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.http import ACCOUNT, FORGOT_PASSWORD_PAGE, LOGIN, SET_PASSWORD_PAGE, VERIFY_EMAIL_PAGE
from portico_contracts.login import PageBranding
from portico_contracts.login_calls import (
    ASK_POLICY,
    BEGIN_INVITED_PASSKEY,
    FINISH_INVITED_PASSKEY,
    SET_PASSWORD,
    VERIFY_EMAIL,
)
from portico_contracts.users import (
    BeginPasskeyByInvitation,
    CheckLink,
    Factor,
    GetLoginPolicy,
    LinkKind,
    LinkUsed,
    LoginPolicy,
    UseLink,
    UsePasskey,
    VerifyEmailLink,
)
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.devices import read_device
from portico_web.key_script import key_script
from portico_web.languages import read_languages
from portico_web.pages import PLAIN
from starlette.requests import Request
from starlette.responses import Response

from portico_login_ui.checked_links import ended_page, is_usable
from portico_login_ui.flow import Flow, own_page
from portico_login_ui.methods.emailed_links import (
    INVITATION,
    RECOVERED,
    EmailedLink,
    link_address,
    load_link,
    made_credential,
    password_typed,
    problem_of,
)
from portico_login_ui.own_form import read_own_form
from portico_login_ui.request_context import address_of, find_request_id
from portico_login_ui.scripts import loads, page_script

_DONE: Final = "done"
"""Query parameter of a page: the action is done. It only selects the text of the page."""

_PASSKEY: Final = "passkey"

_NEW: Final = "new"
"""With `_DONE`: the user has no password yet."""


class LinkFlow(Flow):
    async def show_verification(self, request: Request) -> Response:
        asked = read_parameters(request.scope["query_string"])
        if _DONE in asked:
            return own_page("mail_verified.html", request, is_new=asked[_DONE] == _NEW, forgot=FORGOT_PASSWORD_PAGE)
        link = load_link(asked)
        if not await self._is_usable(request, LinkKind.EMAIL, link):
            return await self._ended_page(request, "email", link)
        return await self._verification_page(request, link)

    async def submit_verification(self, request: Request) -> Response:
        """POST: 303 to the page that confirms it; or the page again, with the error."""
        form = await read_own_form(request, self._issuer)
        link = load_link(form)
        try:
            verified = await self._authz.call(VERIFY_EMAIL, VerifyEmailLink(user_id=link.user_id, code=link.code))
        except ServiceError as error:
            return await self._verification_page(request, link, error)
        return self._onward.to_page(f"{VERIFY_EMAIL_PAGE}?{_DONE}={'1' if verified.has_password else _NEW}")

    async def show_new_password(self, request: Request) -> Response:
        asked = read_parameters(request.scope["query_string"])
        if _DONE in asked:
            request_id, security = find_request_id(request), f"{ACCOUNT}/security"
            back = address_of(LOGIN, request_id) if request_id else ""
            stays = security if asked[_DONE] == RECOVERED else ""
            account = ACCOUNT if asked[_DONE] in (INVITATION, _PASSKEY) else ""
            context = {"back": back, "security": stays, "account": account, "reached": asked[_DONE]}
            return own_page("password_set.html", request, **context)
        link = load_link(asked)
        if not await self._is_usable(request, LinkKind.PASSWORD, link):
            return await self._ended_page(request, "invitation" if link.invites else "password", link)
        return await self._new_password_page(request, link)

    async def submit_new_password(self, request: Request) -> Response:
        """POST: the application of an invitation, or 303 to the page that confirms it; or the page again, with the error."""
        form = await read_own_form(request, self._issuer)
        link, password = load_link(form), password_typed(form)
        if "back" in form:
            return await self._new_password_page(request, link)
        if link.invites and ("passkey" in form or "credential" in form):
            return await self._submit_passkey(request, form, link)
        if not password:
            return self._onward.to_page(link_address(SET_PASSWORD_PAGE, link))
        message = UseLink(
            user_id=link.user_id,
            code=link.code,
            new_password=password,
            browser=self._handle(request),
            device=read_device(request),
        )
        try:
            done = await self._authz.call(SET_PASSWORD, message)
        except ServiceError as error:
            return await self._new_password_page(request, link, error)
        return await self._after_link(request, link, done)

    async def _submit_passkey(self, request: Request, form: Parameters, link: EmailedLink) -> Response:
        """Instead of a first password: the challenge; with the new credential, as after a password."""
        try:
            if "credential" not in form:
                return await self._passkey_page(request, link)
            passkey_id, credential = made_credential(form)
            message = UsePasskey(
                user_id=link.user_id,
                code=link.code,
                passkey_id=passkey_id,
                credential=credential,
                browser=self._handle(request),
                device=read_device(request),
            )
            done = await self._authz.call(FINISH_INVITED_PASSKEY, message)
        except ServiceError as error:
            return await self._new_password_page(request, link, error)
        return await self._after_link(request, link, done, with_password=False)

    async def _passkey_page(self, request: Request, link: EmailedLink) -> Response:
        begun = await self._authz.call(
            BEGIN_INVITED_PASSKEY, BeginPasskeyByInvitation(user_id=link.user_id, code=link.code)
        )
        look = _branding_of(await self._find_policy(link))
        address = link_address(SET_PASSWORD_PAGE, link)
        scripts: dict[str, Any] = loads(key_script(), self._issuer)
        return _link_page("invitation_passkey.html", request, address, look=look, begun=begun, **scripts)

    async def _after_link(
        self, request: Request, link: EmailedLink, done: LinkUsed, *, with_password: bool = True
    ) -> Response:
        if link.invites and done.start:
            look = _branding_of(await self._find_policy(link))
            opened = self._onward.to_application(done.start, read_languages(request), look, with_password=with_password)
            return self._onward.with_cookie(opened, done)
        reached = "1"
        if link.invites:
            reached = INVITATION if with_password else _PASSKEY
        return self._onward.with_cookie(self._onward.to_page(f"{SET_PASSWORD_PAGE}?{_DONE}={reached}"), done)

    async def _is_usable(self, request: Request, kind: LinkKind, link: EmailedLink) -> bool:
        return await is_usable(self._authz, request, CheckLink(kind=kind, user_id=link.user_id, code=link.code))

    async def _ended_page(self, request: Request, kind: str, link: EmailedLink) -> Response:
        policy = await self._find_policy(link)
        return ended_page(request, kind, look=_branding_of(policy), may_reset=_may_reset(policy))

    def _handle(self, request: Request) -> str:
        return self._cookie.read(request.headers.get("cookie"))

    async def _verification_page(
        self, request: Request, link: EmailedLink, error: ServiceError | None = None
    ) -> Response:
        look = _branding_of(await self._find_policy(link))
        return _link_page("confirm_mail.html", request, link_address(VERIFY_EMAIL_PAGE, link), error, look=look)

    async def _new_password_page(
        self, request: Request, link: EmailedLink, error: ServiceError | None = None
    ) -> Response:
        policy = await self._find_policy(link)
        rules = policy.password_rules if policy else None
        scripts = loads(page_script(), self._issuer)
        address = link_address(SET_PASSWORD_PAGE, link)
        look = _branding_of(policy)
        template = "invitation.html" if link.invites else "set_password.html"
        known: dict[str, Any] = {
            "rules": rules,
            "login_name": link.login_name,
            "organization": policy.organization if policy else "",
        }
        known["offers_passkey"] = policy is not None and policy.passkey_sign_in and Factor.PASSKEY in policy.factors
        known["without_password"] = policy is not None and not policy.password_sign_in
        known |= {"invites": link.invites, "may_reset": _may_reset(policy), "account": ACCOUNT}
        return _link_page(template, request, address, error, look=look, **known, **scripts)

    async def _find_policy(self, link: EmailedLink) -> LoginPolicy | None:
        if not link.org_id:
            return None
        try:
            return await self._authz.call(ASK_POLICY, GetLoginPolicy(org_id=link.org_id))
        except ServiceError:  # the password can be set all the same, or is refused with the rule
            return None


def _may_reset(policy: LoginPolicy | None) -> bool:
    """Without a known policy, the page of forgotten passwords decides."""
    return policy is None or policy.may_reset


def _branding_of(policy: LoginPolicy | None) -> PageBranding:
    return PageBranding(branding=policy.branding) if policy and policy.branding else PLAIN


def _link_page(
    template: str, request: Request, action: str, error: ServiceError | None = None, **context: Any
) -> Response:
    """Renders a page whose form is posted to its own URL; raises an error that no input on it can fix."""
    problem = problem_of(error) if error else None
    return own_page(template, request, action=action, problem=problem, forgot=FORGOT_PASSWORD_PAGE, **context)
