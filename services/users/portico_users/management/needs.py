"""What the operations work with."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

from portico_users.accounts.deletion import Deletion
from portico_users.accounts.grants import GrantSearch
from portico_users.accounts.search import UserSearch
from portico_users.accounts.store import MongoAccounts
from portico_users.apps.store import MongoApps
from portico_users.credentials.credentials import Credentials
from portico_users.credentials.hashing import HashingPool
from portico_users.credentials.revocations import Revocations
from portico_users.credentials.setting import PasswordSetting
from portico_users.domain.names import new_id
from portico_users.domain.token_lifetimes import TokenLifetimes
from portico_users.idps.rules import Allowed
from portico_users.idps.secrets import SecretSealer
from portico_users.idps.store import MongoIdps
from portico_users.instance.store import MongoInstance
from portico_users.journal.event_log import EventLog
from portico_users.journal.journal import Journal
from portico_users.machines.held import HeldSearch
from portico_users.members.store import MongoMembers
from portico_users.orgs.proofs import Proofs
from portico_users.orgs.store import MongoOrgs
from portico_users.project_grants.store import MongoProjectGrants
from portico_users.projects.store import MongoProjects
from portico_users.registration.user_codes import UserCodes
from portico_users.webhooks.deliveries import Deliveries
from portico_users.webhooks.lanes import Lanes
from portico_users.webhooks.store import MongoWebhooks


@dataclass(frozen=True, slots=True)
class Needs:
    """Stores, and what changes them."""

    orgs: MongoOrgs
    proofs: Proofs
    grants: GrantSearch
    events: EventLog
    bus: Bus
    projects: MongoProjects
    project_grants: MongoProjectGrants
    apps: MongoApps
    accounts: MongoAccounts
    search: UserSearch
    held: HeldSearch
    journal: Journal
    pool: HashingPool
    credentials: Credentials
    codes: UserCodes
    passwords: PasswordSetting
    revocations: Revocations
    members: MongoMembers
    deletion: Deletion
    idps: MongoIdps
    webhooks: MongoWebhooks
    deliveries: Deliveries
    lanes: Lanes
    instances: MongoInstance
    secrets: SecretSealer
    outbound_allowed: Allowed
    longest_lifetimes: TokenLifetimes
    issuer: str
    clock: Clock
    random: RandomBytes

    def new_id(self) -> str:
        """An id for an object that was given none."""
        return new_id(self.random)
