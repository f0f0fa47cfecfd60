from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.users import AuthMethod, ClientKind
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import fingerprint

pytestmark = pytest.mark.servers

APP = 2
"""Index of the application among the changes of a document with one project."""


async def test_api_app_gets_a_secret_once(users_world: Any) -> None:
    """A new API application with method BASIC gets a secret, shown once, and no settings of a login."""
    document = users_world.only_apps(api=[users_world.api_app()])
    first, second = await users_world.apply(document), await users_world.apply(document)
    found = await users_world.client(f"orders-{users_world.tag}")

    assert [change.action for change in second.changes] == ["unchanged"] * 3
    assert (first.changes[APP].kind, second.changes[APP].generated_secret) == ("app", "")
    assert (found.kind, found.auth_method) == (ClientKind.API, AuthMethod.CLIENT_SECRET_BASIC)
    assert found.secret_hash == fingerprint(first.changes[APP].generated_secret)
    assert (found.redirect_uris, found.response_types, found.grant_types, found.origins) == ((), (), (), ())
    assert found.audience == (f"orders-{users_world.tag}", f"p-{users_world.tag}")


async def test_given_api_secret_is_used(users_world: Any) -> None:
    """A secret in the document is stored as a hash and never returned."""
    secret = "the secret of the orders api"
    applied = await users_world.apply(users_world.only_apps(api=[users_world.api_app(clientSecret=secret)]))
    found = await users_world.client(f"orders-{users_world.tag}")

    assert applied.changes[APP].generated_secret == ""
    assert found.secret_hash == fingerprint(secret)


async def test_kind_of_an_app_never_changes(users_world: Any) -> None:
    """An API application does not become an OIDC application of the same name, id or client id."""
    await users_world.apply(users_world.only_apps(api=[users_world.api_app(id=f"id-{users_world.tag}")]))
    others = [
        ({"name": "orders", "clientId": f"other-{users_world.tag}"}, "name", "USER-011"),
        ({"name": "other", "id": f"id-{users_world.tag}"}, "id", "USER-010"),
        ({"name": "other", "clientId": f"orders-{users_world.tag}"}, "clientId", "USER-010"),
    ]
    for members, place, error_code in others:
        with pytest.raises(ServiceError) as refused:
            await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))

        assert (refused.value.kind, refused.value.id) == (Kind.ALREADY_EXISTS, error_code)
        assert refused.value.text.startswith(f"organizations[0].projects[0].oidcApps[0].{place}: ")


async def test_apps_of_both_kinds_share_names(users_world: Any) -> None:
    """Two applications of a project with one name, of whatever kind, are refused before anything is stored."""
    twin = users_world.api_app(name="SHOP")
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.only_apps(oidc=[users_world.app()], api=[twin]))

    assert refused.value.id == "USER-011"
    assert refused.value.text.startswith("organizations[0].projects[0].apiApps[0].name: ")


async def test_concurrent_creation_of_a_client_id_succeeds_once(users_world: Any, other_replica: Any) -> None:
    """Of twenty projects on two replicas one gets the client id; all others get ALREADY_EXISTS (MG-08)."""
    tag = users_world.tag
    projects = [{"id": f"p{number}-{tag}", "name": f"p{number}"} for number in range(20)]
    await users_world.apply({"name": f"Acme {tag}", "projects": projects})
    runs = [
        world.apply({"name": f"Acme {tag}", "projects": [{**project, "oidcApps": [users_world.app()]}]})
        for world, project in zip([users_world, other_replica] * 10, projects, strict=True)
    ]
    results = await asyncio.gather(*runs, return_exceptions=True)
    refused = [result for result in results if isinstance(result, BaseException)]

    assert len(refused) == 19
    assert {(getattr(one, "kind", one), getattr(one, "id", "")) for one in refused} == {
        (Kind.ALREADY_EXISTS, "USER-010")
    }
    assert len(await users_world.rows("apps", clientId=f"shop-{tag}")) == 1


