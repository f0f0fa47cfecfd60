"""Dangerous operations need a recent sign-in, after which the user returns to the same page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, Answer, ConsoleService, refusal

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
GET_PROJECT = "portico.management.v1.ProjectService/GetProjectByID"
REMOVE_PROJECT = "portico.management.v1.ProjectService/RemoveProject"
GET_PROVIDER = "portico.management.v1.IDPService/GetProviderByID"
MIGRATE = "portico.management.v1.IDPService/MigrateGenericOIDCProvider"
SEND_LINK = "portico.management.v1.UserService/SendPasswordlessRegistration"
REMOVE = "/ui/console/orgs/o1/projects/p1/do/remove"
PROVIDER = "/ui/console/orgs/o1/idps/i1/do/to-microsoft"
TOO_OLD = refusal("permission_denied", 403, "USER-731", "Sign in again.")
HELD = [{"permission": name, "roles": ["ORG_OWNER"]} for name in ("project.read", "project.delete", "org.idp.write")]
SECRET = "canary-of-the-other-side"


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: answering({"org": {"id": "o1", "name": "Org"}, "permissions": HELD}),
        GET_PROJECT: answering({"project": {"id": "p1", "name": "Shop", "details": {"sequence": "3"}}}),
        REMOVE_PROJECT: answering({}),
        GET_PROVIDER: answering({"idp": {"id": "i1", "name": "Any", "config": {"oidc": {"clientId": "c1"}}}}),
        MIGRATE: answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def again(
    console: ConsoleService, browser: httpx.AsyncClient, response: httpx.Response, *, seconds: int = 0
) -> httpx.Response:
    """Signs in once more, which takes `seconds`, and returns to the page."""
    asked = parse_qs(urlsplit(response.headers["location"]).query)
    assert (response.status_code, asked["max_age"]) == (303, ["0"])
    console.clock.tick(seconds)
    back = await browser.get(console.provider.authorize(response.headers["location"]))
    assert back.status_code == 303
    return await browser.get(back.headers["location"])


async def followed(browser: httpx.AsyncClient, response: httpx.Response) -> httpx.Response:
    assert response.status_code == 303
    return await browser.get(response.headers["location"])


def csrf_in(page: httpx.Response) -> str:
    return page.text.split('name="csrf" value="')[1].split('"')[0]


async def test_page_of_a_dangerous_action_requires_a_recent_sign_in(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Four minutes after the sign-in the page is shown, and later only after another one."""
    clock.tick(240)
    soon = await signed_in.get(REMOVE)
    clock.tick(1)
    late = await signed_in.get(REMOVE)
    page = await again(console, signed_in, late)

    assert soon.status_code == 200
    assert page.status_code == 200
    assert "confirm-submit" in page.text


