"""Authorize and the login pages: a Redis call per step, one password hash, a code."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

import argon2
import msgspec
from portico_contracts.http import AUTHORIZE_RESUME, LOGIN
from portico_oauth.opaque import fingerprint

from bench.limits import scripts
from bench.limits.answers import Answer, Ask, html, json, see_other
from bench.limits.redis_line import RedisLine
from bench.limits.tokens import PREFIX, new_text

COOKIE: Final = "bench-ua"
_KEPT: Final = ("redirect_uri", "state", "nonce", "scope", "code_challenge")
_PAGE: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><main><h1>Sign in</h1>
<form method="post" action="{action}"><input type="hidden" name="request" value="{request}">
<label for="{id}">{label}</label><input id="{id}" name="{id}" type="{kind}">
<button id="{id}-submit" type="submit">Continue</button></form></main></html>
"""


class SignIn:
    """The endpoints of authz and of the login pages. Everybody has the same password."""

    def __init__(self, issuer: str, password: str, line: RedisLine, hasher: argon2.PasswordHasher) -> None:
        self._issuer = issuer
        self._line = line
        self._hasher = hasher
        self._hash = hasher.hash(password)

    async def authorize(self, ask: Ask) -> Answer:
        """A code for a browser that is signed in; for another one, the login pages."""
        query = ask.query()
        kept = msgspec.json.encode({name: query.get(name, "") for name in _KEPT})
        browser = ask.header(b"cookie").partition(f"{COOKIE}=")[2]
        if browser:
            return await self._code(browser, kept)
        request, browser = new_text(), new_text()
        await self._line.ask("SET", _request(request), kept, "EX", 1800)
        return see_other(f"{LOGIN}?request={request}", _cookie(browser))

    async def resume(self, ask: Ask) -> Answer:
        """After the login pages."""
        kept = await self._line.ask("GET", _request(ask.query()["request"]))
        return await self._code(ask.header(b"cookie").partition(f"{COOKIE}=")[2], kept)

    async def login(self, ask: Ask) -> Answer:
        """The pages: login name, then password."""
        if ask.scope["method"] == "POST":
            return await self._answered(ask.form())
        request = ask.query()["request"]
        name = await self._line.ask("GET", f"{_request(request)}:name")
        shown = ("password", "Password", "password") if name else ("loginname", "Login name", "text")
        id, label, kind = shown
        return html(_PAGE.format(action=f"{LOGIN}?request={request}", request=request, id=id, label=label, kind=kind))

    async def _answered(self, form: dict[str, str]) -> Answer:
        request = form["request"]
        if "loginname" in form:
            await self._line.ask("SET", f"{_request(request)}:name", form["loginname"], "EX", 1800)
            return see_other(f"{LOGIN}?request={request}")
        try:
            self._hasher.verify(self._hash, form["password"])
        except argon2.exceptions.VerifyMismatchError:
            return see_other(f"{LOGIN}?request={request}")
        browser = new_text()
        await self._line.ask("SET", _session(browser), "limit", "EX", 3600)
        return see_other(f"{AUTHORIZE_RESUME}?request={request}", _cookie(browser))

    async def _code(self, browser: str, kept: bytes) -> Answer:
        code = new_text()
        keys = (_session(browser), f"{PREFIX}code:{fingerprint(code)}")
        if await scripts.run(self._line, scripts.AUTHORIZE, keys, kept) is None:
            return json({"error": "login_required"}, 400)
        request = msgspec.json.decode(kept)
        answer = urlencode({"code": code, "state": request["state"], "iss": self._issuer})
        return see_other(f"{request['redirect_uri']}?{answer}")


def _request(request: str) -> str:
    return f"{PREFIX}request:{request}"


def _session(browser: str) -> str:
    return f"{PREFIX}session:{fingerprint(browser)}"


def _cookie(browser: str) -> str:
    return f"{COOKIE}={browser}; Path=/; HttpOnly; SameSite=Lax"
