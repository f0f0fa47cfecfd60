"""The endpoints of OpenID Connect: parse, one Redis call, one signature or password hash, answer."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Any, Final, cast
from urllib.parse import urlencode

import argon2
import msgspec
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from portico_contracts.http import AUTHORIZE_RESUME, LOGIN
from portico_oauth.jose import SigningKey
from portico_oauth.opaque import b64url, equal_in_constant_time, fingerprint, new_opaque
from portico_runtime.process.clock import SystemClock

from bench.limits.http import Request, Response, encode, json, respond, see_other
from bench.limits.redis_line import AUTHORIZE, KEEP, REDEEM, ROTATE, RedisLine

PREFIX: Final = "bench:"
"""Of all keys in Redis: the name of its user."""

LIFETIME: Final = 3_600
COOKIE: Final = "bench-ua"
SESSIONS: Final = 32
"""Browsers that are signed in from the start: the values of their cookies are the numbers below."""

_STORED: Final = ("redirect_uri", "state", "nonce", "scope", "code_challenge")
_PAGE: Final = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><main><h1>Sign in</h1>
<form method="post" action="{action}"><input type="hidden" name="request" value="{request}">
<label for="{id}">{label}</label><input id="{id}" name="{id}" type="{kind}">
<button id="{id}-submit" type="submit">Continue</button></form></main></html>
"""


class Signer:
    """Signs RS256 with one fresh key; the header is prepared once."""

    def __init__(self) -> None:
        self.key = SigningKey.generate("limit-RS256", "RS256")
        assert isinstance(self.key.private, rsa.RSAPrivateKey)  # noqa: S101
        self._private, self._public = self.key.private, self.key.private.public_key()
        self._head = b64url(encode({"alg": "RS256", "kid": self.key.kid, "typ": "JWT"})).encode() + b"."

    def sign(self, claims: dict[str, object]) -> str:
        signed = self._head + b64url(encode(claims)).encode()
        return f"{signed.decode()}.{b64url(self._private.sign(signed, padding.PKCS1v15(), SHA256()))}"

    def verified(self, token: str) -> dict[str, Any]:
        """The claims."""
        signed, _, signature = token.rpartition(".")
        self._public.verify(_decoded(signature), signed.encode(), padding.PKCS1v15(), SHA256())
        return cast("dict[str, Any]", msgspec.json.decode(_decoded(signed.partition(".")[2])))


class Tokens:
    """The endpoints of the token service. Clients whose id ends with RS256 get JWTs."""

    def __init__(self, issuer: str, secret: str, line: RedisLine) -> None:
        self._issuer = issuer
        self._secret = fingerprint(secret)
        self._line = line
        self._clock = SystemClock()
        self.signer = Signer()

    async def token(self, request: Request) -> Response:
        client_id, form = self._client(request), request.form()
        match form["grant_type"]:
            case "client_credentials":
                grant_id, signed = secrets.token_hex(16), client_id.endswith("RS256")
                access = self._jwt(client_id, grant_id) if signed else await self._stored(client_id, grant_id)
                return json(self._answer(access, form["scope"]))
            case "refresh_token":
                return await self._refresh(client_id, form["refresh_token"])
        return await self._code(client_id, form)

    async def introspect(self, request: Request) -> Response:
        token = request.form()["token"]
        self._client(request)
        if "." in token:
            claims = self.signer.verified(token)
            if await self._line.ask("HGET", PREFIX + claims["jti"], "g") is None:
                return json({"active": False})
            return json({"active": True, "token_type": "Bearer", "username": "limit", **claims})
        found = await self._find(token)
        return json({"active": True, "token_type": "Bearer", **found} if found else {"active": False})

    async def userinfo(self, request: Request) -> Response:
        found = await self._find(request.header(b"authorization").partition(" ")[2])
        if found is None:
            return json({"error": "invalid_token"}, 401)
        said = {"sub": found["sub"], "name": "A Limit", "email": "limit@example.test", "email_verified": True}
        return json({**said, "given_name": "A", "family_name": "Limit", "locale": "en", "updated_at": found["iat"]})

    async def _code(self, client_id: str, form: dict[str, str]) -> Response:
        request = msgspec.json.decode(await self._line.run(REDEEM, (f"{PREFIX}code:{fingerprint(form['code'])}",)))
        challenge = b64url(hashlib.sha256(form["code_verifier"].encode()).digest())
        right = equal_in_constant_time(challenge, request["code_challenge"])
        if not right or form["redirect_uri"] != request["redirect_uri"]:
            return json({"error": "invalid_grant"}, 400)
        grant_id = secrets.token_hex(16)
        refresh = f"{grant_id}~{_new_text()}" if "offline_access" in request["scope"] else ""
        access = await self._stored(client_id, grant_id, refresh)
        if client_id.endswith("RS256"):
            access = self._jwt(client_id, grant_id)
        answer = self._answer(access, request["scope"], client_id, request["nonce"])
        return json({**answer, "refresh_token": refresh} if refresh else answer)

    async def _refresh(self, client_id: str, presented: str) -> Response:
        grant_id = presented.partition("~")[0]
        access, refresh = (f"{grant_id}~{_new_text()}" for _ in range(2))
        hashes = fingerprint(presented), fingerprint(refresh), f"at:{fingerprint(access)}"
        found = await self._line.run(ROTATE, (PREFIX + grant_id,), *hashes, str(int(self._clock.now())))
        if found is None:
            return json({"error": "invalid_grant"}, 400)
        return json({**self._answer(access, "openid offline_access", client_id), "refresh_token": refresh})

    async def _stored(self, client_id: str, grant_id: str, refresh: str = "") -> str:
        access, now = f"{grant_id}~{_new_text()}", int(self._clock.now())
        record = {"sub": "limit", "client_id": client_id, "scope": "openid", "iat": now}
        await self._line.run(KEEP, (PREFIX + grant_id,), encode(record), f"at:{fingerprint(access)}", "1")
        if refresh:
            await self._line.ask("HSET", PREFIX + grant_id, "rt", fingerprint(refresh))
        return access

    async def _find(self, token: str) -> dict[str, object] | None:
        key = PREFIX + token.partition("~")[0]
        record, known = await self._line.ask("HMGET", key, "g", f"at:{fingerprint(token)}")
        return msgspec.json.decode(record, type=dict[str, object]) if record and known else None

    def _jwt(self, client_id: str, grant_id: str) -> str:
        now = int(self._clock.now())
        times = {"iat": now, "nbf": now, "exp": now + LIFETIME}
        claims = {"iss": self._issuer, "sub": client_id, "aud": [client_id], "client_id": client_id, "jti": grant_id}
        return self.signer.sign({**claims, **times, "scope": "openid"})

    def _answer(self, access: str, scope: str, id_token_for: str = "", nonce: str = "") -> dict[str, object]:
        answer = {"access_token": access, "expires_in": LIFETIME, "scope": scope, "token_type": "Bearer"}
        if not id_token_for:
            return answer
        now = int(self._clock.now())
        at_hash = b64url(hashlib.sha256(access.encode()).digest()[:16])
        who = {"iss": self._issuer, "sub": "limit", "aud": [id_token_for], "azp": id_token_for, "nonce": nonce}
        how = {"iat": now, "exp": now + LIFETIME, "auth_time": now, "amr": ["pwd"], "at_hash": at_hash}
        return {**answer, "id_token": self.signer.sign({**who, **how})}

    def _client(self, request: Request) -> str:
        pair = base64.b64decode(request.header(b"authorization").partition(" ")[2]).decode()
        client_id, _, secret = pair.partition(":")
        if not equal_in_constant_time(fingerprint(secret), self._secret):
            raise PermissionError(client_id)
        return client_id


