"""The authz service for tests: one replica over played peers, a browser with cookies, and the login pages' part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import msgspec
from msgspec.structs import replace
from portico_authz.app import Parts, create_app
from portico_authz.domain.ports import Stores
from portico_authz.settings import AuthzSettings
from portico_contracts import http
from portico_contracts.keys import PUBLIC_KEYS, AskPublicKeys, PublicKeys
from portico_contracts.login import Answer, AskStep, Step, StepName
from portico_contracts.subjects import decode, encode
from portico_contracts.users import (
    GET_CLIENT,
    GET_USER,
    VERIFY_PASSWORD,
    AskClient,
    AskUser,
    AuthMethod,
    Client,
    ClientFound,
    ClientKind,
    PasswordVerified,
    User,
    UserFound,
    VerifyPassword,
)
from portico_oauth.errors import Fact, Kind
from portico_oauth.jose import SigningKey
from portico_runtime.clock import Clock
from portico_web.cookies import BrowserCookie

from portico_testing.memory_authz import memory_authz_stores
from portico_testing.memory_bus import MemoryBus
from portico_testing.randomness import seeded_bytes

ISSUER: Final = "https://id.example.test"
CALLBACK: Final = "https://app.example.test/cb"
LOGIN_KEY: Final = "a-login-api-key-for-tests-with-40-chars!"
PASSWORD: Final = "correct horse battery"
ADA: Final = User(user_id="u-ada", org_id="org-1", user_name="ada", login_name="ada@example.test", human=True)
BOB: Final = User(user_id="u-bob", org_id="org-2", user_name="bob", login_name="bob@other.test", human=True)

SLOW_DOWN = Fact("TEST-010", Kind.SLOW_DOWN, "Too many attempts.")

WEB: Final = Client(
    client_id="web",
    kind=ClientKind.OIDC,
    name="Demo shop",
    app_id="app-web",
    project_id="project-1",
    org_id="org-1",
    auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    audience=("web", "project-1"),
    redirect_uris=(CALLBACK, f"{CALLBACK}?keep=1"),
    response_types=("code",),
    grant_types=("authorization_code",),
)


class PlayedPeers:
    """Answers for users and keys: what is in the dictionaries exists and is active."""

    def __init__(self, bus: MemoryBus) -> None:
        self.clients = {client.client_id: client for client in (WEB, replace(WEB, client_id="other"))}
        self.people = {user.user_id: user for user in (ADA, BOB)}
        self.signing = SigningKey.generate("kid-1", "ES256")
        self.attempts: list[VerifyPassword] = []
        self.wait_seconds = 0
        bus.answer(GET_CLIENT, self._client)
        bus.answer(GET_USER, self._user)
        bus.answer(VERIFY_PASSWORD, self._verify)
        bus.answer(PUBLIC_KEYS, self._keys)

    def register(self, client_id: str, **fields: Any) -> Client:
        """A client like `WEB` with other fields."""
        self.clients[client_id] = replace(WEB, client_id=client_id, **fields)
        return self.clients[client_id]

    def sign(self, claims: Mapping[str, object], *, typ: str = "JWT") -> str:
        """A token the played keys service publishes the key of."""
        return self.signing.sign(msgspec.json.encode(claims), typ=typ)

    async def _client(self, ask: AskClient) -> ClientFound:
        return ClientFound(client=self.clients.get(ask.client_id))

    async def _user(self, ask: AskUser) -> UserFound:
        return UserFound(user=self.people.get(ask.user_id))

    async def _keys(self, _ask: AskPublicKeys) -> PublicKeys:
        return PublicKeys(jwks=(self.signing.public_jwk(),))

    async def _verify(self, ask: VerifyPassword) -> PasswordVerified:
        self.attempts.append(ask)
        if self.wait_seconds:
            raise SLOW_DOWN.refusal(retry_after=self.wait_seconds)
        for user in self.people.values():
            named = ask.login_name in (user.user_name, user.login_name) and ask.org_id in ("", user.org_id)
            if named and ask.password == PASSWORD:
                return PasswordVerified(user=user)
        return PasswordVerified()


@dataclass(frozen=True)
class Landing:
    """An authorization response as the relying party receives it."""

    response: httpx.Response

    @property
    def query(self) -> dict[str, str]:
        """Parameters in the query."""
        return dict(parse_qsl(urlsplit(self.response.headers["location"]).query))

    @property
    def fragment(self) -> dict[str, str]:
        """Parameters in the fragment."""
        return dict(parse_qsl(urlsplit(self.response.headers["location"]).fragment))


class AuthzService:
    """One replica and what it asks."""

    def __init__(self, clock: Clock, bus: MemoryBus, stores: Stores | None = None, **settings: Any) -> None:
        self.bus = bus
        self.peers = PlayedPeers(bus)
        self.stores = stores or memory_authz_stores(clock)
        self.settings = AuthzSettings.model_validate({"issuer": ISSUER, "login_api_key": LOGIN_KEY, **settings})
        parts = Parts(bus=bus, stores=self.stores, clock=clock, random=seeded_bytes(7))
        self.app = create_app(self.settings, parts=parts)

    def browser(self) -> PlayedBrowser:
        """A new browser without cookies."""
        return PlayedBrowser(self)


class PlayedBrowser:
    """A browser, and the login pages it sees; keeps cookies, follows nothing by itself."""

    def __init__(self, service: AuthzService) -> None:
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(service.app, raise_app_exceptions=False), base_url=ISSUER
        )
        self._cookie_name = BrowserCookie(ISSUER).name
        self.handle = ""
        """The value of the cookie."""

    async def get(self, path: str, params: Any = None) -> httpx.Response:
        """A GET with the cookie."""
        return self._keep(await self.http.get(path, params=params, headers=self._headers()))

    async def post(self, path: str, data: Mapping[str, str], *, cookie: bool = False) -> httpx.Response:
        """A form post from another site: without the cookie, which is SameSite=Lax."""
        return self._keep(await self.http.post(path, data=dict(data), headers=self._headers() if cookie else {}))

    async def authorize(self, **parameters: str | None) -> httpx.Response:
        """An authorization request of `WEB`; None leaves a parameter out."""
        return await self.get(http.AUTHORIZE, authorize_parameters(**parameters))

    async def begin(self, **parameters: str | None) -> str:
        """An authorization request that leads to the login pages; its id."""
        response = await self.authorize(**parameters)
        return request_in(response)

    async def ask(self, id: str) -> Step:
        """What the login pages are told to show."""
        return decode((await self._post(id, "step", AskStep(browser=self.handle or "-"))).content, Step)

    async def ask_raw(self, id: str) -> httpx.Response:
        """The same, whatever comes back."""
        return await self._post(id, "step", AskStep(browser=self.handle or "-"))

    async def answer(self, id: str, shown: Step, **fields: Any) -> Step:
        """Answers a step that was shown; takes the cookie the answer brings."""
        response = await self.answer_raw(id, shown, **fields)
        if response.status_code != 200:
            raise AssertionError(response.text)
        following = decode(response.content, Step)
        self._take_cookie(following.set_cookie)
        return following

    async def answer_raw(self, id: str, shown: Step, **fields: Any) -> httpx.Response:
        """The same, whatever comes back."""
        values = {"browser": self.handle or "-", "csrf": shown.csrf, "step": shown.name, **fields}
        return await self._post(id, "answer", Answer(**values))

    async def name(self, id: str, login_name: str = "ada") -> Step:
        """Goes past the login name."""
        return await self.answer(id, await self.ask(id), login_name=login_name)

    async def log_in(self, id: str, login_name: str = "ada") -> Step:
        """Login name and password."""
        return await self.answer(id, await self.name(id, login_name), password=PASSWORD)

    async def start_over(self, id: str) -> Step:
        """Back to the login name."""
        return await self.answer(id, await self.ask(id), restart=True)

    async def sign_in(self, login_name: str = "ada", **parameters: str | None) -> Landing:
        """A whole sign-in, from the request to the relying party."""
        done = await self.log_in(await self.begin(**parameters), login_name)
        if done.name is not StepName.DONE:
            raise AssertionError(done.problem)
        return Landing(await self.get(done.continue_to))

    async def _post(self, id: str, verb: str, message: msgspec.Struct) -> httpx.Response:
        headers = {"Authorization": f"Bearer {LOGIN_KEY}"}
        return await self.http.post(f"{http.LOGIN_API}/{id}/{verb}", content=encode(message), headers=headers)

    def _headers(self) -> dict[str, str]:
        return {"Cookie": f"{self._cookie_name}={self.handle}"} if self.handle else {}

    def _keep(self, response: httpx.Response) -> httpx.Response:
        self.http.cookies.clear()
        self._take_cookie(response.headers.get("set-cookie", ""))
        return response

    def _take_cookie(self, header: str) -> None:
        name, _, value = header.partition(";")[0].partition("=")
        if name == self._cookie_name:
            self.handle = value


def authorize_parameters(**parameters: str | None) -> dict[str, str]:
    """The parameters of an ordinary request of `WEB` with changes; None leaves one out."""
    values: dict[str, str | None] = {
        "client_id": "web",
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "scope": "openid",
        "state": "st-1",
        **parameters,
    }
    return {name: value for name, value in values.items() if value is not None}


def request_in(response: httpx.Response) -> str:
    """The id of the kept request in an answer that leads to the login pages."""
    location = urlsplit(str(response.headers.get("location", "")))
    if location.path != http.LOGIN:
        raise AssertionError(f"{response.status_code} {response.headers.get('location')} {response.text[:200]}")
    (id,) = parse_qs(location.query)["request"]
    return id
