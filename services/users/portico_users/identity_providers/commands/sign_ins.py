"""Sign-ins through identity providers and directories, after their answer was verified."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog
from portico_contracts.events import IDP_SIGN_IN_FAILED, IdpSignInFailed
from portico_contracts.users import (
    BeginExternal,
    CreateExternal,
    ExternalBegun,
    ExternalFinished,
    ExternalLinked,
    FinishExternal,
    LdapVerified,
    LinkExternal,
    VerifiedIdentity,
    VerifyLdap,
)
from portico_oauth.errors import ServiceError

from portico_users.accounts.account import AnyUser, as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import LDAP_FACTOR, Attempts, Lockout, of_entry, of_unknown
from portico_users.end_users.idp_links import LINK_TAKEN, IdpLink
from portico_users.identity_providers.commands.external_accounts import (
    CreateExternalUser,
    LinkIdentity,
    audience_of,
    only_of,
)
from portico_users.identity_providers.commands.provider_redirect import ChooseProviderRedirect
from portico_users.identity_providers.federation.claims import Seen
from portico_users.identity_providers.federation.errors import (
    FEDERATION_ERRORS,
    NEW_PASSWORD_NEEDED,
    NOT_OFFERED,
    ErrorEventLimit,
)
from portico_users.identity_providers.federation.recent_providers import RecentProviders
from portico_users.identity_providers.federation.upstream import UpstreamProviders
from portico_users.identity_providers.idp import Idp
from portico_users.journal.command import Command
from portico_users.journal.event_recorder import Occurrence
from portico_users.journal.journal import Journal
from portico_users.storage.entry import Document
from portico_users.values.names import MAX_LENGTH, login_key

log = structlog.get_logger("portico.federation")

SIGN_INS: Final = "idpSignIns"


@dataclass(frozen=True, slots=True)
class CheckedProviders(Command):
    recent: RecentProviders
    journal: Journal
    limit: ErrorEventLimit

    @asynccontextmanager
    async def use(self, id: str, org_id: str) -> AsyncIterator[Idp]:
        """Yields the active, offered provider; logs errors raised in the block for administrators."""
        idp, is_offered = await self.recent.find(id, org_id)
        try:
            if not is_offered:
                raise NOT_OFFERED.error(idp=idp.id, org=org_id)
            yield idp
        except ServiceError as error:
            # User input errors and failures of Portico's own stores are not the provider's errors.
            if is_provider_error(error):
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


def is_provider_error(error: ServiceError) -> bool:
    """Reports whether provider, configuration or account caused the error, not form input or our own stores."""
    return error.id in FEDERATION_ERRORS or error.id == LINK_TAKEN.id


@dataclass(frozen=True, slots=True)
class ExternalSignIns(Command):
    """Signs in with identity providers: each must be active and offered; refusals are logged for administrators."""

    providers: CheckedProviders
    upstream: UpstreamProviders
    choose_onward: ChooseProviderRedirect
    link_identity: LinkIdentity
    create_human: CreateExternalUser

    async def begin(self, ask: BeginExternal) -> ExternalBegun:
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            return await self.upstream.begin(idp, ask)

    async def finish(self, ask: FinishExternal) -> ExternalFinished:
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            identity = await self.upstream.finish(idp, ask)
            return await self.choose_onward(idp, audience_of(ask), identity)

    async def link(self, ask: LinkExternal) -> ExternalLinked:
        async with self.providers.use(ask.identity.provider_id, ask.org_id) as idp:
            linked = await self.link_identity(idp, only_of(ask), ask.identity, ask.user_id)
            return ExternalLinked(user=as_user(linked))

    async def create(self, ask: CreateExternal) -> ExternalLinked:
        async with self.providers.use(ask.identity.provider_id, ask.org_id) as idp:
            created = await self.create_human(idp, audience_of(ask), ask.identity, ask.profile)
            return ExternalLinked(user=as_user(created))


@dataclass(slots=True)
class _Attempt:
    idp: Idp
    typed: str
    attempts: Attempts
    subject: str = field(default="", init=False, repr=False)
    counter: str = field(default="", init=False)
    failures: int = field(default=0, init=False)

    async def count(self, subject: str) -> None:
        """Counts the attempt as failed in advance; all login names of an entry share one counter."""
        self.subject = subject
        if subject:
            self.counter = of_entry(self.idp.id, subject)
        else:
            self.counter = of_unknown(f"{self.idp.id}\n{login_key(self.typed)}", LDAP_FACTOR)
        self.failures = await self.attempts.reserve(self.counter)


@dataclass(frozen=True, slots=True)
class LdapPasswords(Command):
    upstream: UpstreamProviders
    accounts: MongoAccounts
    attempts: Attempts
    lockout: Lockout

    async def verify(self, idp: Idp, ask: VerifyLdap, seen: Seen | None = None) -> VerifiedIdentity | None:
        """Returns the identity; None alike for a wrong password and an unknown login name (LG-01)."""
        attempt = _Attempt(idp, ask.login_name, self.attempts)
        try:
            identity = await self.upstream.verify_password(idp, ask, attempt.count, seen)
        except ServiceError as error:
            if error.id == NEW_PASSWORD_NEEDED.id:  # the password was right
                await self.attempts.give_back(attempt.counter, attempt.failures)
            raise
        if identity is None:
            if attempt.counter:
                await self.lockout.failed(await self._linked(attempt), attempt.counter, attempt.failures)
            return None
        await self.attempts.reset(attempt.counter)
        return identity

    async def _linked(self, attempt: _Attempt) -> AnyUser | None:
        """Returns the linked user, whom the lockout policy may lock."""
        link = IdpLink(idp_id=attempt.idp.id, user_id=attempt.subject or "-", user_name="")
        held = await self.accounts.find_linked(link.key)
        return held[0] if held else None


@dataclass(frozen=True, slots=True)
class LdapSignIns(Command):
    providers: CheckedProviders
    passwords: LdapPasswords
    choose_onward: ChooseProviderRedirect

    async def verify(self, ask: VerifyLdap) -> LdapVerified:
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            identity = await self.passwords.verify(idp, ask)
            if identity is None:
                return LdapVerified()
            return LdapVerified(finished=await self.choose_onward(idp, audience_of(ask), identity))
