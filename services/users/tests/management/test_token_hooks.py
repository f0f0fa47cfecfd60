"""Token hooks: webhooks with token.issue (decision 0149)."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.users import (
    CALL_TOKEN_HOOK,
    EXPORT,
    GET_CLIENT,
    AuthMethod,
    CallTokenHook,
    Client,
    ClientKind,
    Export,
    GetClient,
    HookFailure,
    OnFailure,
    TokenHookCalled,
)
from portico_fakes.webhook_scenario import OF_INSTANCE, WebhookScenario
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_runtime.http_client.outbound_connection import NoResponse
from portico_users.applications.app_record import App
from portico_users.applications.store import AppQueries
from portico_users.values.names import INSTANCE
from portico_users.webhooks.webhook import Webhook

pytestmark = pytest.mark.servers

PROJECTS = "portico.management.v1.ProjectService"
APPS = "portico.management.v1.AppService"
APP = {
    "name": "web",
    "redirectUris": ["https://a.example/cb"],
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
}


class TokenHookScenario:
    """An organization with a project and an application."""

    def __init__(self, hooks: WebhookScenario) -> None:
        self.hooks = hooks
        self.receiver = hooks.users.old_system
        self.receiver.answer = OutboundResponse(200, b'{"id_token": {"tenant": "t1"}}')
        self.project_id = self.client_id = ""

    async def prepare(self) -> None:
        self.project_id, self.client_id = await self.new_project("shop")

    async def new_project(self, name: str) -> tuple[str, str]:
        managed = self.hooks.managed
        made = await managed.api.json(f"{PROJECTS}.AddProject", {"name": f"{name} {managed.tag}"}, token=self.token)
        path = f"/management/v1/projects/{made.body['id']}/apps/oidc"
        app = await managed.api.json(f"{APPS}.AddOIDCApp", APP, token=self.token, path=path)
        assert app.code == 0, app.body
        return made.body["id"], app.body["clientId"]

    @property
    def token(self) -> str:
        return str(self.hooks.managed.tokens["owner"])

    def body(self, name: str = "hook", **members: Any) -> dict[str, Any]:
        given = {"eventTypes": ["token.issue"], "projectId": self.project_id, **members}
        return {"name": f"{name} {self.hooks.managed.tag}", "url": self.hooks.url(name), **given}

    async def add(self, name: str = "hook", **members: Any) -> str:
        response = await self.hooks.call("AddWebhook", self.body(name, **members))
        assert response.code == 0, response.body
        return str(response.body["id"])

    async def client(self, client_id: str = "") -> Client:
        ask = GetClient(client_id=client_id or self.client_id)
        client: Client | None = (await self.hooks.users.call(GET_CLIENT, ask)).client
        assert client is not None
        return client

    async def call(self, hook_id: str, **members: Any) -> TokenHookCalled:
        ask = CallTokenHook(
            hook_id=hook_id, client_id=self.client_id, project_id=self.project_id, user_id="ada", user_org_id="acme",
            scope=("openid",), claims={"name": "Ada Lovelace"}, **members,
        )  # fmt: skip
        called: TokenHookCalled = await self.hooks.users.call(CALL_TOKEN_HOOK, ask)
        return called


@pytest.fixture
async def scenario(hooks: WebhookScenario) -> TokenHookScenario:
    scenario = TokenHookScenario(hooks)
    await scenario.prepare()
    return scenario


async def test_application_has_the_hook_of_its_project(scenario: TokenHookScenario) -> None:
    """Others have none, and a deactivated one is none."""
    _, other = await scenario.new_project("other")
    id = await scenario.add(onFailure="ON_FAILURE_OPEN", atRefresh=True)
    with_hook, without = await scenario.client(), await scenario.client(other)
    await scenario.hooks.do("_deactivate", id)

    assert with_hook.token_hook is not None
    assert (with_hook.token_hook.id, with_hook.token_hook.on_failure) == (id, OnFailure.OPEN)
    assert with_hook.token_hook.at_refresh
    assert without.token_hook is None
    assert (await scenario.client()).token_hook is None


@pytest.mark.parametrize(("project_id", "is_called"), [("shop", True), (OWN_APPLICATIONS, False)])
async def test_hook_of_the_instance_is_not_for_our_applications(
    hooks: WebhookScenario, project_id: str, *, is_called: bool
) -> None:
    """A dead hook locks no administrator out."""
    queries = hooks.users.service.find(AppQueries)
    hook = Webhook(id="h", org_id=INSTANCE, name="h", url="https://h.example", event_types=("token.issue",))

    class OneHook:
        async def find_token_hook(self, _project_id: str) -> Webhook:
            return hook

    queries = dataclasses.replace(queries, webhooks=OneHook())
    app = App(
        id="a",
        org_id="o",
        project_id=project_id,
        name="a",
        client_id="c",
        kind=ClientKind.OIDC,
        auth_method=AuthMethod.NONE,
    )

    assert (await queries.token_hook_of(app) is not None) is is_called


async def test_hook_of_the_instance_is_for_projects_without_one(scenario: TokenHookScenario) -> None:
    _, other = await scenario.new_project("other")
    own = await scenario.add()
    body = scenario.body("all", projectId="")
    response = await scenario.hooks.call("AddWebhook", body, by="iam", of=OF_INSTANCE)
    found = [await scenario.client(id) for id in (scenario.client_id, other)]

    assert response.code == 0, response.body
    assert [one.token_hook.id for one in found if one.token_hook] == [own, response.body["id"]]
    await scenario.hooks.call(
        "RemoveWebhook", {}, f"/admin/v1/webhooks/{response.body['id']}", by="iam", of=OF_INSTANCE
    )


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"eventTypes": ["token.issue", "user.*"]}, "eventTypes"),
        ({"projectId": ""}, "projectId"),
        ({"projectId": "unknown"}, "projectId"),
        ({"eventTypes": ["user.*"]}, "eventTypes"),
        ({"eventTypes": ["user.*"], "projectId": "", "atRefresh": True}, "eventTypes"),
        ({"eventTypes": ["*"], "projectId": "", "onFailure": "ON_FAILURE_OPEN"}, "eventTypes"),
        ({"url": "https://127.0.0.1/in"}, "url"),
    ],
)
async def test_invalid_hook_is_refused(scenario: TokenHookScenario, members: dict[str, Any], field: str) -> None:
    response = await scenario.hooks.call("AddWebhook", scenario.body(**members))

    assert response.code == 3, response.body
    assert field in json.dumps(response.body["details"])


async def test_project_of_another_organization_gets_no_hook(scenario: TokenHookScenario) -> None:
    """It would see the users of that organization's applications (MG-01)."""
    response = await scenario.hooks.call("AddWebhook", scenario.body(), by="foreign")

    assert response.code == 3, response.body


