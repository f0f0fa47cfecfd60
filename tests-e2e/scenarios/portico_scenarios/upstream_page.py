"""Common parts of the imitated providers: a page that takes a login, codes, and a browser that signs in.

The entered login identifies the user. The page has a cancel button.
"""

from __future__ import annotations

import base64
import hashlib
import html
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote_plus, urlencode, urljoin, urlsplit

import httpx
from playwright.async_api import Page
from portico_harness.html_forms import Document
from portico_harness.plain_http import plain_http
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from portico_scenarios.serving import serving

Fields = Mapping[str, str]

_MOST_HOPS: Final = 10
_PAGE: Final = """<!doctype html><title>Sign in elsewhere</title>
<form method="post"><input id="login" name="login">
<button id="sign-in" name="press" value="sign-in">Sign in</button>
<button id="cancel" name="press" value="cancel">Cancel</button></form>"""
_POSTING_PAGE: Final = """<!doctype html><title>Working…</title>
<form id="back" method="post" action="{action}">{fields}<button id="continue">Continue</button></form>
<script>document.getElementById("back").submit()</script>"""


@dataclass(frozen=True, slots=True)
class Sent:
    """The provider's response to the browser: a redirect, or a form post across sites.

    Attributes:
        form: its fields; None for a redirect.
    """

    url: str
    form: Fields | None = None

    @property
    def parameters(self) -> dict[str, str]:
        query = dict(parse_qsl(urlsplit(self.url).query, keep_blank_values=True))
        return query if self.form is None else dict(self.form)


@dataclass(frozen=True, slots=True)
class Grant:
    """The content of a code.

    Attributes:
        login: the entered login.
        request: parameters of the authorization request.
    """

    login: str
    request: Fields


class Codes:
    def __init__(self) -> None:
        self._grants: dict[str, Grant] = {}

    def issue(self, login: str, request: Fields) -> str:
        code = secrets.token_urlsafe(32)
        self._grants[code] = Grant(login, request)
        return code

    def redeem(self, form: Fields) -> Grant | None:
        """Returns the grant of a code; None for another client's, a used or an unknown code."""
        grant = self._grants.pop(form.get("code", ""), None)
        if grant is None or grant.request["client_id"] != form.get("client_id"):
            return None
        return grant if _proves(grant.request, form.get("code_verifier", "")) else None


def _proves(request: Fields, verifier: str) -> bool:
    """RFC 7636 §4.6; a request without a challenge needs no verifier."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return "code_challenge" not in request or _b64(digest) == request["code_challenge"]


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


async def form_of(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))


def with_basic(request: Request, form: Fields) -> dict[str, str]:
    """Adds the client credentials of an ``Authorization`` header (RFC 6749 §2.3.1) to the form."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return dict(form)
    name, _, secret = base64.b64decode(encoded).decode().partition(":")
    return {**form, "client_id": unquote_plus(name), "client_secret": unquote_plus(secret)}


def show() -> Response:
    return HTMLResponse(_PAGE)


def answer(request: Fields, fields: Fields) -> Response:
    uri = request["redirect_uri"]
    sent = {**fields, **({"state": request["state"]} if "state" in request else {})}
    if request.get("response_mode") != "form_post":
        return RedirectResponse(f"{uri}?{urlencode(sent)}", 302)
    inputs = (f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in sent.items())
    return HTMLResponse(_POSTING_PAGE.format(action=html.escape(uri), fields="".join(inputs)))


class Visitor:
    """A user at the page of a provider, with script or without.

    Args:
        address: of the provider, without a trailing slash.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    async def sign_in(self, url: str, login: str, press: str = "sign-in") -> Sent:
        """Signs in without script.

        Args:
            url: Portico's redirect to the provider.
            press: ``cancel`` to refuse.
        """
        async with plain_http() as browser:
            page = await browser.get(url)
            for _ in range(_MOST_HOPS):
                sent = _sent(page)
                if not sent.url.startswith(f"{self._address}/"):
                    return sent
                page = await self._next(browser, page, sent, login, press)
        raise AssertionError(f"{url} never leads back")

    async def sign_in_with(self, tab: Page, login: str, press: str = "sign-in") -> None:
        await tab.fill("#login", login)
        await tab.click(f"#{press}")

    async def _next(
        self, browser: httpx.AsyncClient, page: httpx.Response, sent: Sent, login: str, press: str
    ) -> httpx.Response:
        if page.has_redirect_location:
            return await browser.get(sent.url)
        form = Document(page.text).forms[0]
        return await browser.post(sent.url, data=form.filled(press, {"login": login}))


def _sent(page: httpx.Response) -> Sent:
    here = str(page.url)
    if page.has_redirect_location:
        return Sent(urljoin(here, page.headers["location"]))
    forms = Document(page.text).forms
    assert forms, f"{page.status_code} at {here}: {page.text[:500]}"
    button = "continue" if forms[0].has("continue") else "sign-in"
    return Sent(urljoin(here, forms[0].action), forms[0].filled(button, {}))


@asynccontextmanager
async def served(app: ASGIApp, listener: socket.socket) -> AsyncIterator[None]:
    """Serves a provider; a stack must allow its address (``PORTICO_OUTBOUND_ALLOW``)."""
    async with serving(app, listener):
        yield


def listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def address_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"
