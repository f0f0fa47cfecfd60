"""Events as the management API answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

EVENTS = "portico.management.v1.EventService/ListEvents"
PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
USERS = "portico.user.v2.UserService/ListUsers"
BASE = "/ui/console/orgs/o1/audit"

GRACE = {
    "id": "grace",
    "type": "users",
    "name": "Grace Hopper",
    "resourceOwner": "o1",
    "loginName": "grace@acme.example",
}
CARL = {"id": "carl", "type": "users", "name": "Carl <Sagan>", "resourceOwner": "o1"}


def event(**more: Any) -> dict[str, Any]:
    found = {
        "id": "e1", "aggregateType": "users", "aggregateId": "carl", "resourceOwner": "o1", "sequence": "2",
        "creationDate": "2026-11-26T07:30:12.345Z", "editorUserId": "grace", "type": "updated", "fields": ["state"],
        "payload": {"state": "locked"}, "editor": GRACE, "object": CARL, "activity": "users.locked",
        "summary": "Grace Hopper locked Carl <Sagan>",
        "changes": [{"field": "state", "label": "State", "before": ["active"], "after": ["locked"]}],
    }  # fmt: skip
    return found | more


SIGN_IN = event(
    id="e2", aggregateType="signIns", aggregateId="e2", editorUserId="carl", type="signed_in", editor=CARL,
    object={"id": "e2", "type": "signIns"}, activity="signIns.signedIn", summary="Carl signed in to Wiki",
    payload={"methods": ["pwd", "hwk", "mfa"], "device": "Firefox, Linux", "country": "NL"},
    related=[CARL, {"id": "a1", "type": "apps", "name": "Wiki", "resourceOwner": "o1"}, {"id": "p1", "type": "projects"}],
    changes=[{"field": "methods", "label": "Methods", "after": ["pwd"]}], creationDate="2026-11-25T07:00:00Z",
)  # fmt: skip
REFUSED = event(
    id="e3", aggregateType="requests", aggregateId="e3", editorUserId="system", type="refused", editor={"id": "system"},
    object={"id": "e3", "type": "requests"}, activity="requests.refused", related=SIGN_IN["related"][1:],
    payload={"count": 12, "errorId": "AUTHZ-005", "requestId": "0af7651916cd43dd8448eb211c80319c"}, changes=[],
)  # fmt: skip

Answer = Callable[[dict[str, Any], httpx.Request], httpx.Response]


def answering(body: dict[str, Any]) -> Answer:
    return lambda _fields, _request: httpx.Response(200, json=body)


def paged(*pages: list[dict[str, Any]]) -> Answer:
    """Pages that follow each other by the tokens 1, 2 and so on."""

    def answer(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        number = int(fields.get("pageToken") or 0)
        more = {"nextPageToken": str(number + 1)} if number + 1 < len(pages) else {}
        return httpx.Response(200, json={"details": {}, "result": pages[number], **more})

    return answer