async def test_other_organizations_do_not_learn_of_a_hook(scenario: TokenHookScenario) -> None:
    """The answer about a project of another organization is the same with a hook of it and without one (MG-04)."""
    without = await scenario.hooks.call("AddWebhook", scenario.body(), by="foreign")
    await scenario.add()
    with_hook = await scenario.hooks.call("AddWebhook", scenario.body(), by="foreign")

    assert "USER-153" in without.body["message"]
    assert (with_hook.code, with_hook.body) == (without.code, without.body)


async def test_project_has_one_hook(scenario: TokenHookScenario) -> None:
    first = await scenario.add()
    second = await scenario.hooks.call("AddWebhook", scenario.body("second"))
    await scenario.hooks.do("", first, method="RemoveWebhook")

    assert (second.code, "USER-155" in second.body["message"]) == (6, True)
    assert await scenario.add("second")


async def test_hook_ends_with_its_project(scenario: TokenHookScenario) -> None:
    id = await scenario.add()
    path = f"/management/v1/projects/{scenario.project_id}"
    await scenario.hooks.managed.api.json(f"{PROJECTS}.RemoveProject", {}, token=scenario.token, path=path)

    assert (await scenario.hooks.do("", id, method="GetWebhook")).code == 5


async def test_call_tells_ids_scope_and_claims(scenario: TokenHookScenario) -> None:
    id = await scenario.add()
    called = await scenario.call(id)
    [(data, _body, headers)] = scenario.receiver.asked

    assert called == TokenHookCalled(claims={"id_token": {"tenant": "t1"}})  # type: ignore[dict-item]
    assert data == {
        "clientId": scenario.client_id, "projectId": scenario.project_id, "userId": "ada", "actorUserId": "",
        "userOrganizationId": "acme", "scope": ["openid"], "claims": {"name": "Ada Lovelace"}, "refresh": False, "test": False,
    }  # fmt: skip
    assert headers["webhook-signature"].startswith("v1,")


