from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from portico_contracts import apply as document
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.proto_options import rules_of
from portico_contracts.users import Applied, Apply
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError
from portico_users.journal.command import Commit
from portico_users.policies.policies import Policies

pytestmark = pytest.mark.servers

ADDRESS = "https://idp.example"


def idp(id: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "name": id, "jwtEndpoint": ADDRESS, "issuer": ADDRESS, "keysEndpoint": ADDRESS, **members}


async def apply_org(world: Any, **members: Any) -> Applied:
    bare = {"id": f"org-{world.tag}", "name": f"Acme {world.tag}"}
    applied: Applied = await world.apply_document({"organizations": [bare | members]})
    return applied


async def stored(world: Any, collection: str, id: str) -> dict[str, Any]:
    [row] = await world.rows(collection, _id=id)
    return dict(row)


async def test_policies_are_set_and_retained(users_world: Any) -> None:
    """Policies absent from a later document stay; a second run changes nothing."""
    wanted = {
        "passwordPolicy": {"minLength": 12, "hasNumber": True},
        "passwordAgePolicy": {"maxAgeDays": 90, "expireWarnDays": 80},
        "lockoutPolicy": {"maxPasswordAttempts": 3},
    }
    first = await apply_org(users_world, **wanted)
    again = await apply_org(users_world, **wanted)
    later = await apply_org(users_world, labelPolicy={"primaryColor": "#000000"})
    policies = (await stored(users_world, "orgs", f"org-{users_world.tag}"))["policies"]

    assert [first.changes[0].action, again.changes[0].action] == ["created", "unchanged"]
    assert later.changes[0].fields == ("policies",)
    assert policies["password"]["minLength"] == 12
    assert policies["passwordAge"] == {"maxDays": 90, "warnDays": 80}
    assert policies["lockout"] == {"maxPasswordAttempts": 3}
    assert policies["label"]["primaryColor"] == "#000000"


@pytest.mark.parametrize(
    ("members", "place", "error_code"),
    [
        ({"labelPolicy": {"fontColor": "red"}}, "organizations[0].labelPolicy.fontColor", "USER-620"),
        ({"privacyPolicy": {"tosLink": "javascript:x"}}, "organizations[0].privacyPolicy.tosLink", "USER-621"),
        ({"loginPolicy": {"idps": ["none"]}}, "organizations[0].loginPolicy.idps[0]", "USER-318"),
        ({"domains": [{"name": "A b"}]}, "organizations[0].domains[0].name", "USER-004"),
        ({"domains": [{"name": "a.example"}] * 2}, "organizations[0].domains[1].name", "USER-715"),
        ({"members": [{"user": "none", "roles": []}]}, "organizations[0].members[0].user", "USER-834"),
        (
            {"oidcIdps": [{"name": "x", "issuer": ADDRESS, "clientId": "p"}]},
            "organizations[0].oidcIdps[0].clientSecret",
            "USER-830",
        ),
    ],
)
async def test_invalid_settings_are_refused_with_their_path(
    users_world: Any, members: dict[str, Any], place: str, error_code: str
) -> None:
    """The rules of the management API apply, and nothing is written."""
    with pytest.raises(ServiceError) as refused:
        await apply_org(users_world, **members)

    assert refused.value.id == error_code
    assert refused.value.text.startswith(f"{place}: ")
    assert await users_world.rows("orgs", _id=f"org-{users_world.tag}") == []


def test_limits_of_policies_match_the_management_api() -> None:
    """The document's schema and the .proto file have the same limits."""
    password_message: Any = pb.SetPasswordComplexityPolicyRequest.DESCRIPTOR
    lockout_message: Any = pb.SetLockoutPolicyRequest.DESCRIPTOR
    age_message: Any = pb.SetPasswordAgePolicyRequest.DESCRIPTOR
    length = rules_of(password_message.fields_by_name["min_length"]).uint64
    attempts = rules_of(lockout_message.fields_by_name["max_password_attempts"]).uint64
    password = document.PasswordPolicy.__annotations__["min_length"]
    lockout = document.LockoutPolicy.__annotations__["max_password_attempts"]

    assert password == f"Annotated[int, Meta(ge={length.gte}, le={length.lte})]"
    assert lockout.replace("_", "") == f"Annotated[int, Meta(ge=0, le={attempts.lte})]"
    for name in ("max_age_days", "expire_warn_days"):
        days = rules_of(age_message.fields_by_name[name]).uint32
        age = document.PasswordAgePolicy.__annotations__[name]
        assert age.replace("_", "") == f"Annotated[int, Meta(ge=0, le={days.lte})]"
    assert set(Policies.__struct_fields__) == {
        "password",
        "password_age",
        "lockout",
        "privacy",
        "label",
        "logos",
        "text",
        "client_metadata",
    }


