"""The page of an application names the APIs that it may use, and its code requests the scopes of the chosen ones."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding

APPS = "portico.management.v1.AppService"
PAGE = "/ui/console/orgs/o1/projects/p1/apps/a1"


def api(id: str, org: str = "o1", **more: Any) -> dict[str, Any]:
    return {
        "clientId": id, "appId": f"app-{id}", "name": id.title(), "projectId": "p2", "projectName": "Stores",
        "orgId": org, "orgName": org.upper(), "scopes": [{"scope": f"{id}.read"}, {"scope": f"{id}.write"}], **more,
    }  # fmt: skip


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    config = {"clientId": "c1", "redirectUris": ["http://localhost:3000/cb"]}
    apis = [api("orders", resources=["https://orders.example"]), api("stock"), api("foreign", "o2")]
    console.provider.answers |= {
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Shop", "oidcConfig": config}}),
        f"{APPS}/ListAppAPIs": answering({"result": apis}),
        PERMISSIONS: holding("project.app.read", "project.app.write"),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_apis_are_named_with_their_scopes(signed_in: httpx.AsyncClient) -> None:
    """An API of another organization has the name of that organization, and no page here."""
    page = (await signed_in.get(PAGE)).text
    listed = page.split('id="apis"')[1].split("</fieldset>")[0]

    assert '<a href="/ui/console/orgs/o1/projects/p2/apps/app-orders">Open Orders</a>' in listed
    assert ("<bdi>Stores</bdi>" in listed, "<bdi>O2</bdi>" in listed, "app-foreign" in listed) == (True, True, False)
    assert all(f"{name}.read</code>" in listed for name in ("orders", "stock", "foreign"))


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        ("", "openid profile email orders.read orders.write stock.read stock.write"),
        ("&chosen=1", "openid profile email"),
        ("&chosen=1&api=stock&api=unknown", "openid profile email stock.read stock.write"),
        ("&chosen=1&api=foreign", "openid profile email foreign.read foreign.write"),
    ],
)
async def test_code_requests_the_scopes_of_the_chosen_apis(
    signed_in: httpx.AsyncClient, query: str, scope: str
) -> None:
    """At first those of the organization are chosen, and only APIs that the application may use."""
    page = (await signed_in.get(f"{PAGE}?framework=flask{query}")).text

    assert f"&#34;scope&#34;: &#34;{scope}&#34;," in page


async def test_many_scopes_are_not_requested_at_first(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The APIs of a large project are chosen one by one."""
    console.provider.answers[f"{APPS}/ListAppAPIs"] = answering({"result": [api(f"a{one}") for one in range(11)]})
    page = (await signed_in.get(f"{PAGE}?framework=flask")).text

    assert "&#34;scope&#34;: &#34;openid profile email&#34;," in page
    assert 'value="a10">' in page


@pytest.mark.parametrize(
    ("query", "sent"), [("&api=orders", True), ("&api=orders&api=stock", False), ("&api=stock", False)]
)
async def test_resource_of_a_single_api_is_sent(
    console: ConsoleService, signed_in: httpx.AsyncClient, query: str, *, sent: bool
) -> None:
    """A token for one API is for it alone (RFC 8707); an API without a resource is found by its scopes."""
    kind = {"appType": "OIDC_APP_TYPE_USER_AGENT", "authMethodType": "OIDC_AUTH_METHOD_TYPE_NONE"}
    config = {"clientId": "c1", "redirectUris": ["http://localhost:3000/cb"], **kind}
    console.provider.answers[f"{APPS}/GetAppByID"] = answering(
        {"app": {"id": "a1", "name": "Shop", "oidcConfig": config}}
    )
    page = (await signed_in.get(f"{PAGE}?framework=react-oidc-context&chosen=1{query}")).text

    assert ("resource: &#34;https://orders.example&#34;," in page) is sent
    assert "authority: " in page
