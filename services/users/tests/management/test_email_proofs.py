from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import VERIFY_EMAIL_LINK, VerifyEmailLink

from .test_invitations import Invited

pytestmark = pytest.mark.servers

PROVEN, ASSERTED = "proven", "asserted"


async def proof_of(kim: Invited) -> tuple[str, float] | None:
    [row] = await kim.world.rows("users", _id=kim.id)
    proof = row.get("emailProof")
    return (proof["kind"], proof["at"]) if proof else None


@pytest.fixture
async def kim(managed: Any) -> Invited:
    kim = Invited(managed)
    await kim.add(verified=False)
    # Send pending emails first: emails that are due together are sent concurrently.
    await kim.world.mails_to(kim.mail)
    managed.users.clock.tick(60)
    return kim


async def set_email(kim: Invited, **choice: Any) -> str:
    response = await kim.call("SetEmail", {"email": kim.mail, **choice}, "/email")
    assert response.code == 0, response.body
    return str(response.body.get("verificationCode", ""))


async def verify_email(kim: Invited, code: str) -> None:
    assert (await kim.call("VerifyEmail", {"verificationCode": code}, "/email/verify")).code == 0


async def by_emailed_code(kim: Invited) -> None:
    await verify_email(kim, (await kim.link())[1]["code"])


async def by_returned_code(kim: Invited) -> None:
    await verify_email(kim, await set_email(kim, returnCode={}))


async def by_word(kim: Invited) -> None:
    """A manager asserts the address."""
    await set_email(kim, isVerified=True)


async def by_emailed_link(kim: Invited) -> None:
    code = (await kim.link())[1]["code"]
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=code))


async def by_returned_code_on_the_page(kim: Invited) -> None:
    code = await set_email(kim, returnCode={})
    await kim.world.call(VERIFY_EMAIL_LINK, VerifyEmailLink(user_id=kim.id, code=code))


async def by_password_link(kim: Invited) -> None:
    await kim.send()
    await kim.set((await kim.link())[1]["code"])


async def by_emailed_invitation(kim: Invited) -> None:
    await kim.invite(sendCode={})
    assert (await kim.verify((await kim.link())[1]["code"])).code == 0


async def by_returned_invitation(kim: Invited) -> None:
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
    """Only a code or link sent to the address proves it; any other verification asserts it (decision 0028)."""
    before = await proof_of(kim)
    await way(kim)

    assert before is None
    assert await proof_of(kim) == (kind, kim.world.clock.now())


async def test_asserted_address_becomes_proven_by_an_emailed_link(kim: Invited) -> None:
    """An emailed link proves an address that was only asserted, from the time of its use."""
    await by_word(kim)
    kim.world.clock.tick(60)
    await by_password_link(kim)

    assert await proof_of(kim) == (PROVEN, kim.world.clock.now())


async def test_first_proof_stays(kim: Invited) -> None:
    """Neither a second code nor a manager's assertion changes the time of the first proof."""
    await by_emailed_code(kim)
    first = await proof_of(kim)
    kim.world.clock.tick(60)
    await by_password_link(kim)
    await by_word(kim)

    assert await proof_of(kim) == first


async def test_new_address_has_no_proof(kim: Invited) -> None:
    """A new address has no proof, and a manager's assertion does not prove it."""
    await by_emailed_code(kim)
    unverified = await kim.call("SetEmail", {"email": kim.world.mail("other")}, "/email")
    between = await proof_of(kim)
    await kim.call("SetEmail", {"email": kim.world.mail("third"), "isVerified": True}, "/email")

    assert unverified.code == 0
    assert between is None
    assert await proof_of(kim) == (ASSERTED, kim.world.clock.now())
