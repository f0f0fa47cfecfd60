from __future__ import annotations

from dataclasses import replace

import pytest
from portico_authz.domain.code import Claim, ClaimOutcome, CodeRecord, IssueResult, NewCode, PresentedCode, reference_of
from portico_authz.domain.ports import Stores
from portico_contracts.authz import CodeGrant
from portico_fakes.authz_samples import grant_of, opaque, session_of
from portico_fakes.clock import FrozenClock

REDIRECT = "https://app.example.test/cb"
RIGHT = PresentedCode("web", REDIRECT, has_verifier=False, challenge="")


async def issued(
    authz_stores: Stores, clock: FrozenClock, *, challenge: str = "", jkt: str = ""
) -> tuple[str, CodeGrant]:
    session = session_of(now=clock.now())
    await authz_stores.sessions.save(session, 3_600)
    code, grant = opaque(session.sid[:2]), grant_of(session)
    record = CodeRecord(REDIRECT, challenge, clock.now(), clock.now() + 60, grant, jkt)
    assert await authz_stores.codes.issue(code, record, session, clock.now()) is IssueResult.ISSUED
    return code, grant


async def test_code_is_withdrawn_unless_redeemed(authz_stores: Stores, clock: FrozenClock) -> None:
    """A withdrawn code is unknown, and a redeemed one names its grant (TK-01)."""
    code, _ = await issued(authz_stores, clock)
    used, grant = await issued(authz_stores, clock)
    await authz_stores.codes.claim(used, RIGHT, clock.now())

    assert [await authz_stores.codes.withdraw(reference_of(code), 60) for _ in range(2)] == [True, True]
    assert not await authz_stores.codes.withdraw(reference_of(used), 60)
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)
    assert await authz_stores.codes.claim(used, RIGHT, clock.now()) == Claim(
        ClaimOutcome.ALREADY_REDEEMED, grant_id=grant.grant_id
    )


async def test_code_withdrawn_before_issue_is_never_stored(authz_stores: Stores, clock: FrozenClock) -> None:
    """The slow replica gets an error, and its session is not extended."""
    session = session_of(now=clock.now())
    await authz_stores.sessions.save(session, 60)
    code, record = opaque(session.sid[:2]), CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    assert await authz_stores.codes.withdraw(reference_of(code), 60)
    used = replace(session, idle_until=session.idle_until + 500)

    assert await authz_stores.codes.issue(code, record, used, clock.now()) is IssueResult.WITHDRAWN
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)
    assert await authz_stores.sessions.find(session.sid) == session


async def test_first_code_is_stored_with_its_session(authz_stores: Stores, clock: FrozenClock) -> None:
    """A session that a concurrent logout ended gets no code."""
    session = session_of(now=clock.now())
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    first, late = (NewCode(opaque(session.sid[:2]), record) for _ in range(2))

    assert await authz_stores.codes.issue_first(first, session, 3_600)
    assert await authz_stores.sessions.find(session.sid) == session
    assert session.sid in await authz_stores.sessions.list_sids(session.user_id)
    assert await authz_stores.codes.claim(first.code, RIGHT, clock.now()) == Claim(
        ClaimOutcome.CLAIMED, grant=record.grant
    )
    await authz_stores.sessions.end(session.sid, 60)
    ended = await authz_stores.logout_queue.find(session.sid)
    assert ended is not None
    assert ended.clients == (record.grant.client_id,)
    assert not await authz_stores.codes.issue_first(late, session, 3_600)
    assert await authz_stores.codes.claim(late.code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)


async def test_code_is_claimed_once(authz_stores: Stores, clock: FrozenClock) -> None:
    """The first claim gets the grant, and later ones its id, past the code's own lifetime (TK-03)."""
    code, grant = await issued(authz_stores, clock)

    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(ClaimOutcome.CLAIMED, grant=grant)
    for later in (0, 30, 600):
        spent = await authz_stores.codes.claim(code, RIGHT, clock.now() + later)
        assert spent == Claim(ClaimOutcome.ALREADY_REDEEMED, grant_id=grant.grant_id)


