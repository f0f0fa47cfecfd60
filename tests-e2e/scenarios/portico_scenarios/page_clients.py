"""Pages with client libraries of other people, unpatched and bundled by esbuild, on another origin than the issuer."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.async_api import Page, expect
from portico_contracts.apply import AccessTokenTypeName, AppTypeName, AuthMethodName, GrantTypeName, OidcApp
from portico_snippets import Application, find_framework, render
from portico_stack.machine.ports import free_port

from portico_scenarios import third_party_app
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.world import World

FURTHER: Final = Path(__file__).parents[2] / "clients/further"


@dataclass(frozen=True, slots=True)
class PageClient:
    """A page of `further/pages`.

    Args:
        framework: of the finished code that the page imports.
        callback: path of its redirect URI.
        jwt: the library decodes the access token.
        scope: of APIs, which the finished code requests too.
        resource: of the only API, which the finished code names.
    """

    page: str
    framework: str = ""
    callback: str = "/cb"
    jwt: bool = False
    scope: str = ""
    resource: str = ""

    @property
    def name(self) -> str:
        return self.page.partition(".")[0]


@asynccontextmanager
async def running_page(world: World, one: PageClient, folder: Path) -> AsyncIterator[str]:
    """Yields the URL of the page."""
    url, client_id = f"http://localhost:{free_port()}", f"browser-{one.name}"
    await world.stack.apply(document_of_libraries(_app(one, client_id, url)))
    scope = f"openid profile email {one.scope}".strip()
    application = Application(world.issuer, client_id, f"{url}{one.callback}", "none", scope, one.resource)
    code = render(find_framework(one.framework), application).files if one.framework else {}
    settings = {"ISSUER": world.issuer, "CLIENT_ID": client_id, "HOME": url}
    text = "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in settings.items())
    await asyncio.to_thread(_write, folder, {"settings.js": text, **code})
    bundler: list[str | Path] = [
        FURTHER / "node_modules/.bin/esbuild",
        one.page,
        "--bundle",
        "--outfile=app.js",
        "--format=esm",
    ]
    process = await asyncio.create_subprocess_exec(*bundler, "--jsx=automatic", "--log-level=error", cwd=folder)
    assert await process.wait() == 0
    async with third_party_app.running(("node", FURTHER / "serve.mjs"), folder, url, {"URL": url}):
        yield url


def _write(folder: Path, files: dict[str, str]) -> None:
    (folder / "node_modules").symlink_to(FURTHER / "node_modules")
    for page in (FURTHER / "pages").iterdir():
        shutil.copy(page, folder)
    for name, text in files.items():
        (folder / name).write_text(text)


def _app(one: PageClient, client_id: str, url: str) -> OidcApp:
    wants_claims = bool(one.framework) and find_framework(one.framework).userinfo_in_id_token
    return OidcApp(
        name=f"Page {one.name}",
        client_id=client_id,
        redirect_uris=(f"{url}{one.callback}",),
        auth_method_type=AuthMethodName.NONE,
        app_type=AppTypeName.USER_AGENT,
        access_token_type=AccessTokenTypeName.JWT if one.jwt else AccessTokenTypeName.BEARER,
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        id_token_userinfo_assertion=wants_claims,
    )


async def sign_in(world: World, tab: Page, one: PageClient, folder: Path) -> str:
    """Signs Alice in; returns what the page shows."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    async with running_page(world, one, folder) as url:
        await tab.goto(f"{url}/")
        await expect(tab.locator("#rp-user")).to_have_text("nobody")
        await tab.locator("#rp-signin").click()
        await LoginPages(tab).sign_in(ALICE.login_name, ALICE.password)
        await expect(tab.locator("#rp-user, #rp-error").filter(has_text="e").first).to_be_visible()
        error = await tab.locator("#rp-error").text_content()
        assert not error, f"{error} {said}"
        return await tab.locator("#rp-user").text_content() or ""
