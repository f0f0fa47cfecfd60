"""Sign-in over https with the stack's own certificate authority."""

from __future__ import annotations

import asyncio
import ssl

import httpx
import pytest
from playwright.async_api import Browser
from portico_harness.eventually import HANGS
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import LoginPages, RelyingPartyPages
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e


async def test_user_signs_in_over_https(browser: Browser, secure: World) -> None:
    """A complete login works over https, and every cookie of the issuer is hardened (LG-13)."""
    # The browser does not trust the stack's authority; the relying party and the clients here verify it.
    context = await browser.new_context(ignore_https_errors=True)
    try:
        pages = RelyingPartyPages(await context.new_page(), secure.rp_url("basic"))
        await pages.begin()
        await LoginPages(pages.page).sign_in(ALICE.login_name, ALICE.password)
        await pages.expect_signed_in()
        token = (await pages.session())["token"]
        cookies = [one for one in await context.cookies() if not one.get("name", "").startswith("demo-rp")]
    finally:
        await context.close()
    claims = await checked_claims(secure.http, secure.metadata, token["id_token"], "e2e-basic")

    assert claims["iss"] == secure.issuer
    assert secure.issuer.startswith("https://")
    assert cookies
    for cookie in cookies:
        assert cookie.get("name", "").startswith("__Host-")
        assert cookie.get("secure") is True
        assert cookie.get("httpOnly") is True
        assert cookie.get("sameSite") in ("Lax", "Strict")
        assert cookie.get("path") == "/"
        assert len(cookie.get("value", "")) >= 22


async def test_cookie_has_all_attributes(secure: World) -> None:
    """The cookie has the prefix __Host-, Secure, HttpOnly, SameSite, Path=/ and no Domain (LG-13)."""
    answer = await secure.http.get(begin(secure.metadata, secure.clients["basic"]).url)
    cookies = answer.headers.get_list("set-cookie")

    assert cookies
    for cookie in cookies:
        name, _, attributes = cookie.partition(";")
        assert name.startswith("__Host-")
        assert {"secure", "httponly", "path=/"} <= {part.strip().lower() for part in attributes.split(";")}
        assert "samesite=" in attributes.lower()
        assert "domain" not in attributes.lower()


def test_every_endpoint_is_https(secure: World) -> None:
    """Under an https issuer discovery has https URLs only (conformance 3.1)."""
    endpoints = [url for name, url in secure.metadata.items() if name.endswith("_endpoint") or name == "jwks_uri"]

    assert len(endpoints) >= 7
    assert all(url.startswith(f"{secure.issuer}/") for url in endpoints)


async def test_certificate_is_issued_by_the_printed_authority(secure: World) -> None:
    """Clients that trust the printed CA certificate connect, and other clients refuse."""
    async with httpx.AsyncClient(trust_env=False) as stranger:
        with pytest.raises(httpx.ConnectError):
            await stranger.get(secure.issuer)

    assert (await secure.http.get(secure.metadata["jwks_uri"])).status_code == 200


async def test_client_without_sni_connects(secure: World) -> None:
    """Java sends no server name for localhost and still gets the issuer's certificate."""
    context = ssl.create_default_context(cafile=secure.ca_file)
    context.check_hostname = False  # there is no name to check
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", secure.stack.layout.gateway.port, ssl=context, server_hostname=""
    )
    host = secure.issuer.removeprefix("https://")
    writer.write(f"GET /.well-known/openid-configuration HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.readuntil(secure.issuer.encode()), HANGS)
    writer.close()

    assert answer.startswith(b"HTTP/1.1 200 ")


async def test_localhost_sends_no_hsts(secure: World) -> None:
    """HSTS on localhost would break every other port of the machine, so it is omitted there."""
    answer = await secure.http.get(secure.metadata["jwks_uri"])

    assert "strict-transport-security" not in answer.headers