async def test_code_expires_by_the_clock(authz_stores: Stores, clock: FrozenClock) -> None:
    """A code is invalid from its expiry on (TK-03)."""
    code, _ = await issued(authz_stores, clock)

    assert (await authz_stores.codes.claim(code, RIGHT, clock.now() + 60)).outcome is ClaimOutcome.EXPIRED
    assert (await authz_stores.codes.claim(code, RIGHT, clock.now() + 59.9)).outcome is ClaimOutcome.CLAIMED


@pytest.mark.parametrize(("seconds", "outcome"), [(-10, ClaimOutcome.CLAIMED), (-11, ClaimOutcome.EXPIRED)])
async def test_clock_before_the_issue_uses_a_code_up(
    authz_stores: Stores, clock: FrozenClock, seconds: int, outcome: ClaimOutcome
) -> None:
    """Beyond the leeway its age is unknown, and it stays invalid when the clock passes that time again (FD-14)."""
    code, grant = await issued(authz_stores, clock)
    first = await authz_stores.codes.claim(code, RIGHT, clock.now() + seconds)
    later = await authz_stores.codes.claim(code, RIGHT, clock.now() + 5)

    assert (first.outcome, later) == (outcome, Claim(ClaimOutcome.ALREADY_REDEEMED, grant_id=grant.grant_id))


@pytest.mark.parametrize(
    ("wrong", "outcome"),
    [
        ({"client_id": "other"}, ClaimOutcome.OTHER_CLIENT),
        ({"redirect_uri": f"{REDIRECT}/"}, ClaimOutcome.OTHER_CLIENT),
        ({"redirect_uri": ""}, ClaimOutcome.OTHER_CLIENT),
        ({"has_verifier": False}, ClaimOutcome.VERIFIER_MISSING),
        ({"challenge": "other"}, ClaimOutcome.VERIFIER_WRONG),
        ({"jkt": "other"}, ClaimOutcome.OTHER_KEY),
        ({"jkt": ""}, ClaimOutcome.OTHER_KEY),
    ],
)
async def test_wrong_claim_does_not_use_a_code_up(
    authz_stores: Stores, clock: FrozenClock, wrong: dict[str, str], outcome: ClaimOutcome
) -> None:
    """The parameters are checked inside the claim (TK-05, TK-06, TK-08; RFC 9449 section 10)."""
    right = PresentedCode("web", REDIRECT, has_verifier=True, challenge="the-challenge", jkt="the-key")
    code, grant = await issued(authz_stores, clock, challenge="the-challenge", jkt="the-key")
    asked = replace(right, **wrong)  # type: ignore[arg-type]

    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(outcome)
    assert await authz_stores.codes.claim(code, right, clock.now()) == Claim(ClaimOutcome.CLAIMED, grant=grant)
    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(outcome)


async def test_unexpected_verifier_is_refused(authz_stores: Stores, clock: FrozenClock) -> None:
    """An unexpected verifier is refused even if its challenge is empty like the stored one (TK-06)."""
    code, _ = await issued(authz_stores, clock)
    asked = PresentedCode("web", REDIRECT, has_verifier=True, challenge="")

    assert await authz_stores.codes.claim(code, asked, clock.now()) == Claim(ClaimOutcome.UNEXPECTED_VERIFIER)


async def test_issuing_marks_the_session_as_used(authz_stores: Stores, clock: FrozenClock) -> None:
    """Code and session are written together, and without a session there is no code."""
    session = session_of(now=clock.now())
    record = CodeRecord(REDIRECT, "", clock.now(), clock.now() + 60, grant_of(session))
    used = replace(session, idle_until=session.idle_until + 500, auth_time=0.0)
    code = opaque(session.sid[:2])

    assert await authz_stores.codes.issue(code, record, used, clock.now()) is IssueResult.SESSION_ENDED
    assert await authz_stores.codes.claim(code, RIGHT, clock.now()) == Claim(ClaimOutcome.UNKNOWN)
    await authz_stores.sessions.save(session, 60)
    assert await authz_stores.codes.issue(code, record, used, clock.now()) is IssueResult.ISSUED
    assert await authz_stores.sessions.find(session.sid) == replace(session, idle_until=used.idle_until)
