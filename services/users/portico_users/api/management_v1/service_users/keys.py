"""The keys service users sign their assertions with, as the older API has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.key_messages import expiration_of, file_of, key_message, key_messages, public_key_of
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.commands.service_users.credentials import ServiceUserKeys
from portico_users.directory.client_keys.key_files import load_key
from portico_users.directory.service_users.service_user import ServiceUser


async def add_machine_key(
    call: Call[ServiceUser], request: pb.AddMachineKeyRequest, *, keys: ServiceUserKeys
) -> pb.AddMachineKeyResponse:
    """Adds a key. Raises as `ServiceUserKeys.add`."""
    public_key, expires_at = public_key_of(request), expiration_of(request)
    added = await keys.add(call.target.subject, public_key, expires_at, actor=call.caller.user_id)
    details = changed_details_of(added.user)
    return pb.AddMachineKeyResponse(key_id=added.key.kid, details=details, key_details=file_of(added))


async def get_machine_key_by_ids(
    call: Call[ServiceUser], request: pb.GetMachineKeyByIDsRequest
) -> pb.GetMachineKeyByIDsResponse:
    """The public part of a key; USER-706 for an unknown one."""
    service_user = call.target.subject
    return pb.GetMachineKeyByIDsResponse(key=key_message(service_user, load_key(service_user.keys, request.key_id)))


async def list_machine_keys(call: Call[ServiceUser], request: pb.ListMachineKeysRequest) -> pb.ListMachineKeysResponse:
    """A page of the keys, in the order they were added."""
    service_user = call.target.subject
    page = page_out_of(service_user.keys, request.query)
    return pb.ListMachineKeysResponse(
        details=details_of_list(len(service_user.keys)), result=key_messages(service_user, page)
    )
