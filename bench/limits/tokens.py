"""Token, introspection, userinfo: parse, one Redis call, one signature, answer."""

from __future__ import annotations

import base64
import hashlib
import secrets

import msgspec
from portico_oauth.opaque import b64url, equal_in_constant_time, fingerprint, new_opaque
from portico_runtime.clock import Clock

from bench.limits import scripts
from bench.limits.answers import Answer, Ask, json
from bench.limits.redis_line import RedisLine
from bench.limits.signatures import ALGORITHMS, Signer, Verifier

PREFIX = "bench:"
LIFETIME = 3_600


class Tokens:
    """The endpoints of the token service.

    Which kind of access token a client gets is the end of its id: ``…-opaque``, ``…-RS256``, ``…-ES256``.
    """

    def __init__(self, issuer: str, secret: str, line: RedisLine, clock: Clock) -> None:
        self._issuer = issuer
        self._secret = fingerprint(secret)
        self._line = line
        self._clock = clock
        self.signers = {alg: Signer(alg) for alg in ALGORITHMS}
        self._verifier = Verifier(self.signers["RS256"])

    async def token(self, ask: Ask) -> Answer:
        """The token endpoint."""
        client_id = self._client(ask)
        form = ask.form()
        if not client_id:
            return json({"error": "invalid_client"}, 401)
        match form.get("grant_type"):
            case "client_credentials":
                return await self._client_credentials(client_id, form["scope"])
            case "refresh_token":
                return await self._refresh(client_id, form["refresh_token"])
            case "authorization_code":
                return await self._code(client_id, form)
        return json({"error": "unsupported_grant_type"}, 400)

    async def introspect(self, ask: Ask) -> Answer:
        """The introspection endpoint."""
        token = ask.form()["token"]
        if not self._client(ask):
            return json({"error": "invalid_client"}, 401)
        if "." in token:
            signed, _, signature = token.rpartition(".")
            self._verifier.verify(signed.encode(), _decoded(signature))
            claims = msgspec.json.decode(_decoded(signed.partition(".")[2]))
            if await self._line.ask("HGET", PREFIX + claims["jti"], "g") is None:
                return json({"active": False})
            return json({"active": True, "token_type": "Bearer", "username": "limit", **claims})
        found = await self._find(token)
        return json({"active": True, "token_type": "Bearer", **found} if found else {"active": False})

    async def userinfo(self, ask: Ask) -> Answer:
        """The userinfo endpoint."""
        found = await self._find(ask.header(b"authorization").partition(" ")[2])
        if found is None:
            return json({"error": "invalid_token"}, 401)
        said = {"sub": found["sub"], "name": "A Limit", "email": "limit@example.test", "email_verified": True}
        return json({**said, "given_name": "A", "family_name": "Limit", "locale": "en", "updated_at": found["iat"]})

    async def _client_credentials(self, client_id: str, scope: str) -> Answer:
        grant_id, kind = secrets.token_hex(16), client_id.rpartition("-")[2]
        if kind in self.signers:
            return json(self._answer(self._jwt(client_id, grant_id, kind), scope))
        return json(self._answer(await self._kept(client_id, grant_id), scope))

    async def _code(self, client_id: str, form: dict[str, str]) -> Answer:
        found = await scripts.run(self._line, scripts.REDEEM, (f"{PREFIX}code:{fingerprint(form['code'])}",))
        if found is None:
            return json({"error": "invalid_grant"}, 400)
        request = msgspec.json.decode(found)
        challenge = b64url(hashlib.sha256(form["code_verifier"].encode()).digest())
        right = (
            equal_in_constant_time(challenge, request["code_challenge"])
            and form["redirect_uri"] == request["redirect_uri"]
        )
        if not right:
            return json({"error": "invalid_grant"}, 400)
        grant_id = secrets.token_hex(16)
        refresh = f"{grant_id}~{new_text()}" if "offline_access" in request["scope"] else ""
        access = await self._kept(client_id, grant_id, refresh)
        if client_id.endswith("RS256"):
            access = self._jwt(client_id, grant_id, "RS256")
        answer = self._answer(access, request["scope"], client_id, request["nonce"])
        return json({**answer, "refresh_token": refresh} if refresh else answer)

    async def _refresh(self, client_id: str, presented: str) -> Answer:
        grant_id = presented.partition("~")[0]
        access, refresh = (f"{grant_id}~{new_text()}" for _ in range(2))
        found = await scripts.run(
            self._line, scripts.ROTATE, (PREFIX + grant_id,),
            fingerprint(presented), fingerprint(refresh), f"at:{fingerprint(access)}", str(int(self._clock.now())),
        )  # fmt: skip
        if found is None:
            return json({"error": "invalid_grant"}, 400)
        return json({**self._answer(access, "openid offline_access", client_id), "refresh_token": refresh})

    async def _kept(self, client_id: str, grant_id: str, refresh: str = "") -> str:
        access = f"{grant_id}~{new_text()}"
        record = {"sub": "limit", "client_id": client_id, "scope": "openid", "iat": int(self._clock.now())}
        key = PREFIX + grant_id
        await scripts.run(
            self._line, scripts.KEEP, (key,), msgspec.json.encode(record), f"at:{fingerprint(access)}", "1"
        )
        if refresh:
            await self._line.ask("HSET", key, "rt", fingerprint(refresh))
        return access

    async def _find(self, token: str) -> dict[str, object] | None:
        key = PREFIX + token.partition("~")[0]
        record, known = await self._line.ask("HMGET", key, "g", f"at:{fingerprint(token)}")
        found: dict[str, object] | None = msgspec.json.decode(record) if record and known else None
        return found

    def _jwt(self, client_id: str, grant_id: str, alg: str) -> str:
        now = int(self._clock.now())
        times = {"iat": now, "nbf": now, "exp": now + LIFETIME}
        claims = {"iss": self._issuer, "sub": client_id, "aud": [client_id], "client_id": client_id, "jti": grant_id}
        return self.signers[alg].sign({**claims, **times, "scope": "openid"})

    def _answer(self, access: str, scope: str, id_token_for: str = "", nonce: str = "") -> dict[str, object]:
        answer: dict[str, object] = {"access_token": access, "expires_in": LIFETIME, "scope": scope}
        answer["token_type"] = "Bearer"
        if id_token_for:
            now = int(self._clock.now())
            at_hash = b64url(hashlib.sha256(access.encode()).digest()[:16])
            who = {"iss": self._issuer, "sub": "limit", "aud": [id_token_for], "azp": id_token_for, "nonce": nonce}
            how = {"iat": now, "exp": now + LIFETIME, "auth_time": now, "amr": ["pwd"], "at_hash": at_hash}
            answer["id_token"] = self.signers["RS256"].sign({**who, **how})
        return answer

    def _client(self, ask: Ask) -> str:
        pair = _decoded_pair(ask.header(b"authorization").partition(" ")[2])
        client_id, _, secret = pair.partition(":")
        right = equal_in_constant_time(fingerprint(secret), self._secret)
        return client_id if right else ""


def new_text() -> str:
    """256 random bits."""
    return new_opaque("", secrets.token_bytes)


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _decoded_pair(text: str) -> str:
    return base64.b64decode(text).decode()
