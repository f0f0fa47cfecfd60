"""A passkey instead of a first password: the invitation registers one, and is used up by it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_INVITATION,
    FINISH_PASSKEY_BY_INVITATION,
    SET_PASSWORD_BY_LINK,
    BeginPasskeyByInvitation,
    FinishPasskeyByInvitation,
    InvitationAccepted,
    SetPasswordByLink,
)
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

from .test_emailed_links import NEW
from .test_invitations import Invited
from .test_login_factors import ORG, PASSKEY, forbid
from .test_passkeys import new_key

pytestmark = pytest.mark.servers


class InvitedByKey(Invited):
    async def begin(self, code: str) -> tuple[str, Any]:
        ask = BeginPasskeyByInvitation(user_id=self.id, code=code)
        begun = await self.managed.users.call(BEGIN_PASSKEY_BY_INVITATION, ask)
        return begun.passkey_id, json.loads(begun.options)

    async def finish(self, code: str, id: str, credential: Any) -> InvitationAccepted:
        ask = FinishPasskeyByInvitation(user_id=self.id, code=code, passkey_id=id, credential=json.dumps(credential))
        accepted: InvitationAccepted = await self.managed.users.call(FINISH_PASSKEY_BY_INVITATION, ask)
        return accepted


@pytest.fixture
async def kim(managed: Any) -> InvitedByKey:
    kim = InvitedByKey(managed)
    email = {"email": kim.mail, "returnCode": {}}
    assert (await managed.add(managed.new_human("kim", username=kim.id, email=email))).code == 0
    assert (await kim.invite()).code == 0
    return kim


async def test_invitation_registers_one_passkey(kim: InvitedByKey) -> None:
    """It verifies the address and uses the invitation up, for a password too; the person is named once."""
    _, link = await kim.link()
    begun = [await kim.begin(link["code"]) for _ in range(2)]
    accepted = await kim.finish(link["code"], begun[0][0], new_key().create(begun[0][1]))

    assert accepted.user is not None
    assert accepted.user.user_id == kim.id
    assert not accepted.user.has_password
    assert await kim.is_verified()
    with pytest.raises(ServiceError, match="USER-941"):
        await kim.finish(link["code"], begun[1][0], new_key().create(begun[1][1]))
    with pytest.raises(ServiceError, match="USER-402"):
        await kim.managed.users.call(
            SET_PASSWORD_BY_LINK, SetPasswordByLink(user_id=kim.id, code=link["code"], new_password=NEW)
        )


async def test_of_two_concurrent_registrations_one_is_completed(kim: InvitedByKey) -> None:
    _, link = await kim.link()
    begun = [await kim.begin(link["code"]) for _ in range(2)]
    tries = [kim.finish(link["code"], id, new_key().create(options)) for id, options in begun]
    done = await asyncio.gather(*tries, return_exceptions=True)

    assert sum(isinstance(one, InvitationAccepted) for one in done) == 1


async def test_password_ends_the_registration_of_the_passkey(kim: InvitedByKey) -> None:
    _, link = await kim.link()
    id, options = await kim.begin(link["code"])
    await kim.set(link["code"])

    with pytest.raises(ServiceError, match="USER-941"):
        await kim.finish(link["code"], id, new_key().create(options))


async def test_wrong_code_begins_nothing(kim: InvitedByKey) -> None:
    """Guesses are counted together with those of a password, and an unknown user looks the same (LG-07)."""
    _, link = await kim.link()
    id, options = await kim.begin(link["code"])
    for _ in range(9):
        with pytest.raises(ServiceError, match="USER-941"):
            await kim.begin("WRONG2")

    with pytest.raises(ServiceError, match="USER-941"):
        await kim.finish(link["code"], id, new_key().create(options))
    with pytest.raises(ServiceError, match="USER-941"):
        await kim.managed.users.call(
            BEGIN_PASSKEY_BY_INVITATION, BeginPasskeyByInvitation(user_id="nobody", code=link["code"])
        )


async def test_code_of_an_administrator_proves_no_address(kim: InvitedByKey) -> None:
    code = (await kim.invite(returnCode={})).body["inviteCode"]
    id, options = await kim.begin(code)
    await kim.finish(code, id, new_key().create(options))

    assert not await kim.is_verified()


async def test_organization_without_passkeys_registers_none(kim: InvitedByKey) -> None:
    assert (await call_as(kim.managed, f"{ORG}.AddCustomLoginPolicy", {})).code == 0
    assert (await forbid(kim.managed, PASSKEY)).code == 0
    _, link = await kim.link()

    with pytest.raises(ServiceError, match="USER-353"):
        await kim.begin(link["code"])
