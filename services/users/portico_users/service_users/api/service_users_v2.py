"""Credentials of service users: added, removed and listed."""

from __future__ import annotations

from typing import Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.user.v2 import service_users_pb2 as pb
from portico_contracts.generated.portico.v1 import filter_pb2 as filters

from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.key_messages import expiration_of, file_of, public_key_of
from portico_users.management_api.protobuf.listing import AsQuestion, page_of, questions_of
from portico_users.management_api.transport.call import Call
from portico_users.service_users.commands import PersonalTokens, ServiceUserKeys, ServiceUserSecret
from portico_users.service_users.credential_search import KEYS, NEVER, TOKENS, CredentialSearch, ServiceUserCredential
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.listing import Page

_OPERATORS: Final = {
    filters.TIMESTAMP_FILTER_METHOD_EQUALS: "$eq",
    filters.TIMESTAMP_FILTER_METHOD_AFTER: "$gt",
    filters.TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: "$gte",
    filters.TIMESTAMP_FILTER_METHOD_BEFORE: "$lt",
    filters.TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: "$lte",
}
_MOST: Final = 2**62
"""Later than any date, and within the database's integer range."""


def pagination_of(total: int, page: Page) -> filters.PaginationResponse:
    return filters.PaginationResponse(total_result=total, applied_limit=page.limit)


def by_id(member: str) -> AsQuestion:
    return lambda condition: {member: condition.id}


def by_timestamp(member: str) -> AsQuestion:
    """Compares a field in microseconds with a timestamp."""
    return lambda condition: {member: {_OPERATORS[condition.method]: _microseconds(condition.timestamp)}}


def _microseconds(timestamp: Timestamp) -> int:
    return max(-_MOST, min(_MOST, timestamp.seconds * 1_000_000 + timestamp.nanos // 1_000))


async def add_key(call: Call[ServiceUser], request: pb.AddKeyRequest, *, keys: ServiceUserKeys) -> pb.AddKeyResponse:
    public_key, expires_at = public_key_of(request), expiration_of(request)
    added = await keys.add(call.target.subject, public_key, expires_at, actor=call.caller.user_id)
    created = timestamp_of(added.key.created)
    return pb.AddKeyResponse(creation_date=created, key_id=added.key.kid, key_content=file_of(added))


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest, *, tokens: PersonalTokens
) -> pb.AddPersonalAccessTokenResponse:
    _user, made = await tokens.add(call.target.subject, expiration_of(request), actor=call.caller.user_id)
    created = timestamp_of(made.kept.created)
    return pb.AddPersonalAccessTokenResponse(creation_date=created, token_id=made.kept.id, token=made.text)


async def add_secret(
    call: Call[ServiceUser], _request: pb.AddSecretRequest, *, secrets: ServiceUserSecret
) -> pb.AddSecretResponse:
    user, secret = await secrets.replace(call.target.subject, actor=call.caller.user_id)
    return pb.AddSecretResponse(creation_date=timestamp_of(user.changed), client_secret=secret)


Message = TypeVar("Message", pb.Key, pb.PersonalAccessToken)

KEY_COLUMNS: Final[dict[int, str]] = {
    pb.KEY_FIELD_NAME_UNSPECIFIED: "created",
    pb.KEY_FIELD_NAME_CREATED_DATE: "created",
    pb.KEY_FIELD_NAME_ID: "id",
    pb.KEY_FIELD_NAME_USER_ID: "user_id",
    pb.KEY_FIELD_NAME_ORGANIZATION_ID: "org_id",
    pb.KEY_FIELD_NAME_KEY_EXPIRATION_DATE: "expires_at",
}
TOKEN_COLUMNS: Final[dict[int, str]] = {
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: "created",
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: "created",
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: "id",
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: "user_id",
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: "org_id",
    pb.PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: "expires_at",
}
_OF_BOTH: Final[dict[str, AsQuestion]] = {
    "user_id_filter": by_id("user_id"),
    "organization_id_filter": by_id("org_id"),
    "created_date_filter": by_timestamp("created"),
    "expiration_date_filter": by_timestamp("expires_at"),
}
KEY_FILTERS: Final = {**_OF_BOTH, "key_id_filter": by_id("id")}
TOKEN_FILTERS: Final = {**_OF_BOTH, "token_id_filter": by_id("id")}
"""By the name of the field in the .proto file; a test looks that none is missing."""

OrgIds = tuple[str, ...] | None
"""Organizations where the caller may read users; None for all."""


async def list_keys(
    call: Call[OrgIds], request: pb.ListKeysRequest, *, credentials: CredentialSearch
) -> pb.ListKeysResponse:
    page = page_of(request.pagination, KEY_COLUMNS[request.sorting_column])
    conditions = questions_of(request.filters, KEY_FILTERS, oneof="filter")
    found = await credentials.search(KEYS, call.target.subject, conditions, page)
    keys = [_message(pb.Key(), one) for one in found.credentials]
    return pb.ListKeysResponse(pagination=pagination_of(found.total, page), result=keys)


async def list_personal_access_tokens(
    call: Call[OrgIds], request: pb.ListPersonalAccessTokensRequest, *, credentials: CredentialSearch
) -> pb.ListPersonalAccessTokensResponse:
    page = page_of(request.pagination, TOKEN_COLUMNS[request.sorting_column])
    conditions = questions_of(request.filters, TOKEN_FILTERS, oneof="filter")
    found = await credentials.search(TOKENS, call.target.subject, conditions, page)
    tokens = [_message(pb.PersonalAccessToken(), one) for one in found.credentials]
    return pb.ListPersonalAccessTokensResponse(pagination=pagination_of(found.total, page), result=tokens)


def _message(message: Message, one: ServiceUserCredential) -> Message:
    message.id, message.user_id, message.organization_id = one.id, one.user_id, one.org_id
    if one.created:
        for date in (message.creation_date, message.change_date):
            date.FromMicroseconds(one.created)
    if one.expires_at != NEVER:
        message.expiration_date.FromMicroseconds(one.expires_at)
    return message
