"""Answers authz about sign-ins through other identity providers: where to go, whose identity came back, what follows."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import (
    BeginExternal,
    CreateExternal,
    ExternalBegun,
    ExternalFinished,
    ExternalLinked,
    FinishExternal,
    LinkExternal,
)

from portico_users.commands.command import Command
from portico_users.commands.identity_providers.checked_providers import CheckedProviders
from portico_users.commands.identity_providers.external_accounts import CreateExternalHuman, LinkIdentity
from portico_users.commands.identity_providers.onward import ChooseOnward
from portico_users.directory.accounts.account import as_user
from portico_users.federation.upstream import UpstreamProviders


@dataclass(frozen=True, slots=True)
class ExternalSignIns(Command):
    """Answers `BEGIN_EXTERNAL`, `FINISH_EXTERNAL`, `LINK_EXTERNAL` and `CREATE_EXTERNAL`.

    Each checks anew that the provider is active and offered, and logs what it refuses for an administrator.
    """

    providers: CheckedProviders
    upstream: UpstreamProviders
    choose_onward: ChooseOnward
    link_identity: LinkIdentity
    create_human: CreateExternalHuman

    async def begin(self, ask: BeginExternal) -> ExternalBegun:
        """Where the browser goes.

        Raises:
            ServiceError: USER-960 where the provider is not offered; as `UpstreamProviders.begin`.
        """
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            return await self.upstream.begin(idp, ask)

    async def finish(self, ask: FinishExternal) -> ExternalFinished:
        """The verified identity, and what follows.

        Raises:
            ServiceError: USER-960; as `UpstreamProviders.finish` and `ChooseOnward`.
        """
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            identity = await self.upstream.finish(idp, ask)
            return await self.choose_onward(idp, ask.org_id, identity)

    async def link(self, ask: LinkExternal) -> ExternalLinked:
        """The user the identity is linked to now; raises USER-960, and as `LinkIdentity`."""
        async with self.providers.use(ask.identity.provider_id, ask.org_id) as idp:
            linked = await self.link_identity(idp, ask.org_id, ask.identity, ask.user_id)
            return ExternalLinked(user=as_user(linked))

    async def create(self, ask: CreateExternal) -> ExternalLinked:
        """The user who was created for the identity; raises USER-960, and as `CreateExternalHuman`."""
        async with self.providers.use(ask.identity.provider_id, ask.org_id) as idp:
            return ExternalLinked(user=as_user(await self.create_human(idp, ask.org_id, ask.identity, ask.profile)))
