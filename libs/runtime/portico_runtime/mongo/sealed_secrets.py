"""Finds stored secrets that the configured master keys cannot decrypt, by the fingerprint stored with each.

Only lasting secrets are listed. Sealed emails and codes expire, and a console session that cannot be decrypted
is a sign-in more.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from portico_oauth.errors import ServiceError

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.mongo.schema_version import COLLECTION
from portico_runtime.process.health import NotReady


class SealedPlace(NamedTuple):
    """Where a service stores secrets.

    Attributes:
        path: the field with the fingerprint, alone or as the beginning of a text up to the first dot.
        one: what a secret is called; `many` is its plural.
    """

    service: str
    collection: str
    path: str
    one: str
    many: str


PLACES: Final = (
    SealedPlace("users", "totpSecrets", "sealed.master", "authenticator app", "authenticator apps"),
    SealedPlace("users", "idps", "sealedSecret", "identity provider secret", "identity provider secrets"),
    SealedPlace("users", "webhooks", "secrets.sealed", "webhook secret", "webhook secrets"),
    SealedPlace("users", "senders", "secrets.sealed", "secret of a sender", "secrets of senders"),
    SealedPlace("users", "senders", "smtpPassword", "password of a mail server", "passwords of mail servers"),
    SealedPlace("users", "scimTargets", "token", "token of a SCIM target", "tokens of SCIM targets"),
    SealedPlace("keys", "signing_keys", "sealed.master", "signing key", "signing keys"),
)

Found = Mapping[SealedPlace, Mapping[str, int]]
"""The number of secrets by place and fingerprint."""


class Unreadable(NamedTuple):
    """`masters` are the fingerprints of the missing master keys; `text` names them and what needs them."""

    masters: frozenset[str]
    text: str


async def find_secrets(database: Database, service: str, readable: Collection[str]) -> Found:
    """Counts the secrets of a service; of secrets in `readable` only that there are some. Raises `unavailable`."""
    found: dict[SealedPlace, Counter[str]] = {}
    async with guarded():
        for place in _places_of(service):
            rows = database[place.collection]
            found[place] = masters = Counter(_master_in(text) for text in await rows.distinct(place.path) if text)
            if place.path.endswith(".master"):  # the same for many records
                for master in masters.keys() - set(readable):
                    masters[master] = await rows.count_documents({place.path: master})
    return found


class SecretCounter:
    """Counts the secrets in documents of a service."""

    def __init__(self, service: str) -> None:
        self.found: dict[SealedPlace, Counter[str]] = {place: Counter() for place in _places_of(service)}

    def counts(self, collection: str) -> bool:
        """Reports whether documents of a collection may have secrets."""
        return any(place.collection == collection for place in self.found)

    def add(self, collection: str, document: Mapping[str, Any]) -> None:
        for place in self.found:
            if place.collection == collection:
                texts = _texts_at(document, place.path.split("."))
                self.found[place].update(_master_in(text) for text in texts if text)


def unreadable(found: Found, readable: Collection[str]) -> Unreadable | None:
    """Returns None if every secret can be decrypted."""
    by_master: dict[str, list[str]] = {}
    for place, masters in found.items():
        for master, count in sorted(masters.items()):
            if master not in readable:
                by_master.setdefault(master, []).append(f"{count} {place.one if count == 1 else place.many}")
    if not by_master:
        return None
    needs = [f"{_listed(kinds)} with master key {master}" for master, kinds in by_master.items()]
    return Unreadable(frozenset(by_master), f"PORTICO_MASTER_KEYS cannot decrypt {_listed(needs)}")


def some_readable(found: Found, readable: Collection[str]) -> bool:
    return any(not masters.keys().isdisjoint(readable) for masters in found.values())


def _places_of(service: str) -> Iterator[SealedPlace]:
    return (place for place in PLACES if place.service == service)


def _master_in(text: str) -> str:
    return text.partition(".")[0]


def _texts_at(value: Any, path: list[str]) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _texts_at(one, path)
    elif path and isinstance(value, Mapping):
        yield from _texts_at(value.get(path[0]), path[1:])
    elif isinstance(value, str):
        yield value


def _listed(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


ACCEPTED: Final = "acceptedMasterKeys"
"""Document in the schema collection with the master keys that the operator restored without."""

_LOOK_SECONDS: Final = 60.0


class SecretsCheck:
    """The readiness of a service by its stored secrets: checked at the start, and every minute while some are unreadable.

    A service that can decrypt none has the wrong master keys, so it is not ready. One that can decrypt some,
    or whose operator restored a backup without them, works for all other users and reports it.
    """

    def __init__(
        self,
        database: Database,
        service: str,
        readable: Collection[str],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._service = service
        self._readable = readable
        self._monotonic = monotonic
        self._look_at = float("-inf")
        self._refusal = ""
        self._degradation = ""

    async def check(self) -> None:
        if self._monotonic() >= self._look_at:
            with suppress(ServiceError):  # the check of MongoDB reports that
                await self._look()
        if self._refusal:
            raise NotReady(self._refusal)

    def degradation(self) -> str:
        return self._degradation

    async def _look(self) -> None:
        found = await find_secrets(self._database, self._service, self._readable)
        missing = unreadable(found, self._readable)
        text = missing.text if missing else ""
        works = missing is None or some_readable(found, self._readable) or await self._is_accepted(missing.masters)
        self._refusal, self._degradation = ("", text) if works else (text, "")
        self._look_at = self._monotonic() + _LOOK_SECONDS if missing else float("inf")

    async def _is_accepted(self, masters: Collection[str]) -> bool:
        async with guarded():
            row = await self._database[COLLECTION].find_one({"_id": ACCEPTED}) or {}
        return set(masters) <= set(row.get("masters", ()))
