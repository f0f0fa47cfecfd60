"""What the application's page states about client libraries (decision 0118)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService

APPS = "portico.management.v1.AppService"
PROJECTS = "portico.management.v1.ProjectService"
NEW = "/ui/console/orgs/o1/apps/new"


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    made = {"id": "p2", "appId": "a1", "clientId": "c1"}
    console.provider.answers |= {
        f"{PROJECTS}/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{PROJECTS}/SetUpProject": answering(made),
        f"{APPS}/AddOIDCApp": answering(made),
        "portico.management.v1.TraceService/ListAppTraces": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def csrf(browser: httpx.AsyncClient) -> str:
    return (await browser.get(NEW)).text.split('name="csrf" value="')[1].split('"')[0]


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


@pytest.mark.parametrize(
    ("kind", "framework", "wanted"),
    [
        ("web", "next-auth-4", True),
        ("web", "streamlit", True),
        ("web", "micronaut", True),
        ("browser", "msal-browser", True),
        ("browser", "react-oidc-context", True),
        ("browser", "oidc-spa", True),
        ("web", "nextjs", False),
        ("browser", "flask", False),
    ],
)
async def test_library_that_reads_no_userinfo_gets_the_claims(
    console: ConsoleService, signed_in: httpx.AsyncClient, kind: str, framework: str, wanted: bool
) -> None:
    """With a new project and with an existing one, the id_token has the name (decision 0118)."""
    form = {"csrf": await csrf(signed_in), "kind": kind, "f.name": "Shop", "framework": framework}
    for project in ("p1", "new"):
        await signed_in.post(NEW, data={**form, "project": project})
    [added] = calls(console, f"{APPS}/AddOIDCApp")
    [set_up] = calls(console, f"{PROJECTS}/SetUpProject")

    assert added.get("idTokenUserinfoAssertion", False) is wanted
    assert set_up["oidcApp"].get("idTokenUserinfoAssertion", False) is wanted


@pytest.mark.parametrize("on", [False, True])
async def test_application_names_the_libraries_that_read_no_userinfo(
    console: ConsoleService, signed_in: httpx.AsyncClient, on: bool
) -> None:
    """All of them without a chosen framework; with one of them, whether its setting is off (decision 0118)."""
    config = {"clientId": "c1", "redirectUris": ["https://a.example/api/auth/callback/portico"]}
    app = {"id": "a1", "name": "Shop", "oidcConfig": {**config, "idTokenUserinfoAssertion": on}}
    console.provider.answers[f"{APPS}/GetAppByID"] = answering({"app": app})
    page = "/ui/console/orgs/o1/projects/p1/apps/a1"
    listed = re.findall(r'<ul id="readers-of-id-token">(.*?)</ul>', (await signed_in.get(page)).text)
    chosen, other = [(await signed_in.get(f"{page}?framework={one}")).text for one in ("next-auth-4", "nextjs")]

    assert re.findall(r"<li>(\S+)", listed[0]) == ["next-auth", "Streamlit", "Micronaut"]
    assert ('id="lacks-userinfo"' in chosen) is not on
    assert 'id="lacks-userinfo"' not in other


@pytest.mark.parametrize(
    ("method", "audience", "shown", "endpoint"),
    [
        ("PRIVATE_KEY_JWT", "ISSUER", True, False),
        ("PRIVATE_KEY_JWT", "ANY", True, True),
        ("BASIC", "ANY", False, False),
    ],
)
async def test_page_states_the_audience_of_client_assertions(
    console: ConsoleService, signed_in: httpx.AsyncClient, method: str, audience: str, shown: bool, endpoint: bool
) -> None:
    """The issuer alone, as RFC 10070 demands; an application that accepts more is named."""
    config = {"clientId": "c1", "authMethodType": f"OIDC_AUTH_METHOD_TYPE_{method}"}
    config["clientAssertionAudience"] = f"CLIENT_ASSERTION_AUDIENCE_{audience}"
    console.provider.answers[f"{APPS}/GetAppByID"] = answering(
        {"app": {"id": "a1", "name": "Shop", "oidcConfig": config}}
    )
    page = (await signed_in.get("/ui/console/orgs/o1/projects/p1/apps/a1")).text

    assert ('id="assertion-audience"' in page) is shown
    assert ("also accepts the URL of the endpoint" in page) is endpoint
