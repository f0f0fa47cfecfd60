"""WebAuthn credentials of Chromium's virtual authenticator are accepted by the management API."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.async_api import Page
from portico_contracts.apply import Document, Email, EndUser, Organization, Profile, ServiceUser
from portico_contracts.http import LOGGED_OUT
from portico_fakes.management_api import ApiResponse, read_json
from portico_scenarios.relying_party import Client
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

SCOPE = "openid urn:portico:project:id:portico:aud"
ADMIN_SECRET = "the secret of the one who administers"

CREATE = """async (options) => {
    const parsed = PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey);
    return (await navigator.credentials.create({publicKey: parsed})).toJSON();
}"""


@dataclass
class Owner:
    world: World
    page: Page
    token: str
    user_id: str

    async def post(self, path: str, body: Any) -> ApiResponse:
        url = f"{self.world.issuer}/v2/users/{self.user_id}/{path}"
        return read_json(await self.world.http.post(url, json=body, headers={"Authorization": f"Bearer {self.token}"}))

    async def create(self, options: Any) -> Any:
        """Returns the created credential; raises the browser's error."""
        return await self.page.evaluate(CREATE, options)


async def _plug_in(page: Page, protocol: str) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    resident = protocol == "ctap2"
    options = {
        "protocol": protocol,
        "transport": "usb",
        "hasResidentKey": resident,
        "hasUserVerification": resident,
        "isUserVerified": resident,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.fixture
async def owner(world: World, tab: Page) -> Owner:
    tag = secrets.token_hex(4)
    id, user_id = f"admin-{tag}", f"ada-{tag}"
    admin = ServiceUser(id=id, username=id, name="Administrator", secret=ADMIN_SECRET, roles=("IAM_OWNER",))
    profile = Profile(first_name="Ada", last_name="Example")
    email = Email(email=f"{user_id}@mail.example.test", is_verified=True)
    ada = EndUser(id=user_id, username=user_id, profile=profile, email=email)
    organization = Organization(id=f"org-{tag}", name=tag, service_users=(admin,), humans=(ada,))
    await world.stack.apply(Document(organizations=(organization,)))
    client = Client(id, "", ADMIN_SECRET, "client_secret_basic")
    tokens = await world.grant(client, "client_credentials", scope=SCOPE)
    await tab.goto(f"{world.issuer}{LOGGED_OUT}")
    return Owner(world, tab, tokens["access_token"], user_id)


@pytest.mark.parametrize("protocol", ["ctap2", "u2f"])
async def test_browser_registers_a_second_factor(owner: Owner, protocol: str) -> None:
    """Keys of the new and the old protocol register, and a used challenge is refused (LG-17, LG-19)."""
    await _plug_in(owner.page, protocol)
    begun = await owner.post("u2f", {})
    assert begun.code == 0, begun.body
    credential = await owner.create(begun.body["publicKeyCredentialCreationOptions"])
    body = {"publicKeyCredential": credential, "tokenName": "Blue key"}
    done = await owner.post(f"u2f/{begun.body['u2fId']}", body)
    again = await owner.post(f"u2f/{begun.body['u2fId']}", body)
    listed = await owner.post("authentication_factors/_search", {})

    assert done.code == 0, done.body
    assert again.code == 5
    assert [one["u2f"]["name"] for one in listed.body["result"]] == ["Blue key"]


async def test_browser_registers_a_passkey_once(owner: Owner) -> None:
    """A passkey with user verification registers, and the browser excludes it on the second attempt."""
    await _plug_in(owner.page, "ctap2")
    begun = await owner.post("passkeys", {})
    credential = await owner.create(begun.body["publicKeyCredentialCreationOptions"])
    body = {"publicKeyCredential": credential, "passkeyName": "Phone"}
    done = await owner.post(f"passkeys/{begun.body['passkeyId']}", body)
    again = await owner.post("passkeys", {})

    assert done.code == 0, done.body
    with pytest.raises(Exception, match="InvalidStateError"):
        await owner.create(again.body["publicKeyCredentialCreationOptions"])
