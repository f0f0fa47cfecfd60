"""The keys service users sign their assertions with, as the older API has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.api.management_v1.service_users import changes
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.key_messages import key_message, key_messages
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.directory.client_keys.key_files import load_key
from portico_users.directory.service_users.service_user import Machine


async def add_machine_key(call: Call[Machine], request: pb.AddMachineKeyRequest) -> pb.AddMachineKeyResponse:
    """Adds a key. Raises as `changes.add_key`."""
    added = await changes.add_key(call, request)
    details = changed_details_of(added.machine)
    return pb.AddMachineKeyResponse(key_id=added.kept.kid, details=details, key_details=added.file)


async def get_machine_key_by_ids(
    call: Call[Machine], request: pb.GetMachineKeyByIDsRequest
) -> pb.GetMachineKeyByIDsResponse:
    """What is kept of a key; USER-706 for an unknown one."""
    machine = call.target.subject
    return pb.GetMachineKeyByIDsResponse(key=key_message(machine, load_key(machine.keys, request.key_id)))


async def remove_machine_key(call: Call[Machine], request: pb.RemoveMachineKeyRequest) -> pb.RemoveMachineKeyResponse:
    """Takes a key away; USER-706 for an unknown one."""
    machine = await changes.remove_key(call, request.key_id)
    return pb.RemoveMachineKeyResponse(details=changed_details_of(machine))


async def list_machine_keys(call: Call[Machine], request: pb.ListMachineKeysRequest) -> pb.ListMachineKeysResponse:
    """A page of the keys, in the order they were added."""
    machine = call.target.subject
    page = page_out_of(machine.keys, request.query)
    return pb.ListMachineKeysResponse(details=details_of_list(len(machine.keys)), result=key_messages(machine, page))
