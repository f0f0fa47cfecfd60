"""Assertions without `iat` on Redis: issued when they arrive, and used once, also across a loss (decision 0027)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from portico_fakes.assertion_uses import KEY
from portico_fakes.assertions import claims_of, registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import ISSUER
from portico_token.assertions.claims import AssertionFault, InvalidAssertion
from portico_token.assertions.verification import Assertions, Expected
from portico_token.store.redis_assertions import RedisAssertions

from .replica import Installation, Replica

pytestmark = pytest.mark.servers


class Client:
    """A client whose library writes no `iat`, and an expiry five minutes ahead."""

    def __init__(self, replica: Replica, now: float) -> None:
        self.clock = FrozenClock(now)
        self.assertions = Assertions(RedisAssertions(replica.redis), self.clock)

    def signed(self, **changes: object) -> str:
        now = self.clock.now()
        return sign(KEY, claims_of("signer", ISSUER, now, **{"iat": ..., "exp": int(now) + 300, **changes}))

    async def accepts(self, text: str, *, repeats: bool = False) -> bool:
        try:
            await self.assertions.accept(text, Expected("signer", (registered(KEY),), (ISSUER,), repeats=repeats))
        except InvalidAssertion as error:
            return error.fault is not AssertionFault.USED
        return True


@pytest.fixture(name="replica")
async def _replica(installation: Installation) -> AsyncIterator[Replica]:
    replica = installation.replica()
    await replica.start()
    yield replica
    await replica.redis.close()


async def test_new_installation_accepts_it_once(replica: Replica) -> None:
    client = Client(replica, await replica.redis.time())
    text = client.signed()

    assert [await client.accepts(text) for _ in range(2)] == [True, False]


async def test_without_jti_it_may_be_repeated_for_five_seconds(replica: Replica) -> None:
    """From its first arrival, because that is when it counts as issued."""
    client = Client(replica, await replica.redis.time())
    text = client.signed(jti=...)
    found = []
    for seconds in (0, 4, 2):
        client.clock.tick(seconds)
        found.append(await client.accepts(text, repeats=True))

    assert found == [True, True, False]


@pytest.mark.parametrize("restarts", [False, True])
async def test_loss_never_lets_it_be_used_again(
    installation: Installation, replica: Replica, *, restarts: bool
) -> None:
    """After a loss each that can be older is refused, for the hour in which it can; a restart changes nothing."""
    client = Client(replica, await replica.redis.time())
    used = client.signed(exp=int(client.clock.now()) + 3_600)
    first = await client.accepts(used)
    if restarts:
        await replica.stop()
    await installation.lose_redis()
    after = installation.replica() if restarts else replica
    await (after.start() if restarts else after.epochs.check_bucket("ab"))
    later = Client(after, client.clock.now() + 5)
    again, other = await later.accepts(used), await later.accepts(later.signed())
    dated = await later.accepts(later.signed(iat=int(later.clock.now())))
    later.clock.tick(3_700)
    once_more = await later.accepts(later.signed())
    if restarts:
        await after.redis.close()

    assert first
    assert (again, other) == (False, False)
    assert (dated, once_more) == (True, True)
