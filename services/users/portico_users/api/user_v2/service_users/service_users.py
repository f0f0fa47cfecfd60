"""What service users prove themselves with, as the newer API adds it and takes it away."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import service_users_pb2 as pb

from portico_users.api.management_v1.service_users import changes
from portico_users.api.shared.details import moment
from portico_users.api.transport.call import Call
from portico_users.directory.service_users.service_user import ServiceUser


async def add_key(call: Call[ServiceUser], request: pb.AddKeyRequest) -> pb.AddKeyResponse:
    """Adds a key. Raises as `changes.add_key`."""
    added = await changes.add_key(call, request)
    created = moment(added.kept.created)
    return pb.AddKeyResponse(creation_date=created, key_id=added.kept.kid, key_content=added.file)


async def remove_key(call: Call[ServiceUser], request: pb.RemoveKeyRequest) -> pb.RemoveKeyResponse:
    """Takes a key away; USER-706 for an unknown one."""
    service_user = await changes.remove_key(call, request.key_id)
    return pb.RemoveKeyResponse(deletion_date=moment(service_user.changed))


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest
) -> pb.AddPersonalAccessTokenResponse:
    """Makes a token. Raises as `changes.add_token`."""
    _service_user, made = await changes.add_token(call, request)
    created = moment(made.kept.created)
    return pb.AddPersonalAccessTokenResponse(creation_date=created, token_id=made.kept.id, token=made.text)


async def remove_personal_access_token(
    call: Call[ServiceUser], request: pb.RemovePersonalAccessTokenRequest
) -> pb.RemovePersonalAccessTokenResponse:
    """Takes a token away; USER-710 for an unknown one."""
    service_user = await changes.remove_token(call, request.token_id)
    return pb.RemovePersonalAccessTokenResponse(deletion_date=moment(service_user.changed))


async def add_secret(call: Call[ServiceUser], _request: pb.AddSecretRequest) -> pb.AddSecretResponse:
    """Replaces the secret."""
    service_user, secret = await changes.add_secret(call)
    return pb.AddSecretResponse(creation_date=moment(service_user.changed), client_secret=secret)


async def remove_secret(call: Call[ServiceUser], _request: pb.RemoveSecretRequest) -> pb.RemoveSecretResponse:
    """Takes the secret away; USER-702 where there is none."""
    service_user = await changes.remove_secret(call)
    return pb.RemoveSecretResponse(deletion_date=moment(service_user.changed))
