"""Metadata of humans below /management/v1: other messages, the same rules."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import user_metadata_service_pb2 as pb

from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.targets import user_of
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.metadata import found_among
from portico_users.commands.people.change_human import RemoveMetadata
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human, metadata_value
from portico_users.directory.people.human import Metadata as Entry

AnyRequest = (
    pb.ListMetadataRequest
    | pb.GetMetadataRequest
    | pb.SetMetadataRequest
    | pb.BulkSetMetadataRequest
    | pb.RemoveMetadataRequest
    | pb.BulkRemoveMetadataRequest
)


async def user_with_metadata(
    context: RequestContext, request: AnyRequest, *, accounts: MongoAccounts
) -> Target[AnyUser]:
    """The user whose id the request has. Raises as `named_user`."""
    return await user_of(context, request.id, accounts)


async def list_metadata(call: Call[AnyUser], request: pb.ListMetadataRequest) -> pb.ListMetadataResponse:
    """The entries that meet all conditions, by their keys."""
    human = human_of(call)
    conditions = [text_condition("key", one.key_query.key, one.key_query.method) for one in request.queries]
    found = [entry for entry in human.metadata if all(meets(condition, entry.key) for condition in conditions)]
    page = page_out_of(found, request.query)
    return pb.ListMetadataResponse(
        details=details_of_list(len(found)), result=[_message(human, entry) for entry in page]
    )


async def get_metadata(call: Call[AnyUser], request: pb.GetMetadataRequest) -> pb.GetMetadataResponse:
    """One entry; USER-408 when there is none under the key."""
    human = human_of(call)
    return pb.GetMetadataResponse(metadata=_message(human, found_among(human.metadata, request.key)))


async def remove_metadata(
    call: Call[AnyUser], request: pb.RemoveMetadataRequest, *, remove_metadata: RemoveMetadata
) -> pb.RemoveMetadataResponse:
    """Removes one entry; USER-408 when there is none under the key."""
    human = human_of(call)
    found_among(human.metadata, request.key)
    changed = await remove_metadata(human, [request.key], actor=call.caller.user_id)
    return pb.RemoveMetadataResponse(details=changed_details_of(changed))


def _message(human: Human, entry: Entry) -> pb.Metadata:
    """An entry has the details of its user: it has no sequence of its own."""
    return pb.Metadata(details=details_of(human), key=entry.key, value=metadata_value(entry))