async def test_listed_domain_may_be_the_primary_one(users_world: Any) -> None:
    """A document still applies after one of its domains became the primary one by another call."""
    await apply_org(users_world, primaryDomain=f"d-{users_world.tag}.example")
    again = await apply_org(users_world, domains=[{"name": f"d-{users_world.tag}.example"}])

    assert [change.action for change in again.changes] == ["unchanged"]


async def test_instance_providers_are_offered_by_name(users_world: Any) -> None:
    """The organization's own provider takes precedence; the order is the document's."""
    tag = users_world.tag
    shared, own = idp(f"i-{tag}", name=f"Shared {tag}"), idp(f"o-{tag}", name="Own")
    org = {"id": f"org-{tag}", "name": f"Acme {tag}", "jwtIdps": [own]}
    wanted = {"jwtIdps": [shared], "organizations": [org | {"loginPolicy": {"idps": [f"shared {tag}", "own"]}}]}
    first = await users_world.apply_document(wanted)
    again = await users_world.apply_document(wanted)

    assert first.changes[0].kind == "identity_provider"
    assert {change.action for change in again.changes} == {"unchanged"}
    assert (await stored(users_world, "idps", f"i-{tag}"))["orgId"] == "instance"
    assert (await stored(users_world, "orgs", f"org-{tag}"))["loginRules"]["idps"] == [f"i-{tag}", f"o-{tag}"]


async def test_repeated_offered_provider_is_refused(users_world: Any) -> None:
    """A provider listed by id and by name gets the error of AddIDPToLoginPolicy."""
    own = idp(f"o-{users_world.tag}", name="Own")
    with pytest.raises(ServiceError) as caught:
        await apply_org(users_world, jwtIdps=[own], loginPolicy={"idps": ["own", own["id"]]})

    assert caught.value.id == "USER-622"
    assert caught.value.text.startswith("organizations[0].loginPolicy.idps[1]: ")


async def test_verified_domain_stays_verified(users_world: Any) -> None:
    """``isVerified: true`` asserts the domain; without it, a verification by challenge stays."""
    name = f"a-{users_world.tag}.example"
    await apply_org(users_world, domains=[{"name": name, "isVerified": True}])
    again = await apply_org(users_world, domains=[{"name": name}])
    [domain] = (await stored(users_world, "orgs", f"org-{users_world.tag}"))["domains"]

    assert again.changes[0].action == "unchanged"
    assert domain == {"name": name, "verified": True}


async def test_deactivating_a_user_revokes_all_grants(users_world: Any) -> None:
    """The token service revokes them before apply responds (IR-14); unlocking resets wrong password attempts."""
    api = ManagementApi(users_world.service, users_world.bus)
    id = f"ada-{users_world.tag}"
    human = users_world.human(id=id, username=id)
    await apply_org(users_world, humans=[human])
    off = await apply_org(users_world, humans=[human | {"state": "locked"}])
    ended = list(api.ended)
    refused = await users_world.try_password(id, users_world.password)
    back = await apply_org(users_world, humans=[human | {"state": "active"}])

    assert off.changes[1].fields == ("state",)
    assert sorted(ended) == [("grants", id), ("sessions", id)]
    assert refused.user is None
    assert back.changes[1].action == "updated"
    assert (await users_world.try_password(id, users_world.password)).user.user_id == id


async def test_inactive_user_cannot_be_locked(users_world: Any) -> None:
    """As in the management API the error is USER-700 with the path."""
    human = users_world.human(state="inactive")
    await apply_org(users_world, humans=[human])
    with pytest.raises(ServiceError) as refused:
        await apply_org(users_world, humans=[human | {"state": "locked"}])

    assert refused.value.id == "USER-700"
    assert refused.value.text.startswith("organizations[0].humans[0].state: ")


