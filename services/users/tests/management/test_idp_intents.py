"""Intents: identity providers on login pages of a service user (decision 0051)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError

from .intent_pages import FAILURE, START, SUCCESS, Pages
from .intent_provider import state_in

pytestmark = pytest.mark.servers

SET = "portico.admin.v1.SettingsService.SetIDPIntentSettings"
RACERS = 200


async def test_a_verified_identity_is_retrieved(pages: Pages) -> None:
    """What the provider states comes to the caller and not through the browser; an empty user name is no obstacle."""
    started = await pages.start()
    back = await pages.portal.bring_back(started.body["authUrl"], {"given_name": "Ada", "email": "ada@portal.example"})
    found = await pages.retrieve(back)

    assert set(started.body) == {"details", "authUrl", "idpIntentId"}
    assert {**back, "token": ""} == {"page": SUCCESS, "id": started.body["idpIntentId"], "token": ""}
    assert found.body["idpInformation"] == {
        "idpId": pages.idp_id,
        "userId": "7f3c1e",
        "rawInformation": {
            "iss": pages.portal.issuer,
            "sub": "7f3c1e",
            "given_name": "Ada",
            "email": "ada@portal.example",
            "email_verified": False,
        },
    }
    assert "userId" not in found.body


async def test_a_linked_user_is_named(pages: Pages) -> None:
    """The user is looked up when the intent is retrieved, by the link alone (IP-06)."""
    back = await pages.come_back({"preferred_username": f"self-{pages.world.tag}"})
    link = {"idpId": pages.idp_id, "userId": "7f3c1e", "userName": "x"}
    added = await pages.managed.api.json(
        "portico.user.v2.UserService.AddIDPLink",
        {"idpLink": link},
        token=pages.managed.tokens["iam"],
        path=f"/v2/users/self-{pages.world.tag}/links",
    )
    found = await pages.retrieve(back)
    by_name_only = await pages.retrieve(
        await pages.come_back({"sub": "another", "preferred_username": f"self-{pages.world.tag}"})
    )

    assert (added.code, found.body["userId"]) == (0, f"self-{pages.world.tag}")
    assert found.body["idpInformation"]["userName"] == f"self-{pages.world.tag}"
    assert "userId" not in by_name_only.body


async def test_a_token_is_good_once(pages: Pages) -> None:
    """Nothing of an intent is left afterwards (IP-06)."""
    back = await pages.come_back()
    first, second = [await pages.retrieve(back) for _ in range(2)]

    assert (first.code, second.code, second.error_code) == (0, 5, "USER-985")
    assert await pages.rows() == []


async def test_of_many_retrievals_over_two_replicas_one_succeeds(pages: Pages, other_replica: Any) -> None:
    """The claim is one write to one document, whichever replica makes it."""
    back = await pages.come_back()
    second = ManagementApi(other_replica.service, other_replica.bus)
    second.tokens |= pages.managed.api.tokens
    apis = [pages.managed.api, second] * (RACERS // 2)
    answers = await asyncio.gather(*(pages.retrieve(back, api=api) for api in apis))

    assert Counter(answer.error_code for answer in answers) == {"": 1, "USER-985": RACERS - 1}
    await second.http.aclose()


async def test_of_many_callbacks_over_two_replicas_one_gets_a_token(pages: Pages, other_replica: Any) -> None:
    """The browser's way back is claimed before anything is verified."""
    address = await pages.address()
    other_replica.providers.answers |= pages.world.providers.answers
    jwt = pages.portal.jwt()

    async def come_back(replica: Any) -> str:
        try:
            return (await pages.portal.bring_back(address, replica=replica, jwt=jwt)).get("error", "token")
        except ServiceError as error:
            return error.id

    came = await asyncio.gather(*(come_back(one) for one in [pages.world, other_replica] * (RACERS // 2)))

    assert Counter(came) == {"token": 1, "USER-985": RACERS - 1}


async def test_only_the_caller_that_began_retrieves(pages: Pages) -> None:
    """Another service user gets what an unknown token gets, be it an owner of the instance, and uses nothing up."""
    back = await pages.come_back()
    refused = [await pages.retrieve(back, by=by) for by in ("others", "iam")]
    guessed = await pages.retrieve(back, token="guessed")
    found = await pages.retrieve(back)

    assert [(one.code, one.error_code) for one in (*refused, guessed)] == [(5, "USER-985")] * 3
    assert found.code == 0


@pytest.mark.parametrize("by", ["owner", "viewer", "robot", "self", "foreign"])
async def test_without_the_role_nothing_is_begun_or_retrieved(pages: Pages, by: str) -> None:
    """The role is the instance's; that of an organization's owner is none for it (MG-01)."""
    started = await pages.start(by=by)
    unknown = await pages.start(by=by, idp_id="nobody")
    retrieved = await pages.retrieve(await pages.come_back(), by=by)

    assert [(one.code, one.error_code) for one in (started, unknown, retrieved)] == [(7, "USER-312")] * 3


@pytest.mark.parametrize("late", ["callback", "retrieval"])
async def test_an_intent_ends_after_ten_minutes(pages: Pages, late: str) -> None:
    """Wherever it is by then, it is like an unknown one."""
    address = await pages.address()
    if late == "callback":
        pages.world.clock.tick(600)
        with pytest.raises(ServiceError, match="USER-985"):
            await pages.portal.bring_back(address)
        return
    back = await pages.portal.bring_back(address)
    pages.world.clock.tick(600)

    assert (await pages.retrieve(back)).error_code == "USER-985"


@pytest.mark.parametrize(
    "url",
    ["", "https://login.example/", f"{SUCCESS}/", f"{SUCCESS}?x=1", f"{SUCCESS}#", SUCCESS.upper(), f"{SUCCESS} "],
)
@pytest.mark.parametrize("place", ["successUrl", "failureUrl"])
async def test_addresses_are_compared_letter_for_letter(pages: Pages, place: str, url: str) -> None:
    """A token goes to a registered address and to no other (AZ-03)."""
    answer = await pages.start(urls={"successUrl": SUCCESS, "failureUrl": FAILURE, place: url})

    assert answer.code == 3
    assert answer.error_code == ("USER-986" if url else "USER-303")
    assert await pages.rows() == []


async def test_an_address_that_is_registered_no_more_gets_no_token(pages: Pages) -> None:
    """What was removed while the browser was away is looked at again before anything is verified."""
    address = await pages.address()
    await pages.managed.api.json(SET, {"urls": [FAILURE]}, token=pages.managed.tokens["iam"])
    with pytest.raises(ServiceError, match="USER-986"):
        await pages.portal.bring_back(address)

    assert [row.get("tokenHash") for row in await pages.rows()] == [""]


@pytest.mark.parametrize(
    ("changed", "error"),
    [({"iss": "https://evil.example"}, "USER-966"), ({"exp": 1}, "USER-969"), ({"sub": None}, "USER-968")],
)
async def test_a_refused_identity_leads_to_the_failure_address(
    pages: Pages, changed: dict[str, Any], error: str
) -> None:
    """With the id and the sentence of the error, which is one event of an administrator's log; nothing is left."""
    started = await pages.start()
    back = await pages.portal.bring_back(started.body["authUrl"], changed)

    assert set(back) == {"page", "id", "error", "error_description"}
    assert (back["page"], back["id"], back["error"]) == (FAILURE, started.body["idpIntentId"], error)
    assert await pages.refusals() == [error]
    assert await pages.rows() == []


async def test_a_jwt_that_was_used_is_no_answer_to_another_intent(pages: Pages) -> None:
    """No browser is known that could bring it again (IP-05)."""
    jwt = pages.portal.jwt()
    await pages.portal.bring_back(await pages.address(), jwt=jwt)
    again = await pages.portal.bring_back(await pages.address(), jwt=jwt)

    assert (again["page"], again["error"]) == (FAILURE, "USER-970")


async def test_another_provider_s_callback_changes_nothing(pages: Pages) -> None:
    """The intent waits for the address of its own provider (RFC 9700 §4.4)."""
    address = await pages.address()
    with pytest.raises(ServiceError, match="USER-985"):
        await pages.portal.bring_back(address, provider="another")

    assert (await pages.portal.bring_back(address))["page"] == SUCCESS


async def test_parameters_are_no_answer_of_a_jwt_provider(pages: Pages) -> None:
    """What is not of the provider's kind does not use up the intent."""
    address = await pages.address()
    with pytest.raises(ServiceError, match="USER-985"):
        await pages.portal.bring_back(address, parameters={"code": "c"})

    assert (await pages.portal.bring_back(address))["page"] == SUCCESS


async def test_nothing_that_opens_an_intent_is_stored(pages: Pages) -> None:
    """State and token are hashes; nonce and verifier are deleted with the way back."""
    address = await pages.address()
    [begun] = await pages.rows()
    back = await pages.portal.bring_back(address)
    [verified] = await pages.rows()

    assert state_in(address) not in str(begun)
    assert back["token"] not in str(verified)
    assert {"nonce", "verifier"} & set(verified) == set()


@pytest.mark.parametrize("change", [{"state": "inactive"}, {"idps": ()}])
async def test_a_provider_that_is_offered_no_more_is_no_identity(pages: Pages, change: dict[str, Any]) -> None:
    """It is looked at when the intent begins, at the return and when it is retrieved (CVE-2025-64717)."""
    address, back = await pages.address(), await pages.come_back()
    await pages.set_up(**change)
    begun = await pages.start()
    returned = await pages.portal.bring_back(address)
    retrieved = await pages.retrieve(back)

    assert (begun.error_code, returned["error"], retrieved.error_code) == ("USER-960",) * 3


async def test_a_provider_that_changed_states_nobody(pages: Pages) -> None:
    """An identity is good for the version of the provider's record it was verified with (MG-18)."""
    back = await pages.come_back()
    await pages.set_up(state="inactive")
    await pages.set_up()

    assert (await pages.retrieve(back)).error_code == "USER-972"


async def test_a_locked_account_is_no_identity(pages: Pages) -> None:
    """A link to an account that cannot be signed in to leads to the failure address."""
    link = {"idpId": pages.idp_id, "userId": "7f3c1e", "userName": "x"}
    token = pages.managed.tokens["iam"]
    user = f"/v2/users/self-{pages.world.tag}"
    await pages.managed.api.json(
        "portico.user.v2.UserService.AddIDPLink", {"idpLink": link}, token=token, path=f"{user}/links"
    )
    back = await pages.come_back()
    await pages.managed.api.json("portico.user.v2.UserService.LockUser", {}, token=token, path=f"{user}/lock")
    retrieved = await pages.retrieve(back)
    later = await pages.come_back()

    assert (retrieved.error_code, later["error"]) == ("USER-975", "USER-975")


async def test_a_password_is_for_directories(pages: Pages) -> None:
    """A provider that a browser goes to takes none, and a request names one of the two ways."""
    body = {"idpId": pages.idp_id, "ldap": {"username": "ada", "password": "secret"}}
    api, token = pages.managed.api, pages.managed.tokens["pages"]
    by_password = await api.json(START, body, token=token)
    neither = await api.json(START, {"idpId": pages.idp_id}, token=token)
    both = await api.json(START, body | {"urls": {"successUrl": SUCCESS, "failureUrl": FAILURE}}, token=token)

    assert (by_password.code, by_password.error_code) == (9, "USER-987")
    assert (neither.code, both.code) == (3, 3)
