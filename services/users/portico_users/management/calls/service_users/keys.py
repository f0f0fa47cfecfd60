"""The keys service users sign their assertions with."""

from __future__ import annotations

import asyncio

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.domain.key_files import key_file, load_key, new_key, refuse_past, without_key
from portico_users.machines.commands import put_machine
from portico_users.machines.machine import Machine
from portico_users.management.call import Call
from portico_users.management.calls.committing import commit
from portico_users.management.calls.details import changed_details_of
from portico_users.management.calls.key_messages import key_message, key_messages, seconds_of
from portico_users.management.calls.listing import details_of_list, page_out_of


async def add_machine_key(call: Call[Machine], request: pb.AddMachineKeyRequest) -> pb.AddMachineKeyResponse:
    """Makes a key, keeps its public half and gives out the file with the private one.

    Raises:
        Refusal: USER-053 for an end in the past, USER-054 for too many.
    """
    machine = call.target.subject
    expires_at = seconds_of(request)
    refuse_past(expires_at, call.needs.clock.now())
    made = await asyncio.to_thread(new_key, call.needs.new_id(), expires_at)
    after = msgspec.structs.replace(machine, keys=(*machine.keys, made.key))
    record = await commit(call, put_machine(machine, after))
    file = key_file("serviceaccount", made, userId=machine.id)
    return pb.AddMachineKeyResponse(key_id=made.key.kid, details=changed_details_of(record), key_details=file)


async def get_machine_key_by_ids(
    call: Call[Machine], request: pb.GetMachineKeyByIDsRequest
) -> pb.GetMachineKeyByIDsResponse:
    """What is kept of a key; USER-706 for an unknown one."""
    machine = call.target.subject
    return pb.GetMachineKeyByIDsResponse(key=key_message(machine, load_key(machine.keys, request.key_id)))


async def remove_machine_key(call: Call[Machine], request: pb.RemoveMachineKeyRequest) -> pb.RemoveMachineKeyResponse:
    """Takes a key away; USER-706 for an unknown one."""
    machine = call.target.subject
    after = msgspec.structs.replace(machine, keys=without_key(machine.keys, request.key_id))
    record = await commit(call, put_machine(machine, after))
    return pb.RemoveMachineKeyResponse(details=changed_details_of(record))


async def list_machine_keys(call: Call[Machine], request: pb.ListMachineKeysRequest) -> pb.ListMachineKeysResponse:
    """A page of the keys, in the order they were added."""
    machine = call.target.subject
    page = page_out_of(machine.keys, request.query)
    return pb.ListMachineKeysResponse(details=details_of_list(len(machine.keys)), result=key_messages(machine, page))
