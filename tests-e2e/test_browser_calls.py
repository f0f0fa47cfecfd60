"""Calls of the management API from a page in Chromium with connect-web, through the gateway."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page
from portico_scenarios.administrator import Administrator
from portico_scenarios.api_page import ApiPage
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"
FORMS = pytest.mark.parametrize("form", ["gRPC-web", "Connect"])


@pytest.fixture(scope="module")
async def page(browser: Browser, admin: Administrator) -> AsyncIterator[ApiPage]:
    """One page for all calls: most of its cost is loading the library."""
    context = await browser.new_context()
    one = ApiPage(await context.new_page(), admin.world.issuer)
    await one.open()
    yield one
    await context.close()


@FORMS
async def test_page_creates_and_reads_a_user(page: ApiPage, admin: Administrator, form: str) -> None:
    """connect-web can read the API's frames, messages and trailers."""
    name = f"page-{form.lower()}"
    added, trailers = await page.call(form, ADD, admin.human(name), admin.token)
    read, _ = await page.call(form, GET, {"userId": f"{name}-{admin.tag}"}, admin.token)

    assert added.code == 0, added.body
    assert added.body["userId"] == f"{name}-{admin.tag}"
    assert trailers.get("grpc-status") == ("0" if form == "gRPC-web" else None)
    assert read.body["user"]["human"]["profile"]["displayName"] == f"{name} Example"


@FORMS
async def test_page_receives_error_details(page: ApiPage, admin: Administrator, form: str) -> None:
    """The error in the trailers, or in Connect's JSON, has the same code, text, id and fields as by JSON over HTTP."""
    wrong = admin.human("wrong", profile={"firstName": "", "lastName": "x" * 201})
    refused, trailers = await page.call(form, ADD, wrong, admin.token)
    by_json = await admin.json(ADD, wrong)

    assert (refused.code, refused.error_code) == (3, "USER-303")
    assert refused.body == {"message": by_json.body["message"], "details": by_json.body["details"]}
    assert ("grpc-status-details-bin" in trailers) == (form == "gRPC-web")


@FORMS
async def test_page_without_token_is_unauthenticated(page: ApiPage, form: str) -> None:
    """Without a token connect-web reports UNAUTHENTICATED."""
    refused, _ = await page.call(form, GET, {"userId": "e2e-alice"}, "none")

    assert (refused.code, refused.error_code) == (16, "USER-311")


async def test_page_of_another_origin_is_refused(tab: Page, world: World, admin: Administrator) -> None:
    """The API sends no CORS headers, so the browser withholds responses from pages of other origins."""
    await tab.goto(f"{world.rp_url('basic')}/")
    call = """async ([url, token]) => {
        try { return (await fetch(url, {headers: {Authorization: `Bearer ${token}`}})).status; }
        catch (error) { return error.name; }
    }"""
    heard = await tab.evaluate(call, [f"{world.issuer}/v2/users/e2e-alice", admin.token])

    assert heard == "TypeError"
