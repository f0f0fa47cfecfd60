"""One replica of authz over fake peers, a browser with cookies, and the calls of the login pages."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import msgspec
from portico_authz.app import Parts, assemble
from portico_authz.domain.ports import Stores
from portico_authz.settings import AuthzSettings
from portico_contracts import http
from portico_contracts.login import GetStep, PasskeyOffered, RequestPasskey, Step
from portico_contracts.login_external import ReturnExternal
from portico_contracts.login_logout import ConfirmLogout, Logout, RequestLogout
from portico_contracts.login_wire import SentReturned
from portico_contracts.step_names import StepName
from portico_contracts.subjects import decode, encode
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache.lease import VersionReader
from portico_runtime.versioned_cache.memory import VersionedCache
from portico_web.cookies import BrowserCookie

from portico_fakes.application_client import ApplicationClient
from portico_fakes.authz_peers import ADA, BOB, CALLBACK, PASSWORD, RIGHT_CODE, WEB, FakePeers
from portico_fakes.login_messages import read_step
from portico_fakes.memory_authz import memory_authz_stores
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.randomness import seeded_bytes

__all__ = [
    "ADA", "BOB", "CALLBACK", "ISSUER", "LOGIN_KEY", "PASSWORD", "RIGHT_CODE", "WEB", "AuthzService", "FakeBrowser", "FakePeers",
    "FakePosts", "Landing", "authorize_parameters", "request_in",
]  # fmt: skip

ISSUER: Final = "https://id.example.test"
LOGIN_KEY: Final = "a-login-api-key-for-tests-with-40-chars!"


class FakePosts:
    """Records back-channel posts and answers with a status."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, str]]] = []
        self.statuses: dict[str, int] = {}
        self.errors: dict[str, OutboundError] = {}

    async def post_form(self, url: str, fields: Mapping[str, str]) -> int:
        self.sent.append((url, dict(fields)))
        if url in self.errors:
            raise self.errors[url]
        return self.statuses.get(url, 200)


@dataclass(frozen=True)
class Landing:
    """An authorization response as the relying party receives it."""

    response: httpx.Response

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.response.headers["location"]).query))

    @property
    def fragment(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.response.headers["location"]).fragment))


class AuthzService:
    def __init__(
        self,
        clock: Clock,
        bus: MemoryBus,
        stores: Stores | None = None,
        *,
        versions: VersionReader | None = None,
        **settings: Any,
    ) -> None:
        self.bus = bus
        self.peers = FakePeers(bus)
        self.stores = stores or memory_authz_stores(clock)
        self.settings = AuthzSettings.model_validate({"issuer": ISSUER, "login_api_key": LOGIN_KEY, **settings})
        self.posts = FakePosts()
        # A real store is shared with other tests and replicas, so identifiers must not repeat.
        random = secrets.token_bytes if stores else seeded_bytes(7)
        self.memory = VersionedCache(versions, clock, most=1_000, monotonic=clock.now)
        parts = Parts(bus=bus, stores=self.stores, clock=clock, random=random, posts=self.posts, memory=self.memory)
        self.assembly = assemble(self.settings, parts)
        self.app = self.assembly.app
        self.back_channel = self.assembly.back_channel
        self.publisher = self.assembly.publisher

    def browser(self) -> FakeBrowser:
        return FakeBrowser(self)

    async def browser_signed_in_elsewhere(self) -> FakeBrowser:
        """Returns a browser of ada, signed in at an application that requests no consent."""
        browser = self.browser()
        await browser.sign_in(client_id="other")
        return browser


