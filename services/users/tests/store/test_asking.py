from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from portico_contracts.users import (
    FIND_USER,
    GET_CLAIMS,
    GET_CLIENT,
    GET_USER,
    FindUser,
    GetClaims,
    GetClient,
    GetUser,
    User,
)

pytestmark = pytest.mark.servers

FULL = {
    "profile": {
        "firstName": "Ada",
        "lastName": "Lovelace",
        "nickName": "Countess",
        "preferredLanguage": "en",
        "gender": "GENDER_FEMALE",
    },
    "phone": {"phone": "+442079460000"},
    "attributes": {"birthdate": "1815-12-10", "zoneinfo": "Europe/London", "address": {"locality": "London"}},
    "metadata": {"team.name": "a?>"},
}


async def test_client_has_the_audience_of_its_project(users_world: Any) -> None:
    """The audience has all client ids of the project, sorted, then the project id."""
    tag = users_world.tag
    apps = [users_world.app(), users_world.app(name="admin", clientId=f"admin-{tag}")]
    project = {"id": f"p-{tag}", "name": "web", "oidcApps": apps}
    await users_world.apply(users_world.organization(projects=[project]))
    found = (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{tag}"))).client

    assert found is not None
    assert found.audience == (f"admin-{tag}", f"shop-{tag}", f"p-{tag}")


async def test_client_has_all_declared_settings(users_world: Any) -> None:
    app = users_world.app(
        redirectUris=["https://shop.example/cb", "https://shop.example/other", "com.example.shop:/cb"],
        responseTypes=["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
        grantTypes=["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        accessTokenType="OIDC_TOKEN_TYPE_JWT",
        additionalOrigins=["https://cdn.example"],
        idTokenSignedResponseAlg="ES256",
        refreshTokenGraceSeconds=30,
        clockSkew="2s",
        backChannelLogoutUri="https://shop.example/logout",
    )
    await users_world.apply(users_world.organization(projects=[{"name": "web", "oidcApps": [app]}]))
    found = (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{users_world.tag}"))).client

    assert found is not None
    assert found.response_types == ("code", "id_token token")
    assert found.grant_types == ("authorization_code", "implicit", "refresh_token")
    assert found.origins == ("https://shop.example", "https://cdn.example")
    assert (found.access_token_type, found.id_token_alg) == ("jwt", "ES256")
    assert found.clock_skew_seconds == 2
    assert (found.refresh_token_grace_seconds, found.back_channel_logout_uri) == (30, "https://shop.example/logout")


@pytest.mark.parametrize("collection", ["apps", "projects", "orgs"])
async def test_inactive_client_is_unknown(users_world: Any, collection: str) -> None:
    """A client counts as unknown unless it, its project and its organization are active."""
    applied = await users_world.apply()
    number = {"orgs": 0, "projects": 1, "apps": 2}[collection]
    await users_world.parts.mongo.database[collection].update_one(
        {"_id": applied.changes[number].id}, {"$set": {"state": "inactive"}}
    )

    assert (await users_world.call(GET_CLIENT, GetClient(client_id=f"shop-{users_world.tag}"))).client is None


@pytest.mark.parametrize("client_id", ["", "nobody", "x" * 100_000, '{"$ne": null}'])
async def test_unknown_client_is_not_found(users_world: Any, client_id: str) -> None:
    """Text of callers is compared, never evaluated as a query (MG-10)."""
    assert (await users_world.call(GET_CLIENT, GetClient(client_id=client_id))).client is None


async def test_user_is_found_by_id_and_names(users_world: Any) -> None:
    applied = await users_world.apply()
    name = users_world.user_name
    by_id = (await users_world.call(GET_USER, GetUser(user_id=applied.changes[3].id))).user
    by_name = (await users_world.call(FIND_USER, FindUser(login_name=name, org_id=""))).user
    domain = f"acme-{users_world.tag}.localhost"

    assert by_id == by_name
    assert by_id.version
    assert structs.replace(by_id, version="") == User(
        user_id=applied.changes[3].id,
        org_id=applied.changes[0].id,
        user_name=name,
        login_name=f"{name}@{domain}",
        human=True,
        display_name="Alice Adams",
        has_password=True,
        email_verified=True,
        password_changed=users_world.clock.now(),
    )


async def test_login_name_is_restricted_to_an_organization(users_world: Any) -> None:
    """With an organization only its own users are found, by any of their names."""
    applied = await users_world.apply()
    login_name = f"{users_world.user_name}@acme-{users_world.tag}.localhost"
    org_id = applied.changes[0].id
    for typed in (users_world.user_name, login_name, f"alice-{users_world.tag}@mail.example"):
        here = await users_world.call(FIND_USER, FindUser(login_name=typed, org_id=org_id))
        elsewhere = await users_world.call(FIND_USER, FindUser(login_name=typed, org_id="another"))

        assert here.user is not None
        assert elsewhere.user is None


async def test_email_address_of_two_users_identifies_no_user(users_world: Any) -> None:
    """A verified address is a login name only while one user has it; an unverified one never is."""
    mail = f"alice-{users_world.tag}@mail.example"
    unverified = users_world.human(email={"email": mail})
    await users_world.apply(users_world.organization(humans=[unverified]))
    before = (await users_world.call(FIND_USER, FindUser(login_name=mail, org_id=""))).user
    await users_world.apply()
    alone = (await users_world.call(FIND_USER, FindUser(login_name=mail, org_id=""))).user
    twin = users_world.human(username=f"twin-{users_world.tag}")
    await users_world.apply(users_world.organization(humans=[twin]))
    shared = (await users_world.call(FIND_USER, FindUser(login_name=mail, org_id=""))).user

    assert before is None
    assert alone is not None
    assert shared is None


async def test_all_known_claims_are_returned(users_world: Any) -> None:
    """Standard claims, metadata in base64url without padding, and the resource owner are returned."""
    applied = await users_world.apply(users_world.organization(humans=[users_world.human(**FULL)]))
    answer = await users_world.call(GET_CLAIMS, GetClaims(user_id=applied.changes[3].id))
    name = users_world.user_name

    assert answer.claims == {
        "name": "Ada Lovelace",
        "given_name": "Ada",
        "family_name": "Lovelace",
        "nickname": "Countess",
        "preferred_username": f"{name}@acme-{users_world.tag}.localhost",
        "gender": "female",
        "birthdate": "1815-12-10",
        "zoneinfo": "Europe/London",
        "locale": "en",
        "updated_at": int(users_world.clock.now()),
        "email": f"alice-{users_world.tag}@mail.example",
        "email_verified": True,
        "phone_number": "+442079460000",
        "phone_number_verified": False,
        "address": {"locality": "London"},
    }
    assert answer.metadata == {"team.name": "YT8-"}
    assert (answer.org_name, answer.org_domain) == (f"Acme {users_world.tag}", f"acme-{users_world.tag}.localhost")


async def test_claims_of_a_service_user(users_world: Any) -> None:
    """Service users have a name and no address; unknown users have no claims."""
    robot = {"id": f"robot-{users_world.tag}", "username": f"robot-{users_world.tag}", "name": "Robot"}
    await users_world.apply(users_world.organization(serviceUsers=[robot]))
    answer = await users_world.call(GET_CLAIMS, GetClaims(user_id=robot["id"]))
    nobody = await users_world.call(GET_CLAIMS, GetClaims(user_id="nobody"))

    assert set(answer.claims) == {"name", "preferred_username", "updated_at"}
    assert nobody.user is None
    assert nobody.claims == {}
