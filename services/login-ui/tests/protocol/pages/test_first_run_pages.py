"""The setup pages of the first run: administrator, credential, completion."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_contracts.http import LINK_API
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import Factor, PasswordRules
from portico_contracts.users.first_run import (
    BeginFirstRun,
    CompleteFirstRun,
    FirstOwner,
    FirstRun,
    FirstRunBegun,
    FirstRunCompleted,
    GetFirstRun,
)
from portico_fakes.fake_login_api import KEY
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_oauth.errors import Kind, ServiceError
from portico_web.cookies import BrowserCookie
from portico_web.surfaces import render_errors, rpc_status
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ISSUER = "https://id.example"
PAGE = "/ui/login/first-run"
CODE = "c" * 43
LINK = f"{PAGE}?code={CODE}"
EVE = FirstOwner(email="eve@mail.example", first_name="Eve", last_name="First")
TYPED = {"first-run-email": EVE.email, "first-run-firstname": EVE.first_name, "first-run-lastname": EVE.last_name}
HIDDEN = {"email": EVE.email, "first_name": EVE.first_name, "last_name": EVE.last_name, "attempt": "a1"}
OPTIONS = '{"publicKey":{"challenge":"\\"><b>"}}'
URI = "otpauth://totp/Portico:eve?secret=ABCDEFGH"
OFFERED = FirstRun(factors=(Factor.PASSKEY, Factor.TOTP), password_rules=PasswordRules(min_length=9))
LINK_INVALID = ServiceError(Kind.FAILED_PRECONDITION, "USER-942", "This link was used.")


@dataclass(slots=True)
class FirstRunInMemory:
    """The first-run operations of authz's login API, with the responses of users."""

    asked: list[Any] = field(default_factory=list)
    errors: dict[str, ServiceError] = field(default_factory=dict)
    first_run: FirstRun = OFFERED
    codes: tuple[str, ...] = ("AAAA-BBBB", "CCCC-DDDD")
    org_id: str = "acme"
    set_cookie: str = BrowserCookie(ISSUER).set("handle")

    @property
    def app(self) -> Starlette:
        kinds: dict[str, type[Message]] = {"get": GetFirstRun, "begin": BeginFirstRun, "finish": CompleteFirstRun}
        return Starlette(routes=[self._route(name, kind) for name, kind in kinds.items()])

    def _route(self, name: str, kind: type[Message]) -> Route:
        async def answer(request: Request) -> Response:
            assert request.headers["authorization"] == f"Bearer {KEY}"
            asked = decode(await request.body(), kind)
            self.asked.append(asked)
            if name in self.errors:
                raise self.errors[name]
            return Response(encode(self._reply(asked)), media_type="application/json")

        return Route(f"{LINK_API}/{name}-first-run", render_errors(answer, rpc_status), methods=["POST"])

    def _reply(self, asked: Any) -> Message:
        match asked:
            case GetFirstRun():
                return self.first_run
            case BeginFirstRun(factor=Factor.TOTP):
                return FirstRunBegun(attempt="a1", uri=URI, secret="ABCDEFGH")
            case BeginFirstRun():
                return FirstRunBegun(attempt="a1", registration="r1", options=OPTIONS)
            case _:
                return FirstRunCompleted(
                    login_name=EVE.email, recovery_codes=self.codes, org_id=self.org_id, set_cookie=self.set_cookie
                )

    def changes(self) -> list[Any]:
        """Returns the recorded requests that change something."""
        return [ask for ask in self.asked if not isinstance(ask, GetFirstRun)]


@pytest.fixture
def api() -> FirstRunInMemory:
    return FirstRunInMemory()


@pytest.fixture
async def reader(api: FirstRunInMemory) -> AsyncIterator[httpx.AsyncClient]:
    http = OverHttpx(httpx.ASGITransport(api.app))
    app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(KEY)), http=http)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER) as client:
        yield client


async def press(reader: httpx.AsyncClient, page: httpx.Response, button: str, **typed: str) -> httpx.Response:
    form = Document(page.text).form_with(button)
    assert form is not None, page.text
    return await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


async def post(reader: httpx.AsyncClient, origin: str = ISSUER, **fields: str) -> httpx.Response:
    return await reader.post(LINK, data={"language": "en", **fields}, headers={"Origin": origin})