class SignIn:
    """The endpoints of authz and of the login pages. Everybody has the same password."""

    def __init__(self, issuer: str, password: str, line: RedisLine, hasher: argon2.PasswordHasher) -> None:
        self._issuer = issuer
        self._line = line
        self._hasher = hasher
        self._hash = hasher.hash(password)

    async def create_sessions(self) -> None:
        for number in range(SESSIONS):
            await self._line.ask("SET", _session(str(number)), "limit")

    async def authorize(self, request: Request) -> Response:
        """A code for a browser that is signed in; the login pages for another one."""
        query = request.query()
        stored = msgspec.json.encode({name: query.get(name, "") for name in _STORED})
        if browser := _browser(request):
            return await self._code(browser, stored)
        id = _new_text()
        await self._line.ask("SET", _key(id), stored, "EX", 1800)
        return see_other(f"{LOGIN}?request={id}", _cookie(_new_text()))

    async def resume(self, request: Request) -> Response:
        """After the login pages."""
        return await self._code(_browser(request), await self._line.ask("GET", _key(request.query()["request"])))

    async def login(self, request: Request) -> Response:
        """The pages: login name, then password."""
        if request.scope["method"] == "POST":
            return await self._answered(request.form())
        id = request.query()["request"]
        name = await self._line.ask("GET", f"{_key(id)}:name")
        input, label, kind = ("password", "Password", "password") if name else ("loginname", "Login name", "text")
        page = _PAGE.format(action=f"{LOGIN}?request={id}", request=id, id=input, label=label, kind=kind)
        return respond(page.encode(), 200, b"text/html; charset=utf-8")

    async def _answered(self, form: dict[str, str]) -> Response:
        id = form["request"]
        if "loginname" in form:
            await self._line.ask("SET", f"{_key(id)}:name", form["loginname"], "EX", 1800)
            return see_other(f"{LOGIN}?request={id}")
        self._hasher.verify(self._hash, form["password"])
        browser = _new_text()
        await self._line.ask("SET", _session(browser), "limit", "EX", 3600)
        return see_other(f"{AUTHORIZE_RESUME}?request={id}", _cookie(browser))

    async def _code(self, browser: str, stored: bytes) -> Response:
        code, request = _new_text(), msgspec.json.decode(stored)
        found = await self._line.run(AUTHORIZE, (_session(browser), f"{PREFIX}code:{fingerprint(code)}"), stored)
        outcome = {"code": code} if found else {"error": "login_required"}
        answer = urlencode({**outcome, "state": request["state"], "iss": self._issuer})
        return see_other(f"{request['redirect_uri']}?{answer}")


def _new_text() -> str:
    return new_opaque("", secrets.token_bytes)


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _browser(request: Request) -> str:
    return request.header(b"cookie").partition(f"{COOKIE}=")[2]


def _key(id: str) -> str:
    return f"{PREFIX}request:{id}"


def _session(browser: str) -> str:
    return f"{PREFIX}session:{fingerprint(browser)}"


def _cookie(browser: str) -> str:
    return f"{COOKIE}={browser}; Path=/; HttpOnly; SameSite=Lax"
