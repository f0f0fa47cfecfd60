from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from bson.codec_options import CodecOptions
from bson.raw_bson import RawBSONDocument
from portico_contracts.users import (
    VERIFY_RECOVERY_CODE,
    VERIFY_TOTP,
    Factor,
    VerifyRecoveryCode,
    VerifyTotp,
)
from portico_contracts.users.first_run import CREATE_FIRST_RUN_LINK, CreateFirstRunLink
from portico_oauth.errors import ServiceError

from .first_run_page import ORIGIN, PASSWORD, FirstRunPage

pytestmark = pytest.mark.servers

KEPT_ELSEWHERE = '"clientExtensionResults": {"credProps": {"rk": false}}'
"""A browser response for an authenticator that stores no passkeys."""


@pytest.fixture
async def empty(users_world: Any) -> AsyncIterator[Any]:
    """An instance without organizations and administrators, also without those of earlier tests."""
    database = users_world.parts.mongo.database
    administrators = {"scopeId": "instance"}
    await database["members"].delete_many(administrators)
    for name in ("firstRunLinks", "orgs"):
        await database[name].delete_many({})
    yield users_world
    await database["members"].delete_many(administrators)


@pytest.fixture
async def world(empty: Any) -> Any:
    await empty.home()
    return empty


async def code_of(world: Any, *, recover: bool = False) -> str:
    made = await world.call(CREATE_FIRST_RUN_LINK, CreateFirstRunLink(recover=recover))
    address = urlsplit(made.address)
    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{ORIGIN}/ui/login/first-run"
    assert made.expires_at == world.clock.now() + 3_600
    [code] = parse_qs(address.query)["code"]
    return str(code)


async def page(world: Any, name: str = "eve") -> FirstRunPage:
    return FirstRunPage(world, await code_of(world), name)


async def refusal(call: Any) -> str:
    with pytest.raises(ServiceError) as refused:
        await call
    return refused.value.id


async def roles(world: Any, user_id: str) -> list[Any]:
    return [row["roles"] for row in await world.rows("members", userId=user_id, scopeId="instance")]


async def everything(world: Any) -> bytes:
    """Returns all documents as BSON; decoding those of all earlier tests would take seconds."""
    database = world.parts.mongo.database
    encoded = database.with_options(CodecOptions(document_class=RawBSONDocument))
    return b"".join([one.raw for name in await database.list_collection_names() async for one in encoded[name].find()])


async def test_password_and_app_create_an_administrator(world: Any) -> None:
    """The administrator has the role, a verified address and recovery codes, and can sign in with them; the link
    is used up.
    """
    run = await (await page(world)).begin()
    asked = await run.get()
    before = await run.user()
    done = await run.finish()
    user = await run.user()
    verified = await world.try_password(run.owner.email, PASSWORD)
    world.clock.tick(30)
    by_app = await world.call(VERIFY_TOTP, VerifyTotp(user_id=user.user_id, code=run.otp()))
    by_code = await world.call(
        VERIFY_RECOVERY_CODE, VerifyRecoveryCode(user_id=user.user_id, code=done.recovery_codes[0])
    )

    assert (asked.factors, asked.needs_organization) == ((Factor.PASSKEY, Factor.TOTP), False)
    assert before is None
    assert (done.login_name, user.org_id, user.email_verified) == (run.owner.email, world.org_id, True)
    assert await roles(world, user.user_id) == [["IAM_OWNER"]]
    assert len(set(done.recovery_codes)) == 10
    assert None not in (verified.user, by_app.user, by_code.user)
    assert await refusal(run.get()) == "USER-942"


async def test_first_owner_is_created_under_any_rule(world: Any) -> None:
    """The instance allows no passwords: the owner is created with one, which works where owners are exempt."""
    await world.apply_document({"loginPolicy": {"firstFactors": ["email_code"]}})
    run = await (await page(world)).begin()
    done = await run.finish()
    refused = await world.try_password(run.owner.email, PASSWORD)
    await world.apply_document({"loginPolicy": {"firstFactors": ["email_code"], "exemptInstanceOwners": True}})
    exempt = await world.try_password(run.owner.email, PASSWORD)
    await world.apply_document({"loginPolicy": {}})

    assert done.user is not None
    assert await roles(world, done.user.user_id) == [["IAM_OWNER"]]
    assert (refused.user, refused.failure) == (None, "not_allowed")
    assert exempt.user is not None


