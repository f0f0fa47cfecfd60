"""Devices and tries in memory and on Redis, which behave the same."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter

import msgspec
import pytest
from portico_authz.domain.device import (
    DeviceRequest,
    PollOutcome,
    new_device_code,
    new_user_code,
    read_user_code,
    secret_of,
)
from portico_authz.domain.ports import Stores
from portico_contracts.authz import CodeGrant
from portico_fakes.clock import FrozenClock

GRANT = CodeGrant(
    grant_id="g",
    client_id="tv",
    user_id="u",
    session_id="s",
    scope=("openid",),
    auth_time=1,
    amr=(),
    acr="",
    auth_time_proven=True,
)


def device_of(clock: FrozenClock) -> tuple[str, DeviceRequest]:
    user_code = new_user_code(secrets.token_bytes)
    device_code = new_device_code(user_code, secrets.token_bytes)
    now = clock.now()
    device = DeviceRequest(
        user_code, secret_of(device_code), "tv", "openid", now, now + 600, "198.51.100.7", "CH", "urn:a urn:b"
    )
    return device_code, device


async def test_one_of_200_redeemers_wins(authz_stores: Stores, clock: FrozenClock) -> None:
    """The others learn that the code is spent, also after it has expired (TK-01)."""
    devices, now = authz_stores.devices, clock.now()
    code, device = device_of(clock)
    await devices.create(device, 600, "")
    await devices.answer(device, "r", GRANT, now)
    polls = await asyncio.gather(*(devices.claim(code, "tv", now) for _ in range(200)))

    assert Counter(poll.outcome for poll in polls) == {PollOutcome.CLAIMED: 1, PollOutcome.SPENT: 199}
    assert [poll.grant for poll in polls if poll.grant] == [GRANT]
    assert (await devices.poll(code, "tv", now + 600)).outcome is PollOutcome.SPENT


async def test_one_of_20_answers_counts(authz_stores: Stores, clock: FrozenClock) -> None:
    devices, now = authz_stores.devices, clock.now()
    code, device = device_of(clock)
    await devices.create(device, 600, "")
    answers = await asyncio.gather(
        *(devices.answer(device, f"r-{n}", GRANT if n % 2 else None, now) for n in range(20))
    )
    poll = await devices.poll(code, "tv", now)

    assert sum(answers) == 1
    assert poll.outcome is (PollOutcome.APPROVED if answers.index(True) % 2 else PollOutcome.DENIED)
    assert await devices.find_waiting(device.user_code, now) is None


@pytest.mark.parametrize("grant", [GRANT, None])
async def test_answer_is_repeated_by_its_request_only(
    authz_stores: Stores, clock: FrozenClock, grant: CodeGrant | None
) -> None:
    """Another answer is refused, also of the same request; the device gets the first grant, once."""
    devices, now = authz_stores.devices, clock.now()
    code, device = device_of(clock)
    await devices.create(device, 600, "")
    later = grant and msgspec.structs.replace(grant, grant_id="later")
    other = None if grant else GRANT

    assert await devices.answer(device, "r", grant, now)
    assert await devices.answer(device, "r", later, now)
    assert not await devices.answer(device, "r", other, now)
    assert not await devices.answer(device, "another", grant, now)
    assert (await devices.claim(code, "tv", now)).grant == grant
    assert await devices.answer(device, "r", later, now + 600)
    assert not await devices.answer(device, "r", other, now)
    assert (await devices.claim(code, "tv", now)).grant is None


async def test_user_code_belongs_to_one_device(authz_stores: Stores, clock: FrozenClock) -> None:
    """A record is found by its user code as stored, and answered only for its own secret."""
    devices, now = authz_stores.devices, clock.now()
    code, device = device_of(clock)
    other = DeviceRequest(device.user_code, "other", "app", "openid", now, now + 600)

    assert await devices.create(device, 600, "")
    assert not await devices.create(other, 600, "")
    assert await devices.find_waiting(device.user_code, now) == device
    assert not await devices.answer(other, "r", GRANT, now)
    assert (await devices.poll(code, "app", now)).outcome is PollOutcome.UNKNOWN
    assert (await devices.poll(device.user_code + "A" * 43, "tv", now)).outcome is PollOutcome.UNKNOWN
    assert (await devices.poll("anything", "tv", now)).outcome is PollOutcome.UNKNOWN


@pytest.mark.parametrize("seconds", [600, -60])
async def test_no_answer_outside_its_time(authz_stores: Stores, clock: FrozenClock, seconds: int) -> None:
    """An expired code, and one of a clock that was set back since, can neither be entered, answered nor redeemed."""
    devices, at = authz_stores.devices, clock.now() + seconds
    code, device = device_of(clock)
    await devices.create(device, 600, "")

    assert await devices.find_waiting(device.user_code, at) is None
    assert not await devices.answer(device, "r", GRANT, at)
    assert (await devices.claim(code, "tv", at)).outcome is PollOutcome.EXPIRED


async def test_parallel_tries_are_counted_once_each(authz_stores: Stores) -> None:
    whose = secrets.token_hex(8)
    counts = await asyncio.gather(*(authz_stores.tries.count(whose, 60) for _ in range(20)))
    await authz_stores.tries.give_back(whose)
    await authz_stores.tries.give_back(f"not {whose}")

    assert sorted(counts) == list(range(1, 21))
    assert await authz_stores.tries.count(whose, 60) == 20
    assert await authz_stores.tries.count(f"not {whose}", 60) == 1


async def test_more_returned_tries_than_counted_allow_no_more(authz_stores: Stores) -> None:
    """The limit stays, although a try of the time before is given back in this one."""
    whose = secrets.token_hex(8)
    await authz_stores.tries.count(whose, 60)
    for _ in range(3):
        await authz_stores.tries.give_back(whose)

    assert await authz_stores.tries.count(whose, 60) == 1


def test_user_codes_are_eight_consonants() -> None:
    """All 20 letters occur, and a typed code is read whatever its case, spaces and hyphens (RFC 8628 section 6.1)."""
    codes = [new_user_code(secrets.token_bytes) for _ in range(200)]

    assert set("".join(codes)) == set("BCDFGHJKLMNPQRSTVWXZ")
    assert {len(code) for code in codes} == {8}
    assert [read_user_code(text) for text in ("bcdf-ghjk", " BCDF GHJK ", "BCDFGHJ", "BCDFGHJA", "")] == [
        *["BCDFGHJK"] * 2,
        *[""] * 3,
    ]
