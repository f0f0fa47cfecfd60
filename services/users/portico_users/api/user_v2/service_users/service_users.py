"""Credentials of service users, added and removed."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import service_users_pb2 as pb

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.key_messages import expiration_of, file_of, public_key_of
from portico_users.api.transport.call import Call
from portico_users.commands.service_users.credentials import PersonalTokens, ServiceUserKeys, ServiceUserSecret
from portico_users.directory.service_users.service_user import ServiceUser


async def add_key(call: Call[ServiceUser], request: pb.AddKeyRequest, *, keys: ServiceUserKeys) -> pb.AddKeyResponse:
    """Adds a key. Raises as `ServiceUserKeys.add`."""
    public_key, expires_at = public_key_of(request), expiration_of(request)
    added = await keys.add(call.target.subject, public_key, expires_at, actor=call.caller.user_id)
    created = timestamp_of(added.key.created)
    return pb.AddKeyResponse(creation_date=created, key_id=added.key.kid, key_content=file_of(added))


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest, *, tokens: PersonalTokens
) -> pb.AddPersonalAccessTokenResponse:
    """Adds a token. Raises as `PersonalTokens.add`."""
    _user, made = await tokens.add(call.target.subject, expiration_of(request), actor=call.caller.user_id)
    created = timestamp_of(made.kept.created)
    return pb.AddPersonalAccessTokenResponse(creation_date=created, token_id=made.kept.id, token=made.text)


async def add_secret(
    call: Call[ServiceUser], _request: pb.AddSecretRequest, *, secrets: ServiceUserSecret
) -> pb.AddSecretResponse:
    """Replaces the secret."""
    user, secret = await secrets.replace(call.target.subject, actor=call.caller.user_id)
    return pb.AddSecretResponse(creation_date=timestamp_of(user.changed), client_secret=secret)
