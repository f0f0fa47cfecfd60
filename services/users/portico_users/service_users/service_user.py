"""The service user, stored in the same collection as end users."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import USER_CHANGED
from portico_contracts.users import AccessTokenType, Dpop
from pymongo import ASCENDING, IndexModel

from portico_users.applications.client_keys.assertion_keys import AssertionKey
from portico_users.applications.client_keys.client_secrets import PreviousSecret
from portico_users.end_users.marks import MARKS, SERVICE_USER
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.memberships import InGroups
from portico_users.service_users.personal_access_tokens import PersonalToken
from portico_users.storage.entry import Document, Table
from portico_users.trusted_workloads.workload import TrustedWorkload
from portico_users.values.records import Record, State, name_key
from portico_users.values.word_keys import word_keys


class ServiceUser(Record, frozen=True, kw_only=True, tag_field="type", tag="machine"):
    """A user for a program; ``secret_hash`` is the fingerprint of its secret, personal tokens are for our own API.

    `secret_created` is 0 if an older release set the secret, `secret_until` is 0 if it does not expire.
    """

    user_name: str
    name: str
    description: str = ""
    access_token_type: AccessTokenType = AccessTokenType.OPAQUE
    access_token_alg: str = "RS256"
    secret_hash: str = ""
    secret_created: float = 0.0
    secret_until: float = 0.0
    previous_secret: PreviousSecret | None = None
    keys: tuple[AssertionKey, ...] = ()
    personal_tokens: tuple[PersonalToken, ...] = ()
    grants: tuple[RoleGrant, ...] = ()
    groups: InGroups = ()
    dpop: Dpop = Dpop.OFF
    trusted_workloads: tuple[TrustedWorkload, ...] = ()


def _keys(service_user: ServiceUser) -> Document:
    is_deleted = service_user.state is State.DELETED
    words = word_keys((service_user.name, service_user.user_name), deleted=is_deleted)
    return {"nameKey": name_key(service_user, service_user.user_name), MARKS: [SERVICE_USER], **words}


SERVICE_USERS: Final[Table[ServiceUser]] = Table(
    "users",
    ServiceUser,
    USER_CHANGED,
    _keys,
    private=frozenset({"secretHash", "previousSecret", "secretCreated", "secretUntil", "personalTokens"}),
    indexes=(
        IndexModel([("nameKey", ASCENDING)], unique=True),
        IndexModel([("personalTokens.hash", ASCENDING)], sparse=True),
        IndexModel(
            [("orgId", ASCENDING), ("secretUntil", ASCENDING)], partialFilterExpression={"secretUntil": {"$gt": 0}}
        ),
    ),
)
