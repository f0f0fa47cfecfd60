"""Intents with LDAP providers: the password is verified at once, by the rules of a sign-in (decision 0051)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, ManagementApi
from portico_harness.ldap_server import RunningLdapServer
from portico_users.settings import Settings

from .ldap_sign_in import PASSWORD, LdapSignIn

pytestmark = pytest.mark.servers

START = "portico.user.v2.UserService.StartIdentityProviderIntent"
RETRIEVE = "portico.user.v2.UserService.RetrieveIdentityProviderIntent"
URLS = {"successUrl": "https://login.example/success", "failureUrl": "https://login.example/failure"}


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, ldap_server: RunningLdapServer) -> Settings:
    return cheap_hashing.model_copy(update={"outbound_allow": ldap_server.allowed})


class Pages:
    def __init__(self, ldap: LdapSignIn) -> None:
        self.ldap = ldap
        self.api = ManagementApi(ldap.world.service, ldap.world.bus)
        self.token = self.api.token_of(f"robot-{ldap.world.tag}")

    async def set_up(self) -> None:
        robot = self.ldap.world.robot(roles=["IAM_LOGIN_CLIENT"])
        await self.ldap.set_up(policies={"serviceUsers": [robot]})
        self.ldap.add()

    async def start(self, user_name: str = "", password: str = PASSWORD, **members: Any) -> ApiResponse:
        ldap = {"username": user_name or self.ldap.uid, "password": password}
        return await self.api.json(START, {"idpId": self.ldap.idp_id, "ldap": ldap, **members}, token=self.token)

    async def retrieve(self, intent: dict[str, str]) -> ApiResponse:
        path = f"/v2/idp_intents/{intent['idpIntentId']}"
        return await self.api.json(RETRIEVE, {"idpIntentToken": intent["idpIntentToken"]}, token=self.token, path=path)


@pytest.fixture
async def pages(users_world: Any, ldap_server: RunningLdapServer) -> Pages:
    made = Pages(LdapSignIn(users_world, ldap_server))
    await made.set_up()
    return made


async def test_right_password_returns_the_identity_once(pages: Pages) -> None:
    """The token is in the response, since there is no redirect; the password is never stored."""
    started = await pages.start()
    intent = started.body["idpIntent"]
    stored = await pages.ldap.world.rows("idpIntents", idpId=pages.ldap.idp_id)
    first, second = [await pages.retrieve(intent) for _ in range(2)]

    assert "authUrl" not in started.body
    assert started.body["idpIntentId"] == intent["idpIntentId"]
    assert first.body["idpInformation"]["userName"] == pages.ldap.uid
    assert "userId" not in first.body
    assert second.error_code == "USER-985"
    assert PASSWORD not in str(stored)
    assert intent["idpIntentToken"] not in str(stored)


async def test_wrong_passwords_are_counted_like_at_sign_in(pages: Pages) -> None:
    """An unknown name looks the same, and both are delayed; sign-ins and intents share the counter (LG-01, LG-05)."""
    refused = [await pages.start(password="wrong") for _ in range(5)]
    unknown = [await pages.start("nobody-there", "wrong") for _ in range(5)]
    slowed = [await pages.start(password="wrong"), await pages.start("nobody-there", "wrong")]

    assert {(one.code, one.error_code) for one in (*refused, *unknown)} == {(9, "USER-989")}
    assert {one.error_code for one in slowed} == {"USER-033"}
    assert await pages.ldap.world.rows("idpIntents", idpId=pages.ldap.idp_id) == []
    with pytest.raises(Exception, match="USER-033"):
        await pages.ldap.verify()


async def test_ldap_intent_cannot_redirect(pages: Pages) -> None:
    """The error states how to start such an intent."""
    await pages.ldap.world.apply_document({"intentUrls": list(URLS.values())})
    body = {"idpId": pages.ldap.idp_id, "urls": URLS}
    answer = await pages.api.json(START, body, token=pages.token)
    await pages.ldap.world.apply_document({"intentUrls": []})

    assert (answer.code, answer.error_code) == (9, "USER-988")


async def test_administrator_tests_a_directory(pages: Pages) -> None:
    """The result has the attributes or the reason, and a wrong password counts like at a sign-in."""
    world = pages.ldap.world
    owner = world.robot(roles=["ORG_OWNER"]) | {"id": f"owner-{world.tag}", "username": f"owner-{world.tag}"}
    await pages.ldap.set_up(policies={"serviceUsers": [owner]})
    token = pages.api.token_of(f"owner-{world.tag}")
    idps, path = "portico.management.v1.IDPService", f"/management/v1/idps/templates/{pages.ldap.idp_id}/tests"
    found = []
    for password in (PASSWORD, "wrong"):
        ldap = {"username": pages.ldap.uid, "password": password}
        begun = await pages.api.json(f"{idps}.StartProviderTest", {"ldap": ldap}, token=token, path=path)
        result = await pages.api.json(
            f"{idps}.GetProviderTest",
            {"token": begun.body["token"]},
            token=token,
            path=f"{path}/{begun.body['testId']}",
        )
        found.append(result.body)
    by_browser = await pages.api.json(f"{idps}.StartProviderTest", {}, token=token, path=path)

    assert {one["name"]: one["value"] for one in found[0]["claims"][0]["claims"]}["uid"] == pages.ldap.uid
    assert found[0]["user"]["userName"] == pages.ldap.uid
    assert found[1]["errorId"] == "USER-989"
    assert by_browser.error_code == "USER-988"
    assert PASSWORD not in str(await world.rows("idpIntents", idpId=pages.ldap.idp_id))
