"""What token asks about service users, the clients that act in their own name."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from portico_contracts import users as contracts
from portico_contracts.users import GetServiceUser, ServiceUserFound
from portico_runtime.clock import Clock

from portico_users.directory.accounts.account import active_account, as_user
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.client_keys.assertion_keys import public_keys
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.instance.token_lifetimes import find_token_lifetimes
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.names import MAX_LENGTH, login_key


@dataclass(frozen=True, slots=True)
class ServiceUserQueries:
    """Answers `GET_SERVICE_USER`."""

    accounts: MongoAccounts
    orgs: MongoOrgs
    instances: MongoInstance
    clock: Clock

    async def get_service_user(self, ask: GetServiceUser) -> ServiceUserFound:
        """The active service user a client id names, with the keys that have not expired."""
        service_user = await self._find(ask.client_id)
        if service_user is None:
            return ServiceUserFound()
        org, lifetimes = await asyncio.gather(self.orgs.find(service_user.org_id), find_token_lifetimes(self.instances))
        account = active_account(service_user, org)
        if account is None:
            return ServiceUserFound()
        previous = service_user.previous_secret
        found = contracts.ServiceUser(
            user=as_user(account),
            access_token_type=service_user.access_token_type,
            access_token_alg=service_user.access_token_alg,
            secret_hash=service_user.secret_hash,
            previous_secret_hash=previous.hash if previous else "",
            previous_secret_until=previous.until if previous else 0,
            keys=public_keys(service_user.keys, self.clock.now()),
            lifetimes=lifetimes,
        )
        return ServiceUserFound(service_user=found)

    async def _find(self, client_id: str) -> ServiceUser | None:
        # An id decides also when its user is inactive: no user takes it over by a user name of the same letters.
        found = await self.accounts.find_machine(client_id[: MAX_LENGTH + 1])
        return found or await self.accounts.find_machine_named(login_key(client_id))
