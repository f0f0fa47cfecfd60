from __future__ import annotations

import httpx
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
HELD = [{"permission": one, "roles": ["ORG_OWNER"]} for one in ("project.read", "project.create")]


def second_replica(first: ConsoleService, clock: FrozenClock) -> ConsoleService:
    """Returns another process with the same keys, store and provider."""
    second = ConsoleService(clock, sessions=first.sessions)
    vars(second.provider).update(vars(first.provider))
    return second


def moved(browser: httpx.AsyncClient, replica: ConsoleService) -> httpx.AsyncClient:
    """Returns a browser with the same cookies at another replica."""
    other = replica.browser()
    other.cookies = browser.cookies
    return other


async def test_stopping_a_replica_signs_no_user_out(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """Another replica accepts the session and its forms."""
    await console.sign_in(browser, "/ui/account")
    async with moved(browser, second_replica(console, clock)) as other:
        page = await other.get("/ui/account")
        csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
        sent = await other.post("/ui/account/sessions/others", data={"csrf": csrf}, headers={"Origin": ISSUER})

    assert page.status_code == 200
    assert sent.status_code == 303


async def test_sign_in_may_end_at_another_replica(
    console: ConsoleService, browser: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """The state of the sign-in is in the browser, so any replica redeems the code."""
    begun = await browser.get("/ui/account")
    second = second_replica(console, clock)
    async with moved(browser, second) as other:
        done = await other.get(second.provider.authorize(begun.headers["location"]))
        page = await other.get("/ui/account")

    assert (done.status_code, page.status_code) == (303, 200)


async def test_two_tabs_work_in_two_organizations(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The organization is part of the URL, so that tabs do not affect each other."""
    console.provider.answers[PERMISSIONS] = lambda _fields, request: httpx.Response(
        200, json={"org": {"id": request.headers["x-service-orgid"], "name": "Org"}, "permissions": HELD}
    )
    await console.sign_in(browser, "/ui/console")
    first = await browser.get("/ui/console/orgs/o1/projects/do/new")
    await browser.get("/ui/console/orgs/o2/projects")
    csrf = first.text.split('name="csrf" value="')[1].split('"')[0]
    form = {"csrf": csrf, "f.name": "Of the first"}
    await browser.post("/ui/console/orgs/o1/projects/do/new", data=form, headers={"Origin": ISSUER})
    made = [one for one in console.provider.requests if one.url.path.endswith("/AddProject")]

    assert [one.headers["x-service-orgid"] for one in made] == ["o1"]
