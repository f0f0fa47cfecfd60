"""Answers authz about sign-ins through other identity providers: where to go, whose identity came back, what follows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import structlog
from portico_contracts.events import IDP_SIGN_IN_FAILED, IdpSignInFailed
from portico_contracts.users import (
    BeginExternal,
    CreateExternal,
    ExternalBegun,
    ExternalFinished,
    ExternalLinked,
    FinishExternal,
    LinkExternal,
)
from portico_oauth.errors import ServiceError

from portico_users.commands.command import Command
from portico_users.commands.identity_providers.external_accounts import CreateExternalHuman, LinkIdentity
from portico_users.commands.identity_providers.onward import ChooseOnward
from portico_users.directory.accounts.account import as_user
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.people.idp_links import LINK_TAKEN
from portico_users.federation.offered import OfferedProviders
from portico_users.federation.refusals import FEDERATION_ERRORS
from portico_users.federation.upstream import UpstreamProviders
from portico_users.kernel.event_recorder import Occurrence
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import MAX_LENGTH

log = structlog.get_logger("portico.federation")

SIGN_INS = "idpSignIns"
"""What the event log names them."""


@dataclass(frozen=True, slots=True)
class ExternalSignIns(Command):
    """Answers `BEGIN_EXTERNAL`, `FINISH_EXTERNAL`, `LINK_EXTERNAL` and `CREATE_EXTERNAL`.

    Each checks anew that the provider is active and offered, and logs what it refuses for an administrator.
    """

    offered: OfferedProviders
    upstream: UpstreamProviders
    choose_onward: ChooseOnward
    link_identity: LinkIdentity
    create_human: CreateExternalHuman
    journal: Journal

    async def begin(self, ask: BeginExternal) -> ExternalBegun:
        """Where the browser goes.

        Raises:
            ServiceError: USER-960 where the provider is not offered; as `UpstreamProviders.begin`.
        """
        async with self._provider(ask.provider_id, ask.org_id) as idp:
            return await self.upstream.begin(idp, ask)

    async def finish(self, ask: FinishExternal) -> ExternalFinished:
        """The verified identity, and what follows.

        Raises:
            ServiceError: USER-960; as `UpstreamProviders.finish` and `ChooseOnward`.
        """
        async with self._provider(ask.provider_id, ask.org_id) as idp:
            identity = await self.upstream.finish(idp, ask)
            return await self.choose_onward(idp, ask.org_id, identity)

    async def link(self, ask: LinkExternal) -> ExternalLinked:
        """The user the identity is linked to now; raises USER-960, and as `LinkIdentity`."""
        async with self._provider(ask.identity.provider_id, ask.org_id) as idp:
            linked = await self.link_identity(idp, ask.org_id, ask.identity, ask.user_id)
            return ExternalLinked(user=as_user(linked))

    async def create(self, ask: CreateExternal) -> ExternalLinked:
        """The user who was created for the identity; raises USER-960, and as `CreateExternalHuman`."""
        async with self._provider(ask.identity.provider_id, ask.org_id) as idp:
            return ExternalLinked(user=as_user(await self.create_human(idp, ask.org_id, ask.identity, ask.profile)))

    @asynccontextmanager
    async def _provider(self, id: str, org_id: str) -> AsyncIterator[Idp]:
        idp = await self.offered.find(id, org_id)
        try:
            await self.offered.require(idp, org_id)
            yield idp
        except ServiceError as error:
            # What a person entered is no failure of the provider, and what our own stores cannot do is in the log.
            if error.id in FEDERATION_ERRORS or error.id == LINK_TAKEN.id:
                await self._publish(idp, org_id[:MAX_LENGTH], error)
            raise

    async def _publish(self, idp: Idp, org_id: str, error: ServiceError) -> None:
        log.warning("sign-in refused", idp_id=idp.id, error_code=error.id, **error.private)
        values = {"idpId": idp.id, "requestOrgId": org_id, "errorId": error.id, "reason": error.text}
        try:
            await self.journal.publish(
                IDP_SIGN_IN_FAILED,
                partial(IdpSignInFailed, idp_id=idp.id, org_id=org_id, error_id=error.id),
                about=idp.id,
                logged=Occurrence(SIGN_INS, idp.org_id, "signin_failed", values),
            )
        except ServiceError as failure:
            log.warning("refusal not published", idp_id=idp.id, error_code=failure.id)
