"""Chromium's virtual authenticator: a key that somebody touches at once."""

from __future__ import annotations

from playwright.async_api import Page


async def plug_in(page: Page, protocol: str = "ctap2") -> None:
    """Gives a page a key.

    Args:
        protocol: ``ctap2`` for one that keeps passkeys and verifies who holds it; ``u2f`` for an older one.
    """
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    new = protocol == "ctap2"
    options = {
        "protocol": protocol,
        "transport": "usb",
        "hasResidentKey": new,
        "hasUserVerification": new,
        "isUserVerified": new,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
