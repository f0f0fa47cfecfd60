from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes
from portico_runtime.process.clock import Clock

from portico_users.identity_providers.assertions.accepted import NONE_ACCEPTED
from portico_users.identity_providers.assertions.rules import problems_of_assertions
from portico_users.identity_providers.claim_tables import GroupRoles, MappedGroup
from portico_users.identity_providers.idp import AnyConfig, Idp, JwtConfig
from portico_users.identity_providers.issuers import is_same_issuer
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.presets.completed import completed
from portico_users.identity_providers.presets.names import AuthMethod
from portico_users.identity_providers.rules import problems_of, problems_of_tables
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.identity_providers.signing_keys import refuse_unusable_secret, secret_kind
from portico_users.identity_providers.store import IDPS
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.names import INVALID_ID, is_id, is_unreserved, new_id
from portico_users.values.operator_settings import Issuer, OutboundAllowed
from portico_users.values.problems import at, below, refuse_first
from portico_users.values.records import State

SECRET_MISSING = ErrorCode(
    "USER-830",
    Kind.INVALID_REQUEST,
    "A new provider with a client id needs its client secret.",
    "Set clientSecret, preferably from the environment, or authMethod none for a public client.",
)
BIND_PASSWORD_MISSING = ErrorCode(
    "USER-393",
    Kind.INVALID_REQUEST,
    "The password of the search account is required.",
    "Set bindPassword, preferably from the environment. It is required again when servers, "
    "TLS, bindDn or rootCa change.",
)
OTHER_KIND = ErrorCode(
    "USER-607", Kind.FAILED_PRECONDITION, "This identity provider has another type.", "Use the operation for its type."
)
INVALID_IDP_ID = ErrorCode(
    "USER-609",
    Kind.INVALID_REQUEST,
    "Invalid id of an identity provider.",
    "Use letters, digits, hyphens, dots, underscores and tildes: the redirect URI contains the id.",
)
SECRET_NEEDED = ErrorCode(
    "USER-608",
    Kind.INVALID_REQUEST,
    "The client secret is required when issuer, token endpoint or key change.",
    "Send the secret that the provider gave you for it.",
)


@dataclass(frozen=True, slots=True)
class AddIdp(Command):
    commit: Commit
    sealer: SecretSealer
    allowed: OutboundAllowed
    random: RandomBytes
    issuer: Issuer
    clock: Clock

    def plan(self, idp: Idp, *, secret: str = "") -> Entry[Idp]:
        """Plans a new provider; the client secret or LDAP password is encrypted before storage (MG-18).

        Only new ids are checked: providers of older releases may have other ids, and stay usable.
        """
        if idp.id and not is_id(idp.id):
            raise at("id", INVALID_ID.error())
        if idp.id and not is_unreserved(idp.id):
            raise at("id", INVALID_IDP_ID.error())
        accepted = idp.assertions.dated(NONE_ACCEPTED, self.clock.now())
        idp = msgspec.structs.replace(idp, id=idp.id or new_id(self.random), assertions=accepted)
        if _needs_secret(idp.config) and not secret:
            raise at("clientSecret", SECRET_MISSING.error())
        if isinstance(idp.config, LdapConfig) and not secret:
            raise at("bindPassword", BIND_PASSWORD_MISSING.error())
        refuse_assertions(idp, self.issuer)
        return _entry(None, idp, secret, self.sealer, self.allowed)

    async def __call__(self, idp: Idp, secret: str = "", *, actor: str) -> Idp:
        return await self.commit(self.plan(idp, secret=secret), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateIdp(Command):
    commit: Commit
    sealer: SecretSealer
    allowed: OutboundAllowed
    issuer: Issuer
    clock: Clock

    def plan(self, before: Idp, after: Idp, *, secret: str = "") -> Entry[Idp]:
        """Plans a change. The stored secret is never sent to another issuer or LDAP server (MG-18)."""
        if type(after.config) is not type(before.config):
            raise OTHER_KIND.error()
        accepted = after.assertions.dated(before.assertions, self.clock.now())
        after = msgspec.structs.replace(after, config=completed(after.config), assertions=accepted)
        if not secret and before.sealed_secret and not keeps_secret(before, after):
            if isinstance(after.config, LdapConfig):
                raise at("bindPassword", BIND_PASSWORD_MISSING.error())
            raise at("clientSecret", SECRET_NEEDED.error())
        if not secret and _needs_secret(after.config) and not _needs_secret(before.config):
            raise at("clientSecret", SECRET_MISSING.error())
        refuse_assertions(after, self.issuer)
        return _entry(before, after, secret, self.sealer, self.allowed)

    async def __call__(self, before: Idp, after: Idp, secret: str = "", *, actor: str) -> Idp:
        if not is_same_issuer(after.config.issuer, before.config.issuer):
            # The claim tables come only from documents and are bound to an issuer (MG-18), as accepted assertions are.
            after = msgspec.structs.replace(after, tables=after.tables.without_trust(), assertions=NONE_ACCEPTED)
        return await self.commit.change(self.plan(before, after, secret=secret), actor=actor)

    def plan_groups(
        self, entry: Entry[Idp], claim: str, groups: tuple[GroupRoles, ...], memberships: tuple[MappedGroup, ...]
    ) -> Entry[Idp]:
        tables = entry.after.tables
        tables = msgspec.structs.replace(tables, groups_claim=claim, groups=groups, memberships=memberships)
        after = msgspec.structs.replace(entry.after, tables=tables)
        refuse_first(problems_of_tables(after))
        return replace(entry, after=after)


@dataclass(frozen=True, slots=True)
class RemoveIdp(Command):
    """Removes identity providers: frees the name but not the id, deletes the secret, and ends the links of users."""

    commit: Commit

    def plan(self, before: Idp) -> Entry[Idp]:
        return Entry(IDPS, before, msgspec.structs.replace(before, state=State.DELETED, sealed_secret=""))

    async def __call__(self, before: Idp, *, actor: str) -> Idp:
        return await self.commit(self.plan(before), actor=actor)


def refuse_assertions(idp: Idp, issuer: str) -> None:
    """Raises as `problems_of_assertions`."""
    with below("acceptedAssertions"):
        refuse_first(problems_of_assertions(idp, issuer))


def keeps_secret(before: Idp, after: Idp) -> bool:
    """Reports whether the stored secret fits the new configuration and may be sent to it (MG-18)."""
    is_same = after.config.sealed_for == before.config.sealed_for
    return bool(before.sealed_secret) and is_same and secret_kind(before.config) == secret_kind(after.config)


def _needs_secret(config: AnyConfig) -> bool:
    return not isinstance(config, JwtConfig | LdapConfig) and config.auth_method is not AuthMethod.NONE


def _entry(before: Idp | None, idp: Idp, secret: str, sealer: SecretSealer, allowed: OutboundAllowed) -> Entry[Idp]:
    idp = msgspec.structs.replace(idp, config=completed(idp.config))
    if secret:
        with below("bindPassword" if isinstance(idp.config, LdapConfig) else "clientSecret"):
            refuse_unusable_secret(idp.config, secret)
            idp = msgspec.structs.replace(idp, sealed_secret=sealer.seal(secret, idp.id, idp.config.sealed_for))
    if not isinstance(idp.config, JwtConfig | LdapConfig) and idp.config.auth_method is AuthMethod.NONE:
        idp = msgspec.structs.replace(idp, sealed_secret="")
    refuse_first(problems_of(idp, allowed))
    return Entry(IDPS, before, idp)
