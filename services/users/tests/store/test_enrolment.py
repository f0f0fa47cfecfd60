from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.users import (
    EXPORT,
    GET_LOGIN_POLICY,
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    EnrolmentDemand,
    Export,
    Factor,
    GetLoginPolicy,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_contracts.users.enrolment import (
    BEGIN_ENROLMENT,
    BeginEnrolment,
)
from portico_oauth.errors import ServiceError
from portico_users.credentials.commands.recovery_codes import GenerateRecoveryCodes, RemoveRecoveryCodes
from portico_users.credentials.totp.time_codes import code_at
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange

from .enrolling import BOTH, Enrolling, made

pytestmark = pytest.mark.servers

KEPT_ELSEWHERE = '"clientExtensionResults": {"credProps": {"rk": false}}'
"""A browser response for an authenticator that stores no passkeys."""


@pytest.fixture
def enrolling(sign_in: Any) -> Enrolling:
    return Enrolling(sign_in)


async def refusal(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


async def changes(enrolling: Enrolling) -> list[list[str]]:
    rows = await enrolling.world.rows("events", object=enrolling.user_id)
    return [row["fields"] for row in rows if row["sequence"] > 1]


async def test_enrolment_registers_app_and_recovery_codes(enrolling: Enrolling) -> None:
    """An enrolment registers the app and recovery codes in one transaction with an event and a notice; both sign
    in afterwards, and the codes are stored only as hashes.
    """
    await enrolling.open()
    none_yet = await enrolling.codes()
    secret = await enrolling.app()
    factors = await enrolling.finish(code_at(secret, enrolling.world.clock.now()))
    codes = await enrolling.codes()
    stored = str(await enrolling.world.rows("recoveryCodes", _id=enrolling.user_id))
    stored += str(await enrolling.world.rows("enrolments", userId=enrolling.user_id))
    enrolling.world.clock.tick(30)
    code = code_at(secret, enrolling.world.clock.now())
    by_app = (await enrolling.world.call(VERIFY_TOTP, VerifyTotp(user_id=enrolling.user_id, code=code))).user
    ask = VerifyRecoveryCode(user_id=enrolling.user_id, code=codes[0])
    by_code = (await enrolling.world.call(VERIFY_RECOVERY_CODE, ask)).user
    emails = await enrolling.world.mails_to(enrolling.world.mail("ada"))
    notices = [mail for mail in emails if "authenticator" in mail.get_body(("plain",)).get_content()]

    assert (none_yet, factors) == ((), BOTH)
    assert len(set(codes)) == 10
    assert not [code for code in (*codes, enrolling.name) if code in stored]
    assert by_app is not None
    assert by_code is not None
    assert set((await changes(enrolling))[0]) >= {"hasTotp", "recoveryCodes", "totpSecret", "recoveryCodeHashes"}
    assert len(notices) == 1
    assert await enrolling.codes() == ()


async def test_enrolment_requires_the_emailed_code(enrolling: Enrolling) -> None:
    """LG-07, LG-08: nothing is registered before the code, with a wrong code, or with a code of another user or
    enrolment.
    """
    first = await enrolling.begin()
    before = [await refusal(enrolling.app()), await refusal(enrolling.finish("123456"))]
    wrong, foreign = await enrolling.enter("00000000"), None
    foreign = await refusal(enrolling.enter(first, user_id=f"bob-{enrolling.world.tag}"))
    await enrolling.begin()
    of_another = await enrolling.enter(first)
    after = [await refusal(enrolling.app()), await refusal(enrolling.finish("123456"))]

    assert (before, after) == (["USER-350"] * 2, ["USER-350"] * 2)
    assert (wrong, foreign, of_another) == (False, "USER-350", False)
    assert await enrolling.sign_in.factors() == ()


async def test_code_attempts_are_limited(enrolling: Enrolling) -> None:
    """LG-07: after four wrong codes each attempt is delayed, and after ten the right code is refused too."""
    code = await enrolling.begin()
    for _ in range(5):
        assert not await enrolling.enter("00000000")
    waits = await refusal(enrolling.enter(code))
    for _ in range(5):
        enrolling.world.clock.tick(60)
        assert not await enrolling.enter("00000000")
    enrolling.world.clock.tick(60)

    assert waits == "USER-033"
    assert not await enrolling.enter(code)


async def test_enrolment_expires(enrolling: Enrolling) -> None:
    """An enrolment expires after half an hour, even if its code was verified."""
    code = await enrolling.begin()
    enrolling.world.clock.tick(1_800)
    late = await refusal(enrolling.enter(code))
    await enrolling.open()
    enrolling.world.clock.tick(1_800)

    assert late == "USER-350"
    assert await refusal(enrolling.app()) == "USER-350"


async def test_code_is_bound_to_its_address(enrolling: Enrolling) -> None:
    """A code sent to the previous address registers nothing once the address has changed (HH-08)."""
    code = await enrolling.begin()
    human = await enrolling.sign_in.human()
    new = Contact(enrolling.world.mail("new"), vouched=True)
    await enrolling.sign_in.find(ChangeEndUser)(human, EndUserChange(email=new), actor="admin")

    assert not await enrolling.enter(code)
    assert await refusal(enrolling.app()) == "USER-350"


async def test_new_address_gets_no_code_for_a_day(enrolling: Enrolling) -> None:
    """The owner has a day to act if another person changed the address with a stolen token (LG-24)."""
    world = enrolling.world
    human = await enrolling.sign_in.human()
    ask = BeginEnrolment(user_id=enrolling.user_id)
    new = Contact(world.mail("new"), vouched=True)
    await enrolling.sign_in.find(ChangeEndUser)(human, EndUserChange(email=new), actor=human.id)
    world.clock.tick(86_399)
    early = await refusal(world.call(BEGIN_ENROLMENT, ask))
    world.clock.tick(1)
    begun = await world.call(BEGIN_ENROLMENT, ask)

    assert (early, begun.mail) == ("USER-352", world.mail("new"))


async def test_password_reset_ends_enrolment(enrolling: Enrolling) -> None:
    """A password reset invalidates the enrolment's code and pending registration; a new enrolment works."""
    waiting = Enrolling(enrolling.sign_in)
    emailed = await waiting.begin()
    await enrolling.open()
    code = await enrolling.code()
    made = await enrolling.sign_in.find(GenerateRecoveryCodes)(await enrolling.sign_in.human(), 2, actor="x")
    await enrolling.sign_in.find(RemoveRecoveryCodes)(made.human, actor="x")

    assert not await waiting.enter(emailed)
    assert await refusal(enrolling.finish(code)) == "USER-350"
    await enrolling.open()
    assert await enrolling.finish(await enrolling.code()) == BOTH


async def test_wrong_totp_code_registers_nothing(enrolling: Enrolling) -> None:
    """The secret stays the same while its registration is pending, and the right code is accepted afterwards."""
    await enrolling.open()
    secret = await enrolling.app()
    wrong = await enrolling.finish("000000")
    again = await enrolling.app()

    assert (wrong, secret) == (None, again)
    assert await enrolling.sign_in.factors() == ()
    assert await enrolling.finish(await enrolling.code()) == BOTH


async def test_repeated_submission_is_idempotent(enrolling: Enrolling) -> None:
    """An identical submission gets the same response and the same codes, sequentially and concurrently; a
    different one is refused.
    """
    await enrolling.open()
    code = await enrolling.code()
    answers = await asyncio.gather(*(enrolling.finish(code) for _ in range(4)), return_exceptions=True)
    shown = await enrolling.codes()
    again = await enrolling.finish(code)
    other = await refusal(enrolling.finish("000000"))

    assert [one for one in answers if one != BOTH] == []
    assert (again, other) == (BOTH, "USER-350")
    assert shown == await enrolling.codes() != ()
    assert len(await changes(enrolling)) == 1


async def test_of_concurrent_enrolments_one_registers(sign_in: Any) -> None:
    """Only a user without a factor can enrol: concurrent enrolments are refused, and only the recovery codes of
    one are valid.
    """
    several = [await Enrolling(sign_in).open() for _ in range(3)]
    codes = [await one.code() for one in several]  # the registration of an app is that of the last
    answers = await asyncio.gather(
        *(one.finish(code) for one, code in zip(several, codes, strict=True)), return_exceptions=True
    )
    later = [one.id for one in answers if isinstance(one, ServiceError)]

    assert answers.count(BOTH) == 1
    assert len(later) == 2
    assert set(later) <= {"USER-350", "USER-351"}
    assert [bool(await one.codes()) for one in several].count(True) == 1
    assert len(await changes(several[0])) == 1


@pytest.mark.parametrize("factor", [Factor.PASSKEY, Factor.U2F])
async def test_key_is_registered_with_recovery_codes(enrolling: Enrolling, factor: Factor) -> None:
    """An invalid credential registers nothing and uses its challenge up (LG-17, LG-19); repeating a submission
    changes nothing.
    """
    await enrolling.open()
    begun = await enrolling.begin_key(factor)
    foreign = await enrolling.finish("", factor, **made(begun, "https://evil.example"))
    late = await enrolling.finish("", factor, **made(begun))
    none = [await enrolling.finish("", factor), await enrolling.finish("", factor, registration="x", credential="[]")]
    before = await enrolling.sign_in.factors()
    right = made(await enrolling.begin_key(factor))
    after = await enrolling.finish("", factor, **right)
    again = await enrolling.finish("", factor, **right)

    assert [foreign, late, *none, before] == [None, None, None, None, ()]
    assert after == again == (factor, Factor.RECOVERY_CODE)
    assert len(await enrolling.codes()) == 10
    assert len(await changes(enrolling)) == 1


@pytest.mark.parametrize(
    ("second", "registered"), [(["SECOND_FACTOR_TYPE_U2F"], (Factor.U2F, Factor.RECOVERY_CODE)), ([], None)]
)
async def test_non_discoverable_key_is_a_security_key(
    enrolling: Enrolling, second: list[str], registered: tuple[Factor, ...] | None
) -> None:
    """A credential that is not discoverable is registered as a security key where these are allowed, and refused
    otherwise.
    """
    world, human = enrolling.world, await enrolling.sign_in.human()
    policy = {"forceMfa": True, "secondFactors": second, "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"]}
    await world.apply({"id": human.org_id, "name": f"Acme {world.tag}", "loginPolicy": policy})
    await enrolling.open()
    key = made(await enrolling.begin_key(Factor.PASSKEY))
    kept_elsewhere = key["credential"].replace('"clientExtensionResults": {}', KEPT_ELSEWHERE)

    assert kept_elsewhere != key["credential"]
    assert await enrolling.finish("", Factor.PASSKEY, **key | {"credential": kept_elsewhere}) == registered


async def test_key_is_bound_to_its_enrolment(sign_in: Any) -> None:
    """A registration started by another sign-in of the same user is refused."""
    one, other = [await Enrolling(sign_in).open() for _ in range(2)]
    begun = await one.begin_key(Factor.PASSKEY)

    assert await other.finish("", Factor.PASSKEY, **made(begun)) is None
    assert await sign_in.factors() == ()


async def test_of_concurrent_keys_one_is_registered(sign_in: Any) -> None:
    """Only a user without a factor can enrol, which is decided on one version of the user: the other enrolment
    is refused.
    """
    several = [await Enrolling(sign_in).open() for _ in range(3)]
    keys = [made(await one.begin_key(Factor.PASSKEY)) for one in several]
    answers = await asyncio.gather(
        *(one.finish("", Factor.PASSKEY, **key) for one, key in zip(several, keys, strict=True)), return_exceptions=True
    )

    assert answers.count((Factor.PASSKEY, Factor.RECOVERY_CODE)) == 1
    assert {one.id for one in answers if isinstance(one, ServiceError)} == {"USER-351"}
    assert len((await sign_in.human()).security_keys) == 1


async def test_user_with_a_factor_cannot_enrol(enrolling: Enrolling) -> None:
    """A user with a factor cannot enrol, neither by a new enrolment nor by an earlier one."""
    await enrolling.open()
    code = await enrolling.code()
    other = await Enrolling(enrolling.sign_in).open()
    await enrolling.sign_in.register()
    refused = [await refusal(call) for call in (enrolling.begin(), enrolling.finish(code), other.app())]

    assert refused == ["USER-351"] * 3
    assert await enrolling.sign_in.factors() == (Factor.U2F,)


async def test_recovery_codes_alone_are_not_a_factor(enrolling: Enrolling) -> None:
    """A user who has only recovery codes can enrol, and the new codes replace the old ones."""
    human = await enrolling.sign_in.human()
    old = await enrolling.sign_in.find(GenerateRecoveryCodes)(human, 2, actor=human.id)
    await enrolling.open()
    factors = await enrolling.finish(await enrolling.code())
    ask = VerifyRecoveryCode(user_id=enrolling.user_id, code=old.codes[0])

    assert factors == BOTH
    assert (await enrolling.world.call(VERIFY_RECOVERY_CODE, ask)).user is None


async def test_only_allowed_factors_are_registered(enrolling: Enrolling) -> None:
    """A factor that the policy does not allow is refused, even if authz requests it."""
    await enrolling.open()

    assert await refusal(enrolling.finish("123456", Factor.OTP_SMS)) == "USER-353"


async def test_enrolment_requires_a_verified_address(sign_in: Any) -> None:
    world = sign_in.world
    kim = world.human(id=f"kim-{world.tag}", username=f"kim-{world.tag}", email={"email": world.mail("kim")})
    await world.apply(world.organization(projects=[], humans=[kim]))

    assert await refusal(world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id=f"kim-{world.tag}"))) == "USER-352"
    assert await refusal(world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id="nobody"))) == "USER-350"
    assert await world.mails_to(world.mail("kim")) == []


async def test_policy_can_waive_the_emailed_code(enrolling: Enrolling) -> None:
    """Without a required code an enrolment is open at once and no email is sent before the notice; documents and
    exports contain the field.
    """
    world = enrolling.world
    human = await enrolling.sign_in.human()
    await world.apply(
        {"id": human.org_id, "name": f"Acme {world.tag}", "loginPolicy": {"forceMfa": True, "enrolment": "password"}}
    )
    policy = await world.call(GET_LOGIN_POLICY, GetLoginPolicy(org_id=human.org_id))
    begun = await world.call(BEGIN_ENROLMENT, BeginEnrolment(user_id=enrolling.user_id))
    enrolling.name = begun.enrolment
    mails = await world.mails_to(world.mail("ada"))
    guessed = await enrolling.enter("00000000")
    factors = await enrolling.finish(await enrolling.code())
    exported = (await world.call(EXPORT, Export(org_id=human.org_id))).document.organizations[0]

    assert (policy.enrolment, begun.mail, mails, guessed) == (EnrolmentDemand.PASSWORD, "", [], False)
    assert factors == BOTH
    assert exported.login_policy.enrolment == "password"
