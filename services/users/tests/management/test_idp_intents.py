"""Intents: identity providers on login pages of a service user (decision 0051)."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from portico_fakes.management_api import ManagementApi
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.edit_providers import RemoveIdp
from portico_users.identity_providers.store import MongoIdps

from .intent_pages import FAILURE, START, SUCCESS, Pages
from .intent_provider import state_in

pytestmark = pytest.mark.servers

SET = "portico.admin.v1.SettingsService.SetIDPIntentSettings"
RACERS = 20


async def test_verified_identity_is_retrieved(pages: Pages) -> None:
    """The caller gets the provider's claims directly and not through the browser; the user name may be empty."""
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


async def test_linked_user_is_returned(pages: Pages) -> None:
    """The user is looked up at retrieval, only by the link (IP-06)."""
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


async def test_provider_that_changes_during_the_callback_verifies_nobody(pages: Pages) -> None:
    """A provider that was withdrawn while it responded leads to failureUrl (IP-06)."""
    started = await pages.start()
    answers, keys, service = pages.world.providers.answers, f"{pages.portal.issuer}/keys", pages.world.service
    given = answers[keys]

    async def withdrawn(fields: dict[str, str], headers: dict[str, str]) -> Any:
        idp = await service.find(MongoIdps).find(pages.idp_id)
        await service.find(RemoveIdp)(idp, actor="system")
        return await given(fields, headers)

    answers[keys] = withdrawn
    back = await pages.portal.bring_back(started.body["authUrl"])

    assert (back["page"], back["error"]) == (FAILURE, "USER-972")


async def test_token_works_once(pages: Pages) -> None:
    """Nothing of an intent remains after its retrieval (IP-06)."""
    back = await pages.come_back()
    first, second = [await pages.retrieve(back) for _ in range(2)]

    assert (first.code, second.code, second.error_code) == (0, 5, "USER-985")
    assert await pages.rows() == []


