from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from datetime import UTC
from typing import Any

import pytest
from portico_contracts.users import PasswordVerified
from portico_oauth.errors import Kind, ServiceError
from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.attempts.backoff import delay_after
from portico_users.credentials.passwords.hashing import HASH_SECONDS, HashingPool
from portico_users.settings import Settings

pytestmark = pytest.mark.servers

WRONG = "not the password"
DELAYS = (0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900)
"""Seconds to wait after the first failure, the second, and so on."""


def hashes() -> float:
    return next(
        sample.value for metric in HASH_SECONDS.collect() for sample in metric.samples if sample.name.endswith("_count")
    )


def verified(results: list[Any]) -> int:
    return sum(isinstance(result, PasswordVerified) for result in results)


async def test_right_password_works_for_every_spelling(users_world: Any) -> None:
    """User name, login name and verified address, in any case, identify the same user."""
    await users_world.apply()
    name = users_world.user_name
    typed = [name.upper(), f"{name}@acme-{users_world.tag}.localhost", f"ALICE-{users_world.tag}@mail.example"]
    found = [(await users_world.try_password(text, users_world.password)).user for text in typed]

    assert len({user.user_id for user in found}) == 1
    assert {user.login_name for user in found} == {f"{name}@acme-{users_world.tag}.localhost"}


@pytest.mark.parametrize("case", ["wrong", "unknown", "inactive user", "inactive organization", "no password"])
async def test_unknown_and_inactive_users_look_alike(users_world: Any, case: str) -> None:
    """A wrong password and an unknown, inactive or password-less user have the same response and one hash each
    (LG-01).
    """
    human = users_world.human()
    if case == "no password":
        del human["password"]
    applied = await users_world.apply(users_world.organization(humans=[human]))
    database = users_world.parts.mongo.database
    if case == "inactive user":
        await database["users"].update_one({"_id": applied.changes[3].id}, {"$set": {"state": "inactive"}})
    if case == "inactive organization":
        await database["orgs"].update_one({"_id": applied.changes[0].id}, {"$set": {"state": "inactive"}})
    before = hashes()
    name = f"nobody-{users_world.tag}" if case == "unknown" else users_world.user_name
    answer = await users_world.try_password(name, WRONG if case == "wrong" else users_world.password)

    assert answer.user is None
    assert hashes() - before == 1


async def test_failed_sign_in_names_the_user_for_its_event(users_world: Any) -> None:
    """Only the event of the failed sign-in has the user; an unknown name has none."""
    applied = await users_world.apply()
    wrong = await users_world.try_password(users_world.user_name, WRONG)
    unknown = await users_world.try_password(f"nobody-{users_world.tag}", WRONG)

    assert wrong.attempted in {change.id for change in applied.changes}
    assert unknown.attempted == ""


@pytest.mark.parametrize(
    ("state", "failure"),
    [("active", "wrong_password"), ("locked", "locked"), ("inactive", "deactivated"), ("unknown", "unknown_user")],
)
async def test_event_of_a_failed_sign_in_has_the_reason(users_world: Any, state: str, failure: str) -> None:
    """Only the event: the response has no user in any case (LG-01)."""
    applied = await users_world.apply()
    name = users_world.user_name
    if state == "unknown":
        name = f"nobody-{users_world.tag}"
    else:
        users = users_world.parts.mongo.database["users"]
        await users.update_many({"_id": {"$in": [one.id for one in applied.changes]}}, {"$set": {"state": state}})
    answer = await users_world.try_password(name, WRONG)

    assert (answer.user, answer.failure) == (None, failure)
    assert bool(answer.attempted) == (state != "unknown")


async def test_failures_of_all_spellings_share_a_counter(users_world: Any) -> None:
    """Five failures by five spellings delay all spellings (LG-03)."""
    await users_world.apply()
    name = users_world.user_name
    login_name = f"{name}@acme-{users_world.tag}.localhost"
    typed = [name, name.upper(), login_name, login_name.title(), f"alice-{users_world.tag}@mail.example"]
    for text in typed:
        assert (await users_world.try_password(text, WRONG)).user is None
    for text in typed:
        with pytest.raises(ServiceError) as refused:
            await users_world.try_password(text, users_world.password)

        assert (refused.value.kind, refused.value.id, refused.value.retry_after) == (
            Kind.TOO_MANY_REQUESTS,
            "USER-033",
            1,
        )


