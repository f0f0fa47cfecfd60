"""Sign-in with an emailed code instead of a password (decision 0099)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from typing import Any

import pytest
from portico_contracts.users import PasswordVerified, User
from portico_contracts.users.email_codes import (
    SEND_SIGN_IN_CODE,
    VERIFY_SIGN_IN_CODE,
    SendSignInCode,
    VerifySignInCode,
)
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint
from portico_users.after_response import AfterResponse

pytestmark = pytest.mark.servers

OUTSIDER = "203.0.113.9"


@dataclass
class Codes:
    world: Any

    @property
    def mail(self) -> str:
        return str(self.world.mail("ada"))

    @property
    def office(self) -> str:
        """An address of the client; tests share the counters."""
        return f"office-{self.world.tag}"

    async def set_up(self, **members: Any) -> None:
        human = {"id": f"ada-{self.world.tag}", "username": f"ada-{self.world.tag}", **members}
        human.setdefault("email", {"email": self.mail, "isVerified": True})
        await self.world.home(humans=[self.world.human(**human)], loginPolicy={"allowEmailCodeSignIn": True})

    async def ask(self, name: str = "", **members: Any) -> str:
        ask = SendSignInCode(login_name=name or self.mail, **{"org_id": "", "sender": self.office, **members})
        sent = await self.world.call(SEND_SIGN_IN_CODE, ask)
        await self.world.service.find(AfterResponse).close()
        return str(sent.challenge)

    async def mails(self) -> list[MimeMessage]:
        mails: list[MimeMessage] = await self.world.mails_to(self.mail)
        return mails

    async def code(self) -> str:
        body = (await self.mails())[-1].get_body(("plain",))
        found = re.search(r"^ {4}([0-9]{8})$", body.get_content() if body else "", re.MULTILINE)
        assert found is not None
        return found[1]

    async def verify(self, challenge: str, code: str) -> PasswordVerified:
        ask = VerifySignInCode(challenge=challenge, code=code)
        verified: PasswordVerified = await self.world.call(VERIFY_SIGN_IN_CODE, ask)
        return verified

    async def signs_in(self, challenge: str, code: str) -> User | None:
        return (await self.verify(challenge, code)).user

    async def refusal(self, **members: Any) -> tuple[str, int | None]:
        with pytest.raises(ServiceError) as refused:
            await self.ask(**members)
        return refused.value.id, refused.value.retry_after


@pytest.fixture
async def codes(users_world: Any) -> Codes:
    codes = Codes(users_world)
    await codes.set_up()
    return codes


async def test_code_signs_in_once(codes: Codes) -> None:
    """Eight digits go to the verified address, not in the subject and without a link; spaces do not matter."""
    challenge = await codes.ask()
    code = await codes.code()
    [mail] = await codes.mails()
    user = await codes.signs_in(challenge, f" {code[:4]} {code[4:]} ")

    assert user is not None
    assert user.user_id == f"ada-{codes.world.tag}"
    assert await codes.signs_in(challenge, code) is None
    assert code not in str(mail["Subject"])
    assert "href=" not in mail.as_string()


async def test_user_without_a_password_gets_a_code(users_world: Any) -> None:
    codes = Codes(users_world)
    await codes.set_up(password=None)
    challenge = await codes.ask()
    user = await codes.signs_in(challenge, await codes.code())

    assert user is not None
    assert not user.has_password


async def test_one_of_200_redeemers_wins(codes: Codes, other_replica: Any) -> None:
    """Concurrent uses on two replicas: one signs in (HH-08)."""
    challenge, code = await codes.ask(), await codes.code()
    ask = VerifySignInCode(challenge=challenge, code=code)
    worlds = [codes.world, other_replica] * 100
    heard = await asyncio.gather(*(world.call(VERIFY_SIGN_IN_CODE, ask) for world in worlds))

    assert len([one for one in heard if one.user]) == 1


async def test_five_guesses_per_code(codes: Codes, other_replica: Any) -> None:
    """Concurrent guesses count before they are compared (LG-07), and never for the password of the account."""
    challenge, code = await codes.ask(), await codes.code()
    wrong = VerifySignInCode(challenge=challenge, code="00000000")
    worlds = [codes.world, other_replica] * 20
    heard = await asyncio.gather(*(world.call(VERIFY_SIGN_IN_CODE, wrong) for world in worlds))
    [row] = await codes.world.rows("signInCodes", _id=fingerprint(challenge))

    assert [one.user for one in heard] == [None] * 40
    assert row["guesses"] == 5
    assert await codes.signs_in(challenge, code) is None
    assert (await codes.world.try_password(codes.mail, codes.world.password)).user


async def test_wrong_codes_lock_no_user(codes: Codes) -> None:
    """A lockout policy counts passwords only: outsiders can request codes and enter wrong ones (LG-07)."""
    await codes.world.home(lockoutPolicy={"maxPasswordAttempts": 3}, loginPolicy={"allowEmailCodeSignIn": True})
    challenge = await codes.ask()
    for _ in range(5):
        await codes.verify(challenge, "00000000")
    again = await codes.ask()

    assert await codes.signs_in(again, await codes.code())


async def test_code_works_only_for_its_challenge(codes: Codes) -> None:
    """The code of one browser does not work in another, where a code was requested too."""
    first = await codes.ask()
    code = await codes.code()
    second = await codes.ask(sender=OUTSIDER)

    assert await codes.signs_in(second, code) is None
    assert await codes.signs_in(first, code)


async def test_new_code_ends_the_earlier_one_of_the_browser(codes: Codes) -> None:
    """Its unsent email is withdrawn; codes of other browsers stay valid."""
    other = await codes.ask(sender=OUTSIDER)
    code_of_other = await codes.code()
    first = await codes.ask()
    code = await codes.code()
    third = await codes.ask(earlier=await codes.ask(earlier=first))
    sent = len(await codes.mails())

    assert await codes.signs_in(first, code) is None
    assert await codes.signs_in(third, await codes.code())
    assert await codes.signs_in(other, code_of_other)
    assert sent == 3


@pytest.mark.parametrize(("seconds", "works"), [(599, True), (600, False), (-10, True), (-11, False)])
async def test_code_is_valid_for_ten_minutes(codes: Codes, seconds: int, works: bool) -> None:
    """The code is invalid if the clock was set back (FD-14)."""
    challenge, code = await codes.ask(), await codes.code()
    codes.world.clock.tick(seconds)

    assert bool(await codes.signs_in(challenge, code)) is works


NOBODY = {
    "unknown": {},
    "unverified": {"email": {"email": "ada-{tag}@mail.example", "isVerified": False}},
    "inactive": {"state": "inactive"},
    "locked": {"state": "locked"},
}


@pytest.mark.parametrize("case", NOBODY)
async def test_no_email_without_an_account_that_may_sign_in(users_world: Any, case: str) -> None:
    """The response is the same (LG-01), and guesses are counted for a code that was never sent."""
    codes = Codes(users_world)
    if case == "unverified":
        await codes.set_up(email={"email": codes.mail, "isVerified": False})
    else:
        await codes.set_up()
    if case in ("locked", "inactive"):
        state = {"$set": {"state": case}}
        await users_world.parts.mongo.database["users"].update_one({"_id": f"ada-{users_world.tag}"}, state)
    challenge = await codes.ask(f"nobody-{users_world.tag}" if case == "unknown" else "")
    heard = [await codes.verify(challenge, "00000000") for _ in range(2)]
    [row] = await users_world.rows("signInCodes", _id=fingerprint(challenge))

    assert await codes.mails() == []
    assert heard == [PasswordVerified()] * 2
    assert (row["userId"], row["mail"], row["guesses"]) == ("", "", 2)


async def test_account_is_looked_up_after_the_response(codes: Codes) -> None:
    """The time of the response therefore depends on no account (LG-01)."""
    ask = SendSignInCode(login_name=codes.mail, org_id="", sender=codes.office)
    await codes.world.call(SEND_SIGN_IN_CODE, ask)
    pending = len(codes.world.service.find(AfterResponse).tasks)
    await codes.world.service.find(AfterResponse).close()

    assert pending == 1


async def _set_policy(codes: Codes) -> None:
    await codes.world.home(loginPolicy={"allowEmailCodeSignIn": False})


async def _change_user(codes: Codes, **values: Any) -> None:
    users = codes.world.parts.mongo.database["users"]
    await users.update_one({"_id": f"ada-{codes.world.tag}"}, {"$set": values})


CHANGES: dict[str, Callable[[Codes], Awaitable[None]]] = {
    "policy": _set_policy,
    "address": lambda codes: _change_user(codes, email="other@mail.example"),
    "unverified": lambda codes: _change_user(codes, emailVerified=False),
    "reset": lambda codes: _change_user(codes, resets=7),
    "locked": lambda codes: _change_user(codes, state="locked"),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_code_becomes_invalid(codes: Codes, change: str) -> None:
    """The code ends with the policy, the address, its verification, a reset of the password and the account (HH-08)."""
    challenge, code = await codes.ask(), await codes.code()
    await CHANGES[change](codes)

    assert await codes.signs_in(challenge, code) is None


async def test_outsider_cannot_use_up_the_requests_of_the_owner(codes: Codes) -> None:
    """Five codes, then delays, for a name and a network; another network has its own."""
    for _ in range(5):
        await codes.ask(sender=OUTSIDER)
    refused, sent = await codes.refusal(sender=OUTSIDER), len(await codes.mails())
    challenge = await codes.ask()

    assert (refused, sent) == (("USER-062", 60), 5)
    assert await codes.signs_in(challenge, await codes.code())


async def test_unknown_name_is_limited_like_a_known_one(codes: Codes) -> None:
    nobody = f"nobody-{codes.world.tag}"
    for _ in range(5):
        await codes.ask(nobody)

    assert await codes.refusal(name=nobody) == ("USER-062", 60)


async def test_emails_to_one_address_are_limited(codes: Codes) -> None:
    """After 20 from any networks, and by any of its names, none is sent for a minute; the response is the same."""
    for number in range(22):
        await codes.ask(sender=f"198.51.100.{number}", name="" if number % 2 else f"ada-{codes.world.tag}")
    sent = len(await codes.mails())
    codes.world.clock.tick(60)
    challenge = await codes.ask()

    assert sent == 20
    assert await codes.signs_in(challenge, await codes.code())


async def test_one_network_is_limited_by_its_unused_codes(codes: Codes) -> None:
    """A code that signs in is not counted, so that a whole office can sign in."""
    unused = {"_id": f"sign-in-codes:sender:{fingerprint(codes.office)}"}
    counters = codes.world.parts.mongo.database["attempts"]
    challenge = await codes.ask()
    await codes.signs_in(challenge, await codes.code())
    limit = {"$set": {"failures": 201, "notBefore": codes.world.clock.now()}}
    row = await counters.find_one_and_update(unused, limit)
    await codes.ask(f"nobody-{codes.world.tag}")

    assert row["failures"] == 0
    assert await codes.refusal() == ("USER-066", 2)


async def test_success_ends_the_delays(codes: Codes) -> None:
    for _ in range(7):
        challenge = await codes.ask()
        await codes.signs_in(challenge, await codes.code())

    assert len(await codes.mails()) == 7
