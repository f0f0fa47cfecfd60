from __future__ import annotations

from playwright.async_api import Page


async def plug_in(page: Page, protocol: str = "ctap2", transport: str = "usb") -> None:
    """Attaches a virtual authenticator to a page.

    Args:
        protocol: ``ctap2`` for resident keys and user verification; ``u2f`` for an older one.
        transport: ``internal`` for a platform authenticator, which browsers offer in autofill.
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
