"""Console with a provider in memory."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest
from portico_console.app import Parts, create_app
from portico_console.settings import Settings
from portico_contracts.generated.portico.v1.error_pb2 import ErrorDetail
from portico_contracts.management import METHODS
from portico_oauth.jose import SigningKey
from portico_oauth.pkce import challenge_of

from portico_fakes.clock import FrozenClock
from portico_fakes.memory_console_sessions import MemoryConsoleSessions
from portico_fakes.over_httpx import OverHttpx
from portico_fakes.randomness import seeded_bytes

ISSUER: Final = "https://id.example"
SUBJECT: Final = "u1"

Answer = Callable[[dict[str, Any], httpx.Request], httpx.Response]


def refusal(code: str, status: int, id: str, text: str, **fields: str) -> Answer:
    """`fields` are the errors of fields; users puts the first of them into the text."""
    details = [_detail(ErrorDetail(id=id, message=text))]
    if fields:
        found = [BadRequest.FieldViolation(field=name, description=problem) for name, problem in fields.items()]
        text = f"{found[0].field}: {found[0].description}"
        details = [_detail(ErrorDetail(id=id, message=text)), _detail(BadRequest(field_violations=found))]
    body = {"code": code, "message": f"{text} ({id})", "details": details}
    return lambda _fields, _request: httpx.Response(status, json=body)


def _detail(message: Message) -> dict[str, str]:
    value = base64.b64encode(message.SerializeToString()).decode().rstrip("=")
    return {"type": message.DESCRIPTOR.full_name, "value": value}


PERMISSIONS: Final = "portico.management.v1.CallerService/ListMyPermissions"


def answering(body: dict[str, Any]) -> Answer:
    return lambda _fields, _request: httpx.Response(200, json=body)


def holding(*permissions: str) -> Answer:
    """The answer to `PERMISSIONS` in organization ``o1``."""
    held = [{"permission": one, "roles": ["SOME_ROLE"]} for one in permissions]
    return answering({"org": {"id": "o1", "name": "Org"}, "permissions": held})


_NO_PERMISSIONS: Final = {"org": {"id": "o1", "name": "Org"}, "permissions": []}


@dataclass
class FakeProvider:
    """A fake of token, keys and users.

    Attributes:
        key: signs ID tokens.
        published: replaces that key in the key set.
        claims: replace those of the ID token.
        active: valid access tokens.
        answers: by method of the management API.
        calls: calls of the management API: method and fields.
        forms: forms sent to the token endpoint.
    """

    clock: FrozenClock
    key: SigningKey = field(default_factory=partial(SigningKey.generate, "k1", "ES256"))
    published: SigningKey | None = None
    claims: dict[str, Any] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    answers: dict[str, Answer] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    requests: list[httpx.Request] = field(default_factory=list)
    seconds: int = 3_600
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorize(self, location: str) -> str:
        """Returns the URL of the callback for an authorization request."""
        query = dict(parse_qsl(urlsplit(location).query))
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        return f"{query['redirect_uri']}?code={code}&state={query['state']}&iss={ISSUER}"

    async def token(self, request: httpx.Request) -> httpx.Response:
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        self.forms.append(form)
        asked = self._codes.pop(form["code"], None)
        if asked is None or challenge_of(form["code_verifier"]) != asked["code_challenge"]:
            return httpx.Response(400, json={"error": "invalid_grant"})
        now = int(self.clock.now())
        claims = {
            "iss": ISSUER, "sub": SUBJECT, "aud": form["client_id"], "exp": now + 3_600, "iat": now, "auth_time": now,
            "nonce": asked["nonce"], "acr": "urn:portico:acr:mfa", "sid": "s1", "name": "Ada", "locale": "en",
        } | self.claims  # fmt: skip
        access_token = f"at-{len(self.forms)}"
        self.active.add(access_token)
        id_token = self.key.sign(json.dumps(claims).encode())
        return httpx.Response(
            200, json={"access_token": access_token, "id_token": id_token, "expires_in": self.seconds}
        )

    async def keys(self, _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"keys": [(self.published or self.key).public_jwk()]})

    async def users(self, request: httpx.Request) -> httpx.Response:
        """The management API: 401 without an active token, otherwise the configured response or an empty one."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self.active:
            return httpx.Response(401, json={"code": "unauthenticated"})
        method = request.url.path.removeprefix("/")
        fields = json.loads(request.content or b"{}")
        known = METHODS.get(method.replace("/", "."))
        if known and (unknown := fields.keys() - {one.json_name for one in known.request.DESCRIPTOR.fields}):
            raise AssertionError(f"{method} has no fields {unknown}")
        self.calls.append((method, fields))
        self.requests.append(request)
        answer = self.answers.get(method)
        if answer:
            return answer(fields, request)
        # Every page of the console reads the permissions.
        return httpx.Response(200, json=_NO_PERMISSIONS if method.endswith("/ListMyPermissions") else {})


async def _refuse_repeated_ids(response: httpx.Response) -> None:
    if response.headers.get("content-type", "").startswith("text/html"):
        await response.aread()
        counted = Counter(re.findall(r'\sid="([^"]*)"', response.text))
        repeated = [one for one, count in counted.items() if count > 1]
        assert not repeated, f"{response.url.path} has elements with the same id: {repeated}"


class ConsoleService:
    def __init__(self, clock: FrozenClock, *, sessions: MemoryConsoleSessions | None = None, **settings: Any) -> None:
        self.clock = clock
        self.provider = FakeProvider(clock)
        random = seeded_bytes(31)
        self.sessions = sessions or MemoryConsoleSessions(clock, random)
        self.client_key = ec.generate_private_key(ec.SECP256R1())
        pem = self.client_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        values = {
            "issuer": ISSUER,
            "master_keys": base64.b64encode(random(32)).decode(),
            "console_client_key": pem,
            **settings,
        }
        ways = [OverHttpx(httpx.MockTransport(answer)) for answer in self._endpoints()]
        parts = Parts(ways[0], ways[1], ways[2], self.sessions, clock, random)
        self.app, self.health = create_app(Settings.model_validate(values), parts)

    def browser(self, *, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """Fails at a page on which two elements have the same id."""
        hooks: dict[str, list[Callable[..., Any]]] = {"response": [_refuse_repeated_ids]}
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url=ISSUER, headers=headers, event_hooks=hooks)

    async def sign_in(self, browser: httpx.AsyncClient, path: str) -> httpx.Response:
        """Opens a page and signs in; returns the response to the callback."""
        begun = await browser.get(path)
        return await browser.get(self.provider.authorize(begun.headers["location"]))

    def _endpoints(self) -> tuple[Any, Any, Any]:
        return self.provider.token, self.provider.keys, self.provider.users

    def sent(self, method: str) -> list[dict[str, Any]]:
        """Fields of the calls of a method of the management API."""
        return [fields for name, fields in self.provider.calls if name == method]


async def send(browser: httpx.AsyncClient, path: str, *, page: str = "", **fields: str) -> httpx.Response:
    """Submits the form at `path`; `page` is where its token is, by default there."""
    shown = await browser.get(page or path)
    csrf = shown.text.split('name="csrf" value="')[1].split('"')[0]
    return await browser.post(path, data={"csrf": csrf, **fields}, headers={"Origin": ISSUER})
