from __future__ import annotations

from typing import Final

from playwright.async_api import Page

_OF_MODEL: Final = """(() => {
    const bytes = Uint8Array.from("%s".match(/../g), (pair) => parseInt(pair, 16));
    const create = navigator.credentials.create.bind(navigator.credentials);
    navigator.credentials.create = async (options) => {
        const made = await create(options);
        const sent = new Uint8Array(made.response.attestationObject);
        const name = new TextEncoder().encode("authData");
        const at = sent.findIndex((_, place) => name.every((one, more) => sent[place + more] === one)) + name.length;
        sent.set(bytes, at + (sent[at] === 0x58 ? 2 : 3) + 37);
        return made;
    };
})()"""
"""Replaces the AAGUID, which follows 37 bytes of the authenticator data (WebAuthn section 6.1)."""


async def plug_in(page: Page, protocol: str = "ctap2", transport: str = "usb", aaguid: str = "") -> None:
    """Attaches a virtual authenticator to a page.

    Args:
        protocol: ``ctap2`` for resident keys and user verification; ``u2f`` for an older one.
        transport: ``internal`` for a platform authenticator, which browsers offer in autofill.
        aaguid: of the model it claims to be, on pages that are loaded from now on; otherwise one without a name.
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
    if aaguid:
        await page.add_init_script(_OF_MODEL % aaguid)
