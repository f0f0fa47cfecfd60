"""A browser without scripts, over httpx: stores cookies, follows the provider's redirects, submits forms by id.

It follows the page that returns to the application like a redirect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
from portico_harness.html_forms import Document

MAX_HOPS: Final = 10


@dataclass(frozen=True, slots=True)
class Page:
    """The end of a navigation: a page of the provider, or the return to the relying party.

    Args:
        response: the last response of the provider.
        returned: the parameters sent to another origin, by redirect or form; else None.
        location: that URL.
    """

    response: httpx.Response
    returned: dict[str, str] | None = None
    location: str = ""

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def document(self) -> Document:
        return Document(self.response.text)

    def shows(self, id: str) -> bool:
        return self.returned is None and id in self.document.ids


class Agent:
    """One browser with separate cookies.

    Args:
        stops_at: a URL of the issuer that it does not open, like those of other origins.
    """

    def __init__(self, issuer: str, http: httpx.AsyncClient, stops_at: str = "") -> None:
        self._issuer = issuer
        self._stops_at = stops_at
        self.http = http
        self.page: Page | None = None

    async def open(self, url: str) -> Page:
        return await self._follow(await self.http.get(url))

    async def press(self, button: str, **values: str) -> Page:
        """Presses a button or link, with fields filled in by element id (``-`` as ``_``).

        Raises:
            LookupError: when the element is missing.
        """
        assert self.page is not None, "no page is open"
        document = self.page.document
        here = str(self.page.response.url)
        if button in document.links:
            return await self.open(urljoin(here, document.links[button]))
        form = document.form_with(button)
        if form is None:
            raise LookupError(f"no {button} at {here} ({self.page.status}): {self.page.response.text[:2000]}")
        fields = form.filled(button, {id.replace("_", "-"): value for id, value in values.items()})
        action = urljoin(here, form.action or here)
        if not self._follows(action):
            self.page = Page(self.page.response, fields, action)
            return self.page
        answer = await self.http.request(form.method, action, data=fields, headers=self._form_headers())
        return await self._follow(answer)

    async def sign_in(self, url: str, login_name: str, password: str) -> Page:
        await self.open(url)
        await self.press("loginname-submit", loginname=login_name)
        return await self.press("password-submit", password=password)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    def _follows(self, address: str) -> bool:
        stops = bool(self._stops_at) and address.startswith(self._stops_at)
        return address.startswith(f"{self._issuer}/") and not stops

    def _form_headers(self) -> dict[str, str]:
        return {"Origin": self._issuer, "Sec-Fetch-Site": "same-origin"}

    async def _follow(self, response: httpx.Response) -> Page:
        for _ in range(MAX_HOPS):
            onward = redirect_from(response)
            if not onward:
                self.page = Page(response)
                return self.page
            location = urljoin(str(response.url), onward)
            if not self._follows(location):
                self.page = Page(response, _answer_in(location), location)
                return self.page
            response = await self.http.get(location)
        raise AssertionError(f"more than {MAX_HOPS} redirects, the last from {response.url}")


def redirect_from(response: httpx.Response) -> str:
    """Returns the URL of a redirect, or of the page that returns to the application; else empty."""
    if response.has_redirect_location:
        return response.headers["location"]
    is_page = response.headers.get("content-type", "").startswith("text/html")
    return Document(response.text).return_address if is_page else ""


def _answer_in(location: str) -> dict[str, str]:
    parts = urlsplit(location)
    return dict(parse_qsl(parts.fragment or parts.query, keep_blank_values=True))
