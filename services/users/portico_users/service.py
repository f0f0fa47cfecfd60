"""All parts of users, wired to each other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_contracts.events import (
    APP_CHANGED,
    INSTANCE_CHANGED,
    MEMBER_CHANGED,
    ORG_CHANGED,
    PROJECT_CHANGED,
    USER_CHANGED,
)
from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.mongo import MongoClient

from portico_users.accounts.queries import AccountQueries
from portico_users.accounts.roles import RoleQueries
from portico_users.accounts.search import UserSearch
from portico_users.accounts.service_users import ServiceUserQueries
from portico_users.accounts.store import MongoAccounts
from portico_users.apply.applier import Applier
from portico_users.apply.finding import Stored
from portico_users.apps.queries import AppQueries
from portico_users.apps.store import APPS, MongoApps
from portico_users.credentials.attempts import ATTEMPT_INDEXES, Attempts
from portico_users.credentials.change import PasswordChange
from portico_users.credentials.hashing import HashingPool
from portico_users.credentials.kept_codes import CODE_INDEXES, KeptCodes
from portico_users.credentials.passwords import MongoPasswords
from portico_users.credentials.revocations import REVOCATION_INDEXES, Revocations
from portico_users.credentials.verification import PasswordVerification
from portico_users.domain.names import new_id
from portico_users.humans.store import HUMANS
from portico_users.instance.store import INSTANCES, MongoInstance
from portico_users.journal.id_space import IdSpace
from portico_users.journal.journal import Journal
from portico_users.journal.relay import Relay
from portico_users.journal.schema import Schema, indexes_of
from portico_users.login_policies import LoginPolicies
from portico_users.machines.store import MACHINES
from portico_users.mail.carrier import Carrier
from portico_users.mail.queue import MAIL_INDEXES, Mails
from portico_users.mail.transport import Transport
from portico_users.management.authentication import Authentication
from portico_users.management.dispatch import Dispatch
from portico_users.management.needs import Needs
from portico_users.management.operations import OPERATIONS
from portico_users.members.store import MEMBERS, MongoMembers
from portico_users.messages import Messages
from portico_users.orgs.store import ORGS, MongoOrgs
from portico_users.projects.queries import ActiveProjects
from portico_users.projects.store import PROJECTS, MongoProjects
from portico_users.registration.challenges import CHALLENGE_INDEXES, Challenges
from portico_users.registration.register import Registration
from portico_users.registration.send_code import MailCodes
from portico_users.registration.verify import MailVerification
from portico_users.settings import Settings

EVENTS: Final = (INSTANCE_CHANGED, ORG_CHANGED, PROJECT_CHANGED, APP_CHANGED, USER_CHANGED, MEMBER_CHANGED)
INDEXES: Final = (
    indexes_of(INSTANCES, ORGS, PROJECTS, APPS, HUMANS, MACHINES, MEMBERS),
    ATTEMPT_INDEXES,
    REVOCATION_INDEXES,
    MAIL_INDEXES,
    CHALLENGE_INDEXES,
    CODE_INDEXES,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """What users is made of; tests pass their own.

    Args:
        transport: what mails are sent with; None where no mail server is set.
    """

    mongo: MongoClient
    bus: Bus
    clock: Clock
    random: RandomBytes
    transport: Transport | None = None


class Service:
    """All parts, wired."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        database = parts.mongo.database
        self._settings = settings
        self._parts = parts
        self.schema = Schema(database, INDEXES)
        self.relay = Relay(database, parts.bus, parts.clock, EVENTS, replica=new_id(parts.random))
        self.pool = HashingPool(settings, parts.random)
        self.revocations = Revocations(database, parts.bus, parts.clock, parts.random)
        self.carrier, mails = self._mail_room()
        self._orgs, self._accounts = MongoOrgs(database), MongoAccounts(database)
        self._journal = Journal(parts.mongo, self.schema, parts.clock, parts.random, self.relay.committed)
        self._attempts = Attempts(database, parts.clock, parts.random)
        self._policies = LoginPolicies(self._orgs, MongoInstance(database), mails=mails is not None)
        self._challenges = Challenges(
            parts.mongo, self.schema, mails, parts.clock, parts.random, issuer=settings.issuer
        )
        self.messages = self._messages()
        self.management = self._management()

    def _management(self) -> Dispatch:
        parts, database = self._parts, self._parts.mongo.database
        needs = Needs(
            orgs=self._orgs,
            accounts=self._accounts,
            search=UserSearch(database),
            journal=self._journal,
            pool=self.pool,
            mail_codes=KeptCodes(parts.clock, parts.random),
            clock=parts.clock,
            random=parts.random,
        )
        authentication = Authentication(parts.bus, self._accounts, MongoMembers(database))
        return Dispatch(OPERATIONS, authentication, needs)

    def _mail_room(self) -> tuple[Carrier | None, Mails | None]:
        parts, settings = self._parts, self._settings
        if parts.transport is None:
            return None, None
        bell = asyncio.Event()
        keys = MasterKeys.read(settings.master_keys.get_secret_value())
        mails = Mails(parts.mongo.database, parts.clock, parts.random, keys, committed=bell.set)
        return Carrier(mails, parts.transport, parts.clock, sender=settings.smtp_from, bell=bell), mails

    def _messages(self) -> Messages:
        parts, database, orgs, accounts = self._parts, self._parts.mongo.database, self._orgs, self._accounts
        apps, active_projects = MongoApps(database), ActiveProjects(MongoProjects(database), orgs)
        account_queries, passwords = AccountQueries(accounts), MongoPasswords(database)
        attempts, challenges, journal = self._attempts, self._challenges, self._journal
        return Messages(
            apps=AppQueries(apps, active_projects, parts.clock),
            accounts=account_queries,
            service_users=ServiceUserQueries(accounts, orgs, parts.clock),
            roles=RoleQueries(accounts, orgs, active_projects),
            passwords=PasswordVerification(account_queries, passwords, attempts, self.pool),
            password_change=PasswordChange(accounts, passwords, attempts, self.pool, journal, self.revocations),
            policies=self._policies,
            registration=Registration(self._policies, accounts, attempts, self.pool, challenges, parts.random),
            mail_codes=MailCodes(accounts, attempts, challenges),
            mail_verification=MailVerification(accounts, orgs, challenges, journal, parts.random),
            applier=Applier(self._stored(apps), journal, self.pool),
        )

    def _stored(self, apps: MongoApps) -> Stored:
        parts, database = self._parts, self._parts.mongo.database
        return Stored(
            ids=IdSpace(database),
            instances=MongoInstance(database),
            orgs=self._orgs,
            projects=MongoProjects(database),
            apps=apps,
            accounts=self._accounts,
            members=MongoMembers(database),
            clock=parts.clock,
            random=parts.random,
            issuer=self._settings.issuer,
        )