async def test_parallel_guesses_are_bounded(users_world: Any, other_replica: Any) -> None:
    """Of 500 concurrent wrong passwords on two replicas at most five are compared (LG-05)."""
    await users_world.apply()
    worlds = [users_world, other_replica] * 250
    before = hashes()
    results = await asyncio.gather(
        *(world.try_password(users_world.user_name, WRONG) for world in worlds), return_exceptions=True
    )
    with pytest.raises(ServiceError) as refused:
        await users_world.try_password(users_world.user_name, users_world.password)

    assert verified(results) == 5
    assert hashes() - before == 5
    assert {result.id for result in results if isinstance(result, ServiceError)} == {"USER-033"}
    assert refused.value.id == "USER-033"


@pytest.mark.parametrize("is_known", [True, False])
async def test_failure_is_durable_before_the_response(users_world: Any, *, is_known: bool) -> None:
    """Each failure is acknowledged by the majority, of an account and of an unknown name alike (LG-01, LG-05)."""
    await users_world.apply()
    typed = users_world.user_name if is_known else f"ghost-{users_world.tag}"
    before = {row["_id"] for row in await users_world.rows("attempts")}
    for _ in range(3):
        assert (await users_world.try_password(typed, WRONG)).user is None
    rows = [row for row in await users_world.rows("attempts") if row["_id"] not in before]

    assert [(row["failures"], row["confirmed"]) for row in rows] == [(3, 3)]


async def test_reservation_counts_before_it_is_durable(users_world: Any) -> None:
    """All other attempts see it at once; a right password removes it (LG-05)."""
    attempts = Attempts(users_world.parts.mongo.database, users_world.clock, secrets.token_bytes)
    counter = of_user(users_world.tag, "password")
    counted = [await attempts.reserve(counter, durable=number % 2 == 0) for number in range(5)]
    with pytest.raises(ServiceError) as refused:
        await attempts.reserve(counter, durable=False)
    await attempts.reset(counter)

    assert counted == [1, 2, 3, 4, 5]
    assert refused.value.id == "USER-033"
    assert await attempts.reserve(counter) == 1


async def test_reservation_is_given_back_with_its_delay(users_world: Any) -> None:
    """No counter gets below zero, and the delay of another reservation stays."""
    attempts = Attempts(users_world.parts.mongo.database, users_world.clock, secrets.token_bytes)
    counter = of_user(users_world.tag, "password")
    await attempts.give_back(counter)
    await attempts.reserve(counter)
    for _ in range(3):
        await attempts.give_back(counter, 1)
    counted = [await attempts.reserve(counter) for _ in range(5)]
    await attempts.give_back(counter, 5)
    counted.append(await attempts.reserve(counter))
    users_world.clock.tick(1)
    counted.append(await attempts.reserve(counter))
    await attempts.give_back(counter, 6)
    counted.append(await attempts.reserve(counter))
    await attempts.give_back(counter, 5)
    with pytest.raises(ServiceError):
        await attempts.reserve(counter)

    assert counted == [1, 2, 3, 4, 5, 5, 6, 6]


async def test_unknown_names_are_delayed_alike(users_world: Any) -> None:
    """An unknown name is counted and delayed like an account (LG-01)."""
    for _ in range(5):
        assert (await users_world.try_password(f"ghost-{users_world.tag}", WRONG)).user is None
    with pytest.raises(ServiceError) as refused:
        await users_world.try_password(f"GHOST-{users_world.tag}", WRONG)

    assert (refused.value.id, refused.value.retry_after) == ("USER-033", 1)


async def test_free_attempts_ignore_the_clock(users_world: Any) -> None:
    """The first attempts are never delayed, even if concurrent ones arrive out of order or clocks differ."""
    attempts = Attempts(users_world.parts.mongo.database, users_world.clock, secrets.token_bytes)
    counter = of_user(users_world.tag, "password")
    counted = []
    for _ in range(5):
        counted.append(await attempts.reserve(counter))
        users_world.clock.tick(-0.01)
    with pytest.raises(ServiceError) as refused:
        await attempts.reserve(counter)

    assert counted == [1, 2, 3, 4, 5]
    assert refused.value.id == "USER-033"


