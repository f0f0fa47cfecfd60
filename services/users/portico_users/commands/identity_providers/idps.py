"""Adds, changes and removes identity providers of both kinds."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.directory.identity_providers.changes import OTHER_KIND, SECRET_NEEDED, put_idp, without_secret
from portico_users.directory.identity_providers.idp import Idp, OidcConfig
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id
from portico_users.kernel.operator_settings import OutboundAllowed
from portico_users.kernel.problems import at, below

SECRET_MISSING = ErrorCode(
    "USER-830",
    Kind.INVALID_REQUEST,
    "A new OpenID Connect provider needs its client secret.",
    "Add clientSecret, best from the environment.",
)


@dataclass(frozen=True, slots=True)
class AddIdp(Command):
    """Creates an identity provider."""

    commit: Commit
    sealer: SecretSealer
    allowed: OutboundAllowed
    random: RandomBytes

    def plan(self, idp: Idp, *, secret: str = "") -> Entry[Idp]:
        """Plans a new identity provider.

        Args:
            idp: an empty id is generated.
            secret: the client secret at an OpenID Connect provider; sealed before it is stored (MG-18).

        Raises:
            ServiceError: USER-601 to USER-605 and USER-002 for its values, USER-830 without a secret, USER-606 where
                secrets cannot be stored.
        """
        idp = msgspec.structs.replace(idp, id=idp.id or new_id(self.random))
        if isinstance(idp.config, OidcConfig) and not secret:
            raise at("clientSecret", SECRET_MISSING.error())
        return put_idp(None, _sealed(idp, secret, self.sealer), self.allowed)

    async def __call__(self, idp: Idp, secret: str = "", *, actor: str) -> Idp:
        """The identity provider as it was created. Raises as `plan`; USER-011 for a name that is in use."""
        return await self.commit(self.plan(idp, secret=secret), actor=actor)


@dataclass(frozen=True, slots=True)
class UpdateIdp(Command):
    """Changes an identity provider."""

    commit: Commit
    sealer: SecretSealer
    allowed: OutboundAllowed

    def plan(self, before: Idp, after: Idp, *, secret: str = "") -> Entry[Idp]:
        """Plans a change.

        Args:
            after: with all values, changed or not.
            secret: replaces the stored one; an empty one does not.

        Raises:
            ServiceError: as `AddIdp.plan`; USER-607 for another kind, USER-608 when the stored secret would be sent to
                another issuer (MG-18).
        """
        if type(after.config) is not type(before.config):
            raise OTHER_KIND.error()
        if not secret and before.sealed_secret and after.config.issuer != before.config.issuer:
            raise at("clientSecret", SECRET_NEEDED.error())
        return put_idp(before, _sealed(after, secret, self.sealer), self.allowed)

    async def __call__(self, before: Idp, after: Idp, secret: str = "", *, actor: str) -> Idp:
        """The identity provider as it was changed.

        Raises:
            ServiceError: as `plan`; USER-702 when nothing would change, USER-011 for a name that is in use.
        """
        return await self.commit.change(self.plan(before, after, secret=secret), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveIdp(Command):
    """Removes identity providers: the name is free again, the id is not, the secret is deleted."""

    commit: Commit

    def plan(self, before: Idp) -> Entry[Idp]:
        """Plans the removal."""
        return Entry(IDPS, before, without_secret(before))

    async def __call__(self, before: Idp, *, actor: str) -> Idp:
        """The identity provider as it was removed."""
        return await self.commit(self.plan(before), actor=actor)


def _sealed(idp: Idp, secret: str, sealer: SecretSealer) -> Idp:
    if not secret:
        return idp
    with below("clientSecret"):
        return msgspec.structs.replace(idp, sealed_secret=sealer.seal(secret, idp.id, idp.config.issuer))
