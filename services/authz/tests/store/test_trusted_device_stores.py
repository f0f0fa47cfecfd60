"""Trusted devices in memory and on Redis, which behave the same."""

from __future__ import annotations

import asyncio
import secrets

from portico_authz.domain.browser import Browser
from portico_authz.domain.ports import Stores
from portico_authz.domain.trusted_device import MOST_DEVICES, ReplacedHandle, TrustedDevice
from portico_contracts.step_names import StepName
from portico_fakes.clock import FrozenClock
from portico_oauth.opaque import new_opaque


def trusted(id: str, since: float) -> TrustedDevice:
    return TrustedDevice(id, StepName.TOTP, 3, since, 30, "Firefox, Linux", "NL")


async def test_trust_is_of_one_user_and_ends_alone_or_altogether(authz_stores: Stores, clock: FrozenClock) -> None:
    devices, user, other = authz_stores.trusted_devices, f"u-{secrets.token_hex(8)}", f"u-{secrets.token_hex(8)}"
    one, two = trusted("one", clock.now()), trusted("two", clock.now())
    for device in (one, two, one):
        await devices.save(user, device, 600)
    assert await devices.find(user, "one") == one
    assert await devices.find(other, "one") is None
    assert sorted(device.id for device in await devices.list(user)) == ["one", "two"]

    assert [await devices.end(user, ("one", "unknown")), await devices.end(other)] == [1, 0]
    assert await devices.list(user) == (two,)
    assert await devices.end(user) == 1
    assert await devices.list(user) == ()


async def test_ended_trust_does_not_return(authz_stores: Stores, clock: FrozenClock) -> None:
    """Trust that ends while sign-ins read it, or begin it in other browsers, does not exist when the call returns."""
    devices, user = authz_stores.trusted_devices, f"u-{secrets.token_hex(8)}"
    for number in range(20):
        ending, others = f"e{number}", [trusted(f"{one}-{number}", clock.now()) for one in range(3)]
        await devices.save(user, trusted(ending, clock.now()), 600)
        await asyncio.gather(
            *(devices.save(user, one, 600) for one in others),
            devices.end(user, (ending,) if number % 2 else ()),
            *(devices.find(user, ending) for _ in range(3)),
        )

        assert await devices.find(user, ending) is None
        assert ending not in {one.id for one in await devices.list(user)}


async def test_first_trust_ends_beyond_the_limit(authz_stores: Stores, clock: FrozenClock) -> None:
    devices, user = authz_stores.trusted_devices, f"u-{secrets.token_hex(8)}"
    for number in range(MOST_DEVICES + 2):
        await devices.save(user, trusted(f"d{number}", clock.now() + number), 600)

    left = {device.id for device in await devices.list(user)}
    assert left == {f"d{number}" for number in range(2, MOST_DEVICES + 2)}


async def test_replaced_handle_names_its_users(authz_stores: Stores, clock: FrozenClock) -> None:
    handle = new_opaque("0a", secrets.token_bytes)
    replaced = ReplacedHandle("one", ("u-ada", "u-bob"), clock.now())
    await authz_stores.trusted_devices.remember_handle(handle, replaced, 600)

    assert await authz_stores.trusted_devices.find_handle(handle) == replaced
    assert await authz_stores.trusted_devices.find_handle(new_opaque("0a", secrets.token_bytes)) is None
    assert await authz_stores.trusted_devices.find_handle("no identifier") is None


async def test_trust_of_a_browser_is_stored(authz_stores: Stores, clock: FrozenClock) -> None:
    """A browser of an earlier release has none."""
    handle = new_opaque("0a", secrets.token_bytes)
    browser = Browser("0a-browser").with_trust("u-ada", clock.now() + 60, clock.now())
    await authz_stores.browsers.create(handle, browser, 600)

    assert await authz_stores.browsers.find(handle) == browser
