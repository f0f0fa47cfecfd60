"""Leaving a page: 303 to our own pages; a page with status 200 to authz and to URLs it verified.

Browsers apply the form-action of a form's page to every redirect after it, including those of the
application. Therefore a page, not a redirect, returns to an application (decision 0126), with the only cookie
that authz may set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from portico_contracts.login import PageBranding, Step
from portico_contracts.login_device import DeviceOpened
from portico_contracts.login_logout import Logout
from portico_contracts.login_steps.done import DoneStep
from portico_contracts.users import LinkUsed
from portico_contracts.users.first_run import FirstRunCompleted
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register
from portico_web.cookies import BrowserCookie
from portico_web.headers import NO_STORE
from portico_web.languages import Language, pick_language
from portico_web.pages import page
from starlette.responses import Response

NOT_LOCAL = ErrorCode(
    "LOGIN-107",
    Kind.SERVER_ERROR,
    "Something went wrong. Go back to the application and sign in again.",
    "Check that authz and login-ui are of the same version.",
)
FOREIGN_COOKIE = ErrorCode(
    "LOGIN-108",
    Kind.SERVER_ERROR,
    "Something went wrong. Go back to the application and sign in again.",
    "Configure the same issuer for authz and login-ui.",
)

# A path of this origin: the character after the first slash is alphanumeric, so it can be neither //host, /\host nor
# a control character that a browser would drop (AZ-10).
_LOCAL: Final = re.compile(r"/[A-Za-z0-9][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")
_COOKIE: Final = re.compile(r"[\x20-\x7e]+\Z")

# An application's URL: http(s), or a private-use scheme, which has a dot (RFC 8252 section 7.1); never a scheme that
# a browser executes.
_APPLICATION: Final = re.compile(r"(?:https?://|[A-Za-z][A-Za-z0-9+-]*\.[A-Za-z0-9+.-]*:)[\x21-\x7e]*\Z")


_PROVIDER: Final = re.compile(r"https?://[A-Za-z0-9\[][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")


class Redirects:
    def __init__(self, cookie: BrowserCookie) -> None:
        self._cookie_start = f"{cookie.name}="

    def to_page(self, address: str, answer: Step | Logout | None = None) -> Response:
        """Redirects to one of our own pages by GET, so that reloading it repeats nothing (AZ-16)."""
        response = _see_other(address)
        return self.with_cookie(response, answer) if answer else response

    def to_request(self, opened: DeviceOpened) -> Response:
        """Continues with the sign-in of a device, which never leaves this origin. Raises LOGIN-107."""
        if not is_local(opened.continue_to):
            raise NOT_LOCAL.error(continue_to=opened.continue_to[:80])
        return self.with_cookie(_see_other(opened.continue_to), opened)

    def after_sign_in(self, step: DoneStep, languages: Sequence[str]) -> Response:
        """Renders a page that continues to the application, or to authz, which may redirect there. Raises LOGIN-107."""
        if not is_local(step.continue_to) and not _is_of_application(step):
            raise NOT_LOCAL.error(continue_to=step.continue_to[:80])
        return self._return(step, step.continue_to, languages)

    def to_caller(self, step: DoneStep, languages: Sequence[str]) -> Response:
        """Renders a page, not a redirect: a form of the provider may precede it."""
        self.check_provider(step)
        return self._return(step, step.leave_to, languages)

    def to_resume(self, used: LinkUsed, languages: Sequence[str], look: PageBranding) -> Response:
        """Renders a page that continues with the sign-in that waited for a new password. Raises LOGIN-107."""
        if not is_local(used.continue_to):
            raise NOT_LOCAL.error(continue_to=used.continue_to[:80])
        return _return_page(used.continue_to, pick_language(languages), look)

    def to_application(
        self, address: str, languages: Sequence[str], look: PageBranding, *, with_password: bool = True
    ) -> Response:
        """Renders a page that opens the application of an invitation. Raises LOGIN-107 unless https or loopback."""
        if not _PROVIDER.match(address) or not may_register(address):
            raise NOT_LOCAL.error(start=address[:80])
        return _return_page(address, pick_language(languages), look, invited=with_password)

    def to_provider(self, step: DoneStep) -> Response:
        """Redirects to another identity provider, the only foreign URL of a sign-in."""
        self.check_provider(step)
        return self.with_cookie(_see_other(step.leave_to), step)

    def check_provider(self, step: DoneStep) -> None:
        """Checks that the target is an http(s) URL. Raises LOGIN-107."""
        if not _PROVIDER.match(step.leave_to):
            raise NOT_LOCAL.error(leave_to=step.leave_to[:80])

    def after_logout(self, logout: Logout, languages: Sequence[str]) -> Response:
        """Raises LOGIN-107 unless the target is a path of this origin, or the verified URI with its state (IR-10)."""
        if is_local(logout.continue_to):
            return self.to_page(logout.continue_to, logout)
        if not _is_of_application(logout):
            raise NOT_LOCAL.error(continue_to=logout.continue_to[:80])
        return self._return(logout, logout.continue_to, languages)

    def with_cookie(
        self, response: Response, answer: Step | Logout | FirstRunCompleted | DeviceOpened | LinkUsed
    ) -> Response:
        """Adds the Set-Cookie from authz. Raises LOGIN-108 for anything but the browser's handle of this issuer."""
        if answer.set_cookie:
            if not answer.set_cookie.startswith(self._cookie_start) or not _COOKIE.match(answer.set_cookie):
                raise FOREIGN_COOKIE.error()
            response.headers.append("Set-Cookie", answer.set_cookie)
        return response

    def _return(self, answer: DoneStep | Logout, address: str, languages: Sequence[str]) -> Response:
        language = pick_language(answer.ui_locales, languages)
        return self.with_cookie(_return_page(address, language, answer.look), answer)


def _return_page(address: str, language: Language, look: PageBranding, *, invited: bool = False) -> Response:
    return page(
        "return.html", package="portico_login_ui", language=language, look=look, address=address, invited=invited
    )


def is_local(address: str) -> bool:
    return bool(_LOCAL.match(address))


def _is_of_application(answer: DoneStep | Logout) -> bool:
    uri, address = answer.return_uri, answer.continue_to
    if not uri or not _APPLICATION.match(address):
        return False
    joiner = "&" if "?" in uri else "?"  # what follows the verified address can only be in its query
    return address == uri or address.startswith((uri + joiner, uri) if uri.endswith(("?", "&")) else uri + joiner)


def _see_other(location: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": location, "Referrer-Policy": "same-origin"})
