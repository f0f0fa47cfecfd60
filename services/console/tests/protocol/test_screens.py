from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal, send

APP = "portico.management.v1.AppService"
PROJECT = "portico.management.v1.ProjectService"
USERS = "portico.management.v1.UserService"
USER_API = "portico.user.v2.UserService"
BASE = "/ui/console/orgs/o1"
ALL = (
    "project.read",
    "project.write",
    "project.delete",
    "project.role.read",
    "project.role.write",
    "user.read",
    "user.write",
)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    role = {"key": "a/b c", "displayName": "Odd", "details": {"sequence": "3"}}
    console.provider.answers |= {
        PERMISSIONS: holding(*ALL),
        f"{PROJECT}/GetProjectByID": answering({"project": {"id": "p1", "name": "Shop", "details": {"sequence": "3"}}}),
        f"{PROJECT}/ListProjectRoles": answering({"result": [role], "details": {"totalResult": "1"}}),
        f"{PROJECT}/ListProjects": answering(
            {"result": [{"id": "p1", "name": "Shop"}], "details": {"totalResult": "120"}}
        ),
        f"{USERS}/ListUsers": answering({"details": {}}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


async def test_irreversible_action_needs_the_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The name must be typed, and the request has the version that the page showed."""
    path = f"{BASE}/projects/p1/do/remove"
    without = await send(signed_in, path, typed_name="Shop")
    wrong = await send(signed_in, path, confirmed="1", typed_name="Shopp")
    before = calls(console, f"{PROJECT}/RemoveProject")
    right = await send(signed_in, path, confirmed="1", typed_name="Shop", sequence="3")
    [request] = [one for one in console.provider.requests if one.url.path.endswith("/RemoveProject")]

    assert (without.status_code, wrong.status_code, before) == (200, 400, [])
    assert (right.status_code, right.headers["location"].partition("?")[0]) == (303, f"{BASE}/projects")
    assert (request.headers["if-match"], request.headers["x-service-orgid"]) == ('"3"', "o1")


async def test_confirmation_is_headed_with_the_name(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A verb alone gets the name of its object; a title that has an object keeps it."""
    console.provider.answers[f"{PROJECT}/GetProjectByID"] = answering({"project": {"id": "p1", "name": "<Shop>"}})
    page = (await signed_in.get(f"{BASE}/projects/p1/do/remove")).text
    sessions = (await signed_in.get(f"{BASE}/users/u2/sessions/do/end-all")).text

    assert '<h1 id="confirm-heading">Delete <bdi>&lt;Shop&gt;</bdi></h1>' in page
    assert "<title>Delete &lt;Shop&gt;" in page
    assert '<h1 id="confirm-heading">End all sessions</h1>' in sessions


async def test_list_is_paginated(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Search and page are sent to the API, and a next page is offered while there is one."""
    second = await signed_in.get(f"{BASE}/projects?q=sh&page=2")
    third = await signed_in.get(f"{BASE}/projects?q=sh&page=3")
    asked = calls(console, f"{PROJECT}/ListProjects")

    assert asked[0]["query"] == {"limit": 50, "offset": "50", "asc": True}
    assert asked[0]["queries"] == [{"wordsQuery": {"text": "sh"}}]
    assert 'rel="next"' in second.text
    assert 'rel="next"' not in third.text


async def test_application_shows_the_userinfo_setting(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The label is the specification's, which has id_token_userinfo_assertion "labelled User Info inside ID Token"."""
    app = {"id": "a1", "name": "Shop", "oidcConfig": {"clientId": "c1", "idTokenUserinfoAssertion": True}}
    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.app.write"),
        f"{APP}/GetAppByID": answering({"app": app}),
    }
    page = await signed_in.get(f"{BASE}/projects/p1/apps/a1")
    form = await signed_in.get(f"{BASE}/projects/p1/apps/a1/do/settings-tokens")
    [row] = re.findall(r"<dt>User Info inside ID Token</dt><dd>(.*?)</dd>", page.text)

    assert "yes" in row
    assert re.search(r'type="checkbox"[^>]* checked[^>]*> User Info inside ID Token</label>', form.text)


async def test_unpermitted_actions_are_not_offered(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """With read permission only, no button is shown; without it there is no list."""
    console.provider.answers[PERMISSIONS] = holding("project.read")
    read_only = await signed_in.get(f"{BASE}/projects/p1")
    nothing = await signed_in.get(f"{BASE}/users")

    assert "do-change" not in read_only.text
    assert 'id="read-only"' in read_only.text
    assert 'id="may-not-read"' in nothing.text
    assert calls(console, f"{USERS}/ListUsers") == []


async def test_object_has_one_primary_action_and_a_menu(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Destructive actions are the last ones of the menu and marked; the first one of an inactive object ends that."""
    console.provider.answers[PERMISSIONS] = holding(*ALL, "events.read")
    heads = []
    for state in ("ACTIVE", "INACTIVE"):
        project = {"id": "p1", "name": "Shop", "state": f"PROJECT_STATE_{state}"}
        console.provider.answers[f"{PROJECT}/GetProjectByID"] = answering({"project": project})
        page = (await signed_in.get(f"{BASE}/projects/p1")).text
        heads.append(page.split('class="page-head"')[1].split("</header>")[0])
    shown = [
        [re.findall(r'class="([a-z ]*)" id="do-([a-z]+)"', part) for part in head.split('id="more-actions"')]
        for head in heads
    ]

    assert shown == [
        [[("button", "change")], [("", "claims"), ("danger", "deactivate"), ("danger", "remove")]],
        [[("button", "reactivate")], [("", "change"), ("", "claims"), ("danger", "remove")]],
    ]
    assert '<span class="state off">inactive</span>' in heads[1]


async def test_ids_with_slashes_are_found(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    page = await signed_in.get(f"{BASE}/projects/p1/roles")
    [href] = set(re.findall(rf'href="{BASE}/projects/p1/roles/(?!do/)([^"]+)"', page.text))
    shown = await signed_in.get(f"{BASE}/projects/p1/roles/{href}")
    changed = await send(signed_in, f"{BASE}/projects/p1/roles/{href}/do/change", **{"f.displayName": "Even"})

    assert "Odd" in shown.text
    assert changed.status_code == 303
    assert calls(console, f"{PROJECT}/UpdateProjectRole") == [
        {"projectId": "p1", "roleKey": "a/b c", "displayName": "Even"}
    ]


async def test_metadata_is_shown_as_text_or_base64(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A value that is not text, or has control characters, is shown in base64."""
    values = {"color": "YmxldSDwn6aK", "raw": "/w==", "bell": "BwdCRUxM"}
    rows = [{"key": key, "value": value} for key, value in values.items()]
    console.provider.answers["portico.management.v1.UserMetadataService/ListMetadata"] = answering({"result": rows})
    page = await signed_in.get(f"{BASE}/users/u1/metadata")

    assert [text in page.text for text in ("bleu \N{FOX FACE}", "/w==", "BwdCRUxM", "YmxldSDwn6aK")] == [True] * 3 + [
        False
    ]


async def test_refused_form_keeps_its_input(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The page has the status and text of the error and the submitted values."""
    console.provider.answers[f"{PROJECT}/UpdateProject"] = refusal(
        "already_exists", 409, "USER-100", "This name is taken."
    )
    refused = await send(signed_in, f"{BASE}/projects/p1/do/change", **{"f.name": "Taken <b>"})

    assert refused.status_code == 409
    assert "This name is taken." in refused.text
    assert 'value="Taken &lt;b&gt;"' in refused.text


GROUPS = "portico.management.v1.GroupService"
METADATA = "portico.management.v1.UserMetadataService"


@pytest.mark.parametrize(
    ("path", "read", "found", "sent", "method", "id"),
    [
        ("groups/g1/mappings", f"{GROUPS}/ListGroupMappings", {"result": [{"idpId": "p1", "providerGroups": ["staff"]}]},
         {"f.providerGroups": "interns"}, f"{GROUPS}/SetGroupMapping", "idpId"),
        ("users/u1/metadata", f"{METADATA}/GetMetadata", {"metadata": {"key": "p1", "value": "b25l"}},
         {"f.value": "two"}, f"{METADATA}/SetMetadata", "key"),
    ],
)  # fmt: skip
async def test_new_entry_replaces_no_other(
    console: ConsoleService,
    signed_in: httpx.AsyncClient,
    path: str,
    read: str,
    found: Any,
    sent: Any,
    method: str,
    id: str,
) -> None:
    """The operation would replace an entry of the same id; another id is added."""
    console.provider.answers |= {PERMISSIONS: holding("user.grant.read", "user.grant.write", "user.read", "user.write")}
    console.provider.answers[read] = lambda fields, request: (
        refusal("not_found", 404, "USER-301", "Unknown.")(fields, request)
        if fields.get("key") == "p2"
        else answering(found)(fields, request)
    )
    refused, added = [
        await send(signed_in, f"{BASE}/{path}/do/new", **sent, **{f"f.{id}": value}) for value in ("p1", "p2")
    ]

    assert (refused.status_code, added.status_code) == (409, 303)
    assert "This entry already exists. To change it, open it in the list." in refused.text
    assert [one[id] for one in calls(console, method)] == ["p2"]


MEMBERS = "portico.management.v1.MemberService"
BY_LOGIN = f"{USERS}/GetUserByLoginNameGlobal"


async def test_roles_are_chosen_and_users_named(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The form offers the existing roles; a typed login name is resolved, and a selected id is sent as it is."""
    by_name = {"eve": "u7", "u8": "mallory"}
    console.provider.answers |= {
        PERMISSIONS: holding("org.member.read", "org.member.write"),
        f"{MEMBERS}/ListOrgMemberRoles": answering({"result": ["ORG_OWNER", "ORG_OWNER_VIEWER"]}),
        BY_LOGIN: lambda fields, request: (
            httpx.Response(200, json={"user": {"id": by_name[fields["loginName"]]}})
            if fields["loginName"] in by_name
            else refusal("not_found", 404, "USER-321", "Unknown.")(fields, request)
        ),
    }
    path = f"{BASE}/members/do/new"
    form = await signed_in.get(path)
    for user in ({"f.userId.q": "eve"}, {"f.userId.q": "adam", "f.userId": "u8"}):
        await send(signed_in, path, **user, **{"f.roles.ORG_OWNER": "on"})

    assert 'name="f.roles.ORG_OWNER_VIEWER"' in form.text
    assert calls(console, f"{MEMBERS}/AddOrgMember") == [
        {"userId": "u7", "roles": ["ORG_OWNER"]},
        {"userId": "u8", "roles": ["ORG_OWNER"]},
    ]


async def test_user_is_found_by_words_and_selected(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The search keeps the rest of the form and sends nothing; without a selection the form is refused."""
    found = [{"kind": "SEARCH_KIND_HUMAN", "id": "u7", "title": "Grace Hopper", "subtitle": "grace@home.example"}]
    console.provider.answers |= {
        PERMISSIONS: holding("org.member.read", "org.member.write"),
        f"{MEMBERS}/ListOrgMemberRoles": answering({"result": ["ORG_OWNER"]}),
        BY_LOGIN: refusal("not_found", 404, "USER-321", "Unknown."),
        "portico.management.v1.SearchService/Search": answering({"result": found}),
    }
    path = f"{BASE}/members/do/new"
    words = {"f.userId.q": "hopper", "f.roles.ORG_OWNER": "on"}
    searched = await send(signed_in, path, **words, find="1")
    sent = await send(signed_in, path, **words)

    assert 'value="u7" checked> <bdi>Grace Hopper · grace@home.example</bdi>' in searched.text
    assert 'name="f.roles.ORG_OWNER" checked> <span>Organization owner' in searched.text
    assert "May do everything in this organization." in searched.text
    assert (searched.status_code, sent.status_code) == (200, 400)
    assert "Search for a user and select one." in sent.text
    assert calls(console, f"{MEMBERS}/AddOrgMember") == []


async def test_event_types_are_chosen(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PERMISSIONS] = holding("org.webhook.read", "org.webhook.write")
    path = f"{BASE}/webhooks/do/new"
    form = await signed_in.get(path)
    await send(signed_in, path, **{"f.name": "Log", "f.url": "https://log.example", "f.eventTypes.user.*": "on"})

    assert '<p class="choices">Users</p>' in form.text
    assert "<span>User created</span>" in form.text
    assert [one["eventTypes"] for one in calls(console, "portico.management.v1.WebhookService/AddWebhook")] == [
        ["user.*"]
    ]


async def test_value_without_option_is_retained(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A stored value that is no longer an option stays checked, so an unchanged form changes nothing."""
    member = {"userId": "u7", "displayName": "Eve", "roles": ["OF_YESTERDAY", "ORG_OWNER"]}
    console.provider.answers |= {
        PERMISSIONS: holding("org.member.read", "org.member.write"),
        f"{MEMBERS}/ListOrgMembers": answering({"result": [member], "details": {"totalResult": "1"}}),
        f"{MEMBERS}/ListOrgMemberRoles": answering({"result": ["ORG_OWNER", "ORG_OWNER_VIEWER"]}),
    }
    form = await signed_in.get(f"{BASE}/members/u7/do/roles")
    checked = re.findall(r'name="(f\.roles\.\w+)" checked', form.text)
    await send(signed_in, f"{BASE}/members/u7/do/roles", **dict.fromkeys(checked, "on"))

    assert checked == ["f.roles.ORG_OWNER", "f.roles.OF_YESTERDAY"]
    assert calls(console, f"{MEMBERS}/UpdateOrgMember") == [{"userId": "u7", "roles": ["ORG_OWNER", "OF_YESTERDAY"]}]


async def test_too_many_options_are_typed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """With more roles than a form can show, the keys are typed one per line."""
    console.provider.answers |= {
        PERMISSIONS: holding("project.read", "project.role.read", "project.grant.write"),
        f"{PROJECT}/ListProjectRoles": answering(
            {"details": {"totalResult": "1001"}, "result": [{"key": f"r{at}"} for at in range(1000)]}
        ),
    }
    form = await signed_in.get(f"{BASE}/projects/p1/grants/do/new")

    assert '<textarea id="f-roleKeys"' in form.text


async def test_unlistable_options_are_typed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A user without permission to list roles gets a text field."""
    console.provider.answers |= {
        PERMISSIONS: holding("project.read", "project.member.read", "project.member.write"),
        f"{MEMBERS}/ListProjectMemberRoles": refusal(
            "permission_denied", 403, "USER-312", "You are not allowed to do this."
        ),
    }
    form = await signed_in.get(f"{BASE}/projects/p1/members/do/new")

    assert form.status_code == 200
    assert '<textarea id="f-roles"' in form.text


async def test_deletion_shows_the_number_of_dependents(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The confirmation counts each kind the user may read, and omits empty kinds."""
    console.provider.answers |= {
        PERMISSIONS: holding("project.read", "project.delete", "project.app.read", "project.role.read"),
        "portico.management.v1.AppService/ListApps": answering(
            {"result": [{"id": "a1"}], "details": {"totalResult": "3"}}
        ),
        f"{PROJECT}/ListProjectRoles": answering({"details": {}}),
    }
    page = await signed_in.get(f"{BASE}/projects/p1/do/remove")
    counted = re.findall(r"<dt>([^<]+)</dt><dd>(\d+)</dd>", page.text)

    assert counted == [("Applications", "3")]
    assert calls(console, "portico.management.v1.ProjectGrantService/ListProjectGrants") == []


async def test_notice_is_shown_once(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    sent = await send(signed_in, f"{BASE}/projects/p1/do/change", name="Market")
    shown = [await signed_in.get(sent.headers["location"]) for _ in range(2)]

    assert ['id="notice"' in page.text for page in shown] == [True, False]


async def test_notice_names_the_object(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A deleted object is named on its list, and a created one on its page."""
    removed = await send(signed_in, f"{BASE}/projects/p1/do/remove", confirmed="1", typed_name="Shop", sequence="3")
    after_removal = await signed_in.get(removed.headers["location"])
    created = await send(signed_in, f"{BASE}/projects/p1/roles/do/new", **{"f.roleKey": "r", "f.displayName": "Cook"})
    after_creation = await signed_in.get(created.headers["location"])

    assert "Shop was deleted." in after_removal.text
    assert "The role Cook was created." in after_creation.text
