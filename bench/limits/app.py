"""The bare application: a dictionary from path to function, and FastAPI for users."""

from __future__ import annotations

import argon2
import msgspec
from portico_contracts import http
from portico_runtime.clock import SystemClock
from portico_runtime.mongo import MongoClient
from portico_runtime.settings import HashingSection, MongoSection, RedisSection, ServiceSection
from starlette.types import Receive, Scope, Send

from bench.limits import people, scripts
from bench.limits.answers import Answer, Ask, Handler, document, read_body
from bench.limits.redis_line import connect
from bench.limits.sign_in import SignIn
from bench.limits.tokens import Tokens

USER = "bench"
"""The Redis user; its keys begin with its name."""

_USERS = "/v2/users"


class LimitSettings(ServiceSection, RedisSection, MongoSection, HashingSection):
    """The settings of the bare application: as many as a service would have."""


class LimitApp:
    """An ASGI application."""

    def __init__(self, settings: LimitSettings) -> None:
        self._settings = settings
        self._handlers: dict[str, Handler] = {}
        self._users = people.People(MongoClient(settings, people.USER))
        self._users_app = people.users_app(self._users)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or starts and ends."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        path = str(scope["path"])
        if path.startswith(_USERS):
            await self._users_app(scope, receive, send)
            return
        body = await read_body(receive) if scope["method"] == "POST" else b""
        handler = self._handlers.get(path, _absent)
        status, headers, content = await handler(Ask(scope, body))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        password = self._settings.redis_password.get_secret_value()
        line = await connect(self._settings.redis_url, USER, password)
        await scripts.load(line)
        # The clients and the people of the limit share this one secret, which its owner knows anyway.
        tokens = Tokens(self._settings.issuer, password, line, SystemClock())
        hasher = argon2.PasswordHasher(
            time_cost=self._settings.argon2_passes, memory_cost=self._settings.argon2_memory_kib, parallelism=1
        )
        sign_in = SignIn(self._settings.issuer, password, line, hasher)
        if self._settings.mongo_password.get_secret_value():
            await self._users.start()
        self._handlers = _handlers(self._settings.issuer, tokens, sign_in)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        line.close()
        await self._users.close()
        await send({"type": "lifespan.shutdown.complete"})


def _handlers(issuer: str, tokens: Tokens, sign_in: SignIn) -> dict[str, Handler]:
    keys = [signer.key.public_jwk() for signer in tokens.signers.values()]
    return {
        http.DISCOVERY: _standing(msgspec.json.encode(_metadata(issuer))),
        http.KEYS: _standing(msgspec.json.encode({"keys": keys})),
        http.TOKEN: tokens.token,
        http.INTROSPECT: tokens.introspect,
        http.USERINFO: tokens.userinfo,
        http.AUTHORIZE: sign_in.authorize,
        http.AUTHORIZE_RESUME: sign_in.resume,
        http.LOGIN: sign_in.login,
        http.MANAGEMENT_OPENAPI: _standing(b"{}"),
    }


def _metadata(issuer: str) -> dict[str, object]:
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}{http.AUTHORIZE}",
        "token_endpoint": f"{issuer}{http.TOKEN}",
        "introspection_endpoint": f"{issuer}{http.INTROSPECT}",
        "userinfo_endpoint": f"{issuer}{http.USERINFO}",
        "jwks_uri": f"{issuer}{http.KEYS}",
        "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": ["openid", "profile", "email", "phone", "address", "offline_access"],
    }


def _standing(body: bytes) -> Handler:
    answer = document(body)

    async def stand(_ask: Ask) -> Answer:
        return answer

    return stand


async def _absent(_ask: Ask) -> Answer:
    return Answer(404, [(b"content-length", b"0")], b"")
