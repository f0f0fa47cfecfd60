"""Third-party applications as processes: started, signed in to, and stopped."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

import httpx
from portico_harness.eventually import eventually
from portico_harness.plain_http import plain_http

from portico_scenarios.agent import Agent

START_SECONDS = 300.0
"""Seconds after which a start is considered to hang; modules may have to be downloaded and built first."""


@dataclass(frozen=True, slots=True)
class ThirdPartyApp:
    """A running application.

    Attributes:
        url: without a trailing slash.
        cookies: of the browser that signed in last.
    """

    url: str
    log: Path
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)

    async def sign_in(self, agent: Agent, login_name: str, password: str, begin: str = "/login") -> str:
        """Signs a user in; returns the application's final page.

        Args:
            agent: the browser at the provider.
            begin: the application's path that redirects to the provider.
        """
        async with plain_http(self.url) as browser:
            location = await self._way_to_provider(browser, begin)
            page = await agent.sign_in(location, login_name, password)
            assert page.returned is not None, f"{page.status} {page.response.text[:2000]}"
            answer = await browser.get(page.location, follow_redirects=True)
            assert answer.status_code == 200, f"{answer.status_code} {answer.text[:500]}\n{self.said()}"
            self.cookies.update(browser.cookies)
            return answer.text

    async def read(self, path: str) -> str:
        async with self._browser() as browser:
            answer = await browser.get(path)
            assert answer.status_code == 200, f"{answer.status_code} {answer.text[:500]}\n{self.said()}"
            return answer.text

    async def leads_to(self, path: str) -> str:
        async with self._browser() as browser:
            return await self._way_to_provider(browser, path)

    async def refused(self, agent: Agent, login_name: str, password: str) -> str:
        """Signs a user in; returns the application's page when the provider refuses its token request."""
        async with plain_http(self.url) as browser:
            page = await agent.sign_in(await self._way_to_provider(browser, "/login"), login_name, password)
            answer = await browser.get(page.location, follow_redirects=True)
            assert answer.status_code >= 400, f"{answer.status_code} {answer.text[:500]}\n{self.said()}"
            return answer.text

    async def status(self) -> int:
        """Returns the status of its own URL; raises `ConnectionError` while nothing listens."""
        async with plain_http() as http:
            try:
                return (await http.get(self.url)).status_code
            except httpx.TransportError as error:
                raise ConnectionError(self.said()) from error

    def said(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]

    def _browser(self) -> httpx.AsyncClient:
        return plain_http(self.url, cookies=self.cookies)

    async def _way_to_provider(self, browser: httpx.AsyncClient, begin: str) -> str:
        url = f"{self.url}{begin}"
        for _ in range(5):
            answer = await browser.get(url)
            assert answer.has_redirect_location, f"{answer.status_code} {answer.text[:500]}\n{self.said()}"
            url = urljoin(url, answer.headers["location"])
            if not url.startswith(f"{self.url}/"):
                return url
        raise AssertionError(f"{begin} never leads to the provider")


@asynccontextmanager
async def running(
    command: Sequence[str | Path], folder: Path, url: str, environment: Mapping[str, str]
) -> AsyncIterator[ThirdPartyApp]:
    """Runs an application until the block ends.

    Args:
        folder: working directory.
        url: polled until it responds.
        environment: in addition to that of the tests.
    """
    app = ThirdPartyApp(url, folder / "app.log")
    with app.log.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log, start_new_session=True
        )
    try:
        await eventually(lambda: _asked(app, process), lambda status: status < 500, START_SECONDS)
        yield app
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)  # some start a process of their own
        await process.wait()


async def _asked(app: ThirdPartyApp, process: asyncio.subprocess.Process) -> int:
    if process.returncode is not None:
        raise SystemError(f"it ended with {process.returncode}:\n{app.said()}")
    return await app.status()
