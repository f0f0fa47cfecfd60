"""A new API and a new application for devices: what their forms have, and what they register."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal, send

APPS = "portico.management.v1.AppService"
PROJECTS = "portico.management.v1.ProjectService"
NEW = "/ui/console/orgs/o1/apps/new"


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    made = answering({"appId": "a1", "clientId": "c1"})
    console.provider.answers |= {
        f"{PROJECTS}/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{APPS}/AddOIDCApp": made,
        f"{APPS}/AddAPIApp": made,
    }
    await console.sign_in(browser, "/ui/console")
    return browser


@pytest.mark.parametrize(
    ("kind", "grant"),
    [("device", "OIDC_GRANT_TYPE_DEVICE_CODE"), ("native", "OIDC_GRANT_TYPE_AUTHORIZATION_CODE")],
)
async def test_kind_decides_how_users_sign_in(
    console: ConsoleService, signed_in: httpx.AsyncClient, kind: str, grant: str
) -> None:
    """A device has neither redirect URIs nor the grant that needs them."""
    form = {"kind": kind, "f.name": "Shop", "project": "p1"}
    shown = await signed_in.get(f"{NEW}?kind={kind}")
    await send(signed_in, NEW, page=f"{NEW}?kind={form['kind']}", **form)
    [fields] = console.sent(f"{APPS}/AddOIDCApp")

    assert fields["grantTypes"] == [grant, "OIDC_GRANT_TYPE_REFRESH_TOKEN"]
    assert ("redirectUris" in fields) is (kind == "native")
    assert ('name="f.redirectUris"' in shown.text) is (kind == "native")


OFF = {"policy": {"allowRegister": True, "details": {"sequence": "7"}}}


async def test_device_application_names_the_rule_that_refuses_it(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """An owner of the instance turns the rule on with the application; its other settings stay."""
    rules = "portico.{}.v1.PolicyService"
    console.provider.answers |= {
        PERMISSIONS: holding("policy.read", "policy.write", "iam.policy.write", "project.app.write"),
        f"{rules.format('management')}/GetLoginPolicy": answering(OFF),
        f"{rules.format('admin')}/GetLoginPolicy": answering(OFF),
        f"{rules.format('admin')}/UpdateLoginPolicy": answering({}),
        f"{rules.format('management')}/UpdateCustomLoginPolicy": answering({}),
    }
    form = {"kind": "device", "f.name": "TV", "project": "p1", "devices_on": "on"}
    shown = (await signed_in.get(f"{NEW}?kind=device")).text
    await send(signed_in, NEW, page=f"{NEW}?kind={form['kind']}", **form)
    [changed] = console.sent(f"{rules.format('admin')}/UpdateLoginPolicy")

    assert 'name="devices_on"' in shown
    assert (changed["allowDeviceAuthorization"], changed["allowRegister"]) == (True, True)
    assert len(console.sent(f"{APPS}/AddOIDCApp")) == 1


async def test_page_names_whom_to_ask_where_devices_are_off(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    console.provider.answers |= {
        PERMISSIONS: holding("policy.read", "project.app.write"),
        "portico.management.v1.PolicyService/GetLoginPolicy": answering(OFF),
    }
    shown = (await signed_in.get(f"{NEW}?kind=device")).text

    assert 'id="devices-off"' in shown
    assert 'name="devices_on"' not in shown
    assert "Ask an owner of the instance" in shown


async def test_api_is_created_with_scopes_and_applications(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """Empty rows are left out; applications of the same project need no permission; a refused one is named."""
    apps = [
        {"app": {"id": f"a{number}", "name": name, "oidcConfig": {}}, "projectId": project, "projectName": "Web"}
        for number, (name, project) in enumerate([("Own", "p1"), ("Mobile", "p3"), ("Kiosk", "p4")])
    ]
    refused = refusal("permission_denied", 403, "USER-738", "Only owners.")

    def allow(fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        return refused(fields, request) if fields["projectId"] == "p4" else httpx.Response(200, json={})

    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write"),
        f"{APPS}/ListOrgApps": answering({"result": apps}),
        f"{APPS}/AddAppAPI": allow,
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Orders", "apiConfig": {"clientId": "c1"}}}),
    }
    shown = (await signed_in.get(f"{NEW}?kind=api&project=p1")).text
    form = {
        "kind": "api", "f.name": "Orders", "project": "p1", "f.resources": "https://api.example",
        "f.scopes.0.scope": "", "f.scopes.1.scope": "orders.read", "f.scopes.1.title": "Read", "f.scopes.2.scope": "orders.write",
        "f.scopes.2.grantedByDefault": "on", "f.scopes.2.roles": "buyer\r\nseller\r\n", "client-p1/a0": "on", "client-p3/a1": "on", "client-p4/a2": "on",
    }  # fmt: skip
    created = await send(signed_in, NEW, page=f"{NEW}?kind={form['kind']}", **form)
    start = (await signed_in.get(created.headers["location"])).text
    [fields] = console.sent(f"{APPS}/AddAPIApp")

    assert re.findall(r'name="(client-[^"]+)"', shown) == ["client-p3/a1", "client-p4/a2"]
    assert fields["resources"] == ["https://api.example"]
    assert fields["scopes"] == [
        {"scope": "orders.read", "title": "Read", "roles": []},
        {"scope": "orders.write", "grantedByDefault": True, "roles": ["buyer", "seller"]},
    ]
    assert [one["projectId"] for one in console.sent(f"{APPS}/AddAppAPI")] == ["p3", "p4"]
    assert "<bdi>Kiosk</bdi>: Only owners." in start


@pytest.mark.parametrize(
    ("button", "scopes"),
    [({"add_row": "f.scopes"}, ["a", "b", "c", ""]), ({"drop_row": "f.scopes.1"}, ["a", "c"])],
)
async def test_rows_are_added_and_removed_without_script(
    console: ConsoleService, signed_in: httpx.AsyncClient, button: dict[str, str], scopes: list[str]
) -> None:
    """The buttons keep everything typed and send nothing; the changed row is focused."""
    form = {"kind": "api", "f.name": "Orders", "project": "new", **button} | {
        f"f.scopes.{number}.scope": scope for number, scope in enumerate("abc")
    }
    shown = (await send(signed_in, NEW, page=f"{NEW}?kind={form['kind']}", **form)).text

    assert re.findall(r'name="f\.scopes\.\d\.scope" value="([^"]*)"', shown) == scopes
    assert 'value="Orders"' in shown
    assert shown.count(" autofocus") == 1
    assert console.sent(f"{PROJECTS}/SetUpProject") == []
