"""A user signs in on a device with a code (RFC 8628), with a browser on another device."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, expect
from portico_contracts import http
from portico_contracts.apply import AuthMethodName, Document, LoginPolicy, OidcApp, Organization, Project
from portico_oauth.grant_types import DEVICE_CODE, GrantTypeName
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.second_factor_user import PASSWORD, SecondFactorUser, second_factor_user
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


class Device:
    def __init__(self, world: World, client_id: str) -> None:
        self.world = world
        self.client_id = client_id
        self.begun: dict[str, Any] = {}

    async def begin(self) -> dict[str, Any]:
        form = {"client_id": self.client_id, "scope": "openid profile offline_access"}
        answer = await self.world.http.post(self.world.issuer + http.DEVICE_AUTHORIZATION, data=form)
        assert answer.status_code == 200, answer.text
        self.begun = answer.json()
        return self.begun

    async def poll(self) -> dict[str, Any]:
        form = {"grant_type": DEVICE_CODE, "client_id": self.client_id, "device_code": self.begun["device_code"]}
        answer: dict[str, Any] = (await self.world.http.post(self.world.issuer + http.TOKEN, data=form)).json()
        return answer


@pytest.fixture
async def device(world: World) -> AsyncIterator[Device]:
    """An application for devices, in an instance that allows them while the test runs."""
    name = f"tv-{secrets.token_hex(4)}"
    app = OidcApp(
        name="Television",
        client_id=name,
        auth_method_type=AuthMethodName.NONE,
        response_types=(),
        grant_types=(GrantTypeName.DEVICE_CODE, GrantTypeName.REFRESH_TOKEN),
    )
    org = Organization(id=f"org-{name}", name=name, projects=(Project(name="tv", oidc_apps=(app,)),))
    await world.stack.apply(Document(login_policy=LoginPolicy(allow_device_authorization=True), organizations=(org,)))
    yield Device(world, name)
    await world.stack.apply(Document(login_policy=LoginPolicy(), organizations=()))


@pytest.fixture
async def mia(world: World) -> SecondFactorUser:
    return await second_factor_user(world, "mia")


async def test_user_approves_and_denies(either_tab: Page, world: World, device: Device, mia: SecondFactorUser) -> None:
    """The link fills in the code, and the page that asks names the device; a signed-in user is asked too."""
    begun = await device.begin()
    waiting = await device.poll()
    await either_tab.goto(begun["verification_uri"])
    await either_tab.locator("#user-code").fill("BCDF-GHJK")
    await either_tab.keyboard.press("Enter")
    await expect(either_tab.locator("#login-problem")).to_be_visible()
    await either_tab.goto(begun["verification_uri_complete"])
    await expect(either_tab.locator("#user-code")).to_have_value(begun["user_code"])
    await either_tab.locator("#device-submit").click()
    await LoginPages(either_tab).sign_in(mia.id, PASSWORD)
    await expect(either_tab.locator("#client-name")).to_have_text("Television")
    await expect(either_tab.locator("#device-code")).to_have_text(begun["user_code"])
    await expect(either_tab.locator("#device-address")).to_have_text("127.0.0.1")
    await either_tab.locator("#consent-allow").click()
    await expect(either_tab.locator("#device-answered-page h1")).to_have_text("You are signed in on your device")
    tokens = await device.poll()
    about = await world.http.get(
        world.issuer + http.USERINFO, headers={"Authorization": f"Bearer {tokens['access_token']}"}
    )
    spent = await device.poll()

    again = await device.begin()
    await either_tab.goto(again["verification_uri_complete"])
    await either_tab.locator("#device-submit").click()
    await LoginPages(either_tab).cancel()
    await expect(either_tab.locator("#device-answered-page h1")).to_have_text("The sign-in was denied")

    assert waiting["error"] == "authorization_pending"
    assert about.json()["sub"] == mia.id
    assert tokens["scope"] == "openid profile offline_access"
    assert "refresh_token" in tokens
    assert spent["error"] == "invalid_grant"
    assert (await device.poll())["error"] == "access_denied"
