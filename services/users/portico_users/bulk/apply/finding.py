"""Finds the stored object a part of the document means, and refuses what belongs to something else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic

from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock

from portico_users.bulk.apply.commands import Commands
from portico_users.commands.command import Assembled
from portico_users.credentials.revocations import Revocations
from portico_users.directory.accounts.deletion import Deletion
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.grants.project_grant_store import MongoProjectGrants
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.members.store import MongoMembers
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.policies.token_lifetimes import LongestLifetimes
from portico_users.directory.projects.store import MongoProjects
from portico_users.kernel.conflicts import ID_TAKEN, NAME_TAKEN
from portico_users.kernel.id_space import IdSpace
from portico_users.kernel.names import INVALID_ID, is_id, new_id
from portico_users.kernel.operator_settings import Issuer, OutboundAllowed
from portico_users.kernel.problems import at
from portico_users.kernel.records import AnyRecord
from portico_users.notifications.webhooks.deliveries import Deliveries
from portico_users.notifications.webhooks.delivery_queues import DeliveryQueues
from portico_users.notifications.webhooks.store import MongoWebhooks


@dataclass(frozen=True, slots=True)
class Stored(Assembled):
    """The stored state, to plan against."""

    ids: IdSpace
    instances: MongoInstance
    orgs: MongoOrgs
    projects: MongoProjects
    project_grants: MongoProjectGrants
    apps: MongoApps
    accounts: MongoAccounts
    members: MongoMembers
    idps: MongoIdps
    webhooks: MongoWebhooks
    deliveries: Deliveries
    queues: DeliveryQueues
    deletion: Deletion
    revocations: Revocations
    secrets: SecretSealer
    outbound_allowed: OutboundAllowed
    longest_lifetimes: LongestLifetimes
    clock: Clock
    random: RandomBytes
    issuer: Issuer
    commands: Commands

    def new_id(self) -> str:
        """An id for an object that was given none."""
        return new_id(self.random)


@dataclass(frozen=True, slots=True)
class Wanted(Generic[AnyRecord]):
    """How a part of the document names its object.

    Args:
        path: its place in the document.
        id: the given id, if any.
        name: member that holds the name, for messages.
        fits: whether a stored object has the right kind and parent.
        by_id: reads the object of an id.
        by_name: the object that has the name now, of whatever kind or parent.
    """

    path: str
    id: str | None
    name: str
    fits: Callable[[AnyRecord], bool]
    by_id: Callable[[str], Awaitable[AnyRecord | None]]
    by_name: AnyRecord | None


async def find_existing(ids: IdSpace, wanted: Wanted[AnyRecord]) -> AnyRecord | None:
    """The object that is meant, or None when it is to be created.

    Raises:
        ServiceError: USER-001 for an impossible id, USER-010 and USER-011 when id or name belong to another object.
    """
    named = wanted.by_name
    if wanted.id is None:
        if named is not None and not wanted.fits(named):
            raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
        return named
    found = await _find_by_id(ids, wanted, wanted.id)
    if named is not None and (found is None or found.id != named.id):
        raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
    return found


async def _find_by_id(ids: IdSpace, wanted: Wanted[AnyRecord], id: str) -> AnyRecord | None:
    place = f"{wanted.path}.id"
    if not is_id(id):
        raise at(place, INVALID_ID.error())
    found = await wanted.by_id(id)
    if (found is None and not await ids.is_free(id)) or (found is not None and not wanted.fits(found)):
        raise at(place, ID_TAKEN.error())
    return found
