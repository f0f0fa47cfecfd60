"""Creating an organization with its first member in one call, atomically (MG-01)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

ORGS: Final = "portico.management.v1.OrganizationService"
SET_UP: Final = "portico.admin.v1.OrganizationService.SetUpOrg"
PASSWORD: Final = "nine small sparrows"


async def set_up(managed: Any, *, by: str = "iam", org: Any = None, roles: Any = (), **human: Any) -> ApiResponse:
    body = {
        "org": {"name": f"Set up {managed.tag}", **(org or {})},
        "human": {
            "userName": f"first-{managed.tag}",
            "profile": {"firstName": "Ada", "lastName": "Byron"},
            "email": {"email": managed.users.mail("first"), "isEmailVerified": True},
            **human,
        },
        "roles": list(roles),
    }
    return await call_as(managed, SET_UP, body, by=by)


async def test_first_member_owns_the_organization(managed: Any) -> None:
    """The member must change the given password, and then has an owner's permissions in this organization only."""
    response = await set_up(managed, password=PASSWORD)
    user_id, org_id = response.body["userId"], response.body["orgId"]
    managed.tokens["first"] = managed.api.token_of(user_id)
    signed_in = (await managed.users.try_password(f"first-{managed.tag}", PASSWORD)).user
    added = await managed.add(managed.new_human("second"), by="first")
    elsewhere = await managed.get(f"self-{managed.tag}", by="first")
    [member] = await managed.users.rows("members", userId=user_id)

    assert response.code == 0, response.body
    assert response.body["details"]["resourceOwner"] == org_id
    assert signed_in is not None
    assert (signed_in.org_id, signed_in.password_change_required) == (org_id, True)
    assert (added.code, elsewhere.code) == (0, 5)
    assert (member["scopeId"], member["roles"]) == (org_id, ["ORG_OWNER"])


async def test_each_part_is_an_event_of_the_caller(managed: Any) -> None:
    """The events equal those of separate calls."""
    body = (await set_up(managed)).body
    [member] = await managed.users.rows("members", userId=body["userId"])
    events = [
        one
        for id in (body["orgId"], body["userId"], member["_id"])
        for one in await managed.users.rows("events", object=id)
    ]

    assert [one["table"] for one in events[:2]] == ["orgs", "users"]
    assert {one["actor"] for one in events} == {f"iam-{managed.tag}"}


@pytest.mark.parametrize(
    ("wrong", "error_code", "field"),
    [
        ({"roles": ["IAM_OWNER"]}, "USER-040", "roles[0]"),
        ({"roles": ["ORG_OWNER", "PROJECT_OWNER"]}, "USER-040", "roles[1]"),
        ({"password": "short"}, "USER-030", "human.password"),
        ({"org": {"domain": "no domain"}}, "USER-004", "org.domain"),
        ({"email": {"email": "nobody"}}, "USER-005", "human.email.email"),
    ],
    ids=["role of the instance", "role of projects", "password", "domain", "address"],
)
async def test_failure_creates_nothing(managed: Any, wrong: Any, error_code: str, field: str) -> None:
    """The error has its path in the message; all names and ids stay free."""
    refused = await set_up(managed, **wrong)

    assert refused.fields == [field]
    assert refused.error_code == error_code
    assert (await set_up(managed)).code == 0


async def test_taken_names_and_domains_are_refused(managed: Any) -> None:
    """Whichever is taken, nothing is created."""
    taken = [
        await set_up(managed, org={"name": managed.org_id}),
        await set_up(managed, userName=f"SELF-{managed.tag}"),
        await set_up(managed, org={"domain": managed.domain(managed.org_id)}),
        await set_up(managed, userName=f"ada@{managed.domain(managed.other_org_id)}"),
    ]

    assert [response.error_code for response in taken] == ["USER-011", "USER-011", "USER-716", "USER-864"]
    assert taken[2].fields == ["org.domain"]
    assert taken[3].fields == ["human.userName"]
    assert (await set_up(managed)).code == 0


async def test_roles_and_domain_are_applied(managed: Any) -> None:
    """Repeated roles are stored once; login names end with the given domain."""
    domain = f"wanted-{managed.tag}.example"
    response = await set_up(managed, org={"domain": domain}, roles=["ORG_USER_MANAGER", "ORG_USER_MANAGER"])
    user = (await managed.get(response.body["userId"], by="iam")).body["user"]
    [member] = await managed.users.rows("members", userId=response.body["userId"])

    assert user["preferredLoginName"] == f"first-{managed.tag}@{domain}"
    assert member["roles"] == ["ORG_USER_MANAGER"]


async def test_link_is_emailed_without_a_password(managed: Any) -> None:
    """With a password and a verified address no email is sent."""
    await set_up(managed)
    [message] = await managed.users.mails_to(managed.users.mail("first"))

    assert "/password" in message.get_body(("plain",)).get_content()


@pytest.mark.parametrize("ready", [True, False])
async def test_readiness_is_public(managed: Any, ready: bool) -> None:
    """The readiness check needs no token and has no details."""

    async def check() -> None:
        if not ready:
            raise ConnectionError("the database of 10.0.0.7")

    managed.api.health.add("mongo", check)
    answer = await managed.api.http.get("/admin/v1/healthz")
    wrong = await managed.api.http.post("/admin/v1/healthz", json={})

    assert answer.status_code == (200 if ready else 503)
    assert (answer.json() == {}) is ready
    assert "mongo" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")


async def test_taken_domain_gets_equal_errors_everywhere(managed: Any) -> None:
    """The management API and apply both give USER-716 with the domain, instead of USER-011."""
    taken = managed.domain(managed.other_org_id)
    response = await set_up(managed, org={"domain": taken})
    refused = []
    for org in ({"name": f"New {managed.tag}"}, {"name": managed.org_id, "id": managed.org_id}):
        with pytest.raises(ServiceError) as error:
            await managed.users.apply(org | {"primaryDomain": taken})
        refused.append((error.value.id, error.value.text.partition(":")[0]))

    assert (response.error_code, response.fields) == ("USER-716", ["org.domain"])
    assert refused == [("USER-716", "organizations[0].primaryDomain")] * 2


async def test_equal_labels_get_different_domains_everywhere(managed: Any) -> None:
    """The management API and apply both derive the second domain from the id."""
    name = f"Label {managed.tag}"
    added = await call_as(managed, f"{ORGS}.AddOrg", {"name": f"{name}!"}, by="iam")
    await managed.users.apply({"name": name})
    rows = await managed.users.rows("orgs", name={"$in": [name, f"{name}!"]})
    other = next(row for row in rows if row["_id"] != added.body["id"])
    label = f"label-{managed.tag}."

    assert added.code == 0, added.body
    assert [row["primaryDomain"].startswith(label) for row in (rows[0], rows[1])].count(True) == 1
    assert other["primaryDomain"].startswith(f"{other['_id']}.")
