"""Own login pages: name, password and the code of an authenticator app, with the calls of ZITADEL's API."""

import hmac
import os
import secrets
import time
from html import escape
from typing import Any
from urllib.parse import parse_qsl

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

ISSUER = os.environ.get("ISSUER", "http://localhost:8080")
SESSIONS, OIDC = "zitadel.session.v2.SessionService", "zitadel.oidc.v2.OIDCService"
COOKIE, MOST, SECONDS = "own_login", 10_000, 1800
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
WRONG = "The login name or the password is wrong."
PASSWORD_FORM = """<label>Login name <input name="name" id="name" value="{name}" autocomplete="username"></label>
<label>Password <input name="password" id="password" type="password" autocomplete="current-password"></label>"""
CODE_FORM = """<p>If you have an authenticator app, enter its code.</p>
<label>Code <input name="code" id="code" inputmode="numeric" autocomplete="one-time-code"></label>"""

portico = httpx.AsyncClient(base_url=ISSUER, headers={"Authorization": f"Bearer {os.environ['LOGIN_TOKEN']}"})
# By cookie. With several processes, keep them in a database.
sign_ins: dict[str, dict[str, Any]] = {}


class CallError(Exception):
    """A call was refused. The id of the error, as in AUTHZ-212, is at the end of the message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def call(service: str, method: str, **members: Any) -> dict[str, Any]:
    """Performs a call of Connect with JSON."""
    try:
        answer = await portico.post(f"/{service}/{method}", json=members)
        body = dict(answer.json())
    except (httpx.TransportError, ValueError):
        raise CallError(503, "The sign-in is not available at the moment. Try again.") from None
    if answer.status_code != 200:
        raise CallError(answer.status_code, body.get("message", ""))
    return body


async def start(request: Request) -> Response:
    """Portico redirects the browser here with the id of the authorization request."""
    request_id = request.query_params.get("authRequest", "")
    try:
        found = (await call(OIDC, "GetAuthRequest", authRequestId=request_id))["authRequest"]
    except CallError as error:
        return problem(error)
    while sign_ins and (len(sign_ins) >= MOST or next(iter(sign_ins.values()))["until"] < time.time()):
        sign_ins.pop(next(iter(sign_ins)))  # the oldest
    cookie, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    sign_ins[cookie] = {"request": request_id, "csrf": csrf, "until": time.time() + SECONDS, "session": None}
    response = page(sign_ins[cookie], PASSWORD_FORM.format(name=escape(found.get("loginHint", ""))))
    response.set_cookie(COOKIE, cookie, httponly=True, samesite="lax", secure=request.url.scheme == "https")
    return response


async def take(request: Request) -> Response:
    form = dict(parse_qsl((await request.body()).decode()))
    sign_in = sign_ins.get(request.cookies.get(COOKIE, ""))
    # Only a form of this sign-in in this browser is accepted.
    if sign_in is None or not hmac.compare_digest(form.get("csrf", "").encode(), sign_in["csrf"].encode()):
        return HTMLResponse("<p>This sign-in has expired. Start again at the application.</p>", 403, HEADERS)
    try:
        if "cancel" in form:
            return await finish(request, sign_in, error={"error": "ERROR_REASON_ACCESS_DENIED"})
        if sign_in["session"] is None:
            return await take_password(sign_in, form)
        return await take_code(request, sign_in, form)
    except CallError as error:
        return problem(error)


async def take_password(sign_in: dict[str, Any], form: dict[str, str]) -> Response:
    checks = {
        "user": {"loginName": form.get("name", "").strip()},
        "password": {"password": form.get("password", "")},
    }
    try:
        made = await call(SESSIONS, "CreateSession", checks=checks, lifetime=f"{SECONDS}s")
    except CallError as error:
        if error.status != 400:
            raise
        # An unknown name gets the response of a wrong password.
        return page(sign_in, PASSWORD_FORM.format(name=escape(form.get("name", ""))), WRONG)
    sign_in["session"] = {"sessionId": made["sessionId"], "sessionToken": made["sessionToken"]}
    return page(sign_in, CODE_FORM)


async def take_code(request: Request, sign_in: dict[str, Any], form: dict[str, str]) -> Response:
    session = sign_in["session"]
    if code := form.get("code", "").strip():
        try:
            changed = await call(
                SESSIONS, "SetSession", sessionId=session["sessionId"], checks={"totp": {"code": code}}
            )
        except CallError as error:
            if error.status != 400:
                raise
            return page(sign_in, CODE_FORM, "The code is wrong.")
        session["sessionToken"] = changed["sessionToken"]  # each change replaces it
    # If a second factor is required and missing, Portico's pages ask for it after the redirect.
    return await finish(request, sign_in, session=session)


async def finish(request: Request, sign_in: dict[str, Any], **kind: Any) -> Response:
    """The address signs in only the browser in which the application began the sign-in: redirect this one."""
    done = await call(OIDC, "CreateCallback", authRequestId=sign_in["request"], **kind)
    sign_ins.pop(request.cookies[COOKIE], None)
    response = RedirectResponse(done["callbackUrl"], 303, HEADERS)
    response.delete_cookie(COOKIE)
    return response


def page(sign_in: dict[str, Any], fields: str, text: str = "") -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><title>Sign in</title><h1>Sign in</h1><p id="problem">{escape(text)}</p>'
        f'<form method="post" action="/login"><input type="hidden" name="csrf" value="{sign_in["csrf"]}">{fields}'
        '<button id="go">Continue</button><button id="cancel" name="cancel" value="1">Cancel</button></form>',
        headers=HEADERS,
    )


def problem(error: CallError) -> HTMLResponse:
    """Waiting times (429) and failures: the message says what to do."""
    return HTMLResponse(f'<p id="problem">{escape(str(error))}</p>', error.status, HEADERS)


app = Starlette(routes=[Route("/login", start), Route("/login", take, methods=["POST"])])
