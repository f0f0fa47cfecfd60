from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import structlog
from portico_contracts.users import Profile, VerifiedIdentity
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.http_client.addresses import AddressNotAllowed
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.claim_tables import ClaimTables
from portico_users.identity_providers.distinguished_names import one_spelling
from portico_users.identity_providers.federation.claims import Seen, profile_of
from portico_users.identity_providers.federation.code_exchange import StoredSecrets
from portico_users.identity_providers.federation.errors import (
    DIRECTORY_REFUSED,
    NEW_PASSWORD_NEEDED,
    NO_ENTRY_SUBJECT,
    NOT_REACHABLE,
    SEARCH_ACCOUNT_REFUSED,
    SEVERAL_ENTRIES,
)
from portico_users.identity_providers.federation.ldap.connection import LdapConnection, LdapConnections
from portico_users.identity_providers.federation.ldap.messages import SUCCESS, WRONG_PASSWORD, Entry, Search
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.ldap import GUID, LdapAttributes, LdapConfig
from portico_users.identity_providers.ldap_rules import read_server
from portico_users.values.operator_settings import OutboundAllowed
from portico_users.values.records import version_of

_TRUE = b"TRUE"
"""RFC 4517 section 3.3.3."""

_CLAIMS = {
    "preferred_username": "preferred_username",
    "first_name": "given_name",
    "last_name": "family_name",
    "display_name": "name",
    "email": "email",
    "preferred_language": "locale",
    "avatar_url": "picture",
}


_AT_A_TIME: Final = 200
_OTHER_GROUPS: Final = 100


def attributes_of(names: LdapAttributes, groups: str) -> tuple[str, ...]:
    wanted = (names.subject, *(getattr(names, field) for field in _CLAIMS), names.email_verified, groups)
    return tuple(dict.fromkeys(filter(None, wanted)))


def subject_in(entry: Entry, names: LdapAttributes) -> str:
    """Returns the permanent subject: UUIDs in lower case, Active Directory's 16 octets as a UUID."""
    values = entry.attributes.get(names.subject.lower(), ())
    if len(values) != 1 or not values[0]:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, values=len(values))
    try:
        if names.subject.lower() == GUID.lower():
            return str(uuid.UUID(bytes_le=values[0]))
        text = values[0].decode("ascii").lower()
    except ValueError:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, cause="no such value") from None
    if not text.isprintable() or len(text) > 100:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, cause="no such value")
    return text


def profile_in(entry: Entry, names: LdapAttributes) -> Profile:
    """Returns the account data within their limits; the first value of multi-valued attributes."""
    claims: dict[str, object] = {claim: _text(entry, getattr(names, field)) for field, claim in _CLAIMS.items()}
    verified = entry.attributes.get(names.email_verified.lower(), ()) if names.email_verified else ()
    # With several addresses it is unknown which one was verified.
    several = len(entry.attributes.get(names.email.lower(), ())) > 1
    return profile_of(claims | {"email_verified": verified == (_TRUE,) and not several})


def groups_in(entry: Entry, tables: ClaimTables) -> tuple[str, ...]:
    """Returns the mapped groups that the attribute lists: whole values, usually distinguished names, in any spelling."""
    values = {_spelling(value) for value in entry.attributes.get(tables.groups_claim.lower(), ())}
    return tuple(sorted(name for name in tables.group_names if one_spelling(name) in values))


async def with_kept_groups(entry: Entry, tables: ClaimTables) -> Entry:
    """Keeps the mapped groups, and a few others for administrators who look for the names of groups.

    A name takes up to 20 µs to compare, so other requests are served in between (RX-08).
    """
    name = tables.groups_claim.lower()
    values = entry.attributes.get(name, ())
    mapped = set(map(one_spelling, tables.group_names))
    kept = dict.fromkeys(values[:_OTHER_GROUPS])
    for number, value in enumerate(values, 1):
        if number % _AT_A_TIME == 0:
            await asyncio.sleep(0)
        if _spelling(value) in mapped:
            kept[value] = None
    return Entry(entry.dn, {**entry.attributes, name: tuple(kept)}) if values else entry


def _spelling(value: bytes) -> str:
    return one_spelling(value.decode(errors="replace"))


def _text(entry: Entry, name: str) -> str:
    values = entry.attributes.get(name.lower(), ()) if name else ()
    try:
        return values[0].decode() if values else ""
    except UnicodeDecodeError:
        return ""


