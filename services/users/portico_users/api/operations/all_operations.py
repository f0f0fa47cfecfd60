"""The table of operations: one line for each method of the .proto files (a test compares them)."""

from __future__ import annotations

from typing import Final

from portico_users.api.operations.apps import APPS, METADATA_APPS
from portico_users.api.operations.audit import AUDIT, STATISTICS
from portico_users.api.operations.callers import CALLERS
from portico_users.api.operations.credentials import CREDENTIALS
from portico_users.api.operations.diagnostics import TRACES
from portico_users.api.operations.grants import USER_GRANTS
from portico_users.api.operations.groups import GROUPS
from portico_users.api.operations.idps import IDPS
from portico_users.api.operations.instance import SETTINGS, SIGNING_KEYS
from portico_users.api.operations.members import MEMBERS
from portico_users.api.operations.orgs import ORGS
from portico_users.api.operations.policies import POLICIES
from portico_users.api.operations.projects import PROJECT_GRANTS, PROJECTS
from portico_users.api.operations.recent import RECENT, RECENT_WHEN
from portico_users.api.operations.search import SEARCH
from portico_users.api.operations.senders import EMAIL_DELIVERY, SENDERS
from portico_users.api.operations.service_users import SERVICE_USERS
from portico_users.api.operations.sessions import SESSIONS
from portico_users.api.operations.user_import import USER_IMPORT
from portico_users.api.operations.users import USERS
from portico_users.api.operations.webhooks import WEBHOOKS
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user, readable_orgs
from portico_users.api.user_v2.users.humans import add_human_user, org_of_new_user
from portico_users.api.user_v2.users.list_users import get_user_by_id, list_users
from portico_users.resources.members.permissions import Permission

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
    *WEBHOOKS,
    *SENDERS,
    *EMAIL_DELIVERY,
    *CREDENTIALS,
)

OPERATIONS: Final = tuple(
    one._replace(recent=one.name in RECENT, recent_when=RECENT_WHEN.get(one.name)) for one in _ROWS
)
