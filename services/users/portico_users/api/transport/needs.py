"""What the operations work with."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock

from portico_users.codes.user_codes import UserCodes
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.revocations import Revocations
from portico_users.directory.accounts.deletion import Deletion
from portico_users.directory.accounts.grant_search import GrantSearch
from portico_users.directory.accounts.search import UserSearch
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.members.store import MongoMembers
from portico_users.directory.organizations.domain_verification import DomainVerification
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.policies.token_lifetimes import LongestLifetimes
from portico_users.directory.projects.store import MongoProjects
from portico_users.directory.service_users.credential_search import CredentialSearch
from portico_users.kernel.bus import Bus
from portico_users.kernel.event_log import EventLog
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import new_id
from portico_users.kernel.operator_settings import Issuer, OutboundAllowed
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.store import MongoWebhooks


@dataclass(frozen=True, slots=True)
class Needs:
    """Stores, and what changes them."""

    orgs: MongoOrgs
    proofs: DomainVerification
    grants: GrantSearch
    events: EventLog
    bus: Bus
    projects: MongoProjects
    project_grants: MongoProjectGrants
    apps: MongoApps
    accounts: MongoAccounts
    search: UserSearch
    held: CredentialSearch
    journal: Journal
    pool: HashingPool
    codes: UserCodes
    passwords: PasswordSetting
    revocations: Revocations
    members: MongoMembers
    deletion: Deletion
    idps: MongoIdps
    webhooks: MongoWebhooks
    deliveries: Deliveries
    queues: DeliveryQueues
    instances: MongoInstance
    secrets: SecretSealer
    outbound_allowed: OutboundAllowed
    longest_lifetimes: LongestLifetimes
    issuer: Issuer
    clock: Clock
    random: RandomBytes

    def new_id(self) -> str:
        """An id for an object that was given none."""
        return new_id(self.random)
