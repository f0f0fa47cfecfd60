"""The four applications of `examples/`, registered and started by the commands of their pages."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import jwt
import pytest
from playwright.async_api import Page, expect
from portico_harness.eventually import HANGS, eventually
from portico_scenarios.browser_rp import MODULES
from portico_scenarios.guide import Reader, blocks_of, replaced
from portico_scenarios.login_pages import LoginPages
from portico_scenarios.programs import AUDIENCE, JWT_ROBOT
from portico_scenarios.third_party_app import ThirdPartyApp
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[1]
PROGRAM = "examples-program"
LOGIN_NAME, PASSWORD = "wendy", "six words that nobody would guess"


@dataclass(frozen=True, slots=True)
class Terminal:
    """A copy of the examples, registered at the shared stack; the API runs."""

    folder: Path
    reader: Reader
    web: str
    page: str
    api: str

    def page_of(self, example: str) -> Path:
        return self.folder / "examples" / example / "README.md"

    async def start(self, example: str, url: str) -> ThirdPartyApp:
        """Runs the command of an example; returns once it responds."""
        [block] = blocks_of(self.page_of(example))
        await self.reader.leave_running(block)
        app = ThirdPartyApp(url, self.folder / "running.log")
        await eventually(app.status, lambda status: status < 500)
        return app


@pytest.fixture(scope="module")
async def terminal(world: World, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Terminal]:
    """The commands of `examples/README.md` have run, and the API is running."""
    folder = tmp_path_factory.mktemp("examples")
    web, page, api = (f"http://localhost:{free_port()}" for _ in range(3))
    addresses = {"8080": world.issuer, "3000": web, "3001": page, "3002": api}
    await asyncio.to_thread(_copy, folder, {f"http://localhost:{port}": url for port, url in addresses.items()})
    (folder / ".venv").symlink_to(ROOT / ".venv")
    (folder / ".portico").symlink_to(world.stack.options.data)
    ports = {f" {port}": f" {url.rpartition(':')[2]}" for port, url in addresses.items()}
    npm = {"npm install --prefix": f"ln -s {MODULES}"}
    reader = await Reader.begin(folder, {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, ports | npm)
    try:
        for block in blocks_of(folder / "examples" / "README.md"):
            ran = await reader.run(block)
            assert ran.status == 0, ran.output
        terminal = Terminal(folder, reader, web, page, api)
        await terminal.start("api", api)
        yield terminal
    finally:
        await reader.end()


def _copy(folder: Path, addresses: dict[str, str]) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", "key.pem")
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=ignored)
    for path in (folder / "examples").rglob("*.*"):
        path.write_text(replaced(path.read_text(encoding="utf-8"), addresses), encoding="utf-8")


async def test_web_application_signs_in_calls_the_api_and_signs_out(terminal: Terminal, tab: Page) -> None:
    """The page lists the notes of the API, and after a logout a new sign-in starts at the login page."""
    await terminal.start("web-application", terminal.web)
    await tab.goto(terminal.web)
    await tab.get_by_text("Sign in").click()
    await LoginPages(tab).sign_in(LOGIN_NAME, PASSWORD)
    await expect(tab.get_by_text("Hello Wendy Writer")).to_be_visible()
    await expect(tab.get_by_text("Buy milk")).to_be_visible()

    await tab.get_by_text("Sign out").click()
    await expect(tab).to_have_url(f"{terminal.web}/")
    await tab.get_by_text("Sign in").click()
    await expect(tab.locator("#loginname, #password")).to_be_visible()


async def test_single_page_application_adds_a_note(terminal: Terminal, tab: Page) -> None:
    """The browser redeems the code, calls the API on another origin, and stores no token."""
    await terminal.start("single-page-application", terminal.page)
    await tab.goto(terminal.page)
    await tab.get_by_text("Sign in").click()
    await LoginPages(tab).sign_in(LOGIN_NAME, PASSWORD)
    await expect(tab.get_by_text("Hello Wendy Writer")).to_be_visible()
    await tab.locator("#text").fill("Water <b>plants</b>")
    await tab.get_by_text("Add", exact=True).click()
    await expect(tab.get_by_text("Water <b>plants</b> (examples-wendy)")).to_be_visible()
    stored = await tab.evaluate("JSON.stringify([localStorage, sessionStorage])")

    assert stored == "[{},{}]"
    await tab.get_by_text("Sign out").click()
    await expect(tab.get_by_text("Sign in")).to_be_visible()


async def test_service_program_reads_notes(terminal: Terminal) -> None:
    """The program gets a token with its key and prints the notes."""
    [block] = blocks_of(terminal.page_of("service-program"))
    ran = await terminal.reader.run(block)

    assert ran.status == 0, ran.output
    assert "Buy milk" in ran.output


async def test_api_refuses_other_tokens(terminal: Terminal, world: World) -> None:
    """An API answers 401 to tokens of other projects and to id_tokens, and 403 where the role is missing."""
    foreign = await world.grant(JWT_ROBOT.client, "client_credentials", scope=AUDIENCE)
    own = await _tokens_of_program(terminal, world)
    async with httpx.AsyncClient(base_url=terminal.api, trust_env=False, timeout=HANGS) as http:
        refused = [
            await http.get("/notes", headers={"Authorization": f"Bearer {token}"})
            for token in (foreign["access_token"], own["id_token"], "nonsense")
        ]
        without = await http.get("/notes")
        added = await http.post("/notes", headers={"Authorization": f"Bearer {own['access_token']}"})

    assert [answer.status_code for answer in refused] == [401, 401, 401]
    assert (without.status_code, without.headers["www-authenticate"]) == (401, "Bearer")
    assert (added.status_code, added.json()) == (403, {"detail": "The role writer is required."})


async def _tokens_of_program(terminal: Terminal, world: World) -> dict[str, str]:
    key = await asyncio.to_thread((terminal.folder / "examples/service-program/key.pem").read_text)
    now = int(time.time())
    claims = {"iss": PROGRAM, "sub": PROGRAM, "aud": world.issuer, "iat": now, "exp": now + 60}
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "assertion": jwt.encode(claims, key, "EdDSA", headers={"kid": "examples-key"}),
        "scope": "openid urn:portico:project:id:examples-notes:aud urn:portico:project:roles",
    }
    answer = await world.http.post(world.metadata["token_endpoint"], data=form)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
