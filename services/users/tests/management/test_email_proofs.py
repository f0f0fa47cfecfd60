"""How an address became verified is stored with its kind and time, whichever way it was."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import VERIFY_EMAIL_LINK, VerifyEmailLink

from .test_invitations import Invited

pytestmark = pytest.mark.servers

PROVEN, ASSERTED = "proven", "asserted"


async def proof_of(kim: Invited) -> tuple[str, float] | None:
    """What is stored of the proof."""
    [row] = await kim.world.rows("users", _id=kim.id)
    proof = row.get("emailProof")
    return (proof["kind"], proof["at"]) if proof else None


@pytest.fixture
async def kim(managed: Any) -> Invited:
    """A user whose address is not verified, created a minute ago."""
    kim = Invited(managed)
    await kim.add(verified=False)
    # Emails that are due together are sent side by side: this one must not come after that of a test.
    await kim.world.mails_to(kim.mail)
    managed.users.clock.tick(60)
    return kim


async def set_email(kim: Invited, **choice: Any) -> str:
    """Sets the same address anew; the code, where one is returned."""
    response = await kim.call("SetEmail", {"email": kim.mail, **choice}, "/email")
    assert response.code == 0, response.body
    return str(response.body.get("verificationCode", ""))


async def verify_email(kim: Invited, code: str) -> None:
    """Enters a code at the management API."""
    assert (await kim.call("VerifyEmail", {"verificationCode": code}, "/email/verify")).code == 0


async def by_emailed_code(kim: Invited) -> None:
    """The code of the email, entered by a manager who was given it by the user."""
    await verify_email(kim, (await kim.link())[1]["code"])


async def by_returned_code(kim: Invited) -> None:
    """A code that only the caller saw."""
    await verify_email(kim, await set_email(kim, returnCode={}))


async def by_word(kim: Invited) -> None:
    """A manager's word."""
    await set_email(kim, isVerified=True)


async def by_emailed_link(kim: Invited) -> None:
    """The page that the link in the email opens."""
    code = (await kim.link())[1]["code"]
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=code))


async def by_returned_code_on_the_page(kim: Invited) -> None:
    """A code that only the caller saw, entered where links lead to."""
    code = await set_email(kim, returnCode={})
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=code))


async def by_password_link(kim: Invited) -> None:
    """A password set by a link in an email."""
    await kim.send()
    await kim.set((await kim.link())[1]["code"])


async def by_emailed_invitation(kim: Invited) -> None:
    """An invitation that was sent by email."""
    await kim.invite(sendCode={})
    assert (await kim.verify((await kim.link())[1]["code"])).code == 0


async def by_returned_invitation(kim: Invited) -> None:
    """An invitation whose code only the caller saw."""
    code = (await kim.invite(returnCode={})).body["inviteCode"]
    assert (await kim.verify(code)).code == 0


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        (by_emailed_code, PROVEN),
        (by_emailed_link, PROVEN),
        (by_password_link, PROVEN),
        (by_emailed_invitation, PROVEN),
        (by_returned_code, ASSERTED),
        (by_returned_code_on_the_page, ASSERTED),
        (by_returned_invitation, ASSERTED),
        (by_word, ASSERTED),
    ],
)
async def test_way_of_verification_decides_the_kind_of_proof(kim: Invited, way: Any, kind: str) -> None:
    """Only a code or link that was sent to the address proves it; anything else asserts it (decision 0028)."""
    before = await proof_of(kim)
    await way(kim)

    assert before is None
    assert await proof_of(kim) == (kind, kim.world.clock.now())


async def test_asserted_address_becomes_proven_by_an_emailed_link(kim: Invited) -> None:
    """A link that came back proves an address that was only asserted, from that time on."""
    await by_word(kim)
    kim.world.clock.tick(60)
    await by_password_link(kim)

    assert await proof_of(kim) == (PROVEN, kim.world.clock.now())


async def test_first_proof_stays(kim: Invited) -> None:
    """Neither a second code nor the assertion of a manager changes the time of the first proof."""
    await by_emailed_code(kim)
    first = await proof_of(kim)
    kim.world.clock.tick(60)
    await by_password_link(kim)
    await by_word(kim)

    assert await proof_of(kim) == first


async def test_another_address_has_no_proof_of_the_former_one(kim: Invited) -> None:
    """A new address starts without one, and a manager's word for it is a word."""
    await by_emailed_code(kim)
    unverified = await kim.call("SetEmail", {"email": kim.world.mail("other")}, "/email")
    between = await proof_of(kim)
    await kim.call("SetEmail", {"email": kim.world.mail("third"), "isVerified": True}, "/email")

    assert unverified.code == 0
    assert between is None
    assert await proof_of(kim) == (ASSERTED, kim.world.clock.now())
