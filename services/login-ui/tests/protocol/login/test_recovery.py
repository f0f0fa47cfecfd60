from __future__ import annotations

from itertools import product

import httpx
import pytest
from portico_contracts.users import BeginRecovery, UsePasswordCode
from portico_fakes.fake_link_api import FakeLinkApi
from portico_harness.html_forms import Document
from portico_harness.rows import row
from portico_oauth.errors import Kind, ServiceError

ISSUER = "https://id.example"
PAGE = "/ui/login/recovery"
LINK = f"{PAGE}?code=n0tice"
TYPED = {"password-code": " k7q2 zx ", "new-password": " nine small sparrows "}
WRONG_LINK = ServiceError(Kind.INVALID_REQUEST, "USER-684", "This link was already used, or is no longer valid.")
WRONG = ServiceError(Kind.INVALID_REQUEST, "USER-402", "The code is wrong or no longer valid.")
BUSY = ServiceError(Kind.UNAVAILABLE, "USER-999", "The store cannot be asked.", retry_after=1)


async def press(reader: httpx.AsyncClient, address: str, button: str, **typed: str) -> httpx.Response:
    form = Document((await reader.get(address)).text).form_with(button)
    assert form is not None, f"no {button} on the page"
    return await reader.post(form.action, data=form.filled(button, typed), headers={"Origin": ISSUER})


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_opening_the_link_does_nothing(reader: httpx.AsyncClient, links: FakeLinkApi, method: str) -> None:
    """Email scanners follow every link in an email."""
    shown = await reader.request(method, LINK)

    assert shown.status_code == 200
    assert shown.headers["Cache-Control"] == "no-store"
    assert links.asked == []


async def test_button_ends_the_sessions_and_shows_the_code_page(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The URL of the code page has a challenge and no longer the link."""
    pressed = await press(reader, LINK, "recover-account-submit")
    entered = await press(reader, pressed.headers["Location"], "set-password-submit", **TYPED)

    assert (pressed.status_code, pressed.headers["Location"]) == (303, f"{PAGE}?sent=c-1")
    assert (entered.status_code, entered.headers["Location"]) == (303, "/ui/login/password/init?done=recovered")
    assert links.asked == [
        BeginRecovery(code="n0tice", languages=("en",)),
        UsePasswordCode(challenge="c-1", code="K7Q2ZX", new_password=" nine small sparrows "),
    ]


@pytest.mark.parametrize(("waits", "id"), [(True, "recovery-waits"), (False, "recovery-closed")])
async def test_missing_code_is_explained(reader: httpx.AsyncClient, links: FakeLinkApi, waits: bool, id: str) -> None:
    """The sessions end, and the page states why no code was sent."""
    links.challenge, links.waits = "", waits
    pressed = await press(reader, LINK, "recover-account-submit")
    shown = Document((await reader.get(pressed.headers["Location"])).text)

    assert pressed.status_code == 303
    assert id in shown.ids


async def test_used_link_leads_to_a_forgotten_password(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """The page has an alert and reveals nothing of the account."""
    links.error = WRONG_LINK
    shown = await press(reader, LINK, "recover-account-submit")

    assert shown.status_code == 200
    assert {"recovery-ended-page", "login-problem"} <= Document(shown.text).ids
    assert Document(shown.text).links["password-forgot"] == "/ui/login/password/forgot"


async def test_wrong_code_is_shown_at_its_field(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.error = WRONG
    shown = await press(reader, f"{PAGE}?sent=c-1", "set-password-submit", **TYPED)

    assert shown.status_code == 200
    assert {"recovery-code-page", "login-problem"} <= Document(shown.text).ids
    assert "sparrows" not in shown.text


MALFORMED: list[str] = [
    "",
    "?code=",
    f"?code={'x' * 201}",
    "?sent=",
    f"?sent={'x' * 201}",
    "?code=a&code=b",
    "?sent=a&sent=b",
]


async def test_malformed_link_is_an_error_page(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    for query, method in product(MALFORMED, ("GET", "POST")):
        with row(query, method):
            data = {"new_password": "nine small sparrows"} if method == "POST" else None
            shown = await reader.request(method, f"{PAGE}{query}", data=data, headers={"Origin": ISSUER})

            assert shown.status_code == 400
            assert links.asked == []


async def test_form_of_another_site_is_refused(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    """Another site cannot submit the form (LG-14)."""
    shown = await reader.post(LINK, data={"language": "en"}, headers={"Origin": "https://evil.example"})

    assert shown.status_code == 403
    assert links.asked == []


async def test_unavailable_authz_does_not_use_the_link_up(reader: httpx.AsyncClient, links: FakeLinkApi) -> None:
    links.error = BUSY
    shown = await press(reader, LINK, "recover-account-submit")

    assert shown.status_code == 503


async def test_last_page_links_to_the_account_page(reader: httpx.AsyncClient) -> None:
    """An earlier credential may be an attacker's, and only the signed-in user can remove it (decision 0058)."""
    recovered = Document((await reader.get("/ui/login/password/init?done=recovered")).text)
    otherwise = Document((await reader.get("/ui/login/password/init?done=1")).text)

    assert recovered.links["account-security"] == "/ui/account/security"
    assert "recovery-stays" in recovered.ids
    assert "recovery-stays" not in otherwise.ids