def only_recent(console: ConsoleService) -> Answer:
    """Refuses like users; a sign-in is as old as its access token."""
    began = [console.clock.now()]

    def answer(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        tokens = len(console.provider.forms)
        began.extend([console.clock.now()] * (tokens - len(began)))
        return httpx.Response(200, json={}) if console.clock.now() - began[-1] <= 300 else TOO_OLD(fields, request)

    return answer


async def test_five_minutes_begin_anew_with_each_proof(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """After another sign-in, dangerous pages are shown for four minutes again."""
    pages = []
    for _ in range(2):
        clock.tick(241)
        pages.append((await again(console, signed_in, await signed_in.get(REMOVE))).status_code)
        clock.tick(240)
        pages += [(await signed_in.get(address)).status_code for address in (REMOVE, PROVIDER)]

    assert pages == [200] * 6


async def test_form_with_a_secret_returns_and_is_sent_once_more(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Opened in time and sent late, it keeps its other input for half an hour of signing in, and is then accepted."""
    console.provider.answers[MIGRATE] = only_recent(console)
    clock.tick(240)
    page = await signed_in.get(PROVIDER)
    clock.tick(61)
    fields = {"f": "azure", "f.azure.name": "Elsewhere", "f.azure.clientId": "c2", "f.azure.clientSecret": SECRET}
    late = await signed_in.post(PROVIDER, data={"csrf": csrf_in(page), **fields}, headers={"Origin": ISSUER})
    shown = await again(console, signed_in, late, seconds=1_700)
    done = await signed_in.post(PROVIDER, data={"csrf": csrf_in(shown), **fields}, headers={"Origin": ISSUER})

    assert "passwords, secrets and files are not kept" in shown.text
    assert 'value="Elsewhere"' in shown.text
    assert done.headers["location"].startswith("/ui/console/orgs/o1/idps/i1?")


async def test_form_of_the_account_page_sent_late_is_carried_out(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Its notice is shown, and a reload does nothing."""
    console.provider.answers["portico.user.v2.UserService/SetEmail"] = only_recent(console)
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account/profile")
    clock.tick(301)
    email, origin = {"email": "new@mail.example"}, {"Origin": ISSUER}
    late = await browser.post("/ui/account/profile/email", data={"csrf": csrf_in(page), **email}, headers=origin)
    done = await again(console, browser, late, seconds=1_700)
    await browser.get(str(done.request.url))
    calls = console.sent("portico.user.v2.UserService/SetEmail")

    assert done.headers["location"].startswith("/ui/account/profile?said=")
    assert [one["email"] for one in calls] == ["new@mail.example"] * 2  # the first was refused


async def test_read_only_page_needs_no_recent_sign_in(signed_in: httpx.AsyncClient, clock: FrozenClock) -> None:
    clock.tick(600)

    assert (await signed_in.get("/ui/console/orgs/o1/projects/p1")).status_code == 200


async def sent_too_late(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.Response:
    """Removes a project by a form that users refuses the first time, for the age of the sign-in."""
    page = await browser.get(REMOVE)
    console.provider.answers[REMOVE_PROJECT] = TOO_OLD
    fields = {"csrf": csrf_in(page), "confirmed": "1", "typed_name": "Shop"}
    refused = await browser.post(REMOVE, data=fields, headers={"Origin": ISSUER})
    console.provider.answers[REMOVE_PROJECT] = answering({})
    console.provider.calls.clear()
    return refused


async def test_late_confirmation_is_carried_out_once(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    done = await again(console, signed_in, await sent_too_late(console, signed_in))
    await signed_in.get(str(done.request.url))
    page = await followed(signed_in, done)

    assert "Shop was deleted." in page.text
    assert len(console.sent(REMOVE_PROJECT)) == 1


async def test_form_is_carried_out_only_in_the_session_of_its_proof(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """Its address alone does nothing: neither in an older session of the same user, nor for another user."""
    asked = await sent_too_late(console, signed_in)
    sent_to = await signed_in.get(console.provider.authorize(asked.headers["location"]))
    async with console.browser() as other:
        await console.sign_in(other, "/ui/console")
        shown = await other.get(sent_to.headers["location"])
    taken = await signed_in.get(sent_to.headers["location"])

    assert 'id="unsaved"' in shown.text
    assert 'id="unsaved"' not in taken.text
    assert console.sent(REMOVE_PROJECT) == []


async def test_another_user_gets_nothing(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The user that signs in instead neither carries out the form nor sees its input."""
    asked = await sent_too_late(console, signed_in)
    console.provider.claims["sub"] = "u2"
    page = await again(console, signed_in, asked)

    assert page.status_code == 200
    assert 'id="unsaved"' not in page.text
    assert console.sent(REMOVE_PROJECT) == []


async def test_permissions_of_the_moment_count(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Refused meanwhile, the page begins with that nothing was saved, and the reason."""
    asked = await sent_too_late(console, signed_in)
    console.provider.answers[REMOVE_PROJECT] = refusal("failed_precondition", 400, "USER-200", "It was changed.")
    page = (await again(console, signed_in, asked)).text

    assert page.index("Nothing was saved after you signed in.") < page.index("It was changed.")
    assert re.search(r'id="confirm-submit"[^>]* autofocus', page)


async def test_form_without_a_session_is_named_as_unsaved(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """After the end of a session nothing of a form is left, which its page states."""
    page = await signed_in.get(REMOVE)
    console.provider.active.clear()
    late = await signed_in.post(REMOVE, data={"csrf": csrf_in(page), "confirmed": "1"}, headers={"Origin": ISSUER})
    back = await signed_in.get(console.provider.authorize(late.headers["location"]))
    shown = await followed(signed_in, back)

    assert 'id="unsaved"' in shown.text


async def test_refused_again_the_form_is_shown(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """If users refuses the new proof too, the user returns to the page with the button, and nothing repeats."""
    page = await signed_in.get(REMOVE)
    console.provider.answers[REMOVE_PROJECT] = TOO_OLD
    fields = {"csrf": csrf_in(page), "confirmed": "1", "typed_name": "Shop"}
    refused = await signed_in.post(REMOVE, data=fields, headers={"Origin": ISSUER})
    shown = await followed(signed_in, await again(console, signed_in, refused))

    assert "confirm-submit" in shown.text
    assert 'id="unsaved"' in shown.text


async def test_typed_values_return_except_secrets(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """A form sent too late is restored once after the sign-in, without its secret."""
    page = await signed_in.get(PROVIDER)
    clock.tick(301)
    console.provider.answers[MIGRATE] = TOO_OLD
    fields = {
        "csrf": csrf_in(page), "f.azure.name": "Elsewhere", "f.azure.clientId": "c-elsewhere",
        "f.azure.clientSecret": SECRET, "f": "azure",
    }  # fmt: skip
    kept = await signed_in.post(PROVIDER, data=fields, headers={"Origin": ISSUER})
    stored = console.sessions.everything()
    assert "Elsewhere" in stored
    assert SECRET not in stored
    shown = await again(console, signed_in, kept)
    second = await signed_in.get(shown.request.url.path, params=shown.request.url.params)

    assert str(shown.request.url).startswith(f"{ISSUER}{PROVIDER}?again=")
    assert 'value="Elsewhere"' in shown.text
    assert "c-elsewhere" in shown.text
    assert SECRET not in shown.text
    assert "Elsewhere" not in second.text


async def test_selected_rows_are_acted_on(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """A bulk action is carried out for the selected rows after the sign-in, and nothing is done before."""
    held = [*HELD, {"permission": "user.write", "roles": ["ORG_OWNER"]}]
    console.provider.answers[PERMISSIONS] = answering({"org": {"id": "o1", "name": "Org"}, "permissions": held})
    send = "/ui/console/orgs/o1/users/do/passkey"
    page = await signed_in.get(REMOVE)
    clock.tick(301)
    fields = {"csrf": csrf_in(page), "confirmed": "1", "row-1": "u7", "row-2": "u8"}
    kept = await signed_in.post(send, data=fields, headers={"Origin": ISSUER})
    before = console.sent(SEND_LINK)
    shown = await again(console, signed_in, kept)

    assert before == []
    assert shown.status_code == 200
    assert [one["userId"] for one in console.sent(SEND_LINK)] == ["u7", "u8"]


async def test_input_of_the_account_page_returns_without_passwords(
    console: ConsoleService, browser: httpx.AsyncClient
) -> None:
    """A form below a page returns to the page."""
    console.provider.answers["portico.user.v2.UserService/SetEmail"] = TOO_OLD
    await console.sign_in(browser, "/ui/account")
    page = await browser.get("/ui/account/profile")
    fields = {"csrf": csrf_in(page), "email": "new@mail.example", "current": SECRET}
    kept = await browser.post("/ui/account/profile/email", data=fields, headers={"Origin": ISSUER})
    stored = console.sessions.everything()
    shown = await again(console, browser, kept)

    assert SECRET not in stored
    assert str(shown.request.url).startswith(f"{ISSUER}/ui/account/profile?again=")
    assert 'value="new@mail.example"' in shown.text
