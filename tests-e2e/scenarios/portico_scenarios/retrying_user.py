"""A user who signs in during failures: reloads, presses the offered button, resubmits forms."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import httpx

from portico_scenarios.agent import Agent, Page
from portico_scenarios.participants import KnownUser

MAX_TRIES: Final = 30


async def as_told(answer: httpx.Response) -> None:
    """Waits for the seconds in Retry-After; an earlier retry is refused again."""
    await asyncio.sleep(int(answer.headers["retry-after"]))  # allow fixed-wait: the pause that the answer states


class Lost(Exception):
    pass


@dataclass
class RetryingUser:
    """One sign-in of one user.

    Args:
        retries: number of reloads and resubmitted forms.
    """

    agent: Agent
    person: KnownUser
    retries: int = 0

    async def sign_in(self, url: str) -> Page:
        """Continues until the browser is back at the application.

        Raises:
            Lost: when the page offers only a new sign-in, or retries do not help.
        """
        reload = url
        page = await self._try(reload)
        for _ in range(MAX_TRIES):
            if page is not None and page.returned is not None:
                return page
            if page is not None and page.status < 500 and page.shows("error-page") and not page.shows("error-retry"):
                raise Lost(f"{page.status} at {page.response.url}: {page.response.text}")
            if page is None or page.status >= 500:
                self.retries += 1
                page = await self._try(reload)
                continue
            if page.shows("error-retry"):
                self.retries += 1
                page = await self._press("error-retry")
                continue
            reload = str(page.response.url)
            page = await self._enter(page)
        raise Lost(f"nothing helps after {self.retries} retries")

    async def _enter(self, page: Page) -> Page | None:
        if page.shows("loginname"):
            return await self._press("loginname-submit", loginname=self.person.login_name)
        return await self._press("password-submit", password=self.person.password)

    async def _press(self, button: str, **values: str) -> Page | None:
        try:
            return await self.agent.press(button, **values)
        except httpx.TransportError:
            return None

    async def _try(self, url: str) -> Page | None:
        try:
            return await self.agent.open(url)
        except httpx.TransportError:
            return None
