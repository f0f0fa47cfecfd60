"""Sign-in codes of authenticator apps, emails and recovery codes; each works once (LG-07)."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any

import pytest
from portico_contracts.users import (
    SEND_FACTOR_EMAIL,
    VERIFY_FACTOR_EMAIL,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Factor,
    SendFactorEmail,
    VerifyFactorEmail,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_oauth.errors import ServiceError
from portico_users.credentials.commands.factor_codes import SetOtpEmail
from portico_users.credentials.commands.recovery_codes import GenerateRecoveryCodes
from portico_users.credentials.totp.edit_totp import RegisterTotp, VerifyTotpRegistration
from portico_users.credentials.totp.time_codes import code_at

pytestmark = pytest.mark.servers


async def _generator(sign_in: Any) -> bytes:
    human = await sign_in.human()
    begun = await sign_in.find(RegisterTotp)(human, "ada", actor=human.id)
    secret = base64.b32decode(begun.secret)
    await sign_in.find(VerifyTotpRegistration)(human, code_at(secret, sign_in.world.clock.now()), actor=human.id)
    return secret


async def test_totp_code_works_once(sign_in: Any) -> None:
    """The registration's code is refused too; the next one works (RFC 6238, section 5.2)."""
    secret = await _generator(sign_in)
    clock = sign_in.world.clock

    async def type_code(code: str) -> bool:
        ask = VerifyTotp(user_id=sign_in.user_id, code=code)
        return (await sign_in.world.call(VERIFY_TOTP, ask)).user is not None

    used = await type_code(code_at(secret, clock.now()))
    clock.tick(30)
    wrong, rounds = await type_code("000000"), []
    for _ in range(8):
        code = code_at(secret, clock.now())
        parallel = await asyncio.gather(*(type_code(code) for _ in range(4)), return_exceptions=True)
        rounds.append(parallel.count(True))
        clock.tick(30)

    assert (used, wrong) == (False, False)
    assert rounds == [1] * 8
    assert await sign_in.factors() == (Factor.TOTP,)


async def test_right_code_resets_the_attempts(sign_in: Any) -> None:
    """Four wrong codes cause no delay; a right one resets the count, and a fifth wrong one in a row delays (LG-05)."""
    secret = await _generator(sign_in)
    clock = sign_in.world.clock

    async def type_code(code: str) -> bool:
        ask = VerifyTotp(user_id=sign_in.user_id, code=code)
        return (await sign_in.world.call(VERIFY_TOTP, ask)).user is not None

    clock.tick(30)
    before = [await type_code("not it") for _ in range(4)]
    right = await type_code(code_at(secret, clock.now()))
    after = [await type_code("not it") for _ in range(5)]
    with pytest.raises(ServiceError) as refused:
        await type_code("not it")

    assert (before, right, after) == ([False] * 4, True, [False] * 5)
    assert (refused.value.id, refused.value.retry_after) == ("USER-033", 1)


async def test_recovery_code_works_once(sign_in: Any) -> None:
    """A recovery code works in any notation; of concurrent uses one succeeds, and the event does not contain the code."""
    human = await sign_in.human()
    made = await sign_in.find(GenerateRecoveryCodes)(human, 2, actor=human.id)

    async def type_code(code: str) -> bool:
        ask = VerifyRecoveryCode(user_id=sign_in.user_id, code=code)
        return (await sign_in.world.call(VERIFY_RECOVERY_CODE, ask)).user is not None

    heard = await asyncio.gather(*(type_code(made.codes[0]) for _ in range(4)))
    other = await type_code(f" {made.codes[1].lower().replace('-', '')} ")
    again = await type_code(made.codes[1])

    assert heard.count(True) == 1
    assert (other, again) == (True, False)
    assert await sign_in.factors() == ()
    assert made.codes[0] not in str(await sign_in.world.rows("events", object=sign_in.user_id))


async def test_emailed_code_works_once(sign_in: Any) -> None:
    """Eight digits go to the verified address; wrong, repeated, expired and foreign codes, and those before a
    reset, are refused.
    """
    world = sign_in.world
    await sign_in.find(SetOtpEmail)(await sign_in.human(), wanted=True, actor="x")
    await world.mails_to(world.mail("ada"))  # the notice of that goes first

    async def send() -> tuple[str, str]:
        sent = await world.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=sign_in.user_id))
        mail = (await world.mails_to(world.mail("ada")))[-1]
        found = re.search(r"^ {4}([0-9]{8})$", mail.get_body(("plain",)).get_content(), re.MULTILINE)
        assert found is not None
        return sent.challenge, found[1]

    async def type_code(challenge: str, code: str, user_id: str = "") -> bool:
        ask = VerifyFactorEmail(user_id=user_id or sign_in.user_id, challenge=challenge, code=code)
        return (await world.call(VERIFY_FACTOR_EMAIL, ask)).user is not None

    challenge, code = await send()
    wrong = await type_code(challenge, "00000000")
    foreign = await type_code(challenge, code, f"bob-{world.tag}")
    right, second = await type_code(challenge, code), await type_code(challenge, code)
    challenge, code = await send()
    world.clock.tick(300)
    late = await type_code(challenge, code)
    world.clock.tick(-311)
    early = await type_code(challenge, code)
    world.clock.tick(311)
    challenge, code = await send()
    await sign_in.find(SetOtpEmail)(await sign_in.human(), wanted=False, actor="x")
    removed = await type_code(challenge, code)

    assert (wrong, foreign, right, second, late, early) == (False, False, True, False, False, False)
    assert (removed, await sign_in.factors()) == (False, ())


async def test_no_code_is_emailed_without_the_factor(sign_in: Any) -> None:
    """The request is refused, and no email is sent."""
    with pytest.raises(ServiceError) as refused:
        await sign_in.world.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=sign_in.user_id))

    assert refused.value.id == "USER-550"
    assert await sign_in.world.mails_to(sign_in.world.mail("ada")) == []