async def test_password_hash_is_used_at_creation(users_world: Any) -> None:
    """The supported formats are those of the API; a hash cannot be combined with a password."""
    hash = "$2b$04$" + "a" * 53
    human = users_world.human(password=None, hashedPassword={"hash": hash})
    applied = await apply_org(users_world, humans=[human])
    with pytest.raises(ServiceError) as both:
        await apply_org(users_world, humans=[human | {"username": "x", "password": {"password": "a whistle"}}])
    with pytest.raises(ServiceError) as unknown:
        await apply_org(users_world, humans=[human | {"username": "x", "hashedPassword": {"hash": "plain"}}])

    assert (await stored(users_world, "passwords", applied.changes[1].id))["hash"] == hash
    assert (both.value.id, unknown.value.id) == ("USER-832", "USER-320")


async def test_members_are_identified_by_id_or_user_name(users_world: Any) -> None:
    """Members of projects and of other organizations are found, in any order of the document."""
    tag = users_world.tag
    bob = users_world.human(id=f"bob-{tag}", username=f"bob-{tag}", email={"email": users_world.mail("bob")})
    project = {"id": f"p-{tag}", "name": "web", "members": [{"user": f"BOB-{tag}", "roles": ["PROJECT_OWNER"]}]}
    first = {"id": f"org-{tag}", "name": f"A {tag}", "projects": [project]}
    first["members"] = [{"user": f"bob-{tag}", "roles": ["ORG_OWNER"]}]
    wanted = {"organizations": [first, {"id": f"other-{tag}", "name": f"B {tag}", "humans": [bob]}]}
    await users_world.apply_document(wanted)
    again = await users_world.apply_document(wanted)
    members = {row["scopeId"]: row["roles"] for row in await users_world.rows("members", userId=f"bob-{tag}")}

    assert {change.action for change in again.changes} == {"unchanged"}
    assert members == {f"p-{tag}": ["PROJECT_OWNER"], f"org-{tag}": ["ORG_OWNER"]}


async def test_user_without_roles_becomes_no_member(users_world: Any) -> None:
    """An empty list of roles ends a membership, and changes nothing where there is none."""
    member = {"user": f"alice-{users_world.tag}", "roles": ["ORG_OWNER_VIEWER"]}
    home = users_world.organization(projects=[], humans=[users_world.human()])
    other = {"id": f"other-{users_world.tag}", "name": f"Other {users_world.tag}"}
    roles = []
    for wanted in ({**member, "roles": []}, member, {**member, "roles": []}):
        await users_world.apply(home, {**other, "members": [wanted]})
        roles.append([row["roles"] for row in await users_world.rows("members", scopeId=f"other-{users_world.tag}")])

    assert roles == [[], [["ORG_OWNER_VIEWER"]], [[]]]


async def test_partial_failure_returns_the_changes(users_world: Any, other_replica: Any) -> None:
    """The response has the changes before the failure, secrets included; a repetition continues from there."""
    tag = users_world.tag
    robots = [{"id": f"r{number}-{tag}", "username": f"r{number}-{tag}", "name": "R"} for number in range(3)]

    class Meddling:
        """Takes the second name after it was found free."""

        def __init__(self, commit: Commit) -> None:
            self.commit_really = commit.all
            self.outlasted = commit.outlasted

        async def all(self, entries: Any, **how: Any) -> Any:
            if entries[0].after.id == f"r1-{tag}":
                taken = {"id": f"t-{tag}", "username": f"r1-{tag}", "name": "T"}
                await apply_other(taken)
            return await self.commit_really(entries, **how)

    async def apply_other(robot: dict[str, Any]) -> None:
        other = {"id": f"other-{tag}", "name": f"O {tag}", "serviceUsers": [robot]}
        await other_replica.apply_document({"organizations": [other]})

    applier = users_world.service.messages.applier
    meddled = replace(applier, commit=Meddling(applier.commit))
    org = document.Organization(
        name=f"A {tag}", service_users=msgspec.convert(robots, tuple[document.ServiceUser, ...])
    )
    applied = await meddled.apply(Apply(document=document.Document(organizations=(org,))))

    assert [change.action for change in applied.changes] == ["created", "created"]
    assert len(applied.changes[1].generated_secret) == 64
    assert applied.failure.id == "USER-011"
    assert applied.failure.text.startswith("organizations[0].serviceUsers[1]: ")
    assert await users_world.rows("users", _id=f"r2-{tag}") == []


async def test_run_ends_in_time_to_report_its_changes(users_world: Any) -> None:
    """A run without time left writes one object, so that repetitions reach the end."""
    applier = replace(users_world.service.messages.applier, seconds=0)
    wanted = Apply(document=msgspec.convert({"organizations": [users_world.organization()]}, document.Document))
    runs = [await applier.apply(wanted) for _ in range(4)]

    assert [[change.action for change in run.changes].count("created") for run in runs] == [1] * 4
    assert [run.failure.id if run.failure else "" for run in runs] == ["USER-843"] * 3 + [""]


