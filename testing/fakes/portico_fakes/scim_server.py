"""A SCIM server in memory (RFC 7644), as a target of accounts: strict, and with failures on request."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse

_FILTER: Final = re.compile(r'(externalId|userName) eq ("(?:[^"\\]|\\.)*")')
_KNOWN: Final = frozenset({"schemas", "externalId", "userName", "name", "displayName", "emails", "active"})

Answer = OutboundResponse | OutboundError | None
"""None: as the server answers."""


@dataclass
class ScimServer:
    """Attributes:
    accounts: by id, as stored.
    requests: method and path of each, with its body.
    tokens: that were sent.
    fail: is asked about each request first; answers in place of the server.
    patches: has PATCH.
    ignores_filters: answers every search with all accounts.
    after: is awaited after each request that was carried out.
    """

    base: str = "https://scim.example/v2"
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    fail: Callable[[str, str], Answer] = lambda _method, _path: None
    patches: bool = True
    ignores_filters: bool = False
    page: int = 100
    after: Callable[[str], Awaitable[None]] | None = None
    made: int = 0

    async def request(
        self, method: str, url: str, body: bytes, headers: dict[str, str], *, limit: int
    ) -> OutboundResponse:
        assert url.startswith(f"{self.base}/"), url
        path = url.removeprefix(self.base)
        self.requests.append((method, path, json.loads(body) if body else None))
        self.tokens.append(headers["Authorization"].removeprefix("Bearer "))
        failed = self.fail(method, path)
        if isinstance(failed, OutboundError):
            raise failed
        if failed is not None:
            return failed
        answer = self._answer(method, urlsplit(path).path, parse_qs(urlsplit(path).query), body)
        assert len(answer.body) <= limit
        if self.after:
            await self.after(method)
        return answer

    def written(self) -> list[tuple[str, str]]:
        """Method and path of the requests that change something."""
        return [(method, path) for method, path, _ in self.requests if method != "GET"]

    def named(self, user_name: str) -> dict[str, Any]:
        (found,) = (one for one in self.accounts.values() if one["userName"] == user_name)
        return found

    def add(self, user_name: str, **members: Any) -> str:
        self.made += 1
        id = f"remote/{self.made}"  # needs quoting in a path
        self.accounts[id] = {"id": id, "userName": user_name, "active": True, **members}
        return id

    def _answer(self, method: str, path: str, query: dict[str, list[str]], body: bytes) -> OutboundResponse:
        if path == "/Users":
            return self._create(json.loads(body)) if method == "POST" else self._search(query)
        id = unquote(path.removeprefix("/Users/"))
        if not path.startswith("/Users/") or id not in self.accounts:
            return _json(404, {"detail": "not found"})
        if method == "GET":
            return _json(200, self._shown(id))
        if method == "DELETE":
            del self.accounts[id]
            return OutboundResponse(204, b"")
        return self._change(method, id, json.loads(body))

    def _search(self, query: dict[str, list[str]]) -> OutboundResponse:
        found = list(self.accounts)
        if "filter" in query and not self.ignores_filters:
            matched = _FILTER.fullmatch(query["filter"][0])
            assert matched, query
            name, value = matched[1], json.loads(matched[2]).lower()
            found = [id for id in found if str(self.accounts[id].get(name, "")).lower() == value]
        start, count = int(query.get("startIndex", ["1"])[0]), int(query.get("count", ["100"])[0])
        shown = [self._shown(id) for id in found[start - 1 :][: min(count, self.page)]]
        return _json(200, {"totalResults": len(found), "startIndex": start, "Resources": shown})

    def _create(self, sent: dict[str, Any]) -> OutboundResponse:
        assert set(sent) <= _KNOWN, sent
        if any(one["userName"].lower() == sent["userName"].lower() for one in self.accounts.values()):
            return _json(409, {"scimType": "uniqueness"})
        return _json(201, self._shown(self.add(**({"user_name": sent.pop("userName")} | sent))))

    def _change(self, method: str, id: str, sent: dict[str, Any]) -> OutboundResponse:
        if method == "PUT":
            assert not {"password", "groups", "meta"} & set(sent)
            self.accounts[id] = sent | {"id": id}
            return _json(200, self._shown(id))
        if not self.patches:
            return _json(501, {"detail": "no PATCH"})
        for one in sent["Operations"]:
            first, _, second = one["path"].partition(".")
            assert first in _KNOWN, "id and other read-only attributes are in no PATCH"
            place = self.accounts[id].setdefault(first, {}) if second else self.accounts[id]
            if one["op"] == "remove":
                place.pop(second or first, None)
            else:
                place[second or first] = one["value"]
        return OutboundResponse(204, b"")

    def _shown(self, id: str) -> dict[str, Any]:
        return {**self.accounts[id], "meta": {"resourceType": "User", "version": 'W/"1"'}, "groups": []}


def _json(status: int, body: dict[str, Any]) -> OutboundResponse:
    return OutboundResponse(status, json.dumps(body).encode(), content_type="application/scim+json")
