"""Chromium's virtual authenticator, whose user is present at once."""

from __future__ import annotations

from playwright.async_api import Page


async def plug_in(page: Page, protocol: str = "ctap2", transport: str = "usb") -> None:
    """Gives a page a key.

    Args:
        protocol: ``ctap2`` for one that keeps passkeys and verifies who holds it; ``u2f`` for an older one.
        transport: ``internal`` for one that is part of the device, which browsers offer beside a login name.
    """
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    new = protocol == "ctap2"
    options = {
        "protocol": protocol,
        "transport": transport,
        "hasResidentKey": new,
        "hasUserVerification": new,
        "isUserVerified": new,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
