"""A password that is wrong here may be right at the old system (decision 0103)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from portico_contracts.users import PasswordVerified, User, VerifyPassword
from portico_oauth.errors import Kind, ServiceError

from portico_users.accounts.account import active_account, as_user
from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.attempts.attempts import Attempts, of_unknown, of_user
from portico_users.credentials.passwords.verification import FACTOR, Compared, PasswordVerification
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command
from portico_users.lazy_migration.migrate_end_user import MigrateEndUser, may_get_password
from portico_users.lazy_migration.migration_claims import MigrationClaims, Refused, claim_key
from portico_users.lazy_migration.migration_hook import HOOK_SECONDS, MigrationHook
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.policies.login_policies import LoginPolicies
from portico_users.values.names import login_key, split_address
from portico_users.values.records import State
from portico_users.webhooks.store import MongoWebhooks
from portico_users.webhooks.webhook import Webhook

log = structlog.get_logger("portico.migration")

ANSWER_SECONDS: Final = HOOK_SECONDS + 0.5


class EqualDelay:
    """All wrong passwords of an organization with a hook take equally long, whether the hook was asked or not (LG-01)."""

    def __init__(self) -> None:
        self.seconds = ANSWER_SECONDS

    def end(self) -> float:
        return asyncio.get_running_loop().time() + self.seconds

    async def wait(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - asyncio.get_running_loop().time()))


@dataclass(frozen=True, slots=True)
class MigrationHooks(Command):
    """Finds the hook for a login name by what was typed, never by whether an account has it."""

    orgs: MongoOrgs
    policies: LoginPolicies
    webhooks: MongoWebhooks

    async def find(self, ask: VerifyPassword) -> tuple[Org, Webhook] | None:
        org = await self._find_org(ask)
        if org is None or org.state is not State.ACTIVE:
            return None
        webhook = await self.webhooks.find_migrating(org.id)
        return (org, webhook) if webhook and await self.policies.allows_passwords(org) else None

    async def _find_org(self, ask: VerifyPassword) -> Org | None:
        """Another organization's domain is never sent to the default organization's hook."""
        if ask.org_id:
            return await self.orgs.find(ask.org_id)
        _, domain = split_address(ask.login_name)
        of_domain = await self.orgs.find_by_domain(domain) if domain else None
        return of_domain or await self.policies.find_default()


@dataclass(frozen=True, slots=True)
class MigratingSignIn(Command):
    verification: PasswordVerification
    hooks: MigrationHooks
    hook: MigrationHook
    claims: MigrationClaims
    accounts: AccountQueries
    attempts: Attempts
    migrate: MigrateEndUser
    delay: EqualDelay

    async def verify_password(self, ask: VerifyPassword) -> PasswordVerified:
        compared = await self.verification.compare(ask)
        # The attempt was counted: back-off and lockout also limit how often the old system can be asked.
        if compared.verified.user is not None:
            return compared.verified
        found = await self.hooks.find(ask)
        if found is None:
            await self.verification.lock(compared)
            return compared.verified
        until = self.delay.end()
        if not compared.hashed:
            compared = await self._ask_once(*found, ask, compared, until)
        if compared.verified.user is None:
            await self.verification.lock(compared)
            await self.delay.wait(until)
        return compared.verified

    async def _ask_once(
        self, org: Org, webhook: Webhook, ask: VerifyPassword, compared: Compared, until: float
    ) -> Compared:
        """Returns what is known of the password afterwards, which may be the same."""
        key = claim_key(org.id, login_key(ask.login_name))
        ticket = await self.claims.take(key)
        if isinstance(ticket, Refused):
            return await self._find_migrated(ask, compared, until) if ticket is Refused.ASKING else compared
        try:
            held = await self.accounts.accounts.find_end_user_typed(ask.login_name, ask.org_id)
            if held and active_account(*held) is None:
                return compared  # the old system does not decide about a user who was locked or deactivated here
            # An account found by its name has no metadata, and the password is written with the whole user.
            whole = await self.accounts.accounts.find_whole(held[0].id) if held else None
            user = whole[0] if whole else None
            if isinstance(user, EndUser) and user.has_password:
                # Another request has migrated the user since the password was compared.
                return await self._compare_again(ask, compared)
            if user is None or (isinstance(user, EndUser) and may_get_password(user, org)):
                migrated = await self._migrated(org, webhook, ask, user, (key, ticket))
                return Compared(PasswordVerified(user=migrated), hashed=True) if migrated else compared
            return compared
        finally:
            await self.claims.release(key, ticket)

    async def _migrated(
        self, org: Org, webhook: Webhook, ask: VerifyPassword, human: EndUser | None, claim: tuple[str, str]
    ) -> User | None:
        answer = await self.hook.ask(webhook, ask.login_name, ask.password)
        if answer is None or answer.result == "wrong_password":
            return None
        if answer.result == "unknown_user":
            await self.claims.remember_unknown(*claim)
            return None
        try:
            if human:
                await self.migrate.set_password(human, ask.password)
            elif answer.user:
                await self.migrate.create(org, ask.login_name, bytes(answer.user), ask.password)
        except ServiceError as error:
            if error.kind is Kind.UNAVAILABLE:
                raise
            log.warning("user not migrated", webhook=webhook.id, error_code=error.id, **error.private)
            return None
        account = await self.accounts.find_account(ask.login_name, ask.org_id)
        if account is None or account.org.id != org.id:
            return None
        counter = of_user(human.id, FACTOR) if human else of_unknown(login_key(ask.login_name), FACTOR)
        await self.attempts.reset(counter)
        log.info("user migrated", webhook=webhook.id, user_id=account.user.id)
        return as_user(account)

    async def _find_migrated(self, ask: VerifyPassword, compared: Compared, until: float) -> Compared:
        """Waits, because another request asks about the same name, and compares with what it found."""
        await self.delay.wait(until)
        return await self._compare_again(ask, compared)

    async def _compare_again(self, ask: VerifyPassword, compared: Compared) -> Compared:
        """Counts as the same attempt."""
        await self.attempts.give_back(compared.counter, compared.failures)
        return await self.verification.compare(ask)
