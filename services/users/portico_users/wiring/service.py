"""All parts of users, wired to each other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import get_type_hints

from portico_oauth.master_keys import MasterKeys
from portico_oauth.opaque import RandomBytes
from portico_runtime.addresses import read_allow_list
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.mongo import MongoClient
from portico_runtime.name_service import NameService
from portico_runtime.outbound import Outbound

from portico_users.api.operations.all_operations import OPERATIONS
from portico_users.api.transport.authentication import Authentication
from portico_users.api.transport.dispatch import Dispatch
from portico_users.api.transport.needs import Needs
from portico_users.bulk.apply.applier import Applier
from portico_users.bulk.export.exporter import Exporter
from portico_users.bulk.user_import.user_import import UserImport
from portico_users.codes.challenges import Challenges
from portico_users.codes.user_codes import UserCodes
from portico_users.commands.people.emailed_links import MailedLinks
from portico_users.commands.people.new_password import NewPasswords
from portico_users.commands.people.register import Registration
from portico_users.commands.people.send_email_code import MailCodes
from portico_users.commands.people.verify_email import MailVerification
from portico_users.credentials.attempts.attempts import Attempts
from portico_users.credentials.attempts.lockout import Lockout
from portico_users.credentials.credentials import Credentials
from portico_users.credentials.factor_codes import FactorCodes
from portico_users.credentials.otp_email.otp_email import OtpEmail
from portico_users.credentials.otp_email.sign_in_codes import SignInCodes
from portico_users.credentials.passwords.change import PasswordChange
from portico_users.credentials.passwords.hash_counts import HashCounts, forgetting_password
from portico_users.credentials.passwords.hash_mix import HashMix
from portico_users.credentials.passwords.hash_report import HashReport
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.passwords.store import MongoPasswords
from portico_users.credentials.passwords.verification import PasswordVerification
from portico_users.credentials.recovery_codes.recovery_codes import RecoveryCodes
from portico_users.credentials.revocations import Revocations
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.credentials.webauthn.ceremonies import Ceremonies
from portico_users.credentials.webauthn.keys import Keys
from portico_users.credentials.webauthn.registration import KeyRegistration
from portico_users.credentials.webauthn.registration_by_link import PasskeyByLink
from portico_users.credentials.webauthn.registration_links import PasskeyLinks
from portico_users.credentials.webauthn.relying_party import RelyingParty
from portico_users.credentials.webauthn.sign_in import KeySignIn
from portico_users.directory.accounts.callers import MongoCallers
from portico_users.directory.accounts.constraints import CONSTRAINTS
from portico_users.directory.accounts.deletion import Deletion
from portico_users.directory.accounts.grant_search import GrantSearch
from portico_users.directory.accounts.queries import AccountQueries
from portico_users.directory.accounts.role_queries import RoleQueries
from portico_users.directory.accounts.search import UserSearch
from portico_users.directory.accounts.service_user_queries import ServiceUserQueries
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.apps.queries import AppQueries
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.members.store import MongoMembers
from portico_users.directory.organizations.domain_verification import DomainVerification, Fetch, FindTexts
from portico_users.directory.organizations.login_policies import LoginPolicies
from portico_users.directory.organizations.policies_in_force import PoliciesInForce
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.people.proof_migration import ProofMigration
from portico_users.directory.projects.queries import ActiveProjects
from portico_users.directory.projects.store import MongoProjects
from portico_users.directory.service_users.credential_search import CredentialSearch
from portico_users.kernel.event_log import EventLog
from portico_users.kernel.id_space import IdSpace
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import new_id
from portico_users.kernel.operator_settings import Issuer, OutboundAllowed
from portico_users.kernel.outbox.backlog import Backlog
from portico_users.kernel.outbox.relay import Relay
from portico_users.kernel.schema import Schema
from portico_users.messages import Messages
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.email.transport import Transport
from portico_users.notifications.notices.notices import Notices
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.event_consumer import EventConsumer
from portico_users.notifications.webhooks.sender import Post, Sender, SenderParts
from portico_users.notifications.webhooks.store import MongoWebhooks
from portico_users.settings import Settings
from portico_users.tables import EVENTS, INDEXES, TABLES
from portico_users.wiring.parts import Parts as FoundParts


@dataclass(frozen=True, slots=True)
class Parts:
    """What users is made of; tests pass their own.

    Args:
        transport: what mails are sent with; None where no mail server is set.
        outbound, names: how domains are looked at; None for the way out of the settings, and the machine's own.
        post: how webhooks are told; None for the way out of the settings.
    """

    mongo: MongoClient
    bus: Bus
    clock: Clock
    random: RandomBytes
    transport: Transport | None = None
    outbound: Fetch | None = None
    names: FindTexts | None = None
    post: Post | None = None


class Service:
    """All parts, wired."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        database = parts.mongo.database
        self._settings = settings
        self._parts = parts
        self.schema = Schema(database, INDEXES)
        self.proofs = ProofMigration(database, self.schema)
        self.relay = Relay(database, parts.bus, parts.clock, EVENTS, replica=new_id(parts.random))
        self.backlog = Backlog(database, parts.clock)
        self.pool = HashingPool(settings, parts.random)
        self.hash_counts = HashCounts(parts.mongo)
        self.outbound = Outbound(settings)
        self.revocations = Revocations(database, parts.bus, parts.clock, parts.random)
        self.email_dispatcher, email_queue = self._make_email()
        self._orgs, self._accounts, self._email_queue = MongoOrgs(database), MongoAccounts(database), email_queue
        self.notices = Notices(database, email_queue, Issuer(settings.issuer))
        self._journal = Journal(
            parts.mongo,
            self.schema,
            parts.clock,
            parts.random,
            self._committed,
            constraints=CONSTRAINTS,
            notifications=self.notices,
        )
        self.secrets = SecretSealer(self._master_keys(), parts.random)
        self._attempts = Attempts(database, parts.clock, parts.random)
        self._in_force = PoliciesInForce(self._orgs, MongoInstance(database))
        self._lockout = Lockout(self._in_force, self._accounts, self._attempts, self.revocations, self._journal)
        self._passwords = PasswordSetting(
            MongoPasswords(parts.mongo), self._attempts, self.pool, self.revocations, self._lockout
        )
        self._policies = LoginPolicies(self._orgs, MongoInstance(database), sends_email=email_queue is not None)
        self._challenges = Challenges(
            parts.mongo, self.schema, email_queue, parts.clock, parts.random, issuer=settings.issuer
        )
        self.credentials = self._make_credentials()
        self._deliveries, self._queues = (
            Deliveries(database, parts.clock),
            DeliveryQueues(database, parts.clock, parts.random),
        )
        self.event_consumer, self.sender = self._make_webhooks()
        self._needs = self._make_needs()
        self.found = self._find_parts()
        self.messages = self._messages()
        self.management = self._management()

    def _committed(self) -> None:
        """Events wait, and perhaps mails."""
        self.relay.committed()
        if self._email_queue:
            self._email_queue.committed()

    def _make_needs(self) -> Needs:
        parts, database = self._parts, self._parts.mongo.database
        return Needs(
            orgs=self._orgs,
            grants=GrantSearch(database),
            events=EventLog(database),
            bus=parts.bus,
            proofs=DomainVerification(parts.outbound or self.outbound, parts.names or NameService()),
            projects=MongoProjects(database),
            project_grants=MongoProjectGrants(database),
            apps=MongoApps(database),
            accounts=self._accounts,
            search=UserSearch(database),
            held=CredentialSearch(database),
            journal=self._journal,
            pool=self.pool,
            credentials=self.credentials,
            codes=self._user_codes(),
            passwords=self._passwords,
            deletion=Deletion(database, forgetting_password(database)),
            revocations=self.revocations,
            members=MongoMembers(database),
            idps=MongoIdps(database),
            webhooks=MongoWebhooks(database),
            deliveries=self._deliveries,
            queues=self._queues,
            instances=MongoInstance(database),
            secrets=self.secrets,
            outbound_allowed=OutboundAllowed(read_allow_list(self._settings.outbound_allow)),
            longest_lifetimes=self._settings.longest_lifetimes,
            issuer=Issuer(self._settings.issuer),
            clock=parts.clock,
            random=parts.random,
        )

    def _management(self) -> Dispatch:
        parts = self._parts
        authentication = Authentication(parts.bus, self._accounts, MongoCallers(parts.mongo.database), parts.clock)
        return Dispatch([one.bound(self.found.bind) for one in OPERATIONS], authentication, self._needs)

    def _find_parts(self) -> FoundParts:
        found = FoundParts()
        found.add(IdSpace(self._parts.mongo.database))
        found.add(self.notices)
        for name, kind in get_type_hints(Needs).items():
            found.add(getattr(self._needs, name), kind)
        return found

    def _make_webhooks(self) -> tuple[EventConsumer, Sender]:
        parts, webhooks, bell = self._parts, MongoWebhooks(self._parts.mongo.database), asyncio.Event()
        event_consumer = EventConsumer(
            bus=parts.bus,
            webhooks=webhooks,
            orgs=self._orgs,
            deliveries=self._deliveries,
            queues=self._queues,
            clock=parts.clock,
            tables={table.event.subject: table.name for table in TABLES},
            bell=bell,
        )
        delivering = SenderParts(
            webhooks=webhooks,
            orgs=self._orgs,
            deliveries=self._deliveries,
            queues=self._queues,
            journal=self._journal,
            sealer=self.secrets,
            outbound=parts.post or self.outbound,
            clock=parts.clock,
        )
        return event_consumer, Sender(delivering, bell)

    def _make_credentials(self) -> Credentials:
        parts, database = self._parts, self._parts.mongo.database
        ceremonies, relying_party = Ceremonies(database, parts.clock, parts.random), RelyingParty(self._settings.issuer)
        return Credentials(
            keys=KeyRegistration(ceremonies, Keys(database), relying_party, self._journal),
            links=PasskeyLinks(parts.mongo, self._email_queue, parts.clock, parts.random),
            totp_authenticators=TotpAuthenticators(
                database, self._journal, self._attempts, self._master_keys(), parts.clock, parts.random
            ),
            recovery_codes=RecoveryCodes(database, self._journal, self._attempts, parts.random),
            mail=OtpEmail(self._journal),
        )

    def _master_keys(self) -> MasterKeys | None:
        text = self._settings.master_keys.get_secret_value()
        return MasterKeys.read(text) if text else None

    def _make_email(self) -> tuple[EmailDispatcher | None, EmailQueue | None]:
        parts, settings = self._parts, self._settings
        if parts.transport is None:
            return None, None
        bell = asyncio.Event()
        keys = MasterKeys.read(settings.master_keys.get_secret_value())
        email_queue = EmailQueue(parts.mongo.database, parts.clock, parts.random, keys, committed=bell.set)
        return EmailDispatcher(
            email_queue, parts.transport, parts.clock, sender=settings.smtp_from, bell=bell
        ), email_queue

    def _messages(self) -> Messages:
        parts, database, orgs, accounts = self._parts, self._parts.mongo.database, self._orgs, self._accounts
        apps, active_projects = MongoApps(database), ActiveProjects(MongoProjects(database), orgs)
        account_queries, passwords = AccountQueries(accounts), MongoPasswords(parts.mongo)
        attempts, challenges, journal = self._attempts, self._challenges, self._journal
        return Messages(
            apps=AppQueries(apps, active_projects, MongoInstance(database), parts.clock),
            accounts=account_queries,
            service_users=ServiceUserQueries(accounts, orgs, MongoInstance(database), parts.clock),
            roles=RoleQueries(accounts, orgs, active_projects, MongoProjectGrants(database)),
            passwords=PasswordVerification(
                account_queries, orgs, passwords, attempts, self.pool, self._hash_mix(), self._lockout
            ),
            password_change=PasswordChange(
                accounts, passwords, attempts, self.pool, journal, self.revocations, self._lockout
            ),
            policies=self._policies,
            registration=Registration(
                self._policies, self._in_force, accounts, attempts, self.pool, challenges, parts.random
            ),
            mail_codes=MailCodes(accounts, attempts, challenges),
            mail_verification=MailVerification(accounts, orgs, challenges, journal, parts.random),
            links=self._links(account_queries),
            passkeys=PasskeyByLink(account_queries, self.credentials.links, self.credentials.keys),
            keys=self._key_sign_in(),
            factor_codes=FactorCodes(accounts, self.credentials.totp_authenticators, self.credentials.recovery_codes),
            factor_mail=self._factor_mail(),
            hashes=HashReport(self.hash_counts, self.pool, parts.clock),
            applier=self.found.find(Applier),
            exporter=self.found.find(Exporter),
            user_import=UserImport(self._needs),
        )

    async def count_older_passwords(self) -> None:
        """Counts the passwords of a release without counters, then rests for ever."""
        await self.hash_counts.count_older()
        await asyncio.Event().wait()

    def _hash_mix(self) -> HashMix:
        parts = self._parts
        return HashMix(parts.mongo.database, self.hash_counts, parts.clock, parts.random, self.pool.own_kind)

    def _user_codes(self) -> UserCodes:
        return UserCodes(self._challenges, self._attempts, self._master_keys(), self._parts.random)

    def _links(self, accounts: AccountQueries) -> MailedLinks:
        new_passwords = NewPasswords(self._passwords, self._user_codes(), self.revocations)
        return MailedLinks(accounts, self._attempts, self._policies, new_passwords, self._journal)

    def _key_sign_in(self) -> KeySignIn:
        keys = self.credentials.keys
        return KeySignIn(self._accounts, keys.ceremonies, keys.keys, self._attempts, keys.relying_party)

    def _factor_mail(self) -> SignInCodes:
        parts = self._parts
        return SignInCodes(
            mongo=parts.mongo,
            accounts=self._accounts,
            attempts=self._attempts,
            email_queue=self._email_queue,
            clock=parts.clock,
            random=parts.random,
            issuer=self._settings.issuer,
        )
