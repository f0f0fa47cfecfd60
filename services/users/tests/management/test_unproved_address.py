"""An account that was opened with another person's address does not become that person's (IP-06)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import SEND_PASSWORD_LINK, SendPasswordLink
from portico_users.after_response import AfterResponse

pytestmark = pytest.mark.servers


@pytest.fixture
async def mail(managed: Any) -> str:
    """The address, typed by a person who signed in with an identity of his own at a provider."""
    config = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}
    body = {"name": managed.tag, **config}
    idp = await managed.api.json("portico.management.v1.IDPService.AddOrgJWTIDP", body, token=managed.tokens["owner"])
    mail = str(managed.users.mail("victim"))
    link = {"idpId": idp.body["idpId"], "userId": "intruder", "userName": "intruder"}
    human = managed.new_human("intruder", username=mail, email={"email": mail, "returnCode": {}}, idpLinks=[link])
    assert (await managed.add(human)).code == 0
    added = await managed.api.json(
        "portico.management.v1.PolicyService.AddCustomLoginPolicy",
        {"allowRegister": True},
        token=managed.tokens["owner"],
    )
    assert added.code == 0
    return mail


async def test_unproved_address_gets_no_password_link(managed: Any, mail: str) -> None:
    """A forgotten password does not open an account that is in use and whose address is not verified."""
    await managed.users.call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=mail, sender=""))
    await managed.users.service.find(AfterResponse).close()

    assert await managed.users.mails_to(mail) == []


async def test_unproved_address_can_register(managed: Any, mail: str) -> None:
    """The person who proves the address gets an account with another user name, which only the own password opens."""
    world = managed.users
    sent = await world.register(mail, org_id=managed.org_id)
    user = await world.verify(sent.challenge, await world.newest_code(mail))

    assert user is not None
    assert user.user_id != f"intruder-{managed.tag}"
    assert (user.user_name != mail, user.email_verified) == (True, True)
