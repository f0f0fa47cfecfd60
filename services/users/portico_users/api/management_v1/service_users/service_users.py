"""Creates and changes service users."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.users import AccessTokenType

from portico_users.api.management_v1.service_users import changes
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.users.user_names import refuse_foreign_name
from portico_users.directory.organizations.org import Org
from portico_users.directory.service_users.changes import put_service_user
from portico_users.directory.service_users.service_user import ServiceUser
from portico_users.kernel.states import refuse_unchanged

_TOKEN_TYPES: Final = {
    user_pb2.ACCESS_TOKEN_TYPE_BEARER: AccessTokenType.OPAQUE,
    user_pb2.ACCESS_TOKEN_TYPE_JWT: AccessTokenType.JWT,
}


async def add_machine_user(call: Call[Org], request: pb.AddMachineUserRequest) -> pb.AddMachineUserResponse:
    """Creates a service user.

    Raises:
        ServiceError: of the rules for service users; USER-011 for a name that is taken, USER-864.
    """
    await refuse_foreign_name(call.needs, request.user_name, call.target.org_id, "userName")
    service_user = ServiceUser(
        id=call.needs.new_id(), org_id=call.target.org_id, user_name=request.user_name, name=request.name
    )
    record = await commit(call, put_service_user(None, _with_settings(service_user, request)))
    return pb.AddMachineUserResponse(user_id=record.id, details=changed_details_of(record))


async def update_machine(call: Call[ServiceUser], request: pb.UpdateMachineRequest) -> pb.UpdateMachineResponse:
    """Replaces name, description and kind of token; USER-702 when nothing would change."""
    before = call.target.subject
    after = _with_settings(msgspec.structs.replace(before, name=request.name), request)
    refuse_unchanged(before, after)
    record = await commit(call, put_service_user(before, after))
    return pb.UpdateMachineResponse(details=changed_details_of(record))


async def generate_machine_secret(
    call: Call[ServiceUser], _request: pb.GenerateMachineSecretRequest
) -> pb.GenerateMachineSecretResponse:
    """Replaces the secret."""
    service_user, secret = await changes.add_secret(call)
    details = changed_details_of(service_user)
    return pb.GenerateMachineSecretResponse(client_id=service_user.id, client_secret=secret, details=details)


async def remove_machine_secret(
    call: Call[ServiceUser], _request: pb.RemoveMachineSecretRequest
) -> pb.RemoveMachineSecretResponse:
    """Takes the secret away; USER-702 where there is none."""
    service_user = await changes.remove_secret(call)
    return pb.RemoveMachineSecretResponse(details=changed_details_of(service_user))


def _with_settings(
    service_user: ServiceUser, wanted: pb.AddMachineUserRequest | pb.UpdateMachineRequest
) -> ServiceUser:
    return msgspec.structs.replace(
        service_user,
        description=wanted.description,
        access_token_type=_TOKEN_TYPES[wanted.access_token_type],
        access_token_alg=wanted.access_token_alg or "RS256",
    )