def _shown(values: Sequence[bytes]) -> str:
    try:
        return ", ".join(one.decode() for one in values)
    except UnicodeDecodeError:
        return ", ".join(one.hex() for one in values)


log = structlog.get_logger("portico.federation")

SIZE_LIMIT: Final = 2
"""Enough to detect that a login name is ambiguous."""

CountAttempt = Callable[[str], Awaitable[None]]
"""Counts an attempt on a subject, empty for none, before the password is verified; raises to refuse it (LG-05)."""


@dataclass(slots=True)
class _Attempt:
    """A login name and password, for all servers that are asked."""

    login_name: str
    password: str = field(repr=False)
    count: CountAttempt
    seen: Seen
    counted: set[str] = field(default_factory=set)

    async def count_once(self, subject: str) -> None:
        """Counts each subject once: a server that fails later leaves the same attempt to the next one."""
        if subject not in self.counted:
            await self.count(subject)
            self.counted.add(subject)


@dataclass(frozen=True, slots=True)
class LdapProvider:
    connections: LdapConnections
    secrets: StoredSecrets
    allowed: OutboundAllowed
    random: RandomBytes
    clock: Clock

    async def verify(
        self, idp: Idp, config: LdapConfig, login_name: str, password: str, count: CountAttempt, seen: Seen
    ) -> VerifiedIdentity | None:
        """Returns None alike, after the same requests, for a wrong password and an unknown login name.

        An empty password is refused before any request (RFC 4513 section 5.1.2).
        """
        if not login_name or not password:
            return None
        secret = self.secrets.of(idp)
        attempt = _Attempt(login_name, password, count, seen)
        for number, url in enumerate(config.servers, 1):
            try:
                server = read_server(url, self.allowed)
                async with self.connections.connect(server, config.root_ca, config.seconds) as connection:
                    return await self._verify(connection, idp, config, secret, attempt)
            except AddressNotAllowed as error:
                raise NOT_REACHABLE.error(cause=str(error)) from error
            except ServiceError as error:
                if error.id != NOT_REACHABLE.id or number == len(config.servers):
                    raise
                log.warning("ldap server not reached", idp_id=idp.id, **error.private)
        raise NOT_REACHABLE.error(cause="no server")

    async def _verify(
        self,
        connection: LdapConnection,
        idp: Idp,
        config: LdapConfig,
        secret: str,
        attempt: _Attempt,
    ) -> VerifiedIdentity | None:
        if (result := (await connection.bind(config.bind_dn.encode(), secret)).result) != SUCCESS:
            raise SEARCH_ACCOUNT_REFUSED.error(result=result)
        entry = await self._find(connection, config, attempt.login_name, idp.tables)
        entry = await with_kept_groups(entry, idp.tables) if entry else None
        subject = subject_in(entry, config.attributes) if entry else ""
        await attempt.count_once(subject)
        # Without an entry bind as a random DN, so that both cases take the same number of requests.
        dn = entry.dn if entry else f"cn={self.random(16).hex()},{config.base_dn}".encode()
        bound = await connection.bind(dn, attempt.password)
        result = bound.result
        if entry and bound.wants_new_password:
            raise NEW_PASSWORD_NEEDED.error(result=result)
        if entry is None or result in WRONG_PASSWORD:
            return None
        if result != SUCCESS:
            raise DIRECTORY_REFUSED.error(part="bind", result=result)
        attempt.seen["ldap"] = {name: _shown(values) for name, values in entry.attributes.items()}
        now = int(self.clock.now())
        identity = VerifiedIdentity(
            provider_id=idp.id,
            issuer=config.issuer,
            subject=subject,
            profile=profile_in(entry, config.attributes),
            version=version_of(idp),
            verified_at=now,
            auth_time=now,  # the password was entered here
        )
        return msgspec.structs.replace(identity, groups=groups_in(entry, idp.tables))

    async def _find(
        self, connection: LdapConnection, config: LdapConfig, login_name: str, tables: ClaimTables
    ) -> Entry | None:
        search = Search(
            base_dn=config.base_dn,
            names=config.user_filters,
            value=login_name,
            classes=config.user_object_classes,
            wanted=attributes_of(config.attributes, tables.groups_claim),
            size_limit=SIZE_LIMIT,
            seconds=config.seconds,
            groups=tables.groups_claim.lower(),
        )
        found = await connection.search(search)
        if len(found) > 1:
            raise SEVERAL_ENTRIES.error()
        if found and not found[0].dn:
            raise DIRECTORY_REFUSED.error(part="search", cause="an entry without a name")
        return found[0] if found else None
