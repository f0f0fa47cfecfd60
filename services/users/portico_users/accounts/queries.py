"""Users and service users as authz and token receive them, with claims and the audience of tokens."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgspec
import structlog
from portico_contracts import users as contracts
from portico_contracts.users import (
    ConfirmVersions,
    ConsentFound,
    FindUser,
    GetAudiences,
    GetClaims,
    GetConsent,
    GetRoles,
    GetServiceUser,
    GetUser,
    ProjectAudiences,
    ServiceUserFound,
    UserClaims,
    UserFound,
    VersionsConfirmed,
)
from portico_oauth.errors import ServiceError
from portico_runtime.process.clock import Clock
from portico_runtime.versioned_cache import keys
from portico_runtime.versioned_cache.versions import Versions

from portico_users.accounts.account import Account, active_account, as_user, login_name
from portico_users.accounts.login_names import Held
from portico_users.accounts.store import MongoAccounts
from portico_users.applications.client_keys.assertion_keys import public_keys
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import Address, EndUser, consent_to
from portico_users.grants.role_queries import RoleQueries
from portico_users.instance.instance import MongoInstance
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import ActiveProjects
from portico_users.service_users.service_user import ServiceUser
from portico_users.trusted_workloads.workload import trusted
from portico_users.values.names import MAX_LENGTH, login_key
from portico_users.values.records import version_of

Claim = str | int | bool | dict[str, str]


def claims_of(account: Account) -> dict[str, Claim]:
    user = account.user
    texts = {"preferred_username": login_name(user, account.org)}
    texts |= _service_user(user) if isinstance(user, ServiceUser) else _end_user(user)
    claims: dict[str, Claim] = {name: text for name, text in texts.items() if text}
    claims["updated_at"] = int(user.changed)
    if isinstance(user, EndUser):
        claims |= _contact(user)
        if user.address and (address := _address(user.address)):
            claims["address"] = address
    return claims


def metadata_of(account: Account) -> dict[str, str]:
    """Maps keys to base64url values without padding."""
    user = account.user
    return {entry.key: entry.value for entry in user.metadata} if isinstance(user, EndUser) else {}


def _service_user(service_user: ServiceUser) -> dict[str, str]:
    return {"name": service_user.name}


def _end_user(human: EndUser) -> dict[str, str]:
    return {
        "name": human.display_name,
        "given_name": human.first_name,
        "family_name": human.last_name,
        "middle_name": human.middle_name,
        "nickname": human.nick_name,
        "profile": human.profile_url,
        "picture": human.picture,
        "website": human.website,
        "gender": "" if human.gender.endswith("UNSPECIFIED") else human.gender.removeprefix("GENDER_").lower(),
        "birthdate": human.birthdate,
        "zoneinfo": human.zoneinfo,
        "locale": human.preferred_language,
    }


def _contact(human: EndUser) -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    if human.email:
        # Include false, so that applications can distinguish "not verified" from "not requested".
        claims |= {"email": human.email, "email_verified": human.email_verified}
    if human.phone:
        claims |= {"phone_number": human.phone, "phone_number_verified": human.phone_verified}
    return claims


def _address(address: Address) -> dict[str, str]:
    return {name: text for name, text in msgspec.structs.asdict(address).items() if text}


log = structlog.get_logger("portico.facts")


@dataclass(frozen=True, slots=True)
class AccountQueries:
    accounts: MongoAccounts
    versions: Versions

    async def get_user(self, ask: GetUser) -> UserFound:
        account = await self.accounts.find_active(ask.user_id)
        if account is None:
            return UserFound()
        await self._settle(account, ask.seen)
        return UserFound(user=as_user(account))

    async def find_user(self, ask: FindUser) -> UserFound:
        account = await self.find_account(ask.login_name, ask.org_id)
        return UserFound(user=as_user(account) if account else None)

    async def get_claims(self, ask: GetClaims) -> UserClaims:
        account = await self.accounts.find_active_whole(ask.user_id)
        if account is None:
            return UserClaims()
        await self._settle(account, ask.seen)
        return UserClaims(
            user=as_user(account),
            claims=claims_of(account),
            metadata=metadata_of(account),
            org_name=account.org.name,
            org_domain=account.org.primary_domain,
        )

    async def get_consent(self, ask: GetConsent) -> ConsentFound:
        """Returns what an active user has allowed an application."""
        account = await self.accounts.find_active_whole(ask.user_id)
        if account is None or not isinstance(account.user, EndUser):
            return ConsentFound()
        await self._settle(account, ask.seen)
        found = consent_to(account.user, ask.client_id)
        return ConsentFound(
            scopes=found.scopes,
            of_apis=found.of_apis,
            version=version_of(account.user),
            org_id=account.org.id,
        )

    async def confirm_versions(self, ask: ConfirmVersions) -> VersionsConfirmed:
        """Returns the users whose cached versions are outdated."""
        stored = await self.accounts.list_versions(ask.versions)
        changed = [id for id, version in ask.versions.items() if stored.get(id) != version]
        return VersionsConfirmed(changed=tuple(changed))

    async def find_end_user(self, user_id: str) -> tuple[EndUser, Org] | None:
        account = await self.accounts.find_active_whole(user_id)
        return (account.user, account.org) if account and isinstance(account.user, EndUser) else None

    async def find_account(self, typed: str, org_id: str) -> Account | None:
        """Its queries depend only on the identifier, in one round trip, so that timing reveals nothing (LG-01)."""
        held = await self.find_holder(typed, org_id)
        return active_account(*held) if held else None

    async def find_holder(self, typed: str, org_id: str) -> Held | None:
        """Like `find_account`, of a user in any state but deleted."""
        return await self.accounts.find_end_user_typed(typed, org_id)

    async def _settle(self, account: Account, seen: str | None) -> None:
        """Repairs the version in Redis if the caller has seen another one; without it callers only query again."""
        id = account.user.id
        if seen is None or seen == version_of(account.user):
            return

        async def read() -> str:
            return (await self.accounts.list_versions((id,))).get(id, "")

        try:
            await self.versions.settle(keys.user(id), seen, read)
        except ServiceError as error:
            log.info("user version not confirmed", user_id=id, error_code=error.id)


@dataclass(frozen=True, slots=True)
class ServiceUserQueries:
    accounts: MongoAccounts
    orgs: MongoOrgs
    instances: MongoInstance
    clock: Clock

    async def get_service_user(self, ask: GetServiceUser) -> ServiceUserFound:
        """Returns the active service user for a client id, with its unexpired keys."""
        service_user = await self._find(ask.client_id)
        if service_user is None:
            return ServiceUserFound()
        org, lifetimes = await asyncio.gather(
            self.orgs.find(service_user.org_id), self.instances.find_token_lifetimes()
        )
        account = active_account(service_user, org)
        if account is None:
            return ServiceUserFound()
        previous = service_user.previous_secret
        found = contracts.ServiceUser(
            user=as_user(account),
            access_token_type=service_user.access_token_type,
            access_token_alg=service_user.access_token_alg,
            dpop=service_user.dpop,
            secret_hash=service_user.secret_hash,
            previous_secret_hash=previous.hash if previous else "",
            previous_secret_until=previous.until if previous else 0,
            secret_until=service_user.secret_until,
            keys=public_keys(service_user.keys, self.clock.now()),
            lifetimes=lifetimes,
            trusted_workloads=trusted(service_user.trusted_workloads) if service_user.trusted_workloads else (),
        )
        return ServiceUserFound(service_user=found)

    async def _find(self, client_id: str) -> ServiceUser | None:
        # An id takes precedence even if its user is inactive: a user name with the same text must not take it over.
        found = await self.accounts.find_service_user(client_id[: MAX_LENGTH + 1])
        return found or await self.accounts.find_service_user_named(login_key(client_id))


@dataclass(frozen=True, slots=True)
class AudienceQueries:
    apps: MongoApps
    projects: ActiveProjects
    project_grants: MongoProjectGrants
    roles: RoleQueries

    async def get_audiences(self, ask: GetAudiences) -> ProjectAudiences:
        """Returns the audience of each active project of the client: its client ids, sorted, then the project id."""
        related = await self._related([project for project, _org in await self.projects.list_of(ask.project_ids)], ask)
        client_ids = await self.apps.client_ids_by_project(related)
        return ProjectAudiences(audiences={id: (*client_ids.get(id, ()), id) for id in related})

    async def _related(self, projects: list[Project], ask: GetAudiences) -> list[str]:
        if not ask.org_id:  # token of release 0.2 does not name it, and gets what users of 0.2 answered
            return [project.id for project in projects]
        foreign = [project.id for project in projects if project.org_id != ask.org_id]
        related = await self.project_grants.list_granted(foreign, ask.org_id)
        if ask.user_id and (rest := [id for id in foreign if id not in related]):
            related |= (await self.roles.get_roles(GetRoles(user_id=ask.user_id, project_ids=tuple(rest)))).roles.keys()
        return [project.id for project in projects if project.org_id == ask.org_id or project.id in related]