class FakeBrowser:
    """A browser with the login pages; stores cookies and follows no redirect by itself."""

    def __init__(self, service: AuthzService) -> None:
        self.http = ApplicationClient(service.app, ISSUER, raise_app_exceptions=False)
        self._cookie_name = BrowserCookie(ISSUER).name
        self.handle = ""
        """Value of the cookie."""

    @property
    def address(self) -> str:
        return self.http.headers.get("X-Forwarded-For", "")

    def move_to(self, address: str) -> None:
        """The gateway sees this address from now on."""
        self.http.headers["X-Forwarded-For"] = address

    async def get(self, path: str, params: Any = None) -> httpx.Response:
        return self._keep(await self.http.get(path, params=params, headers=self._headers()))

    async def post(self, path: str, data: Mapping[str, str], *, cookie: bool = False) -> httpx.Response:
        """Posts a form from another site, by default without the SameSite=Lax cookie."""
        return self._keep(await self.http.post(path, data=dict(data), headers=self._headers() if cookie else {}))

    async def authorize(self, **parameters: str | None) -> httpx.Response:
        """Sends an authorization request of `WEB`; None omits a parameter."""
        return await self.get(http.AUTHORIZE, authorize_parameters(**parameters))

    async def begin(self, **parameters: str | None) -> str:
        """Starts an authorization request that redirects to the login pages; returns its id."""
        response = await self.authorize(**parameters)
        return request_in(response)

    async def ask(self, id: str) -> Any:
        return read_step(
            (await self._post(id, "step", GetStep(browser=self.handle or "-", address=self.address))).content
        )

    async def ask_raw(self, id: str) -> httpx.Response:
        """Like `ask`, returns any response."""
        return await self._post(id, "step", GetStep(browser=self.handle or "-", address=self.address))

    async def answer(self, id: str, shown: Step, **fields: Any) -> Any:
        """Submits a step; stores the cookie of the response."""
        response = await self.answer_raw(id, shown, **fields)
        if response.status_code != 200:
            raise AssertionError(response.text)
        following = read_step(response.content)
        self.take_cookie(following.set_cookie)
        return following

    async def answer_raw(self, id: str, shown: Step, **fields: Any) -> httpx.Response:
        """Like `answer`, returns any response."""
        origin = {"browser": self.handle or "-", **({"address": self.address} if self.address else {})}
        values = {**origin, "csrf": shown.csrf, "step": shown.name, **fields}
        return await self._post(id, "answer", values)

    async def offer(self, id: str) -> str:
        """Returns the WebAuthn options for the script of the login name page."""
        return decode((await self.offer_raw(id)).content, PasskeyOffered).options

    async def offer_raw(self, id: str) -> httpx.Response:
        """Like `offer`, returns any response."""
        return await self._post(id, "passkey", RequestPasskey(browser=self.handle or "-"))

    async def leave(self, id: str, provider: str) -> str:
        """Starts an external sign-in; returns its ``state``."""
        away = await self.answer(id, await self.ask(id), provider=provider)
        (state,) = parse_qs(urlsplit(str(away.leave_to)).query)["state"]
        return state

    async def come_back(self, **fields: Any) -> Any:
        """Returns from a provider; stores the cookie of the response."""
        response = await self.come_back_raw(**fields)
        if response.status_code != 200:
            raise AssertionError(response.text)
        returned: Any = decode(response.content, SentReturned)
        self.take_cookie(returned.step.set_cookie)
        return returned

    async def come_back_raw(self, **fields: Any) -> httpx.Response:
        """Like `come_back`, returns any response."""
        return await self.external(
            "return", ReturnExternal(**{"browser": self.handle or "-", "address": self.address, **fields})
        )

    async def external(self, verb: str, message: msgspec.Struct) -> httpx.Response:
        headers = {"Authorization": f"Bearer {LOGIN_KEY}"}
        return await self.http.post(f"{http.EXTERNAL_API}/{verb}", content=encode(message), headers=headers)

    async def name(self, id: str, login_name: str = "ada") -> Any:
        return await self.answer(id, await self.ask(id), login_name=login_name)

    async def log_in(self, id: str, login_name: str = "ada") -> Any:
        return await self.answer(id, await self.name(id, login_name), password=PASSWORD)

    async def start_over(self, id: str) -> Any:
        return await self.answer(id, await self.ask(id), restart=True)

    async def sign_in(self, login_name: str = "ada", **parameters: str | None) -> Landing:
        done = await self.log_in(await self.begin(**parameters), login_name)
        if done.name is not StepName.DONE:
            raise AssertionError(done.problem)
        return Landing(await self.get(done.continue_to))

    async def end_session(self, **parameters: str) -> httpx.Response:
        return await self.get(http.END_SESSION, parameters)

    async def get_logout(self, id: str) -> Logout:
        return decode((await self.ask_logout_raw(id)).content, Logout)

    async def ask_logout_raw(self, id: str) -> httpx.Response:
        """Like `get_logout`, returns any response."""
        return await self._post(id, "ask", RequestLogout(browser=self.handle or "-"), http.LOGOUT_API)

    async def confirm_logout(self, id: str, csrf: str) -> httpx.Response:
        """Confirms the logout; deletes the cookie if the response does."""
        message = ConfirmLogout(browser=self.handle or "-", csrf=csrf)
        response = await self._post(id, "confirm", message, http.LOGOUT_API)
        if response.status_code == 200:
            self.take_cookie(decode(response.content, Logout).set_cookie)
        return response

    async def _post(
        self, id: str, verb: str, message: msgspec.Struct | dict[str, Any], api: str = http.LOGIN_API
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {LOGIN_KEY}"}
        return await self.http.post(f"{api}/{id}/{verb}", content=msgspec.json.encode(message), headers=headers)

    def _headers(self) -> dict[str, str]:
        return {"Cookie": f"{self._cookie_name}={self.handle}"} if self.handle else {}

    def _keep(self, response: httpx.Response) -> httpx.Response:
        self.take_cookie(response.headers.get("set-cookie", ""))
        return response

    def take_cookie(self, header: str) -> None:
        name, _, value = header.partition(";")[0].partition("=")
        if name == self._cookie_name:
            self.handle = value


def authorize_parameters(**parameters: str | None) -> dict[str, str]:
    """Returns the parameters of an ordinary request of `WEB` with changes; None omits one."""
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
    """Returns the id of the stored request from a redirect to the login pages."""
    location = urlsplit(str(response.headers.get("location", "")))
    if location.path != http.LOGIN:
        raise AssertionError(f"{response.status_code} {response.headers.get('location')} {response.text[:200]}")
    (id,) = parse_qs(location.query)["request"]
    return id
