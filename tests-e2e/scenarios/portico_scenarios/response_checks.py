"""Checks that hold for every response: no internal error, no leak, no redirect off the origin, all security headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import httpx
from portico_contracts import http

SLOWEST: Final = 10.0
"""Seconds after which a request is considered to hang; work is measured as processor time (P8)."""

_LEAK: Final = re.compile(
    r"Traceback|File \"|\bportico_[a-z_]+[./]|\.py\b|site-packages|/usr/lib|(mongodb|redis|nats)://|msgspec|starlette"
    r"|uvicorn|pydantic|<class |object at 0x"
)
_POLICY: Final = ("default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")
_OWN_PATHS: Final = (
    "/ui/login?request=",
    "/ui/login/logout?request=",
    "/oauth/v2/authorize?",
    "/oauth/v2/authorize/resume?",
    "/oidc/v1/end_session?",
)
_OWN_PAGES: Final = ("/ui/login/logged-out", "/ui/login/logged-out?stays=1", "/ui/account/security#password")
_WITHOUT_COOKIES: Final = (
    http.TOKEN,
    http.USERINFO,
    http.REVOKE,
    http.DISCOVERY,
    http.KEYS,
    http.DEVICE_AUTHORIZATION,
    http.PUSHED_REQUESTS,
)


@dataclass(frozen=True, slots=True)
class ResponseChecks:
    """The checks for one relying party.

    Args:
        redirect_uri: the only allowed redirect target outside the origin.
    """

    redirect_uri: str

    def check(self, answer: httpx.Response, asked: str) -> httpx.Response:
        """Returns the response if it passes all checks.

        Args:
            asked: the request, for the failure message.

        Raises:
            AssertionError: with all violations.
        """
        wrong = [
            *_status(answer),
            *_headers(answer),
            *_credentials(answer),
            *self._redirect(answer),
            *_page(answer),
            *_cookies(answer),
        ]
        if leak := _LEAK.search(answer.text):
            wrong.append(f"leaks {leak.group()!r}")
        if answer.elapsed.total_seconds() > SLOWEST:
            wrong.append(f"took {answer.elapsed.total_seconds():.2f} s")
        assert not wrong, f"{wrong}: {answer.status_code} to {asked[:400]!r}: {answer.text[:500]}"
        return answer

    def _redirect(self, answer: httpx.Response) -> list[str]:
        location = answer.headers.get("location")
        if location is None:
            return []
        # Console redirects to the authorization endpoint by its absolute URL, as any relying party does.
        location = location.removeprefix(f"{answer.url.scheme}://{answer.url.netloc.decode()}")
        allowed = (*_OWN_PATHS, f"{self.redirect_uri}?", f"{self.redirect_uri}#")
        return [
            *([] if answer.status_code in (302, 303) else [f"redirects with {answer.status_code}"]),
            *([] if location.startswith(allowed) or location in _OWN_PAGES else [f"leads to {location[:200]!r}"]),
        ]


def _status(answer: httpx.Response) -> list[str]:
    return ["a server error"] if answer.status_code >= 500 else []


def _headers(answer: httpx.Response) -> list[str]:
    headers = answer.headers
    wrong = []
    if len(headers.get_list("x-request-id")) != 1:
        wrong.append("no single X-Request-Id")
    if headers.get("x-content-type-options") != "nosniff":
        wrong.append("no nosniff")
    if answer.status_code not in (200, 204, 304) and "no-store" not in headers.get("cache-control", ""):
        wrong.append("may be stored")
    if "x-evil" in headers:
        wrong.append("has a header of the request's making")
    return wrong


def _credentials(answer: httpx.Response) -> list[str]:
    """Only endpoints that never read a cookie let a page of another origin send credentials (decision 0118)."""
    headers = answer.headers
    if "access-control-allow-credentials" not in headers:
        return []
    allowed = headers.get("access-control-allow-origin")
    without_cookies = answer.url.path in _WITHOUT_COOKIES and "set-cookie" not in headers
    named = allowed == answer.request.headers.get("origin") and "Origin" in headers.get("vary", "")
    return [] if without_cookies and named else [f"lets {allowed!r} use credentials"]


def _page(answer: httpx.Response) -> list[str]:
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return []
    headers = answer.headers
    policy = headers.get("content-security-policy", "")
    wrong = [f"policy without {part}" for part in _POLICY if part not in policy]
    if "unsafe" in policy:
        wrong.append("unsafe policy")
    if headers.get("x-frame-options") != "DENY" or headers.get("referrer-policy") != "same-origin":
        wrong.append("may be framed or tells where it came from")
    if "no-store" not in headers.get("cache-control", ""):
        wrong.append("page may be stored")
    if "access-control-allow-origin" in headers:
        wrong.append("page can be read by other origins")
    return wrong


def _cookies(answer: httpx.Response) -> list[str]:
    wrong = []
    for cookie in answer.headers.get_list("set-cookie"):
        parts = [part.strip() for part in cookie.split(";")]
        value = parts[0].partition("=")[2]
        if not value and "Max-Age=0" in parts:
            continue
        if not {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts) or "domain=" in cookie.lower() or len(value) < 22:
            wrong.append(f"weak cookie {parts[0].partition('=')[0]} {parts[1:]}")
    return wrong
