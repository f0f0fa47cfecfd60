from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.user.v2.user_metadata_pb2 import (
    DeleteUserMetadataRequest,
    DeleteUserMetadataResponse,
    ListUserMetadataRequest,
    ListUserMetadataResponse,
    MetadataEntry,
    SetUserMetadataRequest,
    SetUserMetadataResponse,
)

from portico_users.accounts.account import AnyUser
from portico_users.end_users.commands.change_end_user import METADATA_NOT_FOUND, RemoveMetadata, SetMetadata
from portico_users.end_users.end_user import EndUser, Metadata, metadata_value
from portico_users.end_users.messages import metadata_of
from portico_users.management_api.protobuf.details import changed_details_of, timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.management_api.protobuf.target_user import end_user_of
from portico_users.management_api.transport.call import Call


async def set_user_metadata(
    call: Call[AnyUser], request: SetUserMetadataRequest, *, set_metadata: SetMetadata
) -> SetUserMetadataResponse:
    changed = await set_metadata(end_user_of(call), metadata_of(request.metadata), actor=call.caller.user_id)
    return SetUserMetadataResponse(details=changed_details_of(changed), set_date=changed_date(changed))


async def list_user_metadata(call: Call[AnyUser], request: ListUserMetadataRequest) -> ListUserMetadataResponse:
    conditions = [text_condition("key", one.key_filter.key, one.key_filter.method) for one in request.filters]
    stored = end_user_of(call).metadata
    found = [entry for entry in stored if all(meets(condition, entry.key) for condition in conditions)]
    page = page_out_of(found, request.pagination)
    return ListUserMetadataResponse(details=details_of_list(len(found)), metadata=[entry_message(one) for one in page])


async def delete_user_metadata(
    call: Call[AnyUser], request: DeleteUserMetadataRequest, *, remove_metadata: RemoveMetadata
) -> DeleteUserMetadataResponse:
    """Deletes all given entries or, if one does not exist, none (USER-408)."""
    changed = await remove_metadata(end_user_of(call), request.keys, actor=call.caller.user_id)
    return DeleteUserMetadataResponse(details=changed_details_of(changed), deletion_date=changed_date(changed))


def entry_message(entry: Metadata) -> MetadataEntry:
    return MetadataEntry(key=entry.key, value=metadata_value(entry))


def found_among(entries: Iterable[Metadata], key: str) -> Metadata:
    for entry in entries:
        if entry.key == key:
            return entry
    raise METADATA_NOT_FOUND.error()


def changed_date(human: EndUser) -> Timestamp:
    return timestamp_of(human.changed)
