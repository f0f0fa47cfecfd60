from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_contracts.http import LINK_API
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import BeginPasskeyByLink, FinishPasskeyByLink, PasskeyBegun, PasskeyRegistered
from portico_fakes.fake_login_api import KEY
from portico_fakes.over_httpx import OverHttpx
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_login_ui.app import create_app
from portico_login_ui.settings import Settings
from portico_oauth.errors import Kind, ServiceError
from portico_web.surfaces import render_errors, rpc_status
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ISSUER = "https://id.example"
PAGE = "/ui/login/passkey/registration"
LINK = f"{PAGE}?userID=kim&codeID=c1&code=K7Q2ZXK7Q2ZX&orgID=acme"
OPTIONS = '{"publicKey":{"challenge":"\\"><b>"}}'
SHOWN = {"user_id": "kim", "code_id": "c1", "code": "K7Q2ZXK7Q2ZX"}


@dataclass(slots=True)
class PasskeyApiInMemory:
    """The link operations of authz's login API, with the responses of users."""

    asked: list[Any] = field(default_factory=list)
    error: ServiceError | None = None

    @property
    def app(self) -> Starlette:
        begun = PasskeyBegun(passkey_id="p1", options=OPTIONS)
        return Starlette(
            routes=[
                self._route("begin-passkey", BeginPasskeyByLink, begun),
                self._route("finish-passkey", FinishPasskeyByLink, PasskeyRegistered()),
            ]
        )

    def _route(self, name: str, kind: type[Message], reply: Message) -> Route:
        async def answer(request: Request) -> Response:
            assert request.headers["authorization"] == f"Bearer {KEY}"
            self.asked.append(decode(await request.body(), kind))
            if self.error:
                raise self.error
            return Response(encode(reply), media_type="application/json")

        return Route(f"{LINK_API}/{name}", render_errors(answer, rpc_status), methods=["POST"])


@pytest.fixture
def api() -> PasskeyApiInMemory:
    return PasskeyApiInMemory()


@pytest.fixture
async def reader(api: PasskeyApiInMemory) -> AsyncIterator[httpx.AsyncClient]:
    http = OverHttpx(httpx.ASGITransport(api.app))
    app, _ = create_app(Settings(issuer=ISSUER, login_api_key=SecretStr(KEY)), http=http)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ISSUER) as client:
        yield client


async def post(reader: httpx.AsyncClient, origin: str = ISSUER, **fields: str) -> httpx.Response:
    return await reader.post(LINK, data={"language": "en", **fields}, headers={"Origin": origin})


@pytest.mark.parametrize("verb", ["GET", "HEAD"])
async def test_get_of_the_link_does_nothing(reader: httpx.AsyncClient, api: PasskeyApiInMemory, verb: str) -> None:
    """Email scanners follow links, so a GET makes no request about the code, and no script runs."""
    answer = await reader.request(verb, LINK)

    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert "set-cookie" not in answer.headers
    assert "webauthn.js" not in answer.headers["Content-Security-Policy"]
    assert api.asked == []


async def test_button_returns_the_challenge(reader: httpx.AsyncClient, api: PasskeyApiInMemory) -> None:
    """Only this page of its kind allows the WebAuthn script."""
    form = Document((await reader.get(LINK)).text).form_with("register-passkey-submit")
    assert form is not None
    answer = await reader.post(form.action, data=form.filled("register-passkey-submit", {}), headers={"Origin": ISSUER})
    made = Document(answer.text).form_with("webauthn-start")
    assert made is not None

    assert api.asked == [BeginPasskeyByLink(**SHOWN)]
    assert f"script-src {ISSUER}/ui/login/static/webauthn.js" in answer.headers["Content-Security-Policy"]
    assert parse_qs(urlsplit(made.action).query)["codeID"] == ["c1"]
    assert made.filled("webauthn-start", {}) | {"language": ""} == {
        "language": "",
        "passkey_id": "p1",
        "credential": "",
    }
    assert "<b>" not in answer.text
    assert 'data-use="create"' in answer.text


async def test_credential_is_submitted_once(reader: httpx.AsyncClient, api: PasskeyApiInMemory) -> None:
    """The confirmation page has no part of the link in its URL."""
    answer = await post(reader, passkey_id="p1", credential='{"id": "k"}')
    said = await reader.get(answer.headers["Location"])

    assert api.asked == [FinishPasskeyByLink(**SHOWN, passkey_id="p1", credential='{"id": "k"}')]
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{PAGE}?done=1")
    assert 'id="passkey-registered-page"' in said.text


FORMS: list[dict[str, str]] = [{}, {"passkey_id": "p1", "credential": "{}"}]


ERRORS: list[tuple[str, Kind, str]] = [
    ("USER-541", Kind.INVALID_REQUEST, "already used"),
    ("USER-501", Kind.NOT_FOUND, "was not accepted"),
    ("USER-502", Kind.INVALID_REQUEST, "was not accepted"),
    ("USER-503", Kind.ALREADY_EXISTS, "was not accepted"),
]


async def test_error_is_shown_on_the_page(reader: httpx.AsyncClient, api: PasskeyApiInMemory) -> None:
    """The page has an alert, a button to restart, and a title that marks the error."""
    for fields, (id, kind, told) in product(FORMS, ERRORS):
        with row(fields, id, kind, told):
            api.error = ServiceError(kind, id, "Refused.")
            answer = await post(reader, **fields)

            assert answer.status_code == 200
            assert told in answer.text
            assert "<title>Error:" in answer.text
            assert 'id="register-passkey-submit"' in answer.text
            assert 'id="webauthn-start"' not in answer.text


async def test_final_error_is_an_error_page(reader: httpx.AsyncClient, api: PasskeyApiInMemory) -> None:
    api.error = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)

    assert (await post(reader)).status_code == 503


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
async def test_form_of_another_site_is_refused(reader: httpx.AsyncClient, api: PasskeyApiInMemory, origin: str) -> None:
    """A form that another site submits registers no passkey (LG-14)."""
    assert (await post(reader, origin)).status_code == 403
    assert (await post(reader, origin, passkey_id="p1", credential="{}")).status_code == 403
    assert api.asked == []


MALFORMED: list[str] = [
    "",
    "userID=kim&code=K7Q2ZXK7Q2ZX",
    "userID=kim&codeID=c1",
    "codeID=c1&code=K7Q2ZXK7Q2ZX",
    f"userID=kim&codeID={'c' * 201}&code=K7Q2ZXK7Q2ZX",
    f"userID=kim&codeID=c1&code={'K' * 41}",
    "userID=kim&userID=eve&codeID=c1&code=K7Q2ZXK7Q2ZX",
]


async def test_malformed_link_is_an_error_page(reader: httpx.AsyncClient, api: PasskeyApiInMemory) -> None:
    for query in MALFORMED:
        with row(query):
            shown = await reader.get(f"{PAGE}?{query}")
            taken = await reader.post(f"{PAGE}?{query}", data={"language": "en"}, headers={"Origin": ISSUER})

            assert (shown.status_code, taken.status_code) == (400, 400)
            assert 'id="error-page"' in shown.text
            assert api.asked == []


@pytest.mark.parametrize("fields", [{"credential": "x" * 8_193}, {"credential": "{}", "passkey_id": "p" * 201}])
async def test_oversized_credential_is_refused(
    reader: httpx.AsyncClient, api: PasskeyApiInMemory, fields: dict[str, str]
) -> None:
    assert (await post(reader, **fields)).status_code == 400
    assert api.asked == []