async def test_passkey_creates_an_administrator(world: Any) -> None:
    """A passkey needs neither a password nor recovery codes, which only replace a second factor."""
    run = await (await page(world)).begin(Factor.PASSKEY)
    done = await run.finish(run.with_passkey())
    user = await run.user()

    assert (done.recovery_codes, done.user) == ((), user)
    assert (user.has_password, user.factors) == (False, (Factor.PASSKEY,))
    assert await roles(world, user.user_id) == [["IAM_OWNER"]]


async def test_organization_is_created_with_the_administrator(empty: Any) -> None:
    """Without an organization the page requests its name and creates it in the same transaction."""
    run = await page(empty)
    needs = (await run.get()).needs_organization
    unnamed = await refusal(run.begin())
    name = f"Harbour {empty.tag}"
    await run.begin(organization=name)
    before = await empty.rows("orgs")
    done = await run.finish()
    [org] = await empty.rows("orgs")
    user = await run.user()

    assert (needs, unnamed, before) == (True, "USER-002", [])
    assert (org["name"], user.org_id) == (name, org["_id"])
    assert done.user == user


async def test_first_run_secrets_are_hashed_or_sealed(world: Any) -> None:
    """IN-09: the code of the link, the attempt, the app's secret, the password and recovery codes are never
    stored in clear text.
    """
    run = await (await page(world)).begin()
    begun = await everything(world)
    done = await run.finish()
    text = begun + await everything(world)
    texts = [run.code, run.begun.attempt, run.begun.secret, PASSWORD, *done.recovery_codes]
    looked_for = [base64.b32decode(run.begun.secret), *(value.encode() for value in texts)]

    assert run.owner.email.encode() in text
    assert [value for value in looked_for if value in text] == []


@pytest.mark.parametrize("code", ["", "x", "A" * 43, "A" * 5_000], ids=len)
async def test_first_run_requires_the_link(world: Any, code: str) -> None:
    """Page, start and completion require the code, whether a link exists or not."""
    without_any = FirstRunPage(world, code)
    refused = [await refusal(without_any.get()), await refusal(without_any.begin())]
    run = await (await page(world)).begin()
    ask = msgspec.structs.replace(run.with_app(), code=code)
    refused += [await refusal(without_any.get()), await refusal(without_any.begin()), await refusal(run.finish(ask))]

    assert refused == ["USER-942"] * 5
    assert await run.user() is None


async def test_link_is_valid_for_an_hour(world: Any) -> None:
    """A registration started within the hour cannot be completed afterwards."""
    run = await page(world)
    world.clock.tick(3_599)
    await run.begin()
    world.clock.tick(1)

    assert await refusal(run.get()) == "USER-942"
    assert await refusal(run.finish()) == "USER-942"
    assert await run.user() is None


async def test_new_link_invalidates_the_earlier_one(world: Any) -> None:
    """Only one link is valid, and a registration started with the earlier one cannot be completed."""
    first = await (await page(world)).begin()
    second = await page(world)

    assert await refusal(first.finish()) == "USER-942"
    assert await refusal(first.get()) == "USER-942"
    assert (await second.get()).factors


async def test_of_two_browsers_with_one_link_one_wins(world: Any) -> None:
    """Concurrently or sequentially, only one administrator is created, and nothing of the other attempt."""
    code = await code_of(world)
    runs = [await FirstRunPage(world, code, f"eve{number}").begin() for number in range(4)]
    answers = await asyncio.gather(*(run.finish() for run in runs), return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, ServiceError)]
    users = [user for run in runs if (user := await run.user())]

    assert [error.id for error in refused] == ["USER-942"] * 3
    assert len(users) == 1
    assert len(await world.rows("members", scopeId="instance")) == 1


async def test_repeated_submission_is_idempotent(world: Any) -> None:
    """An identical submission gets the same response and the same codes, sequentially and concurrently, but only
    one response has the user, whom authz then signs in; a different one is refused.
    """
    run = await (await page(world)).begin()
    ask = run.with_app()
    answers = await asyncio.gather(*(run.finish(ask) for _ in range(4)))
    again = await run.finish(ask)
    other = msgspec.structs.replace(ask, password="another small sparrow")

    assert {answer.recovery_codes for answer in (*answers, again)} == {again.recovery_codes}
    assert [answer.user for answer in (*answers, again) if answer.user] == [await run.user()]
    assert await refusal(run.finish(other)) == "USER-942"
    assert len(await world.rows("members", scopeId="instance")) == 1