async def test_password_and_app_without_a_script(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    """Two forms create the administrator, and the recovery codes are shown in the response to the second."""
    first = await reader.get(LINK)
    second = await press(reader, first, "first-run-totp", **TYPED)
    done = await press(reader, second, "first-run-submit", **{"first-run-password": "nine sparrows", "otp": "123 456"})
    begun = BeginFirstRun(code=CODE, owner=EVE, factor=Factor.TOTP)
    finished = CompleteFirstRun(
        code=CODE, owner=EVE, factor=Factor.TOTP, attempt="a1", password="nine sparrows", otp="123456"
    )

    assert api.changes() == [begun, finished]
    assert "ABCD EFGH" in second.text
    assert "at least 9 characters" in second.text
    assert "data:image/svg+xml" in second.text
    assert (done.status_code, done.headers["Cache-Control"]) == (200, "no-store")
    assert 'id="first-run-done-page"' in done.text
    assert [code in done.text for code in api.codes] == [True, True]
    assert CODE not in done.text


async def test_passkey_script_is_on_its_page_only(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    """The credential is sent with the registration, and no recovery codes are shown."""
    api.codes = ()
    first = await reader.get(LINK)
    second = await press(reader, first, "first-run-passkey", **TYPED)
    fields = {**HIDDEN, "factor": "passkey", "registration": "r1", "credential": '{"id": "k"}'}
    done = await post(reader, **fields)
    script = f"{ISSUER}/ui/login/static/webauthn.js"

    assert script not in first.headers["Content-Security-Policy"]
    assert script in second.headers["Content-Security-Policy"]
    assert "<b>" not in second.text
    assert 'data-use="create"' in second.text
    assert api.changes()[-1] == CompleteFirstRun(
        code=CODE, owner=EVE, factor=Factor.PASSKEY, attempt="a1", registration="r1", credential='{"id": "k"}'
    )
    assert 'id="recovery-codes"' not in done.text


async def test_choosing_again_keeps_the_input(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    second = await press(reader, await reader.get(LINK), "first-run-totp", **TYPED)
    back = await press(reader, second, "first-run-back", **{"first-run-password": "nine sparrows"})

    assert 'id="first-run-page"' in back.text
    assert f'value="{EVE.email}"' in back.text
    assert "nine sparrows" not in back.text
    assert len(api.changes()) == 1


async def test_only_accepted_factors_are_offered(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    """The page requests an organization name only if there is no organization."""
    plain = await reader.get(LINK)
    api.first_run = FirstRun(factors=(Factor.TOTP,), needs_organization=True)
    other = await reader.get(LINK)
    unnamed = await press(reader, other, "first-run-totp", **TYPED)
    await press(reader, other, "first-run-totp", **TYPED, **{"first-run-organization": " Harbour "})

    assert [name in plain.text for name in ("first-run-passkey", "first-run-organization")] == [True, False]
    assert [name in other.text for name in ("first-run-passkey", "first-run-organization")] == [False, True]
    assert "Please fill in every field except the last name" in unnamed.text
    assert [ask.owner.organization for ask in api.changes()] == ["Harbour"]


@pytest.mark.parametrize(
    ("id", "kind", "shown", "page"),
    [
        ("USER-512", Kind.INVALID_REQUEST, "Each code works once", "first-run-totp-page"),
        ("USER-511", Kind.NOT_FOUND, "Each code works once", "first-run-totp-page"),
        ("USER-030", Kind.INVALID_REQUEST, "too short", "first-run-totp-page"),
        ("USER-035", Kind.INVALID_REQUEST, "most common", "first-run-totp-page"),
        ("USER-033", Kind.TOO_MANY_REQUESTS, "Too many attempts", "first-run-totp-page"),
        ("USER-011", Kind.ALREADY_EXISTS, "already in use", "first-run-page"),
        ("USER-864", Kind.INVALID_REQUEST, "cannot be used", "first-run-page"),
    ],
)
async def test_error_is_shown_at_the_page_of_its_field(
    reader: httpx.AsyncClient, api: FirstRunInMemory, id: str, kind: Kind, shown: str, page: str
) -> None:
    """The attempt continues with the same app secret, and no password is returned."""
    api.errors["finish"] = ServiceError(kind, id, "Refused.")
    answer = await post(reader, **HIDDEN, factor="totp", password="nine sparrows", otp="123456")

    assert answer.status_code == 200
    assert shown in answer.text
    assert f'id="{page}"' in answer.text
    assert "<title>Error:" in answer.text
    assert "nine sparrows" not in answer.text
    assert [ask.attempt for ask in api.changes()[1:]] == ["a1"] * (page == "first-run-totp-page")


@pytest.mark.parametrize("id", ["USER-501", "USER-502", "USER-503"])
async def test_refused_passkey_can_be_retried(reader: httpx.AsyncClient, api: FirstRunInMemory, id: str) -> None:
    api.errors["finish"] = ServiceError(Kind.INVALID_REQUEST, id, "Refused.")
    answer = await post(reader, **HIDDEN, factor="passkey", registration="r1", credential="{}")

    assert 'id="webauthn-start"' in answer.text
    assert "was not accepted" in answer.text


@pytest.mark.parametrize("error", [LINK_INVALID, ServiceError(Kind.FAILED_PRECONDITION, "USER-943", "There is one.")])
async def test_invalid_link_shows_an_error_page(
    reader: httpx.AsyncClient, api: FirstRunInMemory, error: ServiceError
) -> None:
    """Every page shows an error without a form."""
    api.errors = dict.fromkeys(("get", "begin", "finish"), error)
    answers = [
        await reader.get(LINK),
        await post(reader, factor="totp", email=EVE.email, first_name="Eve", last_name="First"),
        await post(reader, **HIDDEN, factor="totp", password="nine sparrows", otp="123456"),
    ]
    text = "already used" if error is LINK_INVALID else "already has an administrator"

    assert [answer.status_code for answer in answers] == [400] * 3
    assert [text in answer.text for answer in answers] == [True] * 3
    assert [Document(answer.text).form_with("first-run-totp") for answer in answers] == [None] * 3


async def test_unavailable_store_is_503(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    api.errors["get"] = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)

    assert (await reader.get(LINK)).status_code == 503


@pytest.mark.parametrize("query", ["", "code=", f"code={'c' * 65}", "code=a&code=b"])
async def test_malformed_link_is_an_error_page(reader: httpx.AsyncClient, api: FirstRunInMemory, query: str) -> None:
    shown = await reader.get(f"{PAGE}?{query}")
    taken = await reader.post(f"{PAGE}?{query}", data={"language": "en"}, headers={"Origin": ISSUER})

    assert (shown.status_code, taken.status_code) == (400, 400)
    assert api.asked == []


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_form_of_another_site_is_refused(reader: httpx.AsyncClient, api: FirstRunInMemory, origin: str) -> None:
    """Another site can neither start nor complete the setup (LG-14)."""
    answers = [await post(reader, origin, factor="totp"), await post(reader, origin, **HIDDEN, factor="totp")]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert api.asked == []


@pytest.mark.parametrize(
    "fields", [{"email": "e" * 201}, {"password": "p" * 201}, {"credential": "x" * 8_193}, {"registration": "r" * 65}]
)
async def test_overlong_input_is_refused(
    reader: httpx.AsyncClient, api: FirstRunInMemory, fields: dict[str, str]
) -> None:
    assert (await post(reader, **{**HIDDEN, "factor": "totp", **fields})).status_code == 400
    assert api.changes() == []


async def test_form_returns_to_the_link(reader: httpx.AsyncClient) -> None:
    """The URL has the code and no input."""
    second = await press(reader, await reader.get(LINK), "first-run-totp", **TYPED)
    form = Document(second.text).form_with("first-run-submit")

    assert form is not None
    assert parse_qs(urlsplit(form.action).query) == {"code": [CODE]}


async def test_finished_page_signs_this_browser_in(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    """The page leads to the console by an address without secrets, and a repeated submission sets no cookie."""
    reader.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"
    fields = {**HIDDEN, "factor": "totp", "password": "nine sparrows", "otp": "123456"}
    done = await post(reader, **fields)
    api.org_id = api.set_cookie = ""
    again = await post(reader, **fields)

    assert done.headers["Set-Cookie"] == BrowserCookie(ISSUER).set("handle")
    assert 'href="/ui/console/orgs/acme"' in done.text
    assert "Set-Cookie" not in again.headers
    assert 'href="/ui/console"' in again.text
    assert [ask.device for ask in api.asked] == ["Firefox, Linux"] * 2


async def test_foreign_cookie_is_not_set(reader: httpx.AsyncClient, api: FirstRunInMemory) -> None:
    api.set_cookie = "other=1"

    assert (await post(reader, **HIDDEN, factor="totp", password="nine", otp="123456")).status_code == 500
