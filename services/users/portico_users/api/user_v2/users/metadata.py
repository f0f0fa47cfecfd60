"""Metadata of humans. Users may read their own; what it says is for whoever manages them to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
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
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of, moment
from portico_users.api.shared.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.person_values import metadata_of
from portico_users.commands.people.new_human import MetadataValues, refuse_repeated_keys
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human, Metadata, metadata_value, with_metadata
from portico_users.kernel.problems import at

METADATA_NOT_FOUND = ErrorCode("USER-408", Kind.NOT_FOUND, "There is no metadata under this key.", "List the metadata.")


async def set_user_metadata(call: Call[AnyUser], request: SetUserMetadataRequest) -> SetUserMetadataResponse:
    """Sets entries; others stay. Raises USER-007, USER-317."""
    changed = await put_metadata(call, metadata_of(request.metadata))
    return SetUserMetadataResponse(details=changed_details_of(changed), set_date=changed_date(changed))


async def list_user_metadata(call: Call[AnyUser], request: ListUserMetadataRequest) -> ListUserMetadataResponse:
    """The entries that meet all filters, by their keys."""
    conditions = [text_condition("key", one.key_filter.key, one.key_filter.method) for one in request.filters]
    stored = human_of(call).metadata
    found = [entry for entry in stored if all(meets(condition, entry.key) for condition in conditions)]
    page = page_out_of(found, request.pagination)
    return ListUserMetadataResponse(details=details_of_list(len(found)), metadata=[entry_message(one) for one in page])


async def delete_user_metadata(call: Call[AnyUser], request: DeleteUserMetadataRequest) -> DeleteUserMetadataResponse:
    """Takes entries away; USER-408, and nothing is done, when one of them is not there."""
    changed = await drop_metadata(call, request.keys)
    return DeleteUserMetadataResponse(details=changed_details_of(changed), deletion_date=changed_date(changed))


async def put_metadata(call: Call[AnyUser], values: MetadataValues) -> Human:
    """The human with these entries."""
    refuse_repeated_keys(key for key, _ in values)
    human = human_of(call)
    after = msgspec.structs.replace(human, metadata=with_metadata(human.metadata, dict(values)))
    # What is as it is wanted needs no event.
    return await commit(call, put_human(human, after)) if human != after else human


async def drop_metadata(call: Call[AnyUser], keys: Sequence[str]) -> Human:
    """The human without these entries."""
    human = human_of(call)
    stored = {entry.key for entry in human.metadata}
    for number, key in enumerate(keys):
        if key not in stored:
            raise at(f"keys[{number}]", METADATA_NOT_FOUND.error())
    kept = tuple(entry for entry in human.metadata if entry.key not in frozenset(keys))
    return await commit(call, put_human(human, msgspec.structs.replace(human, metadata=kept)))


def entry_message(entry: Metadata) -> MetadataEntry:
    """An entry as it is read."""
    return MetadataEntry(key=entry.key, value=metadata_value(entry))


def found_among(entries: Iterable[Metadata], key: str) -> Metadata:
    """The entry of a key; USER-408 when there is none."""
    for entry in entries:
        if entry.key == key:
            return entry
    raise METADATA_NOT_FOUND.error()


def changed_date(human: Human) -> Timestamp:
    """When it was changed."""
    return moment(human.changed)
