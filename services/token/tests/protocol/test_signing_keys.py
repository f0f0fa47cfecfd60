"""The lease of signing keys: picked up, rotated, revoked and run out, without a restart."""

from __future__ import annotations

import jwt
import pytest
from portico_contracts.events import KEY_REVOKED, KeyEvent
from portico_contracts.keys import ACTIVE_KEYS
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_peers import PlannedKey
from portico_fakes.token_service import TokenService
from portico_oauth.jose import SigningKey


@pytest.fixture
def new_key() -> SigningKey:
    """A second key of ES256."""
    return SigningKey.generate("ES256-2", "ES256")


async def signed_with(service: TokenService) -> str:
    """The kid of a fresh id_token."""
    answer = await service.redeem(service.issue_code("web"), "web")
    kid: str = jwt.get_unverified_header(answer.json()["id_token"])["kid"]
    return kid


async def test_a_lease_that_ran_out_signs_nothing(token_service: TokenService, clock: FrozenClock) -> None:
    """The response is 503, and the code is not consumed; with a new lease it is redeemed (IR-16)."""
    code = token_service.issue_code("web")
    clock.tick(60)

    refused = await token_service.redeem(code, "web")
    ready = (await token_service.health.state())["keys"]
    await token_service.receive_keys()

    assert (refused.status_code, refused.json()["error"]) == (503, "server_error")
    assert ready != "ok"
    assert (await token_service.redeem(code, "web")).status_code == 200


async def test_an_expired_lease_accepts_no_jwt(token_service: TokenService, clock: FrozenClock) -> None:
    """A replica cut off from keys cannot know what was revoked: 503; opaque tokens need no key."""
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    tokens = [
        (await token_service.redeem(token_service.issue_code(name), name)).json()["access_token"]
        for name in ("jwt", "web")
    ]
    clock.tick(60)

    assert [(await token_service.userinfo(token)).status_code for token in tokens] == [503, 200]


async def test_a_lease_counts_from_the_question(token_service: TokenService, clock: FrozenClock) -> None:
    """A second before its end, counted from the request, it is still valid."""
    clock.tick(59.9)

    assert await signed_with(token_service) == "ES256-1"


async def test_a_clock_set_back_does_not_lengthen_the_lease(token_service: TokenService, clock: FrozenClock) -> None:
    """A time before the request is outside the lease."""
    clock.tick(-1)

    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert answer.status_code == 503


async def test_unreachable_keys_leave_the_lease_valid_until_it_expires(
    token_service: TokenService, bus: MemoryBus, clock: FrozenClock
) -> None:
    """Until it expires, replicas sign without the service keys."""
    clock.tick(30)
    bus.silent.add(ACTIVE_KEYS.subject)

    assert await signed_with(token_service) == "ES256-1"


async def test_a_planned_key_signs_from_its_time_on(
    token_service: TokenService, new_key: SigningKey, clock: FrozenClock
) -> None:
    """It is distributed ahead, and every replica uses it from the same time on (IR-16)."""
    token_service.keys.signing.append(PlannedKey(new_key, token_service.clock.now() + 10))
    await token_service.receive_keys()

    before = await signed_with(token_service)
    clock.tick(10)

    assert (before, await signed_with(token_service)) == ("ES256-1", "ES256-2")


async def test_an_activation_time_may_change(token_service: TokenService, new_key: SigningKey) -> None:
    """A key that is known already gets its activation time from the newest response."""
    token_service.keys.signing.append(PlannedKey(new_key, token_service.clock.now() + 1_000))
    await token_service.receive_keys()
    token_service.keys.signing[-1].activates_at = token_service.clock.now()
    await token_service.receive_keys()

    assert await signed_with(token_service) == "ES256-2"


async def test_tokens_of_a_retired_key_stay_good(token_service: TokenService, new_key: SigningKey) -> None:
    """A key that signs no more but is published still verifies."""
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    token = (await token_service.redeem(token_service.issue_code("jwt"), "jwt")).json()["access_token"]
    token_service.keys.signing = [PlannedKey(new_key)]
    token_service.keys.published.append(new_key)
    await token_service.receive_keys()

    assert await signed_with(token_service) == "ES256-2"
    assert (await token_service.userinfo(token)).status_code == 200


async def test_tokens_of_a_revoked_key_are_refused_at_once(token_service: TokenService, bus: MemoryBus) -> None:
    """With the event alone, also when keys cannot be reached, the key neither signs nor verifies (IR-16)."""
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    token = (await token_service.redeem(token_service.issue_code("jwt"), "jwt")).json()["access_token"]
    bus.silent.add(ACTIVE_KEYS.subject)
    response = KeyEvent(event_id="r", kid="ES256-1", at=token_service.clock.now())
    await bus.publish(KEY_REVOKED, response, event_id="r")

    assert (await token_service.userinfo(token)).status_code == 401
    assert (await token_service.redeem(token_service.issue_code("web"), "web")).status_code == 503


async def test_an_algorithm_without_a_key(token_service: TokenService) -> None:
    """The response is 503, and the code is not consumed."""
    token_service.keys.signing = [planned for planned in token_service.keys.signing if planned.key.alg != "ES256"]
    await token_service.receive_keys()
    code = token_service.issue_code("web")

    answer = await token_service.redeem(code, "web")

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert not token_service.authz.codes[code].used