async def test_wrong_input_can_be_corrected(world: Any) -> None:
    """A wrong code, a weak password and a missing name create nothing; the app's secret stays the same."""
    run = await (await page(world)).begin()
    secret = run.begun.secret
    refused = [
        await refusal(run.finish(run.with_app(otp="000000"))),
        await refusal(run.finish(run.with_app(otp=""))),
        await refusal(run.finish(run.with_app(password=""))),
        await refusal(run.finish(run.with_app(password="password"))),
        await refusal(run.begin(email="nothing")),
        await refusal(run.begin(email=world.mail(), first_name="")),
    ]
    left = [await run.user(), await world.rows("members", scopeId="instance")]
    await run.begin(first_name="Eve")

    assert refused == ["USER-512", "USER-512", "USER-030", "USER-035", "USER-005", "USER-002"]
    assert left == [None, []]
    assert run.begun.secret == secret
    assert (await run.finish()).login_name == run.owner.email


async def test_passkey_of_another_attempt_is_refused(world: Any) -> None:
    """A registration is bound to its link and attempt; a security key is refused."""
    code = await code_of(world)
    mine = await FirstRunPage(world, code).begin(Factor.PASSKEY)
    other = await FirstRunPage(world, code, "mallory").begin(Factor.PASSKEY)
    ask = msgspec.structs.replace(mine.with_passkey(), attempt=other.begun.attempt, owner=other.owner)
    nonsense = msgspec.structs.replace(mine.with_passkey(), credential="[1")
    refused = [await refusal(other.finish(ask)), await refusal(mine.finish(nonsense))]
    key = (await mine.begin(Factor.PASSKEY)).with_passkey()
    kept_elsewhere = key.credential.replace('"clientExtensionResults": {}', KEPT_ELSEWHERE)

    assert kept_elsewhere != key.credential
    assert refused == ["USER-501", "USER-502"]
    assert await refusal(mine.finish(msgspec.structs.replace(key, credential=kept_elsewhere))) == "USER-502"
    assert [await mine.user(), await other.user()] == [None, None]


@pytest.mark.parametrize("factor", [Factor.U2F, Factor.OTP_EMAIL, Factor.RECOVERY_CODE])
async def test_other_factors_are_not_offered(world: Any, factor: Factor) -> None:
    """An administrator has a passkey, or a password with an authenticator app."""
    run = await page(world)
    ask = msgspec.structs.replace((await run.begin()).with_app(), factor=factor)

    assert await refusal(FirstRunPage(world, run.code).begin(factor)) == "USER-353"
    assert await refusal(run.finish(ask)) == "USER-353"
    assert await run.user() is None


async def test_link_requires_missing_administrator(world: Any) -> None:
    """While an administrator can sign in, no link is created or accepted, except to recover lost administrators."""
    older = await (await page(world)).begin()
    await world.home(humans=[world.human(roles=["IAM_OWNER"])])
    refused = [await refusal(code_of(world)), await refusal(older.get()), await refusal(older.finish())]
    run = await FirstRunPage(world, await code_of(world, recover=True)).begin()
    await run.finish()

    assert refused == ["USER-943"] * 3
    assert await roles(world, (await run.user()).user_id) == [["IAM_OWNER"]]


@pytest.mark.parametrize("members", [{"password": None}, {"state": "inactive"}], ids=["no way in", "inactive"])
async def test_unusable_administrator_does_not_count(world: Any, members: dict[str, Any]) -> None:
    """An owner without credentials, or a deactivated one, does not prevent a link."""
    owner = world.human(roles=["IAM_OWNER"], **members)
    await world.home(humans=[{name: value for name, value in owner.items() if value is not None}])
    run = await (await page(world)).begin()

    assert (await run.finish()).login_name == run.owner.email


async def test_taken_user_name_is_refused(world: Any) -> None:
    """If the address is the user name of another account, the user chooses another one; the link stays valid."""
    taken = world.mail("taken")
    await world.home(humans=[world.human(username=taken)])
    run = await (await page(world)).begin(email=taken)
    refused = await refusal(run.finish())
    world.clock.tick(30)
    await run.begin(email=world.mail())

    assert refused == "USER-011"
    assert (await run.finish()).login_name == run.owner.email
