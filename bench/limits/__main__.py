"""Serves the bare application with the settings every service is served with: ``python -m bench.limits``.

It is a dictionary from path to function, and FastAPI for users.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import argon2
from portico_contracts import http
from portico_runtime.mongo.client import MongoClient
from portico_runtime.process.health import Health
from portico_runtime.service import run
from portico_runtime.settings.sections.hashing import HashingSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.service import ServiceSection
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.limits import users
from bench.limits.http import Handler, Request, Response, encode, read_body, respond
from bench.limits.openid import PREFIX, SignIn, Tokens
from bench.limits.redis_line import connect

_METADATA = {
    "authorization_endpoint": http.AUTHORIZE,
    "token_endpoint": http.TOKEN,
    "introspection_endpoint": http.INTROSPECT,
    "userinfo_endpoint": http.USERINFO,
    "jwks_uri": http.KEYS,
}


class LimitSettings(ServiceSection, RedisSection, MongoSection, HashingSection):
    """As many settings as a service would have."""


def _create(settings: LimitSettings) -> tuple[ASGIApp, Health]:
    handlers: dict[str, Handler] = {}

    @asynccontextmanager
    async def live(_app: object) -> AsyncIterator[None]:
        # Clients and users of the limit share this one secret.
        password = settings.redis_password.get_secret_value()
        line = await connect(settings.redis_url, PREFIX.rstrip(":"), password)
        hasher = argon2.PasswordHasher(settings.argon2_passes, settings.argon2_memory_kib, parallelism=1)
        sign_in = SignIn(settings.issuer, password, line, hasher)
        await sign_in.create_sessions()
        await users.prepare(mongo)
        handlers.update(_handlers(settings.issuer, Tokens(settings.issuer, password, line), sign_in))
        yield
        line.close()
        await mongo.close()

    mongo = MongoClient(settings, users.USER)
    users_app = users.users_app(mongo, live)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or scope["path"].startswith("/v2/users"):
            await users_app(scope, receive, send)
            return
        body = await read_body(receive) if scope["method"] == "POST" else b""
        status, headers, content = await handlers[scope["path"]](Request(scope, body))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    return app, Health()


def _handlers(issuer: str, tokens: Tokens, sign_in: SignIn) -> dict[str, Handler]:
    metadata: dict[str, object] = {name: f"{issuer}{path}" for name, path in _METADATA.items()}
    grants = ["authorization_code", "refresh_token", "client_credentials"]
    return {
        http.DISCOVERY: _prepared({"issuer": issuer, **metadata, "grant_types_supported": grants}),
        http.KEYS: _prepared({"keys": [tokens.signer.key.public_jwk()]}),
        http.TOKEN: tokens.token,
        http.INTROSPECT: tokens.introspect,
        http.USERINFO: tokens.userinfo,
        http.AUTHORIZE: sign_in.authorize,
        http.AUTHORIZE_RESUME: sign_in.resume,
        http.LOGIN: sign_in.login,
        http.MANAGEMENT_OPENAPI: _prepared({}),
    }


def _prepared(value: object) -> Handler:
    answer = respond(encode(value))

    async def handle(_request: Request) -> Response:
        return answer

    return handle


if __name__ == "__main__":
    run("limit", LimitSettings, _create)
