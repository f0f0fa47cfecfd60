"""The table of operations: one line for each method of the .proto files (a test compares them)."""

from __future__ import annotations

from typing import Final

from portico_users.accounts.api.operations import CALLERS
from portico_users.administrators.api.operations import MEMBERS
from portico_users.administrators.permissions import Permission
from portico_users.applications.api.operations import APPS, METADATA_APPS
from portico_users.audit.api.operations import AUDIT, STATISTICS
from portico_users.credentials.api.operations import CREDENTIALS
from portico_users.diagnostics.api.operations import TRACES
from portico_users.end_users.api.humans_v2 import add_human_user, org_of_new_user
from portico_users.end_users.api.list_users import get_user_by_id, list_users
from portico_users.end_users.api.operations import USERS
from portico_users.grants.api.operations import USER_GRANTS
from portico_users.groups.api.operations import GROUPS
from portico_users.identity_providers.api.operations import IDPS
from portico_users.instance.api.operations import SETTINGS, SIGNING_KEYS
from portico_users.management_api.recent_sign_in import RECENT, RECENT_WHEN
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import named_user, readable_orgs
from portico_users.notifications.api.operations import EMAIL_DELIVERY, SENDERS
from portico_users.organizations.api.operations import ORGS
from portico_users.outside_servers.api.operations import OUTSIDE_SERVERS_API
from portico_users.policies.api.operations import POLICIES
from portico_users.projects.api.operations import PROJECT_GRANTS, PROJECTS
from portico_users.scim.api.operations import SCIM
from portico_users.scim_targets.api.operations import SCIM_TARGETS_API
from portico_users.search.api.operations import SEARCH
from portico_users.service_users.api.operations import SERVICE_USERS
from portico_users.sessions.api.operations import SESSIONS
from portico_users.token_hooks.api.operations import TOKEN_HOOKS
from portico_users.user_import.api.operations import USER_IMPORT
from portico_users.webhooks.api.operations import WEBHOOKS

_USER: Final = "portico.user.v2.UserService"

_ROWS: Final[tuple[Operation, ...]] = (
    Operation(f"{_USER}.AddHumanUser", Permission.USER_WRITE, org_of_new_user, add_human_user),
    Operation(f"{_USER}.GetUserByID", Permission.USER_READ, named_user, get_user_by_id, own=True),
    Operation(f"{_USER}.ListUsers", Permission.USER_READ, readable_orgs, list_users),
    *USERS,
    *USER_IMPORT,
    *CALLERS,
    *SEARCH,
    *PROJECTS,
    *PROJECT_GRANTS,
    *AUDIT,
    *SESSIONS,
    *TRACES,
    *STATISTICS,
    *USER_GRANTS,
    *GROUPS,
    *ORGS,
    *MEMBERS,
    *SERVICE_USERS,
    *APPS,
    *METADATA_APPS,
    *IDPS,
    *POLICIES,
    *SETTINGS,
    *SIGNING_KEYS,
    *SCIM,
    *SCIM_TARGETS_API,
    *OUTSIDE_SERVERS_API,
    *WEBHOOKS,
    *TOKEN_HOOKS,
    *SENDERS,
    *EMAIL_DELIVERY,
    *CREDENTIALS,
)

OPERATIONS: Final = tuple(
    one._replace(recent=one.name in RECENT, recent_when=RECENT_WHEN.get(one.name)) for one in _ROWS
)
