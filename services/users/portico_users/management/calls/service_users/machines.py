"""Creates and changes service users."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.users import AccessTokenType
from portico_oauth.opaque import fingerprint

from portico_users.apps.client_secrets import new_secret
from portico_users.domain.states import refuse_unchanged
from portico_users.machines.commands import put_machine
from portico_users.machines.machine import Machine
from portico_users.management.call import Call
from portico_users.management.calls.committing import commit
from portico_users.management.calls.details import changed_details_of
from portico_users.management.calls.users.user_names import refuse_foreign_name
from portico_users.orgs.org import Org

_TOKEN_TYPES: Final = {
    user_pb2.ACCESS_TOKEN_TYPE_BEARER: AccessTokenType.OPAQUE,
    user_pb2.ACCESS_TOKEN_TYPE_JWT: AccessTokenType.JWT,
}


async def add_machine_user(call: Call[Org], request: pb.AddMachineUserRequest) -> pb.AddMachineUserResponse:
    """Creates a service user.

    Raises:
        Refusal: of the rules for service users; USER-011 for a name that is taken, USER-864.
    """
    await refuse_foreign_name(call.needs, request.user_name, call.target.org_id, "userName")
    machine = Machine(id=call.needs.new_id(), org_id=call.target.org_id, user_name=request.user_name, name=request.name)
    record = await commit(call, put_machine(None, _with_settings(machine, request)))
    return pb.AddMachineUserResponse(user_id=record.id, details=changed_details_of(record))


async def update_machine(call: Call[Machine], request: pb.UpdateMachineRequest) -> pb.UpdateMachineResponse:
    """Replaces name, description and kind of token; USER-702 when nothing would change."""
    after = msgspec.structs.replace(call.target.subject, name=request.name)
    record = await _replace(call, _with_settings(after, request))
    return pb.UpdateMachineResponse(details=changed_details_of(record))


async def generate_machine_secret(
    call: Call[Machine], _request: pb.GenerateMachineSecretRequest
) -> pb.GenerateMachineSecretResponse:
    """Replaces the secret."""
    secret = new_secret(call.needs.random)
    after = msgspec.structs.replace(call.target.subject, secret_hash=fingerprint(secret))
    record = await _replace(call, after)
    return pb.GenerateMachineSecretResponse(
        client_id=record.id, client_secret=secret, details=changed_details_of(record)
    )


async def remove_machine_secret(
    call: Call[Machine], _request: pb.RemoveMachineSecretRequest
) -> pb.RemoveMachineSecretResponse:
    """Takes the secret away; USER-702 where there is none."""
    record = await _replace(call, msgspec.structs.replace(call.target.subject, secret_hash=""))
    return pb.RemoveMachineSecretResponse(details=changed_details_of(record))


async def _replace(call: Call[Machine], after: Machine) -> Machine:
    before = call.target.subject
    refuse_unchanged(before, after)
    return await commit(call, put_machine(before, after))


def _with_settings(machine: Machine, wanted: pb.AddMachineUserRequest | pb.UpdateMachineRequest) -> Machine:
    return msgspec.structs.replace(
        machine,
        description=wanted.description,
        access_token_type=_TOKEN_TYPES[wanted.access_token_type],
        access_token_alg=wanted.access_token_alg or "RS256",
    )
