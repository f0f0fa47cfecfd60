from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.token import REVOKE_USER_CLIENT, TokenGrant
from portico_contracts.users import GET_CONSENT, GIVE_CONSENT, ApiScope, GetConsent, GiveConsent
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

ACCESS = "portico.management.v1.AppAccessService"


def grant(client_id: str, created: float, *scope: str, offline: bool = False) -> TokenGrant:
    return TokenGrant(client_id=client_id, scope=scope, created=created, session_id="s", offline=offline)


async def listed(managed: Any, *grants: TokenGrant) -> list[dict[str, Any]]:
    managed.api.token_grants = grants
    path = f"/management/v1/users/self-{managed.tag}/app_access/_search"
    found = await call_as(managed, f"{ACCESS}.ListUserAppAccess", {}, by="self", path=path)
    result: list[dict[str, Any]] = found.body.get("result", [])
    return result


async def test_grants_are_grouped_by_application(managed: Any) -> None:
    """An application is listed with its oldest and newest grant, each scope once, and whether it has a refresh
    token.
    """
    (found,) = await listed(
        managed,
        grant("gone", 1_700_000_100.0, "openid", "email"),
        grant("gone", 1_700_000_000.0, "openid", "offline_access", offline=True),
    )

    assert found == {
        "clientId": "gone",
        "scopes": ["openid", "email", "offline_access"],
        "since": "2023-11-14T22:13:20Z",
        "lastGranted": "2023-11-14T22:15:00Z",
        "offline": True,
        "grants": 2,
    }


async def test_applications_are_listed_by_name(managed: Any) -> None:
    """Applications are sorted by name; a deleted one has only its client id and comes first."""
    await managed.furnish("owner")
    (app,) = await managed.users.rows("apps", _id=f"app-owner-{managed.tag}")
    gone, found = await listed(managed, grant(app["clientId"], 1.0, "openid"), grant("gone", 2.0, "openid"))

    assert gone["clientId"] == "gone"
    assert (found["name"], found["appId"], found["projectId"]) == (app["name"], app["_id"], app["projectId"])


async def test_consent_is_listed_and_removed(managed: Any) -> None:
    """An application without tokens is listed with what was allowed; its removal ends both, and asks again."""
    user = f"self-{managed.tag}"
    for scopes in (("openid",), ("openid", "email")):
        await managed.users.call(GIVE_CONSENT, GiveConsent(user_id=user, client_id="shop", scopes=scopes))
    (found,) = await listed(managed)
    asked = GetConsent(user_id=user, client_id="shop")
    before = await managed.users.call(GET_CONSENT, asked)
    path = f"/management/v1/users/{user}/app_access/no-grants"
    await managed.users.call(GIVE_CONSENT, GiveConsent(user_id=user, client_id="no-grants", scopes=("openid",)))
    ended = await call_as(managed, f"{ACCESS}.RemoveUserAppAccess", {}, by="self", path=path)
    after = await managed.users.call(GET_CONSENT, GetConsent(user_id=user, client_id="no-grants"))

    assert (found["clientId"], found["allowedScopes"]) == ("shop", ["openid", "email"])
    assert "since" not in found
    assert before.scopes == ("openid", "email")
    assert ended.code == 0, ended.body
    assert after.scopes == ()
    assert after.version != before.version


async def test_consent_names_the_api_of_each_scope(managed: Any) -> None:
    """The same scope at another API is another entry (decision 0110); a deleted API has only its client id."""
    user = f"self-{managed.tag}"
    await managed.furnish("owner")
    (api,) = await managed.users.rows("apps", _id=f"app-owner-{managed.tag}")
    here, gone = ApiScope(api["clientId"], "read"), ApiScope("gone", "read")
    for of_apis in ((here,), (gone,), (here,)):
        given = GiveConsent(user_id=user, client_id="pairs", scopes=("openid",), of_apis=of_apis)
        await managed.users.call(GIVE_CONSENT, given)
    (found,) = await listed(managed)
    consent = await managed.users.call(GET_CONSENT, GetConsent(user_id=user, client_id="pairs"))

    assert found["allowedScopes"] == ["openid"]
    assert found["allowedApiScopes"] == [
        {"scope": "read", "apiClientId": api["clientId"], "apiName": api["name"]},
        {"scope": "read", "apiClientId": "gone"},
    ]
    assert (consent.scopes, consent.of_apis) == (("openid",), (here, gone))


async def test_consent_of_an_older_release_names_no_api_and_is_not_kept(managed: Any) -> None:
    """Scopes of APIs without their API allow nothing, are not shown, and go at the next consent."""
    user = f"self-{managed.tag}"
    old = {"clientId": "old", "scopes": ["openid", "orders.read", "https://orders.example"], "at": 1.0}
    await managed.users.parts.mongo.database["users"].update_one({"_id": user}, {"$set": {"consents": [old]}})
    (shown,) = await listed(managed)
    before = await managed.users.call(GET_CONSENT, GetConsent(user_id=user, client_id="old"))
    await managed.users.call(GIVE_CONSENT, GiveConsent(user_id=user, client_id="old", scopes=("email",)))
    (row,) = await managed.users.rows("users", _id=user)

    assert (shown["allowedScopes"], before.scopes, before.of_apis) == (["openid"], ("openid",), ())
    assert row["consents"][0]["scopes"] == ["openid", "email"]


async def test_failed_removal_can_be_repeated(managed: Any) -> None:
    """Without token, nothing is removed, so that the repeated call does not answer that there is nothing."""
    user, client_id = f"self-{managed.tag}", "no-grants"
    given = GiveConsent(user_id=user, client_id=client_id, scopes=("openid",))
    await managed.users.call(GIVE_CONSENT, given)
    path = f"/management/v1/users/{user}/app_access/{client_id}"
    managed.users.bus.silent.add(REVOKE_USER_CLIENT.subject)
    failed = await call_as(managed, f"{ACCESS}.RemoveUserAppAccess", {}, by="self", path=path)
    managed.users.bus.silent.clear()
    again = await call_as(managed, f"{ACCESS}.RemoveUserAppAccess", {}, by="self", path=path)

    assert (failed.code, again.code) == (14, 0)


async def test_concurrent_consents_are_all_stored(managed: Any) -> None:
    """Each is added to what the others stored meanwhile."""
    user, apps = f"self-{managed.tag}", ("a", "b", "c")
    given = [GiveConsent(user_id=user, client_id=one, scopes=("openid",)) for one in apps]
    await asyncio.gather(*(managed.users.call(GIVE_CONSENT, one) for one in given))
    asked = [GetConsent(user_id=user, client_id=one) for one in apps]

    assert [(await managed.users.call(GET_CONSENT, one)).scopes for one in asked] == [("openid",)] * 3


async def test_access_is_removed_once(managed: Any) -> None:
    """Removing access ends the grants at token; without any grant it is an error."""
    path = f"/management/v1/users/self-{managed.tag}/app_access"
    call = f"{ACCESS}.RemoveUserAppAccess"
    ended = await call_as(managed, call, {}, by="self", path=f"{path}/web")
    again = await call_as(managed, call, {}, by="self", path=f"{path}/no-grants")

    assert (ended.code, ended.body) == (0, {"grants": 1})
    assert ("grants to web", f"self-{managed.tag}") in managed.api.ended
    assert (again.code, again.error_code) == (5, "USER-732")
