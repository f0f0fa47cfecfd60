"""The directory: stores, searches and queries of what there is."""

from __future__ import annotations

from portico_runtime.mongo import Database
from portico_runtime.name_service import NameService
from portico_runtime.outbound import Outbound

from portico_users.credentials.passwords.hash_counts import forgetting_password
from portico_users.directory.accounts.callers import MongoCallers
from portico_users.directory.accounts.grant_search import GrantSearch
from portico_users.directory.accounts.queries import AccountQueries, AudienceQueries, ServiceUserQueries
from portico_users.directory.accounts.role_queries import RoleQueries
from portico_users.directory.accounts.search import UserSearch
from portico_users.directory.accounts.states import Deletion
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.apps.store import AppQueries, MongoApps
from portico_users.directory.grants.project_grants import MongoProjectGrants
from portico_users.directory.identity_providers.resealing import ProviderSecrets
from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.instance.instance import MongoInstance
from portico_users.directory.logos.images import LogoImages
from portico_users.directory.logos.store import MongoLogos
from portico_users.directory.members.member import MongoMembers
from portico_users.directory.organizations.domain_verification import DomainVerification
from portico_users.directory.organizations.login_policies import LoginPolicies, PoliciesInForce
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.directory.people.proof_migration import ProofMigration
from portico_users.directory.projects.store import ActiveProjects, MongoProjects
from portico_users.directory.service_users.credential_search import CredentialSearch
from portico_users.settings import Settings
from portico_users.wiring.externals import Externals
from portico_users.wiring.parts import Parts


def add_directory(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(MongoOrgs, MongoProjects, MongoProjectGrants, MongoApps, MongoAccounts, MongoMembers, MongoIdps)
    parts.offer(MongoLogos, LogoImages)
    parts.offer(MongoInstance, MongoCallers, GrantSearch, UserSearch, CredentialSearch)
    parts.offer(AppQueries, AudienceQueries, ActiveProjects, AccountQueries, ServiceUserQueries, RoleQueries)
    parts.offer(
        LoginPolicies,
        PoliciesInForce,
        ProofMigration,
        SecretSealer,
        ProviderSecrets,
        _deletion,
        _outbound,
        _domain_verification,
    )


def _deletion(database: Database) -> Deletion:
    return Deletion(database, forgetting_password(database))


def _outbound(settings: Settings) -> Outbound:
    return Outbound(settings)


def _domain_verification(externals: Externals, outbound: Outbound) -> DomainVerification:
    return DomainVerification(externals.outbound or outbound, externals.names or NameService())
