"""Answers authz about sign-ins through a directory: login name and password, counted like passwords of ours (LG-05)."""

from __future__ import annotations

from dataclasses import dataclass, field

from portico_contracts.users import LdapVerified, VerifiedIdentity, VerifyLdap

from portico_users.commands.command import Command
from portico_users.commands.identity_providers.checked_providers import CheckedProviders
from portico_users.commands.identity_providers.onward import ChooseOnward
from portico_users.credentials.attempts.attempts import Attempts, of_unknown, of_user
from portico_users.credentials.attempts.lockout import Lockout
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.people.idp_links import IdpLink
from portico_users.federation.upstream import UpstreamProviders
from portico_users.kernel.names import login_key

FACTOR = "ldap"


@dataclass(slots=True)
class _Attempt:
    """An attempt at one provider, counted once it is known whose it is."""

    idp: Idp
    typed: str
    attempts: Attempts
    subject: str = field(default="", init=False, repr=False)
    counter: str = field(default="", init=False)
    failures: int = field(default=0, init=False)

    async def count(self, subject: str) -> None:
        """Counts it as failed, in advance; USER-033 where the delay of the one before is not over.

        An entry has one counter for every login name of it.
        """
        self.subject = subject
        if subject:
            self.counter = of_user(f"{self.idp.id}\n{subject}", FACTOR)
        else:
            self.counter = of_unknown(f"{self.idp.id}\n{login_key(self.typed)}", FACTOR)
        self.failures = await self.attempts.reserve(self.counter)


@dataclass(frozen=True, slots=True)
class LdapPasswords(Command):
    """Verifies the password of a directory, for sign-ins and for intents alike."""

    upstream: UpstreamProviders
    accounts: MongoAccounts
    attempts: Attempts
    lockout: Lockout

    async def verify(self, idp: Idp, ask: VerifyLdap) -> VerifiedIdentity | None:
        """The identity; None for a wrong password, and the same for a login name that none has (LG-01).

        Raises:
            ServiceError: USER-033 when the caller must wait; as `UpstreamProviders.verify_password`.
        """
        attempt = _Attempt(idp, ask.login_name, self.attempts)
        identity = await self.upstream.verify_password(idp, ask, attempt.count)
        if identity is None:
            if attempt.counter:
                await self.lockout.failed(await self._linked(attempt), FACTOR, attempt.failures)
            return None
        await self.attempts.reset(attempt.counter)
        return identity

    async def _linked(self, attempt: _Attempt) -> AnyUser | None:
        """The user whose identity it is, whom a policy of the organization may lock."""
        link = IdpLink(idp_id=attempt.idp.id, user_id=attempt.subject or "-", user_name="")
        held = await self.accounts.find_linked(link.key)
        return held[0] if held else None


@dataclass(frozen=True, slots=True)
class LdapSignIns(Command):
    """Answers `VERIFY_LDAP`."""

    providers: CheckedProviders
    passwords: LdapPasswords
    choose_onward: ChooseOnward

    async def verify(self, ask: VerifyLdap) -> LdapVerified:
        """What follows for the identity; nothing where there is none.

        Raises:
            ServiceError: USER-960 where the provider is not offered; as `LdapPasswords.verify` and `ChooseOnward`.
        """
        async with self.providers.use(ask.provider_id, ask.org_id) as idp:
            identity = await self.passwords.verify(idp, ask)
            if identity is None:
                return LdapVerified()
            return LdapVerified(finished=await self.choose_onward(idp, ask.org_id, identity))
