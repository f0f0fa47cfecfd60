"""Requests to a SCIM target (RFC 7644), at its rate, and what a response means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from portico_oauth.surrogates import find_lone_surrogate
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse

from portico_users.scim_targets.target import ScimTarget

MEDIA_TYPE: Final = "application/scim+json"
PATCH_OP: Final = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

PAGE: Final = 100
MAX_BYTES: Final = 2 * 1024 * 1024
"""Of a response: a page of accounts with their groups."""

MAX_ID: Final = 500
MAX_ACCOUNTS: Final = 2_000_000

Resource = dict[str, Any]

_PAUSING: Final = frozenset({429, 503})
_OF_TARGET: Final = frozenset({401, 403, 404, 405, 408, 421, 429, 501})
"""Statuses that have nothing to do with the account, in addition to 3xx and 5xx."""


class TargetFailed(Exception):
    """The target does not work: further requests are pointless for now. ``retry_after`` is the header as sent."""

    def __init__(self, cause: str, status: int = 0, retry_after: str = "") -> None:
        super().__init__(cause)
        self.cause = cause[:200]
        self.status = status
        self.retry_after = retry_after


class AccountRefused(Exception):
    """The target, or a rule here, refuses one account; others are not affected."""

    def __init__(self, cause: str, status: int = 0) -> None:
        super().__init__(cause)
        self.cause = cause[:200]
        self.status = status


class SendScim(Protocol):
    async def request(
        self, method: str, url: str, body: bytes, headers: dict[str, str], *, limit: int
    ) -> OutboundResponse:
        """Raises `OutboundError` if the request is not allowed or fails. Follows no redirect."""
        ...


class Account(NamedTuple):
    """An account at a target; ``resource`` is the whole of it."""

    id: str
    external_id: str
    user_name: str
    resource: Resource


class AccountPage(NamedTuple):
    total: int
    accounts: list[Account]


@dataclass(slots=True)
class Pacer:
    """Keeps the pause between two requests to a target."""

    seconds: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = field(default_factory=lambda: asyncio.get_running_loop().time)
    _next: float = 0.0

    async def wait(self) -> None:
        now = self.now()
        if now < self._next:
            await self.sleep(self._next - now)
        self._next = max(now, self._next) + self.seconds


@dataclass(frozen=True, slots=True)
class TargetClient:
    """A target, as the holder of its token sees it."""

    target: ScimTarget
    token: str = field(repr=False)
    send: SendScim
    pacer: Pacer

    async def find(self, id: str) -> Account | None:
        status, found = await self._request("GET", f"/Users/{_segment(id)}", missing=True)
        return None if status == 404 else account_of(found)

    async def find_by(self, attribute: str, value: str) -> list[Account]:
        """Returns what a filter finds; the caller compares, because some servers ignore filters."""
        query = urlencode({"filter": f"{attribute} eq {json.dumps(value)}"})
        _, found = await self._request("GET", f"/Users?{query}")
        return _page(found).accounts

    async def list_page(self, place: int) -> AccountPage:
        _, found = await self._request("GET", f"/Users?{urlencode({'startIndex': place, 'count': PAGE})}")
        return _page(found)

    async def create(self, resource: Resource) -> Account | None:
        """Returns None if an account with these values exists."""
        status, found = await self._request("POST", "/Users", resource, conflict=True)
        return None if status == 409 else account_of(found)

    async def patch(self, id: str, operations: list[dict[str, Any]]) -> bool:
        """Returns False if the target has no PATCH, which RFC 7644 does not demand."""
        body = {"schemas": [PATCH_OP], "Operations": operations}
        status, _ = await self._request("PATCH", f"/Users/{_segment(id)}", body, unsupported=True)
        return status not in (405, 501)

    async def replace(self, id: str, resource: Resource, version: str) -> None:
        headers = {"If-Match": version} if version else {}
        await self._request("PUT", f"/Users/{_segment(id)}", resource, headers=headers)

    async def delete(self, id: str) -> None:
        await self._request("DELETE", f"/Users/{_segment(id)}", missing=True)

    async def test(self) -> None:
        """Reads one account. Raises `TargetFailed` or `AccountRefused`."""
        _, found = await self._request("GET", f"/Users?{urlencode({'startIndex': 1, 'count': 1})}")
        _page(found)

    async def _request(
        self,
        method: str,
        path: str,
        body: Resource | None = None,
        *,
        headers: dict[str, str] | None = None,
        missing: bool = False,
        conflict: bool = False,
        unsupported: bool = False,
    ) -> tuple[int, Resource | None]:
        await self.pacer.wait()
        sent = {"Accept": MEDIA_TYPE, "Authorization": f"Bearer {self.token}", **(headers or {})}
        content = b""
        if body is not None:
            sent["Content-Type"] = MEDIA_TYPE
            content = json.dumps(body, ensure_ascii=False).encode()
        try:
            answer = await self.send.request(method, f"{self.target.base}{path}", content, sent, limit=MAX_BYTES)
        except OutboundError as error:
            raise TargetFailed(str(error)) from error
        status = answer.status
        expected = (missing and status == 404, conflict and status == 409, unsupported and status in (405, 501))
        if not (200 <= status < 300 or any(expected)):
            cause = f"{method} was answered with status {status}"
            if status < 400 or status >= 500 or status in _OF_TARGET:
                raise TargetFailed(cause, status, answer.retry_after if status in _PAUSING else "")
            raise AccountRefused(_with_detail(cause, answer.body), status)
        return status, _json_of(answer, method)


def account_of(found: object) -> Account:
    """Raises `TargetFailed` for a response that is not an account."""
    id = found.get("id") if isinstance(found, dict) else None
    # An id is a segment of a path; with these two names it would be another path.
    if not isinstance(found, dict) or not isinstance(id, str) or not 0 < len(id) <= MAX_ID or id in (".", ".."):
        raise TargetFailed("the response has no account with an id")
    return Account(id, _text(found.get("externalId")), _text(found.get("userName")), found)


def _page(found: object) -> AccountPage:
    total = found.get("totalResults") if isinstance(found, dict) else None
    entries = found.get("Resources", []) if isinstance(found, dict) else None
    if not isinstance(total, int) or not isinstance(entries, list | None):
        raise TargetFailed("the response is no list of accounts")
    if total > MAX_ACCOUNTS:
        raise TargetFailed("the target has too many accounts")
    return AccountPage(total, [account_of(one) for one in entries or []])


def _json_of(answer: OutboundResponse, method: str) -> Resource | None:
    """The object in a response; None without one. A page of HTML with status 200 is no success."""
    if not answer.body.strip():
        return None
    try:
        text = answer.body.decode("utf-8-sig")
        found = json.loads(text)
    except (ValueError, RecursionError):
        text, found = "", None
    if isinstance(found, dict) and find_lone_surrogate(text, found) is None:
        return found
    if answer.status in (404, 405, 409, 501):
        return None
    raise TargetFailed(f"{method} was answered with status {answer.status}, but not in JSON", answer.status)


def _with_detail(cause: str, body: bytes) -> str:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return cause
    detail = found.get("detail") if isinstance(found, dict) else None
    return f"{cause}: {detail}" if isinstance(detail, str) and detail.isprintable() else cause


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _segment(id: str) -> str:
    return quote(id, safe="")