async def test_only_one_concurrent_retrieval_succeeds(pages: Pages, other_replica: Any) -> None:
    """The claim is one write to one document, whichever replica makes it."""
    back = await pages.come_back()
    second = ManagementApi(other_replica.service, other_replica.bus)
    second.tokens |= pages.managed.api.tokens
    apis = [pages.managed.api, second] * (RACERS // 2)
    answers = await asyncio.gather(*(pages.retrieve(back, api=api) for api in apis))

    assert Counter(answer.error_code for answer in answers) == {"": 1, "USER-985": RACERS - 1}


async def test_only_one_concurrent_callback_gets_a_token(pages: Pages, other_replica: Any) -> None:
    """The callback is claimed before anything is verified."""
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


async def test_only_the_starting_caller_retrieves(pages: Pages) -> None:
    """Other service users, even instance owners, get the response for an unknown token and do not use up the intent."""
    back = await pages.come_back()
    refused = [await pages.retrieve(back, by=by) for by in ("others", "iam")]
    guessed = await pages.retrieve(back, token="guessed")
    found = await pages.retrieve(back)

    assert [(one.code, one.error_code) for one in (*refused, guessed)] == [(5, "USER-985")] * 3
    assert found.code == 0


@pytest.mark.parametrize("by", ["owner", "viewer", "robot", "self", "foreign"])
async def test_intents_require_the_instance_role(pages: Pages, by: str) -> None:
    """The required role belongs to the instance; the role of an organization owner does not suffice (MG-01)."""
    started = await pages.start(by=by)
    unknown = await pages.start(by=by, idp_id="nobody")
    retrieved = await pages.retrieve(await pages.come_back(), by=by)

    assert [(one.code, one.error_code) for one in (started, unknown, retrieved)] == [(7, "USER-312")] * 3


@pytest.mark.parametrize("late", ["callback", "retrieval"])
async def test_intent_expires_after_ten_minutes(pages: Pages, late: str) -> None:
    """An expired intent counts as unknown in every phase."""
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
async def test_intent_urls_are_compared_exactly(pages: Pages, place: str, url: str) -> None:
    """A token is sent only to a registered address (AZ-03)."""
    answer = await pages.start(urls={"successUrl": SUCCESS, "failureUrl": FAILURE, place: url})

    assert answer.code == 3
    assert answer.error_code == ("USER-986" if url else "USER-303")
    assert await pages.rows() == []


async def test_removed_intent_url_gets_no_token(pages: Pages) -> None:
    """The address is checked again at the callback, before anything is verified."""
    address = await pages.address()
    await pages.managed.api.json(SET, {"urls": [FAILURE]}, token=pages.managed.tokens["iam"])
    with pytest.raises(ServiceError, match="USER-986"):
        await pages.portal.bring_back(address)

    assert [row.get("tokenHash") for row in await pages.rows()] == [""]


@pytest.mark.parametrize(
    ("changed", "error"),
    [({"iss": "https://evil.example"}, "USER-966"), ({"exp": 1}, "USER-969"), ({"sub": None}, "USER-968")],
)
async def test_refused_identity_redirects_to_the_failure_url(pages: Pages, changed: dict[str, Any], error: str) -> None:
    """The redirect has id and text of the error, which is logged as one event; the intent is deleted."""
    started = await pages.start()
    back = await pages.portal.bring_back(started.body["authUrl"], changed)

    assert set(back) == {"page", "id", "error", "error_description"}
    assert (back["page"], back["id"], back["error"]) == (FAILURE, started.body["idpIntentId"], error)
    assert await pages.refusals() == [error]
    assert await pages.rows() == []


async def test_used_jwt_is_refused_by_another_intent(pages: Pages) -> None:
    """No browser is known that could send the JWT again (IP-05)."""
    jwt = pages.portal.jwt()
    await pages.portal.bring_back(await pages.address(), jwt=jwt)
    again = await pages.portal.bring_back(await pages.address(), jwt=jwt)

    assert (again["page"], again["error"]) == (FAILURE, "USER-970")


async def test_callback_of_another_provider_changes_nothing(pages: Pages) -> None:
    """The intent keeps waiting for its own provider's callback (RFC 9700 §4.4)."""
    address = await pages.address()
    with pytest.raises(ServiceError, match="USER-985"):
        await pages.portal.bring_back(address, provider="another")

    assert (await pages.portal.bring_back(address))["page"] == SUCCESS


async def test_query_parameters_from_a_jwt_provider_are_refused(pages: Pages) -> None:
    """A response of another kind than the provider's does not use up the intent."""
    address = await pages.address()
    with pytest.raises(ServiceError, match="USER-985"):
        await pages.portal.bring_back(address, parameters={"code": "c"})

    assert (await pages.portal.bring_back(address))["page"] == SUCCESS


async def test_intent_secrets_are_stored_hashed(pages: Pages) -> None:
    """State and token are stored as hashes; nonce and verifier are deleted with the callback."""
    address = await pages.address()
    [begun] = await pages.rows()
    back = await pages.portal.bring_back(address)
    [verified] = await pages.rows()

    assert state_in(address) not in str(begun)
    assert back["token"] not in str(verified)
    assert {"nonce", "verifier"} & set(verified) == set()


@pytest.mark.parametrize("change", [{"state": "inactive"}, {"idps": ()}])
async def test_withdrawn_provider_is_refused_in_every_phase(pages: Pages, change: dict[str, Any]) -> None:
    """The provider must be offered at the start, at the callback and at the retrieval (CVE-2025-64717)."""
    address, back = await pages.address(), await pages.come_back()
    await pages.set_up(**change)
    begun = await pages.start()
    returned = await pages.portal.bring_back(address)
    retrieved = await pages.retrieve(back)

    assert (begun.error_code, returned["error"], retrieved.error_code) == ("USER-960",) * 3


async def test_identity_is_invalid_after_a_provider_change(pages: Pages) -> None:
    """An identity is valid only for the version of the provider that verified it (MG-18)."""
    back = await pages.come_back()
    await pages.set_up(state="inactive")
    await pages.set_up()

    assert (await pages.retrieve(back)).error_code == "USER-972"


async def test_locked_account_redirects_to_the_failure_url(pages: Pages) -> None:
    """A link to an account that cannot sign in gives a redirect to the failure URL."""
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


async def test_password_is_only_for_ldap_providers(pages: Pages) -> None:
    """Providers with browser redirect accept no password, and a request has either URLs or LDAP credentials."""
    body = {"idpId": pages.idp_id, "ldap": {"username": "ada", "password": "secret"}}
    api, token = pages.managed.api, pages.managed.tokens["pages"]
    by_password = await api.json(START, body, token=token)
    neither = await api.json(START, {"idpId": pages.idp_id}, token=token)
    both = await api.json(START, body | {"urls": {"successUrl": SUCCESS, "failureUrl": FAILURE}}, token=token)

    assert (by_password.code, by_password.error_code) == (9, "USER-987")
    assert (neither.code, both.code) == (3, 3)
