"""The lease of signing keys: renewed, rotated, revoked and expired, without a restart."""

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
    """Returns a second key of ES256."""
    return SigningKey.generate("ES256-2", "ES256")


async def signed_with(service: TokenService) -> str:
    answer = await service.redeem(service.issue_code("web"), "web")
    kid: str = jwt.get_unverified_header(answer.json()["id_token"])["kid"]
    return kid


async def test_expired_lease_signs_nothing(token_service: TokenService, clock: FrozenClock) -> None:
    """The response is 503, and the code is redeemed with a new lease (IR-16)."""
    code = token_service.issue_code("web")
    clock.tick(60)

    refused = await token_service.redeem(code, "web")
    ready = (await token_service.health.state())["keys"]
    await token_service.receive_keys()

    assert (refused.status_code, refused.json()["error"]) == (503, "server_error")
    assert ready != "ok"
    assert (await token_service.redeem(code, "web")).status_code == 200


async def test_expired_lease_accepts_no_jwt(token_service: TokenService, clock: FrozenClock) -> None:
    """A replica isolated from keys cannot know about revocations and answers 503, while opaque tokens need no key."""
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    tokens = [
        (await token_service.redeem(token_service.issue_code(name), name)).json()["access_token"]
        for name in ("jwt", "web")
    ]
    clock.tick(60)

    assert [(await token_service.userinfo(token)).status_code for token in tokens] == [503, 200]


async def test_lease_counts_from_its_request(token_service: TokenService, clock: FrozenClock) -> None:
    clock.tick(59.9)

    assert await signed_with(token_service) == "ES256-1"


async def test_clock_set_back_does_not_prolong_the_lease(token_service: TokenService, clock: FrozenClock) -> None:
    clock.tick(-1)

    answer = await token_service.redeem(token_service.issue_code("web"), "web")

    assert answer.status_code == 503


async def test_unreachable_keys_leave_the_lease_valid(
    token_service: TokenService, bus: MemoryBus, clock: FrozenClock
) -> None:
    clock.tick(30)
    bus.silent.add(ACTIVE_KEYS.subject)

    assert await signed_with(token_service) == "ES256-1"


async def test_planned_key_signs_from_its_activation_time(
    token_service: TokenService, new_key: SigningKey, clock: FrozenClock
) -> None:
    """The key is distributed in advance, and every replica uses it from the same time on (IR-16)."""
    token_service.keys.signing.append(PlannedKey(new_key, token_service.clock.now() + 10))
    await token_service.receive_keys()

    before = await signed_with(token_service)
    clock.tick(10)

    assert (before, await signed_with(token_service)) == ("ES256-1", "ES256-2")


async def test_activation_time_may_change(token_service: TokenService, new_key: SigningKey) -> None:
    token_service.keys.signing.append(PlannedKey(new_key, token_service.clock.now() + 1_000))
    await token_service.receive_keys()
    token_service.keys.signing[-1].activates_at = token_service.clock.now()
    await token_service.receive_keys()

    assert await signed_with(token_service) == "ES256-2"


async def test_tokens_of_a_retired_key_stay_valid(token_service: TokenService, new_key: SigningKey) -> None:
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    token = (await token_service.redeem(token_service.issue_code("jwt"), "jwt")).json()["access_token"]
    token_service.keys.signing = [PlannedKey(new_key)]
    token_service.keys.published.append(new_key)
    await token_service.receive_keys()

    assert await signed_with(token_service) == "ES256-2"
    assert (await token_service.userinfo(token)).status_code == 200


async def test_tokens_of_a_revoked_key_are_refused_at_once(token_service: TokenService, bus: MemoryBus) -> None:
    """With the event alone, even if keys is unreachable, the key neither signs nor verifies (IR-16)."""
    token_service.register("jwt", access_token_type=AccessTokenType.JWT)
    token = (await token_service.redeem(token_service.issue_code("jwt"), "jwt")).json()["access_token"]
    bus.silent.add(ACTIVE_KEYS.subject)
    response = KeyEvent(event_id="r", kid="ES256-1", at=token_service.clock.now())
    await bus.publish(KEY_REVOKED, response, event_id="r")

    assert (await token_service.userinfo(token)).status_code == 401
    assert (await token_service.redeem(token_service.issue_code("web"), "web")).status_code == 503


async def test_algorithm_without_a_key_is_503(token_service: TokenService) -> None:
    token_service.keys.signing = [planned for planned in token_service.keys.signing if planned.key.alg != "ES256"]
    await token_service.receive_keys()
    code = token_service.issue_code("web")

    answer = await token_service.redeem(code, "web")

    assert (answer.status_code, answer.json()["error"]) == (503, "server_error")
    assert not token_service.authz.codes[code].used
