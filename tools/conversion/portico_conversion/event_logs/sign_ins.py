"""The requests of an event log, counted: a million sign-ins are a few hundred different requests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

from portico_conversion.event_logs.old_request import OldRequest
from portico_conversion.findings import Place

MOST_REQUESTS: Final = 2_000
MOST_USERS: Final = 100_000
MOST_URIS: Final = 1_000


Kind = TypeVar("Kind")


class Authorization(NamedTuple):
    client_id: str
    redirect_uri: str
    response_type: str
    response_mode: str


class TokenRequest(NamedTuple):
    client_id: str
    grant_type: str
    scope: str
    with_secret: bool | None


class SignIns:
    """`first` is the place of the first request of each kind; `unread` counts what is beyond the limits."""

    def __init__(self) -> None:
        self.authorizations: Counter[Authorization] = Counter()
        self.token_requests: Counter[TokenRequest] = Counter()
        self.users: Counter[str] = Counter()
        self.providers: Counter[str] = Counter()
        self.first: dict[object, Place] = {}
        self.unread = 0
        self.uris: defaultdict[str, set[str]] = defaultdict(set)

    def add_all(self, requests: Iterable[OldRequest]) -> None:
        for request in requests:
            self._add(request)

    def _add(self, request: OldRequest) -> None:
        if request.grant_type:
            kind = TokenRequest(request.client_id, request.grant_type, request.scope, request.with_secret)
            self._count(self.token_requests, kind, request.place, MOST_REQUESTS)
        else:
            asked = Authorization(request.client_id, request.redirect_uri, request.response_type, request.response_mode)
            self._count(self.authorizations, asked, request.place, MOST_REQUESTS)
            if len(self.uris[request.client_id]) < MOST_URIS:
                self.uris[request.client_id].add(request.redirect_uri)
        if request.user_id:
            self._count(self.users, request.user_id, request.place, MOST_USERS)
        if request.provider:
            self._count(self.providers, request.provider, request.place, MOST_REQUESTS)

    def _count(self, counter: Counter[Kind], kind: Kind, place: Place, most: int) -> None:
        if kind in counter or len(counter) < most:
            counter[kind] += 1
            self.first.setdefault(kind, place)
        else:
            self.unread += 1
