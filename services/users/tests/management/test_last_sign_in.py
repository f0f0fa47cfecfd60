"""The time of the last sign-in of a user."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from portico_contracts.events import LOGIN_FAILED, LOGIN_SUCCEEDED, LoginEvent
from portico_fakes.management_api import call_as
from portico_users.accounts.word_index import WordIndex
from portico_users.audit.sign_ins.last_sign_ins import EVERY, LAST_SIGN_INS, LastSignIns
from portico_users.audit.sign_ins.sign_in_log import SignInLog

pytestmark = pytest.mark.servers

DELETE = "portico.user.v2.UserService.DeleteUser"


class LastSignIn:
    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.user_id = f"self-{managed.tag}"
        self.log: SignInLog = managed.users.service.find(SignInLog)
        self.now = managed.users.parts.clock.now()

    async def signed_in(self, at: float, event: Any = LOGIN_SUCCEEDED) -> None:
        body = LoginEvent(event_id=f"{at}-{self.user_id}", user_id=self.user_id, client_id="", at=at)
        await self.log.write([(event, body)])

    async def rows(self) -> list[float]:
        found = await self.managed.users.rows(LAST_SIGN_INS, _id=self.user_id)
        return [row["at"] for row in found]


@pytest.fixture
async def last(managed: Any) -> LastSignIn:
    await managed.furnish("owner")
    return LastSignIn(managed)


def written(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S")


async def test_user_and_lists_have_the_time(last: LastSignIn) -> None:
    """Before the first sign-in it is absent; failed ones do not count."""
    only = {"queries": [{"inUserIdsQuery": {"userIds": [last.user_id]}}]}
    await last.signed_in(last.now - 500, LOGIN_FAILED)
    before = await last.managed.get(last.user_id)
    await last.signed_in(last.now - 300)
    after = await last.managed.get(last.user_id)
    listed = await call_as(last.managed, "portico.management.v1.UserService.ListUsers", only, path="")

    assert "lastSignIn" not in before.body["user"]["human"]
    assert after.body["user"]["human"]["lastSignIn"].startswith(written(last.now - 300))
    assert listed.body["result"][0]["human"]["lastSignIn"].startswith(written(last.now - 300))


async def test_concurrent_lists_have_the_times_of_their_users(last: LastSignIn) -> None:
    """Concurrent lists share a query, and each gets the answers that it needs."""
    await last.signed_in(last.now - 300)
    times = last.managed.users.service.find(LastSignIns)
    of_nobody, of_one, with_org = await asyncio.gather(
        times.of(["unknown"]), times.of([last.user_id]), times.with_orgs([last.user_id], [last.managed.org_id])
    )

    assert (of_one[last.user_id], with_org.times[last.user_id]) == (last.now - 300, last.now - 300)
    assert with_org.orgs[last.managed.org_id].id == last.managed.org_id
    assert "unknown" not in of_nobody


async def test_time_is_written_once_a_minute_and_never_goes_back(last: LastSignIn) -> None:
    """Events arrive in any order, and again."""
    await last.signed_in(last.now)
    await last.signed_in(last.now + EVERY - 1)
    soon = await last.rows()
    await last.signed_in(last.now - 1000)
    await last.signed_in(last.now + EVERY)
    later = await last.rows()

    assert (soon, later) == ([last.now], [last.now + EVERY])


async def test_deleted_user_has_no_time(last: LastSignIn) -> None:
    """The time is deleted with the user, and an event that arrives later does not bring it back."""
    await last.signed_in(last.now)
    there = await last.rows()
    await call_as(last.managed, DELETE, {}, path=f"/v2/users/{last.user_id}", by="iam")
    gone = await last.rows()
    await last.signed_in(last.now + 2 * EVERY)

    assert (there, gone, await last.rows()) == ([last.now], [], [])


async def found(last: LastSignIn, situation: str = "NEVER_SIGNED_IN") -> bool:
    only = [{"situationQuery": {"situation": f"USER_SITUATION_{situation}"}}, {"typeQuery": {"type": "TYPE_HUMAN"}}]
    listed = await call_as(last.managed, "portico.user.v2.UserService.ListUsers", {"queries": only})
    return last.user_id in {one["userId"] for one in listed.body.get("result", [])}


async def test_people_who_never_signed_in_are_found(last: LastSignIn) -> None:
    """Until the first sign-in; a change of the user does not forget it."""
    before = await found(last)
    await last.signed_in(last.now)
    after = await found(last)
    profile = {"profile": {"firstName": "Other", "lastName": "Name"}}
    path = f"/v2/users/human/{last.user_id}"
    changed = await call_as(last.managed, "portico.user.v2.UserService.UpdateHumanUser", profile, path=path)

    assert (before, after, changed.code, await found(last)) == (True, False, 0, False)


async def test_deleted_user_has_no_last_sign_in(last: LastSignIn) -> None:
    """Neither the time nor its copy in the user is left."""
    await last.signed_in(last.now)
    deleted = await call_as(last.managed, DELETE, {}, path=f"/v2/users/{last.user_id}")
    stored = await last.managed.users.parts.mongo.database["users"].find_one({"_id": last.user_id})

    assert deleted.code == 0
    assert stored["lastSignIn"] == 0.0


async def test_lists_are_sorted_by_the_last_sign_in(last: LastSignIn) -> None:
    """Who never signed in comes first, or last when the list is turned round."""
    await last.signed_in(last.now)
    ends = []
    for ascending in (True, False):
        body = {"query": {"asc": ascending}, "sortingColumn": "USER_FIELD_NAME_LAST_SIGN_IN"}
        listed = await call_as(last.managed, "portico.user.v2.UserService.ListUsers", body)
        ends.append([one["userId"] for one in listed.body["result"]].index(last.user_id))

    assert ends[0] > 0 == ends[1]


async def test_users_of_an_older_release_get_marks_and_times(last: LastSignIn) -> None:
    """An older release drops both when it changes a user; until they are back, filters by them are refused."""
    await last.signed_in(last.now)
    database, index = last.managed.users.parts.mongo.database, last.managed.users.service.find(WordIndex)
    stored = await database["users"].find_one({"_id": last.user_id})
    await database["users"].update_one({"_id": last.user_id}, {"$unset": {"marks": "", "lastSignIn": ""}})
    index._is_complete = False
    body = {"queries": [{"situationQuery": {"situation": "USER_SITUATION_INVITED"}}]}
    refused = await call_as(last.managed, "portico.user.v2.UserService.ListUsers", body)
    await index.build()

    assert refused.error_code == "USER-015"
    assert await database["users"].find_one({"_id": last.user_id}) == stored
    assert stored["lastSignIn"] == last.now
