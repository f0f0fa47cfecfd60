"""Providers that sign-ins and intents go through: offered where they are used, and what they refuse is published."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from portico_contracts.events import IDP_SIGN_IN_FAILED, IdpSignInFailed
from portico_oauth.errors import ServiceError

from portico_users.commands.command import Command
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.people.idp_links import LINK_TAKEN
from portico_users.federation.offered import OfferedProviders
from portico_users.federation.refusal_limit import RefusalLimit
from portico_users.federation.refusals import FEDERATION_ERRORS
from portico_users.kernel.entry import Document
from portico_users.kernel.event_recorder import Occurrence
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import MAX_LENGTH

log = structlog.get_logger("portico.federation")

SIGN_INS: Final = "idpSignIns"
"""What the event log names them."""


@dataclass(frozen=True, slots=True)
class CheckedProviders(Command):
    """Finds a provider for one step of a sign-in."""

    offered: OfferedProviders
    journal: Journal
    limit: RefusalLimit

    @asynccontextmanager
    async def use(self, id: str, org_id: str) -> AsyncIterator[Idp]:
        """The provider, active and offered; refusals from within are logged for an administrator.

        Args:
            org_id: whose sign-in rules hold; empty for the instance's.

        Raises:
            ServiceError: USER-960 where it is not offered.
        """
        idp = await self.offered.find(id, org_id)
        try:
            await self.offered.require(idp, org_id)
            yield idp
        except ServiceError as error:
            # What a person entered is no failure of the provider, and what our own stores cannot do is in the log.
            if is_refusal(error):
                await self._publish(idp, org_id[:MAX_LENGTH], error)
            raise

    async def _publish(self, idp: Idp, org_id: str, error: ServiceError) -> None:
        log.warning("sign-in refused", idp_id=idp.id, error_code=error.id, **error.private)
        left_out = self.limit.count(idp.id, error.id)
        if left_out is None:
            return
        values: Document = {"idpId": idp.id, "requestOrgId": org_id, "errorId": error.id, "reason": error.text}
        if left_out:
            values["leftOut"] = left_out
        try:
            await self.journal.publish(
                IDP_SIGN_IN_FAILED,
                partial(IdpSignInFailed, idp_id=idp.id, org_id=org_id, error_id=error.id),
                about=idp.id,
                logged=Occurrence(SIGN_INS, idp.org_id, "signin_failed", values),
            )
        except ServiceError as failure:
            log.warning("refusal not published", idp_id=idp.id, error_code=failure.id)


def is_refusal(error: ServiceError) -> bool:
    """True for what a provider, its record or an account refuses; false for a form, and for our own stores."""
    return error.id in FEDERATION_ERRORS or error.id == LINK_TAKEN.id
