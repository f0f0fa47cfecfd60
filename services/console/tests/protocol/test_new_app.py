from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import PERMISSIONS, ConsoleService, holding, refusal

APPS = "portico.management.v1.AppService"
PROJECTS = "portico.management.v1.ProjectService"
MACHINES = "portico.management.v1.ServiceUserService"
TRACES = "portico.management.v1.TraceService"
NEW = "/ui/console/orgs/o1/apps/new"
SECRET = "canary-client-secret"
CONFIG = {"clientId": "c1", "appType": "OIDC_APP_TYPE_WEB", "redirectUris": ["http://localhost:3000/cb"]}
REFUSED = {
    "requestId": "0123456789abcdef", "at": "2026-11-23T10:00:00Z", "endpoint": "authorization",
    "outcome": "TRACE_OUTCOME_REFUSED", "text": "The redirect address is not registered.", "fix": "Register it.",
}  # fmt: skip


def answering(body: dict[str, Any], status: int = 200) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(status, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        f"{PROJECTS}/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{PROJECTS}/SetUpProject": answering({"id": "p2", "appId": "a1", "clientId": "c1", "clientSecret": SECRET}),
        f"{APPS}/AddOIDCApp": answering({"appId": "a1", "clientId": "c1", "clientSecret": SECRET}),
        f"{APPS}/AddAPIApp": answering({"appId": "a1", "clientId": "c1", "clientSecret": SECRET}),
        f"{APPS}/GetAppByID": answering({"app": {"id": "a1", "name": "Shop", "oidcConfig": CONFIG}}),
        f"{MACHINES}/AddMachineUser": answering({"userId": "m1", "clientSecret": SECRET}),
        f"{TRACES}/ListAppTraces": answering({}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def csrf(browser: httpx.AsyncClient) -> str:
    page = await browser.get(NEW)
    return page.text.split('name="csrf" value="')[1].split('"')[0]


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


@pytest.mark.parametrize(
    ("kind", "framework", "app_type", "method"),
    [
        ("web", "", "OIDC_APP_TYPE_WEB", "OIDC_AUTH_METHOD_TYPE_BASIC"),
        ("web", "go", "OIDC_APP_TYPE_WEB", "OIDC_AUTH_METHOD_TYPE_BASIC"),
        ("browser", "", "OIDC_APP_TYPE_USER_AGENT", "OIDC_AUTH_METHOD_TYPE_NONE"),
        ("native", "", "OIDC_APP_TYPE_NATIVE", "OIDC_AUTH_METHOD_TYPE_NONE"),
    ],
)
async def test_kind_decides_how_the_application_is_registered(
    console: ConsoleService, signed_in: httpx.AsyncClient, kind: str, framework: str, app_type: str, method: str
) -> None:
    """Only server applications get a secret, and all kinds use the authorization code."""
    form = {"csrf": await csrf(signed_in), "kind": kind, "name": "Shop", "project": "p1", "framework": framework,
            "f.redirectUris": "https://a.example/cb\r\n\r\nhttps://b.example/cb\r\n"}  # fmt: skip
    created = await signed_in.post(NEW, data=form)
    [fields] = calls(console, f"{APPS}/AddOIDCApp")

    assert created.status_code == 303
    assert created.headers["location"].startswith("/ui/console/orgs/o1/projects/p1/apps/a1/start?once=")
    assert SECRET not in created.headers["location"]
    assert fields["redirectUris"] == ["https://a.example/cb", "https://b.example/cb"]
    assert fields["responseTypes"] == ["OIDC_RESPONSE_TYPE_CODE"]
    assert (fields["appType"], fields["authMethodType"]) == (app_type, method)


@pytest.mark.parametrize(("framework", "claim"), [("grafana", "groups"), ("flask", "")])
async def test_program_with_groups_gets_them(
    console: ConsoleService, signed_in: httpx.AsyncClient, framework: str, claim: str
) -> None:
    """The application is registered with the claim that the generated configuration reads."""
    form = {"csrf": await csrf(signed_in), "kind": "web", "f.name": "Shop", "project": "p1", "framework": framework}
    await signed_in.post(NEW, data=form)
    [fields] = calls(console, f"{APPS}/AddOIDCApp")

    assert fields["rolesClaim"] == claim


async def test_secret_is_shown_once(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A reload states that it was shown, and the configuration reads it from the environment."""
    form = {"csrf": await csrf(signed_in), "kind": "web", "f.name": "Shop", "project": "p1", "framework": "flask"}
    created = await signed_in.post(NEW, data=form)
    first, again = [await signed_in.get(created.headers["location"]) for _ in range(2)]

    assert first.text.count(SECRET) == 1
    assert 'id="secret-once"' in first.text
    assert "CLIENT_SECRET" in first.text
    assert SECRET not in again.text
    assert 'id="secret-shown"' in again.text
    assert first.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("scopes", "shown"), [(["orders.read"], "requireScope(&#34;orders.read&#34;)"), ([], "needs a scope of the API")]
)
async def test_page_of_an_api_has_code_that_checks_its_scopes(
    console: ConsoleService, signed_in: httpx.AsyncClient, scopes: list[str], shown: str
) -> None:
    config = {"clientId": "c1", "scopes": [{"scope": one} for one in scopes], "resources": ["https://orders.example"]}
    app = {"id": "a1", "name": "Orders", "apiConfig": config}
    console.provider.answers[f"{APPS}/GetAppByID"] = answering({"app": app})
    page = await signed_in.get("/ui/console/orgs/o1/projects/p1/apps/a1?framework=express")

    assert page.status_code == 200
    assert shown in page.text


async def test_new_project_has_the_name_of_the_application(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A project created with the application has its name unless the form has another."""
    token = await csrf(signed_in)
    for more in ({}, {"f.projectName": "Shops"}):
        await signed_in.post(NEW, data={"csrf": token, "kind": "api", "f.name": "Prices", "project": "new", **more})

    assert calls(console, f"{PROJECTS}/SetUpProject") == [
        {"name": name, "apiApp": {"name": "Prices", "resources": [], "scopes": []}} for name in ("Prices", "Shops")
    ]


@pytest.mark.parametrize("kind", ["web", "api", "machine"])
async def test_each_creation_is_one_call(console: ConsoleService, signed_in: httpx.AsyncClient, kind: str) -> None:
    """A refused or interrupted creation leaves nothing, because nothing is created before it."""
    token = await csrf(signed_in)
    before = len(console.provider.calls)
    await signed_in.post(NEW, data={"csrf": token, "kind": kind, "name": "Prices", "project": "new"})

    assert [name.rpartition("/")[2] for name, _ in console.provider.calls[before:]] == [
        "AddMachineUser" if kind == "machine" else "SetUpProject"
    ]


@pytest.mark.parametrize(
    ("refused", "more", "beside"),
    [
        (refusal("already_exists", 409, "USER-011", "This name is already in use."), {}, "name"),
        (
            refusal("already_exists", 409, "USER-011", "This name is already in use."),
            {"f.projectName": "Shops"},
            "projectName",
        ),
        (
            refusal("invalid_argument", 400, "USER-013", "Not allowed.", **{"oidcApp.redirectUris[0]": "Not allowed."}),
            {},
            "redirectUris",
        ),
        (
            refusal(
                "invalid_argument",
                400,
                "USER-013",
                "Not allowed.",
                **{"oidcApp.postLogoutRedirectUris[1]": "Not allowed."},
            ),
            {},
            "postLogoutRedirectUris",
        ),
    ],
    ids=["name", "project", "redirect URI", "post-logout URI"],
)
async def test_problem_is_beside_its_field(
    console: ConsoleService, signed_in: httpx.AsyncClient, refused: Any, more: dict[str, str], beside: str
) -> None:
    console.provider.answers[f"{PROJECTS}/SetUpProject"] = refused
    form = {"csrf": await csrf(signed_in), "kind": "web", "f.name": "Prices", "project": "new",
            "f.redirectUris": "https://a.example/cb", **more}  # fmt: skip
    page = await signed_in.post(NEW, data=form)

    assert page.status_code >= 400
    assert f'id="f-{beside}-problem"' in page.text
    assert page.text.count('aria-invalid="true"') == 1
    assert f'<a href="#f-{beside}">' in page.text
    assert "https://a.example/cb" in page.text
    assert "redirectUris[" not in page.text


async def test_step_up_keeps_the_input(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The form of a service user is filled again after the user has signed in again."""
    console.provider.answers[f"{MACHINES}/AddMachineUser"] = refusal(
        "permission_denied", 403, "USER-731", "Sign in again."
    )
    form = {"csrf": await csrf(signed_in), "kind": "machine", "f.name": "Nightly job"}
    sent = await signed_in.post(NEW, data=form)
    back = await signed_in.get(console.provider.authorize(sent.headers["location"]))
    again = await signed_in.get(back.headers["location"])
    page = await signed_in.get(again.headers["location"])

    assert 'value="Nightly job"' in page.text
    assert 'id="unsaved"' in page.text


async def test_service_user_gets_a_client_secret(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The secret is shown once, to this user only, and the page leads on to the service user's roles and keys."""
    form = {"csrf": await csrf(signed_in), "kind": "machine", "f.name": "Nightly job"}
    created = await signed_in.post(NEW, data=form)
    page = await signed_in.get(created.headers["location"])
    onward = created.headers["location"].split("/start?")[0]

    assert calls(console, f"{MACHINES}/AddMachineUser") == [
        {"userName": "Nightly job", "name": "Nightly job", "generateSecret": True}
    ]
    assert f'href="{onward}"' in page.text
    assert SECRET in page.text
    assert SECRET not in (await signed_in.get(created.headers["location"])).text


async def test_refused_application_shows_the_form_again(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The form has the input, the reason for each address, and no markup from the input."""
    console.provider.answers[f"{APPS}/AddOIDCApp"] = refusal(
        "invalid_argument", 400, "USER-013", "This address cannot be registered."
    )
    hostile = '"><script>alert(1)</script>'
    form = {"csrf": await csrf(signed_in), "kind": "web", "f.name": hostile, "project": "p1",
            "f.redirectUris": f"http://a.example/cb\n{hostile}"}  # fmt: skip
    page = await signed_in.post(NEW, data=form)

    assert "This address cannot be registered." in page.text
    assert "Use https" in page.text
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text


async def test_unknown_kind_creates_nothing(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.post(NEW, data={"csrf": await csrf(signed_in), "kind": "toaster", "f.name": "x"})

    assert page.status_code == 400
    assert "CONS-260" in page.text
    assert not any(name.startswith((APPS, MACHINES)) for name, _ in console.provider.calls)


async def test_received_requests_are_shown_with_their_reason(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The page and its script show no request, then a refused one with its fix, then a success."""
    start = "/ui/console/orgs/o1/projects/p1/apps/a1/start"
    seen = []
    for traces in ([], [REFUSED], [{**REFUSED, "outcome": "TRACE_OUTCOME_ISSUED", "text": "", "fix": ""}, REFUSED]):
        console.provider.answers[f"{TRACES}/ListAppTraces"] = answering({"result": traces})
        seen.append([(await signed_in.get(start)).text, (await signed_in.get(start.replace("start", "waiting"))).text])

    assert all("Waiting for the first sign-in" in text for text in seen[0])
    assert all("Register it." in text and "/ui/console/requests/0123456789abcdef" in text for text in seen[1])
    assert all('id="first-sign-in"' in text for text in seen[2])


async def test_page_of_an_old_application_waits_for_nothing(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """Older than a day, its page states that there were no requests, also when its script asks again."""
    old = {"id": "a1", "name": "Shop", "details": {"creationDate": "2020-01-01T00:00:00Z"}, "oidcConfig": CONFIG}
    console.provider.answers[f"{APPS}/GetAppByID"] = answering({"app": old})
    page = await signed_in.get("/ui/console/orgs/o1/projects/p1/apps/a1")
    again = await signed_in.get(page.text.split('data-refresh="')[1].split('"')[0])

    assert all("No requests in the last 24 hours." in one.text for one in (page, again))


async def test_code_and_secret_can_be_copied_and_saved(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The buttons name the element and the file; they need a script and are hidden without it."""
    form = {"csrf": await csrf(signed_in), "kind": "web", "f.name": "Shop", "project": "p1", "framework": "flask"}
    created = await signed_in.post(NEW, data=form)
    page = (await signed_in.get(created.headers["location"])).text

    assert 'data-copy="client-secret" hidden' in page
    assert 'data-download="client-secret" data-file="c1.secret.txt" hidden' in page
    assert 'data-download="file-1" data-file="app.py" hidden' in page


async def test_redirect_uri_advice_is_json(signed_in: httpx.AsyncClient) -> None:
    good, bad = [
        (await signed_in.get("/ui/console/redirect-advice", params={"uri": uri})).json()
        for uri in ("https://a.example/cb", "http://a.example/cb")
    ]

    assert good["good"] is True
    assert bad == {
        "good": False,
        "text": "Use https. With http, others can read the code in transit. Only localhost can use http.",
    }


async def test_diagnostics_are_found_by_request_id(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Each check is shown with its compared values, an unknown id is explained, and an invalid one is not sent."""
    check = {"name": "redirect_uri", "given": "https://a.example/x", "wanted": ["https://a.example/cb"]}
    console.provider.answers[f"{TRACES}/GetTrace"] = answering({"trace": {**REFUSED, "checks": [check]}})
    found = await signed_in.get("/ui/console/requests", params={"request": " 0123456789abcdef "})
    page = await signed_in.get(found.headers["location"])
    console.provider.answers[f"{TRACES}/GetTrace"] = refusal("not_found", 404, "USER-841", "There is no trace.")
    absent = await signed_in.get("/ui/console/requests/0123456789abcdeg")
    odd = await signed_in.get("/ui/console/requests", params={"request": "../../x"})

    assert found.headers["location"] == "/ui/console/requests/0123456789abcdef"
    assert "https://a.example/cb" in page.text
    assert "Register it." in page.text
    assert absent.status_code == 404
    assert 'id="trace-absent"' in absent.text
    assert 'id="trace-absent"' in odd.text


async def test_renewal_returns_to_the_page(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    clock.tick(1_799)
    await signed_in.get("/ui/console")
    clock.tick(10)
    renewing = await signed_in.get(NEW)
    done = await signed_in.get(console.provider.authorize(renewing.headers["location"]))

    assert done.headers["location"] == NEW


async def test_application_of_a_project_stays_in_it(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The button of a project's page chooses that project in the form, whatever type is chosen on the way."""
    console.provider.answers |= {
        f"{PROJECTS}/GetProjectByID": answering({"project": {"id": "p1", "name": "Shop"}}),
        PERMISSIONS: holding("project.read", "project.app.read", "project.app.write"),
    }
    page = await signed_in.get("/ui/console/orgs/o1/projects/p1")
    assert f'href="{NEW}?project=p1"' in page.text
    kinds = await signed_in.get(f"{NEW}?project=p1")
    assert 'href="?kind=web&amp;project=p1"' in kinds.text
    form = await signed_in.get(f"{NEW}?kind=web&project=p1")
    assert '<option value="p1" selected>' in form.text
    assert f'href="{NEW}?project=p1"' in form.text