async def test_failed_calls_are_listed_and_not_sent_again(scenario: TokenHookScenario) -> None:
    """With the id of the user and the cause; neither what was sent nor what was answered is stored (IN-09)."""
    id = await scenario.add()
    scenario.receiver.answer = NoResponse("TimeoutError")
    called = await scenario.call(id)
    [listed] = await scenario.hooks.log(id)
    again = await scenario.hooks.do(f"deliveries/{listed['eventId']}/_resend", id, method="ResendDelivery")

    assert called.failure is HookFailure.TIMEOUT
    assert (listed["eventType"], listed["aggregateId"], listed["state"]) == (
        "token.issue", "ada", "DELIVERY_STATE_GIVEN_UP",
    )  # fmt: skip
    assert [one["cause"] for one in listed["attempts"]] == ["TimeoutError"]
    assert "Ada Lovelace" not in str(await scenario.hooks.users.rows("webhookDeliveries", webhookId=id))
    assert (again.code, "USER-156" in again.body["message"]) == (9, True)


async def test_test_shows_what_the_hook_gives_or_why_not(scenario: TokenHookScenario) -> None:
    """For an invented user: an administrator of webhooks may not see users (decision 0141)."""
    id = await scenario.add()
    good = await scenario.hooks.do("_test", id, method="TestTokenHook")
    scenario.receiver.answer = OutboundResponse(200, b'{"id_token": {"sub": "x"}}')
    bad = await scenario.hooks.do("_test", id, method="TestTokenHook")
    [data, _] = [data for data, _body, _headers in scenario.receiver.asked]

    assert good.body["claims"] == {"id_token": {"tenant": "t1"}}
    assert good.body["httpStatus"] == 200
    assert bad.body["cause"] == "reserved"
    assert not bad.body.get("claims")
    assert (data["test"], data["userId"]) == (True, "test")


async def test_only_a_token_hook_can_be_tested(scenario: TokenHookScenario) -> None:
    id, _ = await scenario.hooks.add("events", "user.*")
    response = await scenario.hooks.do("_test", id, method="TestTokenHook")

    assert (response.code, "USER-157" in response.body["message"]) == (9, True)


async def test_hook_gets_no_events(scenario: TokenHookScenario) -> None:
    await scenario.add()
    await scenario.hooks.rename("Renamed")
    await scenario.hooks.deliver()

    assert scenario.hooks.got("hook") == []


async def test_document_declares_a_hook_with_its_project(scenario: TokenHookScenario) -> None:
    """Both are new; an export has the hook as declared, and applying it again changes nothing."""
    managed = scenario.hooks.managed
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    hook: dict[str, Any] = {"name": "declared", "url": scenario.hooks.url("declared"), "eventTypes": ["token.issue"]}
    hook |= {"projectId": f"p-{managed.tag}", "onFailure": "open", "atRefresh": True}
    document = org | {"projects": [{"id": f"p-{managed.tag}", "name": "declared"}], "webhooks": [hook]}
    await managed.users.apply(document)
    again = await managed.users.apply(document)
    exported = await managed.users.call(EXPORT, Export(org_id=managed.org_id))
    [declared] = [one for one in exported.document.organizations[0].webhooks if one.name == "declared"]

    assert [one.action for one in again.changes if one.kind == "webhook"] == ["unchanged"]
    assert (declared.project_id, declared.on_failure.value, declared.at_refresh) == (f"p-{managed.tag}", "open", True)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("more", "second", "error_code"),
    [
        ({"projectId": "unknown"}, {}, "USER-153"),
        ({"projectId": "p-other"}, {}, "USER-153"),
        ({"projectId": "with-a-hook"}, {}, "USER-155"),
        ({"projectId": "new"}, {"projectId": "new"}, "USER-155"),
    ],
)
async def test_document_is_refused_for_its_hooks_before_it_is_applied(
    scenario: TokenHookScenario, more: dict[str, str], second: dict[str, str], error_code: str, *, check: bool
) -> None:
    """A check finds what applying would: an unknown project, one of another organization, and a second hook."""
    managed = scenario.hooks.managed
    await scenario.add()
    ids = {"with-a-hook": scenario.project_id, "new": f"hooked-{managed.tag}", "p-other": f"distant-{managed.tag}"}

    def organization(id: str, **members: Any) -> dict[str, Any]:
        return {"id": id, "name": id, "primaryDomain": managed.domain(id), **members}

    def hook(name: str, given: dict[str, str]) -> dict[str, Any]:
        project_id = ids.get(given["projectId"], given["projectId"])
        body = {"name": f"{name} {managed.tag}", "url": scenario.hooks.url(name), "eventTypes": ["token.issue"]}
        return body | {"projectId": project_id}

    hooks = [hook(name, given) for name, given in (("first", more), ("second", second)) if given]
    org = organization(managed.org_id, projects=[{"id": ids["new"], "name": "new"}], webhooks=hooks)
    other = organization(f"elsewhere-{managed.tag}", projects=[{"id": ids["p-other"], "name": "other"}])
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply(org, other, check=check)

    assert refused.value.id == error_code
    assert ".projectId: " in refused.value.text