async def test_webhook_is_applied(users_world: Any) -> None:
    """The secret is shown once, deactivation withdraws pending deliveries, and the limit is enforced (USER-803)."""
    tag = users_world.tag
    hook = {"id": f"w-{tag}", "name": "w", "url": "https://a.example/w", "eventTypes": ["user.*"]}
    first = await apply_org(users_world, webhooks=[hook])
    again = await apply_org(users_world, webhooks=[hook])
    waiting = {"_id": f"d-{tag}", "webhookId": f"w-{tag}", "state": "waiting"}
    await users_world.parts.mongo.database["webhookDeliveries"].insert_one(waiting)
    off = await apply_org(users_world, webhooks=[hook | {"state": "inactive"}])
    [delivery] = await users_world.rows("webhookDeliveries", _id=f"d-{tag}")
    many = [hook | {"id": f"w{number}-{tag}", "name": f"w{number}"} for number in range(20)]
    with pytest.raises(ServiceError) as refused:
        await apply_org(users_world, webhooks=many)
    gone = await users_world.apply_document(
        {"organizations": [{"id": f"org-{tag}", "name": f"Acme {tag}", "webhooks": []}]}, prune=True
    )

    assert first.changes[1].generated_secret.startswith("whsec_")
    assert again.changes[1].action == "unchanged"
    assert off.changes[1].fields == ("state",)
    assert delivery["state"] == "withdrawn"
    assert refused.value.id == "USER-803"
    assert [change.action for change in gone.changes] == ["unchanged", "removed"]


async def test_scim_connection_is_applied(users_world: Any) -> None:
    """Its secret is shown once and stays, omitted values stay, and a connection that is left out ends with prune."""
    tag = users_world.tag
    connection = {"id": f"scim-{tag}", "name": "Entra", "provisionsGroups": False}
    first = await apply_org(users_world, scimConnections=[connection])
    [made] = await users_world.rows("scimConnections", _id=f"scim-{tag}")
    changed = await apply_org(users_world, scimConnections=[{"name": "Entra", "deletes": True}])
    again = await apply_org(users_world, scimConnections=[{"name": "Entra"}])
    [stored] = await users_world.rows("scimConnections", _id=f"scim-{tag}")
    called = {"_id": f"scim-{tag}", "lastCall": 1.0}
    await users_world.parts.mongo.database["scimCalls"].insert_one(called)
    gone = await users_world.apply_document(
        {"organizations": [{"id": f"org-{tag}", "name": f"Acme {tag}", "scimConnections": []}]}, prune=True
    )
    [removed] = await users_world.rows("scimConnections", _id=f"scim-{tag}")

    assert first.changes[1].generated_secret.startswith("portico_scim_")
    assert (changed.changes[1].fields, changed.changes[1].generated_secret) == (("deletes",), "")
    assert again.changes[1].action == "unchanged"
    assert (stored["secrets"], stored["deletes"], stored["provisionsGroups"]) == (made["secrets"], True, False)
    assert (gone.changes[1].kind, gone.changes[1].action) == ("scim_connection", "removed")
    assert (removed["secrets"], await users_world.rows("scimCalls", _id=f"scim-{tag}")) == ([], [])


@pytest.mark.parametrize(
    ("connections", "error"),
    [
        ([{"name": "Entra"}, {"name": "ENTRA"}], "scimConnections[1].name"),
        ([{"name": "Entra", "provisionsUsers": False, "provisionsGroups": False}], "scimConnections[0]"),
        ([{"name": f"Directory {number}"} for number in range(21)], "scimConnections"),
        ([{"id": "instance", "name": "Entra"}], "scimConnections[0].id"),
        (
            [{"name": "Entra", "mapping": {"attributes": [{"attribute": "salary", "destination": "nowhere"}]}}],
            "scimConnections[0].mapping.attributes[0].attribute",
        ),
    ],
)
async def test_scim_connection_is_refused(users_world: Any, connections: list[dict[str, Any]], error: str) -> None:
    """A document that breaks a rule of connections changes nothing, and the error names the place."""
    with pytest.raises(ServiceError) as refused:
        await apply_org(users_world, scimConnections=connections)

    assert f"organizations[0].{error}" in refused.value.text
    assert await users_world.rows("scimConnections", orgId=f"org-{users_world.tag}") == []
