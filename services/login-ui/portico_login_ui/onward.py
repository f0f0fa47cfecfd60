"""Leaving a page: always 303, only to this origin, with the one cookie authz may set."""

from __future__ import annotations

import re
from typing import Final

from portico_contracts.login import Step
from portico_oauth.errors import Fact, Kind
from portico_web.cookies import BrowserCookie
from portico_web.headers import NO_STORE
from starlette.responses import Response

from portico_login_ui.visit import Visit, address_of

NOT_LOCAL = Fact(
    "LOGIN-107", Kind.FAULT, "The sign-in cannot go on from here.", "Check that authz and login-ui have one version."
)
FOREIGN_COOKIE = Fact(
    "LOGIN-108", Kind.FAULT, "The sign-in cannot go on from here.", "Give authz and login-ui the same issuer."
)

# A path of this origin: what follows the first slash is a plain character, so it can be neither //host, /\host nor
# a control character a browser would drop (AZ-10).
_LOCAL: Final = re.compile(r"/[A-Za-z0-9][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*\Z")
_COOKIE: Final = re.compile(r"[\x20-\x7e]+\Z")


class Onward:
    """Where the browser goes next."""

    def __init__(self, cookie: BrowserCookie) -> None:
        self._cookie_start = f"{cookie.name}="

    def to_step(self, visit: Visit, step: Step | None = None) -> Response:
        """To the page of the sign-in by GET, so that reloading it repeats nothing (AZ-16)."""
        response = _see_other(address_of(visit.request_id))
        return self.with_cookie(response, step) if step else response

    def to_authz(self, step: Step) -> Response:
        """To where authz wants the browser.

        Raises:
            Refusal: LOGIN-107 when that is not a path of this origin.
        """
        if not _LOCAL.match(step.continue_to):
            raise NOT_LOCAL.refusal(continue_to=step.continue_to[:80])
        return self.with_cookie(_see_other(step.continue_to), step)

    def with_cookie(self, response: Response, step: Step) -> Response:
        """Adds the Set-Cookie authz sent.

        Raises:
            Refusal: LOGIN-108 for anything but the browser's handle of this issuer.
        """
        if step.set_cookie:
            if not step.set_cookie.startswith(self._cookie_start) or not _COOKIE.match(step.set_cookie):
                raise FOREIGN_COOKIE.refusal()
            response.headers.append("Set-Cookie", step.set_cookie)
        return response


def _see_other(location: str) -> Response:
    return Response(status_code=303, headers={**NO_STORE, "Location": location, "Referrer-Policy": "same-origin"})
