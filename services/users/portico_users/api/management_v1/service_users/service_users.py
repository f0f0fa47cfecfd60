"""Creates and changes service users."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.users import AccessTokenType

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.former_secrets import until_of
from portico_users.api.shared.places import USER_NAME, at_places
from portico_users.api.transport.call import Call
from portico_users.commands.service_users.credentials import ServiceUserSecret
from portico_users.commands.service_users.service_users import AddServiceUser
from portico_users.directory.organizations.org import Org
from portico_users.directory.service_users.service_user import ServiceUser

_TOKEN_TYPES: Final = {
    user_pb2.ACCESS_TOKEN_TYPE_BEARER: AccessTokenType.OPAQUE,
    user_pb2.ACCESS_TOKEN_TYPE_JWT: AccessTokenType.JWT,
}


async def add_machine_user(
    call: Call[Org], request: pb.AddMachineUserRequest, *, add: AddServiceUser
) -> pb.AddMachineUserResponse:
    """Creates a service user. Raises as `AddServiceUser`."""
    user = ServiceUser(id="", org_id=call.target.org_id, user_name=request.user_name, name=request.name)
    with at_places((USER_NAME,)):
        record = await add(with_settings(user, request), actor=call.caller.user_id)
    return pb.AddMachineUserResponse(user_id=record.id, details=changed_details_of(record))


async def generate_machine_secret(
    call: Call[ServiceUser], request: pb.GenerateMachineSecretRequest, *, secrets: ServiceUserSecret
) -> pb.GenerateMachineSecretResponse:
    """Replaces the secret, and keeps the one before as long as requested."""
    user, secret = await secrets.replace(call.target.subject, request.keep_seconds, actor=call.caller.user_id)
    return pb.GenerateMachineSecretResponse(
        client_id=user.id,
        client_secret=secret,
        details=changed_details_of(user),
        previous_secret_until=until_of(user.previous_secret),
    )


def with_settings(service_user: ServiceUser, wanted: pb.AddMachineUserRequest | pb.UpdateMachineRequest) -> ServiceUser:
    """The service user with name, description and type of token of a request."""
    return msgspec.structs.replace(
        service_user,
        name=wanted.name,
        description=wanted.description,
        access_token_type=_TOKEN_TYPES[wanted.access_token_type],
        access_token_alg=wanted.access_token_alg or "RS256",
    )
