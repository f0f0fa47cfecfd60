"""Login sessions and proofs in memory and on Redis, which behave the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from portico_authz.domain.login_session import LoginProof, LoginSession, WebAuthnKey
from portico_authz.domain.ports import Stores
from portico_authz.domain.progress import OwnPage, Progress
from portico_authz.store import keys, redis_stores
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_samples import opaque
from portico_fakes.clock import FrozenClock
from portico_harness.servers import RunningRedis
from portico_runtime.redis.client import RedisClient


def new(clock: FrozenClock) -> LoginSession:
    now = clock.now()
    return LoginSession(
        opaque(),
        "u-client",
        created=now,
        changed=now,
        ends_at=now + 600,
        sequence=1,
        token="a fingerprint",
        user_id="u-ada",
        passed={StepName.PASSKEY: now + 0.25},
        keys={StepName.PASSKEY: WebAuthnKey(Factor.PASSKEY, user_verified=True, device_bound=False)},
        challenges={StepName.OTP_EMAIL: "letter"},
        metadata={"a": "ä"},
    )


async def test_session_is_stored(authz_stores: Stores, clock: FrozenClock) -> None:
    session = new(clock)
    assert await authz_stores.login_sessions.save(session, 600)

    assert await authz_stores.login_sessions.find(session.id) == session
    assert await authz_stores.login_sessions.find(opaque()) is None
    assert await authz_stores.login_sessions.find("no identifier") is None


async def test_one_of_many_changes_is_stored(authz_stores: Stores, clock: FrozenClock) -> None:
    """All of them have read the same state; the stored one is whole."""
    session = new(clock)
    assert await authz_stores.login_sessions.save(session, 600)
    changes = [
        replace(session, sequence=2, token=f"token {n}", passed={StepName.TOTP: clock.now() + n}) for n in range(20)
    ]
    stored = await asyncio.gather(*(authz_stores.login_sessions.save(one, 600) for one in changes))

    assert sum(stored) == 1
    assert await authz_stores.login_sessions.find(session.id) == changes[stored.index(True)]


async def test_change_of_another_state_is_refused(authz_stores: Stores, clock: FrozenClock) -> None:
    """A change is refused if its session was deleted or started again after it was read."""
    session = new(clock)
    assert not await authz_stores.login_sessions.save(replace(session, sequence=2), 600)
    assert await authz_stores.login_sessions.save(session, 600)
    assert not await authz_stores.login_sessions.save(session, 600)
    assert await authz_stores.login_sessions.delete(session)

    assert not await authz_stores.login_sessions.save(replace(session, sequence=2), 600)
    assert await authz_stores.login_sessions.find(session.id) is None


async def test_sessions_that_began_with_it_survive_changes(authz_stores: Stores, clock: FrozenClock) -> None:
    """Each once; a login session is deleted only by a caller that knows all of them."""
    session, one, two = new(clock), opaque(), opaque()
    assert not await authz_stores.login_sessions.add_sid(session.id, one)
    assert await authz_stores.login_sessions.save(session, 600)
    for sid in (one, two, one):
        assert await authz_stores.login_sessions.add_sid(session.id, sid)
    assert not await authz_stores.login_sessions.delete(session)
    assert await authz_stores.login_sessions.save(replace(session, sequence=2), 600)

    found = await authz_stores.login_sessions.find(session.id)
    assert found is not None
    assert found.sids == (one, two)
    assert await authz_stores.login_sessions.delete(found)


@pytest.mark.parametrize("after_reset", [False, True])
async def test_proof_is_consumed_by_one_caller(authz_stores: Stores, after_reset: bool) -> None:
    proof = opaque()
    progress = Progress(user_id="u-ada", amr=("pwd",), own_page=OwnPage(opaque(), 1.25))
    record = LoginProof(opaque(), 3, progress, after_reset)
    await authz_stores.login_proofs.save(proof, record, 60)
    assert await authz_stores.login_proofs.find(proof) == record
    consumed = await asyncio.gather(*(authz_stores.login_proofs.consume(proof) for _ in range(10)))

    assert sum(consumed) == 1
    assert await authz_stores.login_proofs.find(proof) is None


@pytest.mark.servers
async def test_only_sessions_without_a_factor_are_limited(redis_server: RunningRedis, clock: FrozenClock) -> None:
    """Unauthenticated users of the own page cause such sessions; under load a sign-in may not be dropped."""
    client = RedisClient(redis_server.section("authz"), "authz")
    stores, session = redis_stores(client), replace(new(clock), passed={})
    counted = []
    for change in (session, replace(session, sequence=2, passed={StepName.PASSWORD: clock.now()})):
        await stores.login_sessions.save(change, 60)
        index = f"authz:{{{session.id[:2]}}}:open"
        counted.append(await client.read("ZSCORE", index, keys.login_session(session.id)) is not None)
    proven = await client.read("HGET", keys.login_session(session.id), "proven")
    await client.close()

    assert (counted, proven) == ([True, False], "1")
