"""Compatibility with ZITADEL's SDK: its messages are understood, and it reads the responses.

Only the paths of calls are Portico's (`/portico.user.v2.UserService/…`); the bytes are the SDK's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from portico_contracts.management import METHODS
from portico_harness.original_sdk import OriginalSdk, original_sdk

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"


Call = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


@pytest.fixture(scope="module")
async def sdk() -> AsyncIterator[OriginalSdk]:
    async with original_sdk() as running:
        yield running


@pytest.fixture
def call(managed: Any, sdk: OriginalSdk) -> Call:
    return partial(_call, managed, sdk)


async def _call(managed: Any, sdk: OriginalSdk, method: str, members: dict[str, Any]) -> dict[str, Any]:
    headers = {
        "Authorization": f"Bearer {managed.tokens['owner']}",
        "Content-Type": "application/proto",
        "Connect-Protocol-Version": "1",
    }
    content = await sdk.written(f"{method}Request", members)
    answer = await managed.api.http.post(METHODS[f"{USER}.{method}"].path, content=content, headers=headers)
    assert answer.status_code == 200, answer.text
    return await sdk.read(f"{method}Response", answer.content)


def _ada(managed: Any) -> dict[str, Any]:
    return {
        "userId": f"ada-{managed.tag}",
        "username": f"ada.{managed.tag}",
        "organization": {"orgId": managed.org_id},
        "profile": {"givenName": "Ada", "familyName": "Byron", "nickName": "A", "gender": "GENDER_FEMALE"},
        "email": {"email": f"ada-{managed.tag}@mail.example", "isVerified": True},
        "phone": {"phone": "+41791234567", "isVerified": True},
        "metadata": [{"key": "number", "value": "MQ=="}],
        "password": {"password": "Correct-Horse-1", "changeRequired": True},
    }


async def test_sdk_creates_and_reads_a_user(managed: Any, call: Call) -> None:
    """In AddHumanUser, GetUserByID and ListUsers every field has the SDK's field number."""
    ada = _ada(managed)
    created = await call("AddHumanUser", ada)
    got = (await call("GetUserByID", {"userId": ada["userId"]}))["user"]
    conditions = [
        {"inUserIdsQuery": {"userIds": [ada["userId"]]}},
        {"organizationIdQuery": {"organizationId": managed.org_id}},
    ]
    listed = await call("ListUsers", {"query": {"limit": 5, "asc": True}, "queries": conditions})

    assert created["userId"] == ada["userId"]
    assert created["details"].keys() == {"sequence", "changeDate", "resourceOwner"}
    assert got["details"].keys() == {"sequence", "creationDate", "changeDate", "resourceOwner"}
    assert (got["details"]["sequence"], got["details"]["resourceOwner"]) == ("1", managed.org_id)
    assert (got["state"], got["username"]) == ("USER_STATE_ACTIVE", ada["username"])
    assert got["preferredLoginName"] == f"{ada['username']}@{managed.domain(managed.org_id)}"
    assert ada["email"]["email"] in got["loginNames"]
    human = got["human"]
    assert human["profile"] == {**ada["profile"], "displayName": "Ada Byron"}
    assert (human["email"], human["phone"]) == (ada["email"], ada["phone"])
    assert human["passwordChangeRequired"] is True
    assert human["passwordChanged"] == got["details"]["creationDate"]
    assert listed["result"] == [got]
    assert listed["details"]["totalResult"] == "1"


async def test_sdk_sets_a_phone_number(managed: Any, call: Call) -> None:
    """In SetHumanPhone and ResendPhoneCode a requested code is returned, and the number stays unverified."""
    ada = _ada(managed)
    await call("AddHumanUser", {key: value for key, value in ada.items() if key != "phone"})
    phone = {"phone": "+41797654321", "returnCode": {}}
    updated = await call("UpdateHumanUser", {"userId": ada["userId"], "phone": phone})
    again = await call("ResendPhoneCode", {"userId": ada["userId"], "returnCode": {}})
    got = await call("GetUserByID", {"userId": ada["userId"]})

    assert updated["phoneCode"]
    assert again["verificationCode"] not in {"", updated["phoneCode"]}
    assert got["user"]["human"]["phone"] == {"phone": "+41797654321"}


async def test_sdk_reads_metadata_and_links(managed: Any, call: Call) -> None:
    """Additional fields of ListUserMetadata and ListIDPLinks break no client."""
    await managed.furnish("sdk")
    idp = f"own-oidc-sdk-{managed.tag}"
    link = {"idpId": idp, "userId": "over-there", "userName": "ada@over.example"}
    ada = _ada(managed)
    await call("AddHumanUser", {**ada, "idpLinks": [link]})
    await call("SetUserMetadata", {"userId": ada["userId"], "metadata": [{"key": "two", "value": "Mg=="}]})
    metadata = await call("ListUserMetadata", {"userId": ada["userId"], "pagination": {"asc": True}})
    links = await call("ListIDPLinks", {"userId": ada["userId"]})

    assert metadata["metadata"] == [{"key": "number", "value": "MQ=="}, {"key": "two", "value": "Mg=="}]
    assert links["result"] == [link]
