"""Whether an emailed link would be accepted: its page asks before the user types anything (LG-07)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import CHECK_LINK, CheckLink, LinkKind
from portico_oauth.errors import ServiceError
from portico_users.end_users.codes.challenge import GUESSES, LOOKS

from .test_emailed_links import NEW
from .test_invitations import Invited

pytestmark = pytest.mark.servers


@pytest.fixture
async def kim(managed: Any) -> Invited:
    kim = Invited(managed)
    email = {"email": kim.mail, "returnCode": {}}
    assert (await managed.add(managed.new_human("kim", username=kim.id, email=email))).code == 0
    return kim


async def is_usable(kim: Invited, code: str, kind: LinkKind = LinkKind.PASSWORD, code_id: str = "") -> bool:
    message = CheckLink(kind=kind, user_id=kim.id, code=code, code_id=code_id)
    return bool((await kim.world.call(CHECK_LINK, message)).usable)


async def test_opening_a_link_uses_nothing_up(kim: Invited) -> None:
    """Email scanners open a link any number of times before its user does."""
    await kim.invite()
    _, link = await kim.link()
    seen = [await is_usable(kim, link["code"]) for _ in range(20)]
    await kim.set(link["code"])

    assert seen == [True] * 20
    assert await kim.signs_in(NEW)
    assert not await is_usable(kim, link["code"])


async def test_wrong_codes_of_opened_links_are_guesses_and_leave_half(kim: Invited) -> None:
    """Otherwise the page would distinguish right codes from wrong ones; a user who opens older emails loses no new
    code.
    """
    await kim.invite()
    _, link = await kim.link()
    wrong = [await is_usable(kim, "222222") for _ in range(3 * LOOKS)]
    right = await is_usable(kim, link["code"])
    await kim.set(link["code"])

    assert wrong == [False] * LOOKS + [True] * 2 * LOOKS
    assert right
    assert await kim.signs_in(NEW)


async def test_link_without_guesses_is_not_usable(kim: Invited) -> None:
    """The right code would be refused as well."""
    await kim.invite()
    _, link = await kim.link()
    for _ in range(LOOKS):
        await is_usable(kim, "222222")
    for _ in range(GUESSES - LOOKS):
        with pytest.raises(ServiceError):
            await kim.set("222222")

    assert not await is_usable(kim, link["code"])


async def test_wrong_codes_do_not_end_the_link_of_a_passkey(kim: Invited) -> None:
    """After five wrong codes the page opens for any code, until ten were entered."""
    made = await kim.call("CreatePasskeyRegistrationLink", {"returnCode": {}}, "/passkeys/registration_link")
    code_id, code = made.body["code"]["id"], made.body["code"]["code"]
    wrong = [await is_usable(kim, "X" * 12, LinkKind.PASSKEY, code_id=code_id) for _ in range(LOOKS + 1)]
    right = await is_usable(kim, code, LinkKind.PASSKEY, code_id=code_id)
    await kim.world.parts.mongo.database["passkeyLinks"].update_one({"_id": code_id}, {"$set": {"guesses": GUESSES}})

    assert wrong == [False] * LOOKS + [True]
    assert right
    assert not await is_usable(kim, code, LinkKind.PASSKEY, code_id=code_id)


async def test_replaced_and_unknown_links_get_the_same_answer(kim: Invited) -> None:
    await kim.invite()
    _, first = await kim.link()
    await kim.resend()
    unknown = CheckLink(kind=LinkKind.PASSWORD, user_id="nobody", code="222222")

    assert not await is_usable(kim, first["code"])
    assert not (await kim.world.call(CHECK_LINK, unknown)).usable
    assert not await is_usable(kim, (await kim.link())[1]["code"], LinkKind.EMAIL)


async def test_links_of_addresses_and_passkeys_are_checked_too(kim: Invited) -> None:
    await kim.call("ResendEmailCode", {"sendCode": {}}, "/email/resend")
    _, address = await kim.link()
    made = await kim.call("CreatePasskeyRegistrationLink", {"returnCode": {}}, "/passkeys/registration_link")
    passkey = made.body["code"]

    assert await is_usable(kim, address["code"], LinkKind.EMAIL)
    assert await is_usable(kim, passkey["code"], LinkKind.PASSKEY, code_id=passkey["id"])
    assert not await is_usable(kim, "X" * 12, LinkKind.PASSKEY, code_id=passkey["id"])
