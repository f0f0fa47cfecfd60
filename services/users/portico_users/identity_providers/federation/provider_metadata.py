"""What an OpenID provider publishes of itself (OpenID Connect Discovery §3, RFC 8414), fetched and kept for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import structlog
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.addresses import AddressNotAllowed, read_web_address
from portico_runtime.http_client.outbound import MAX_BYTES
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.federation.errors import NOT_REACHABLE, OTHER_PROVIDER, UNREADABLE_ANSWER
from portico_users.identity_providers.federation.provider_calls import ProviderClient, fetch_object
from portico_users.values.operator_settings import OutboundAllowed

log = structlog.get_logger("portico.federation")

REFETCH_SECONDS: Final = 30.0
"""Minimum interval between fetches of a document, whatever kids tokens contain."""

FRESH_SECONDS: Final = 3_600.0
"""How long a document is used without a refresh, and thus how long a withdrawn key can still verify."""

LONGEST_SECONDS: Final = 86_400.0
"""How long the last version is used while the document cannot be fetched."""

MOST: Final = 1_000

Read = TypeVar("Read")


@dataclass(slots=True)
class _Known:
    value: Any = None
    read_at: float = float("-inf")
    tried_at: float = float("-inf")
    failure: ServiceError | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class FetchedDocuments:
    """Parsed documents by URL, in this replica's memory."""

    def __init__(self, client: ProviderClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[str, str], _Known] = {}

    async def find(
        self,
        idp_id: str,
        url: str,
        read: Callable[[dict[str, object]], Read],
        fits: Callable[[Read], bool],
        *,
        limit: int = MAX_BYTES,
    ) -> Read:
        """Fetches a stale or unfit document; after a failure, returns a version of the last day. ``limit``: bytes.

        Without such a version, the failure has the same error until the next fetch.
        """
        known = self._entry(idp_id, url)
        async with known.lock:  # one flight: those who wait find what it brought
            now = self._clock.now()
            fresh = 0 <= now - known.read_at < FRESH_SECONDS
            if (fresh and fits(known.value)) or 0 <= now - known.tried_at < REFETCH_SECONDS:
                return self._usable(known, now, read)
            known.tried_at = now
            try:
                known.value = read(await fetch_object(self._client, url, limit=limit))
                known.read_at, known.failure = now, None
            except ServiceError as error:
                known.failure = _again(error)
                if not 0 <= now - known.read_at < LONGEST_SECONDS:
                    raise
                log.warning(
                    "identity provider document not available", idp_id=idp_id, error_code=error.id, **error.private
                )
            return self._usable(known, now, read)

    def _usable(self, known: _Known, now: float, _read: Callable[[dict[str, object]], Read]) -> Read:
        if not 0 <= now - known.read_at < LONGEST_SECONDS:
            if (failure := known.failure) is None:  # cancelled while it was fetched
                raise NOT_REACHABLE.error(cause="not read a short time ago")
            raise _again(failure)
        value: Read = known.value
        return value

    def _entry(self, idp_id: str, url: str) -> _Known:
        place = (idp_id, url)
        known = self._known.pop(place, None) or _Known()
        self._known[place] = known  # at the end: the first is the one that was not used for longest
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return known


def _again(error: ServiceError) -> ServiceError:
    """The same error for another caller, without the traceback, which keeps all frames in memory."""
    return ServiceError(error.kind, error.id, error.text, private=error.private)


WELL_KNOWN: Final = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class ProviderMetadata:
    """Endpoints and features; ``sends_issuer``: responses include ``iss`` (RFC 9207 section 3)."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    auth_methods: tuple[str, ...] = ()
    sends_issuer: bool = False


@dataclass(frozen=True, slots=True)
class Discovery:
    documents: FetchedDocuments
    allowed: OutboundAllowed

    async def find(self, idp_id: str, issuer: str, published: tuple[str, ...]) -> ProviderMetadata:
        """Returns the metadata of an issuer. Its URLs are checked at each request (IP-03)."""

        def read(document: dict[str, object]) -> ProviderMetadata:
            if document.get("issuer") not in published:
                raise OTHER_PROVIDER.error(issuer=str(document.get("issuer"))[:200], url=url)
            return self._read(document, url)

        url = issuer.removesuffix("/") + WELL_KNOWN
        return await self.documents.find(idp_id, url, read, lambda _: True)

    def _read(self, document: dict[str, object], url: str) -> ProviderMetadata:
        needed = [document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        userinfo = document.get("userinfo_endpoint", "")
        methods = document.get("token_endpoint_auth_methods_supported", [])
        if not isinstance(methods, list) or not all(isinstance(one, str) for one in (*needed, userinfo, *methods)):
            raise UNREADABLE_ANSWER.error(cause="metadata", url=url)
        authorization_endpoint, token_endpoint, jwks_uri = map(str, needed)
        try:
            read_web_address(authorization_endpoint, self.allowed)
        except AddressNotAllowed as error:
            raise UNREADABLE_ANSWER.error(cause=str(error), url=url) from None
        if "#" in authorization_endpoint:
            raise UNREADABLE_ANSWER.error(cause="fragment", url=url)
        return ProviderMetadata(
            authorization_endpoint=authorization_endpoint,
            token_endpoint=token_endpoint,
            jwks_uri=jwks_uri,
            userinfo_endpoint=str(userinfo),
            auth_methods=tuple(methods),
            sends_issuer=document.get("authorization_response_iss_parameter_supported") is True,
        )
