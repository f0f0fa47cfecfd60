"""Leaving a page: 303 to our own pages, and to authz or the address it verified by a page of status 200.

Browsers apply the form-action of a form's page to every redirect after it, those of the application included. So the way
back to an application is a page that goes on by itself (decision 6.8), with the one cookie authz may set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from portico_contracts.login import Logout, Step
from portico_oauth.errors import ErrorCode, Kind
from portico_web.cookies import BrowserCookie
from portico_web.headers import NO_STORE
from portico_web.languages import pick_language
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

# A path of this origin: what follows the first slash is a plain character, so it can be neither //host, /\host nor
# a control character a browser would drop (AZ-10).
_LOCAL: Final = re.compile(r"/[A-Za-z0-9][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")
_COOKIE: Final = re.compile(r"[\x20-\x7e]+\Z")

# An application's address: of the web, or of a private-use scheme, which has a dot (RFC 8252 §7.1). So never one that
# a browser runs.
_APPLICATION: Final = re.compile(r"(?:https?://|[A-Za-z][A-Za-z0-9+-]*\.[A-Za-z0-9+.-]*:)[\x21-\x7e]*\Z")


_PROVIDER: Final = re.compile(r"https?://[A-Za-z0-9\[][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")


class Onward:
    """Where the browser is sent."""

    def __init__(self, cookie: BrowserCookie) -> None:
        self._cookie_start = f"{cookie.name}="

    def to_page(self, address: str, answer: Step | Logout | None = None) -> Response:
        """To one of our own pages by GET, so that reloading it repeats nothing (AZ-16)."""
        response = _see_other(address)
        return self.with_cookie(response, answer) if answer else response

    def to_authz(self, step: Step, languages: Sequence[str]) -> Response:
        """To where authz wants the browser, by a page: from there it may go on to an application.

        Raises:
            ServiceError: LOGIN-107 when that is not a path of this origin.
        """
        if not _is_local(step.continue_to):
            raise NOT_LOCAL.error(continue_to=step.continue_to[:80])
        return self._return(step, step.continue_to, languages)

    def to_caller(self, step: Step, languages: Sequence[str]) -> Response:
        """By a page to the page of an intent's caller: the provider's form may have led here.

        Raises:
            ServiceError: LOGIN-107 as `check_provider`.
        """
        self.check_provider(step)
        return self._return(step, step.leave_to, languages)

    def to_provider(self, step: Step) -> Response:
        """To another identity provider, whose address is the only foreign one of a sign-in.

        Raises:
            ServiceError: LOGIN-107 as `check_provider`.
        """
        self.check_provider(step)
        return self.with_cookie(_see_other(step.leave_to), step)

    def check_provider(self, step: Step) -> None:
        """Refuses what is no address of the web.

        Raises:
            ServiceError: LOGIN-107.
        """
        if not _PROVIDER.match(step.leave_to):
            raise NOT_LOCAL.error(leave_to=step.leave_to[:80])

    def after_logout(self, logout: Logout, languages: Sequence[str]) -> Response:
        """To our own page, or by a page back to the client that requested the logout.

        Raises:
            ServiceError: LOGIN-107 when it is neither a path of this origin nor the verified URI with its state (IR-10).
        """
        if _is_local(logout.continue_to):
            return self.to_page(logout.continue_to, logout)
        if not _is_of_application(logout):
            raise NOT_LOCAL.error(continue_to=logout.continue_to[:80])
        return self._return(logout, logout.continue_to, languages)

    def with_cookie(self, response: Response, answer: Step | Logout) -> Response:
        """Adds the Set-Cookie authz sent.

        Raises:
            ServiceError: LOGIN-108 for anything but the browser's handle of this issuer.
        """
        if answer.set_cookie:
            if not answer.set_cookie.startswith(self._cookie_start) or not _COOKIE.match(answer.set_cookie):
                raise FOREIGN_COOKIE.error()
            response.headers.append("Set-Cookie", answer.set_cookie)
        return response

    def _return(self, answer: Step | Logout, address: str, languages: Sequence[str]) -> Response:
        response = page(
            "return.html",
            package="portico_login_ui",
            language=pick_language(answer.ui_locales, languages),
            address=address,
        )
        return self.with_cookie(response, answer)


def _is_local(address: str) -> bool:
    return bool(_LOCAL.match(address))


def _is_of_application(logout: Logout) -> bool:
    uri, address = logout.return_uri, logout.continue_to
    if not uri or not _APPLICATION.match(address):
        return False
    joiner = "&" if "?" in uri else "?"  # what follows the verified address can only be in its query
    return address == uri or address.startswith((uri + joiner, uri) if uri.endswith(("?", "&")) else uri + joiner)


def _see_other(location: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": location, "Referrer-Policy": "same-origin"})