async def test_service_user_gets_a_secret_once(users_world: Any) -> None:
    """A new service user without secret and keys gets a secret, which is shown once and not logged (IN-09)."""
    first, second = await users_world.apply_robot(), await users_world.apply_robot()
    found = await users_world.service_user(first.id)
    logged = repr(await users_world.rows("events", object=first.id)) + repr(await users_world.rows("outbox"))

    assert len(first.generated_secret) == 64
    assert (second.action, second.generated_secret) == ("unchanged", "")
    assert found is not None
    assert found.secret_hash == fingerprint(first.generated_secret)
    assert "secretHash" in logged
    assert found.secret_hash not in logged


async def test_check_shows_no_secret_of_a_service_user(users_world: Any) -> None:
    """With check no secret is generated or shown."""
    wanted = users_world.organization(humans=[], serviceUsers=[users_world.robot()])
    planned = await users_world.apply(wanted, check=True)

    assert [change.generated_secret for change in planned.changes] == [""] * 4
    assert await users_world.rows("users", userName=f"robot-{users_world.tag}") == []


async def test_service_user_with_keys_gets_no_secret(users_world: Any) -> None:
    """A service user with keys gets a secret only from a document, and then keeps it."""
    key = users_world.key()
    made = await users_world.apply_robot(keys=[key])
    without = await users_world.service_user(made.id)
    given = await users_world.apply_robot(keys=[key], secret="the first secret of it")
    later = await users_world.apply_robot(keys=[key], secret="the other secret of it")
    found = await users_world.service_user(made.id)

    assert without is not None
    assert (made.generated_secret, without.secret_hash) == ("", "")
    assert (given.action, given.fields, given.generated_secret) == ("updated", ("secretHash", "secretCreated"), "")
    assert later.action == "unchanged"
    assert found is not None
    assert found.secret_hash == fingerprint("the first secret of it")


async def test_assertion_and_role_settings_are_returned(users_world: Any) -> None:
    """The settings are returned with the client, and off by default."""
    flags = {"accessTokenRoleAssertion": True, "idTokenRoleAssertion": True, "clientAssertionAudience": "issuer"}
    seen = []
    for members in ({}, flags, {"clientAssertionAudience": "any"}):
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        found = await users_world.client(f"shop-{users_world.tag}")
        seen.append((found.access_token_roles, found.id_token_roles, found.issuer_audience_only))

    assert seen == [(False, False, False), (True, True, True), (False, False, False)]


async def test_required_jti_is_returned(users_world: Any) -> None:
    """Applications of both kinds require a jti only if the document states it (JW-10)."""
    clients = (f"shop-{users_world.tag}", f"orders-{users_world.tag}")
    seen = []
    for members in ({}, {"clientAssertionJti": "required"}, {"clientAssertionJti": "optional"}):
        apps = {"oidc": [users_world.app(**members)], "api": [users_world.api_app(**members)]}
        await users_world.apply(users_world.only_apps(**apps))
        seen.append([(await users_world.client(client)).assertion_jti_required for client in clients])

    assert seen == [[False, False], [True, True], [False, False]]


@pytest.mark.parametrize("asserted", [True, False])
async def test_role_settings_of_the_project_are_returned(users_world: Any, asserted: bool) -> None:
    """The role settings of a project are returned with each of its applications."""
    project = users_world.only_apps(oidc=[users_world.app()])
    project["projects"][0]["projectRoleAssertion"] = asserted
    await users_world.apply(project)

    assert (await users_world.client(f"shop-{users_world.tag}")).userinfo_roles is asserted


async def test_service_user_with_an_unknown_algorithm_is_refused(users_world: Any) -> None:
    """Only supported signing algorithms are accepted, and the error has the path."""
    robot = users_world.robot(accessTokenAlg="HS256")
    with pytest.raises(ServiceError) as refused:
        await users_world.apply(users_world.organization(humans=[], serviceUsers=[robot]))

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-024")
    assert refused.value.text.startswith("organizations[0].serviceUsers[0].accessTokenAlg: ")