async def test_delay_in_the_store_equals_the_function(users_world: Any) -> None:
    """From the fifth failure on the delay is 1 s, doubling up to 15 min, in the store as in the function (LG-05)."""
    attempts = Attempts(users_world.parts.mongo.database, users_world.clock, secrets.token_bytes)
    counter = of_user(users_world.tag, "password")
    for failures, seconds in enumerate(DELAYS, start=1):
        await attempts.reserve(counter)
        row = (await users_world.rows("attempts", _id=counter))[0]

        assert row["failures"] == failures
        assert row["notBefore"] - users_world.clock.now() == seconds
        assert delay_after(failures) == seconds
        users_world.clock.tick(seconds)


async def test_failures_are_stored_for_a_day(users_world: Any) -> None:
    """The counter expires 86,400 s after its last attempt, not earlier: slow guessing stays slow (LG-05)."""
    database = users_world.parts.mongo.database
    attempts = Attempts(database, users_world.clock, secrets.token_bytes)
    counter = of_user(users_world.tag, "password")
    await attempts.reserve(counter)
    users_world.clock.tick(3_600)
    await attempts.reserve(counter)
    row = (await users_world.rows("attempts", _id=counter))[0]
    indexes = (await database["attempts"].index_information()).values()

    assert row["forgetAt"].replace(tzinfo=UTC).timestamp() == pytest.approx(users_world.clock.now() + 86_400, abs=0.001)
    assert [index["expireAfterSeconds"] for index in indexes if index["key"] == [("forgetAt", 1)]] == [0]


async def test_right_password_after_the_delay_resets_it(users_world: Any) -> None:
    """After the delay the right password works, and four attempts are free again."""
    await users_world.apply()
    for _ in range(5):
        await users_world.try_password(users_world.user_name, WRONG)
    users_world.clock.tick(1)
    found = (await users_world.try_password(users_world.user_name, users_world.password)).user
    results = [await users_world.try_password(users_world.user_name, WRONG) for _ in range(5)]

    assert found is not None
    assert verified(results) == 5


async def test_delayed_attempt_is_not_counted(users_world: Any) -> None:
    """Attempts during the delay do not extend it, so that an attacker cannot lock a user out forever."""
    await users_world.apply()
    for _ in range(5):
        await users_world.try_password(users_world.user_name, WRONG)
    await asyncio.gather(
        *(users_world.try_password(users_world.user_name, WRONG) for _ in range(20)), return_exceptions=True
    )
    users_world.clock.tick(1)

    assert (await users_world.try_password(users_world.user_name, users_world.password)).user is not None


@pytest.mark.parametrize("password", ["", "x" * 201, "x" * 1_000_000])
async def test_impossible_password_is_refused_before_hashing(users_world: Any, password: str) -> None:
    """A text that cannot be a password is neither hashed nor counted (LG-15)."""
    before = hashes()
    with pytest.raises(ServiceError) as refused:
        await users_world.try_password(f"ghost-{users_world.tag}", password)

    assert (refused.value.kind, refused.value.id) == (Kind.INVALID_REQUEST, "USER-031")
    assert hashes() == before


async def test_full_pool_refuses_without_counting(users_world: Any) -> None:
    """Overload is 503 with a retry-after, and does not count as an attempt (RX-08)."""
    await users_world.apply()
    async with AsyncExitStack() as held:
        for _ in range(1_002):
            await held.enter_async_context(users_world.service.find(HashingPool).place())
        for _ in range(10):
            with pytest.raises(ServiceError) as refused:
                await users_world.try_password(users_world.user_name, WRONG)

            assert (refused.value.kind, refused.value.id, refused.value.retry_after) == (
                Kind.UNAVAILABLE,
                "USER-034",
                1,
            )

    assert (await users_world.try_password(users_world.user_name, users_world.password)).user is not None


async def test_sign_in_upgrades_the_hash(users_world: Any) -> None:
    """A hash with old parameters is replaced at the next right password."""
    applied = await users_world.apply()
    pool = HashingPool(Settings(argon2_memory_kib=8, argon2_passes=3), secrets.token_bytes)
    async with pool.place() as hashing:
        old = await hashing.hash(users_world.password)
    await pool.close()
    passwords = users_world.parts.mongo.database["passwords"]
    await passwords.update_one({"_id": applied.changes[3].id}, {"$set": {"hash": old}})
    await users_world.try_password(users_world.user_name, users_world.password)
    stored = (await users_world.rows("passwords", _id=applied.changes[3].id))[0]["hash"]

    assert "t=3" in old
    assert "t=1" in stored
    assert (await users_world.try_password(users_world.user_name, users_world.password)).user is not None
