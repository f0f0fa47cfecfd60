"""Service users with their keys and personal access tokens."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import app_pb2
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.users import AccessTokenType, Dpop

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.client_keys.key_files import load_key
from portico_users.management_api.protobuf.details import changed_details_of, details_of, timestamp_of
from portico_users.management_api.protobuf.key_messages import (
    expiration_of,
    file_of,
    key_message,
    key_messages,
    public_key_of,
    until_of,
)
from portico_users.management_api.protobuf.listing import details_of_list, page_out_of
from portico_users.management_api.protobuf.places import USER_NAME, at_places
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import USER_NOT_FOUND, NamesUser, named_user
from portico_users.organizations.org import Org
from portico_users.service_users.commands import AddServiceUser, PersonalTokens, ServiceUserKeys, ServiceUserSecret
from portico_users.service_users.personal_access_tokens import PersonalToken, load_token
from portico_users.service_users.service_user import ServiceUser

_TOKEN_TYPES: Final = {
    user_pb2.ACCESS_TOKEN_TYPE_BEARER: AccessTokenType.OPAQUE,
    user_pb2.ACCESS_TOKEN_TYPE_JWT: AccessTokenType.JWT,
}
_DPOP: Final = {
    app_pb2.DPOP_OFF: Dpop.OFF,
    app_pb2.DPOP_ALLOWED: Dpop.ALLOWED,
    app_pb2.DPOP_REQUIRED: Dpop.REQUIRED,
}


async def add_machine_user(
    call: Call[Org], request: pb.AddMachineUserRequest, *, add: AddServiceUser
) -> pb.AddMachineUserResponse:
    user = ServiceUser(id="", org_id=call.target.org_id, user_name=request.user_name, name=request.name)
    with at_places((USER_NAME,)):
        record, secret = await add(
            with_settings(user, request), generate_secret=request.generate_secret, actor=call.caller.user_id
        )
    return pb.AddMachineUserResponse(user_id=record.id, details=changed_details_of(record), client_secret=secret)


async def generate_machine_secret(
    call: Call[ServiceUser], request: pb.GenerateMachineSecretRequest, *, secrets: ServiceUserSecret
) -> pb.GenerateMachineSecretResponse:
    before, days = call.target.subject, request.expires_after_days
    user, secret = await secrets.replace(before, request.keep_seconds, days, actor=call.caller.user_id)
    return pb.GenerateMachineSecretResponse(
        client_id=user.id,
        client_secret=secret,
        details=changed_details_of(user),
        previous_secret_until=until_of(user.previous_secret),
    )


def with_settings(service_user: ServiceUser, wanted: pb.AddMachineUserRequest | pb.UpdateMachineRequest) -> ServiceUser:
    return msgspec.structs.replace(
        service_user,
        name=wanted.name,
        description=wanted.description,
        access_token_type=_TOKEN_TYPES[wanted.access_token_type],
        access_token_alg=wanted.access_token_alg or "RS256",
        dpop=service_user.dpop if _omits_dpop(wanted) else _DPOP[wanted.dpop],
    )


def _omits_dpop(wanted: pb.AddMachineUserRequest | pb.UpdateMachineRequest) -> bool:
    return isinstance(wanted, pb.UpdateMachineRequest) and not wanted.HasField("dpop")


async def named_service_user(
    context: RequestContext, request: NamesUser, *, accounts: MongoAccounts
) -> Target[ServiceUser]:
    target = await named_user(context, request, accounts=accounts)
    if not isinstance(target.subject, ServiceUser):
        raise USER_NOT_FOUND.error()
    return Target(target.org_id, target.subject, USER_NOT_FOUND, user_id=target.user_id)


async def add_machine_key(
    call: Call[ServiceUser], request: pb.AddMachineKeyRequest, *, keys: ServiceUserKeys
) -> pb.AddMachineKeyResponse:
    public_key, expires_at = public_key_of(request), expiration_of(request)
    added = await keys.add(call.target.subject, public_key, expires_at, actor=call.caller.user_id)
    details = changed_details_of(added.user)
    return pb.AddMachineKeyResponse(key_id=added.key.kid, details=details, key_details=file_of(added))


async def get_machine_key_by_ids(
    call: Call[ServiceUser], request: pb.GetMachineKeyByIDsRequest
) -> pb.GetMachineKeyByIDsResponse:
    service_user = call.target.subject
    return pb.GetMachineKeyByIDsResponse(key=key_message(service_user, load_key(service_user.keys, request.key_id)))


async def list_machine_keys(call: Call[ServiceUser], request: pb.ListMachineKeysRequest) -> pb.ListMachineKeysResponse:
    service_user = call.target.subject
    page = page_out_of(service_user.keys, request.query)
    return pb.ListMachineKeysResponse(
        details=details_of_list(len(service_user.keys)), result=key_messages(service_user, page)
    )


async def add_personal_access_token(
    call: Call[ServiceUser], request: pb.AddPersonalAccessTokenRequest, *, tokens: PersonalTokens
) -> pb.AddPersonalAccessTokenResponse:
    expires_at = expiration_of(request)
    service_user, made = await tokens.add(call.target.subject, expires_at, actor=call.caller.user_id)
    details = changed_details_of(service_user)
    return pb.AddPersonalAccessTokenResponse(token_id=made.kept.id, token=made.text, details=details)


async def get_personal_access_token_by_ids(
    call: Call[ServiceUser], request: pb.GetPersonalAccessTokenByIDsRequest
) -> pb.GetPersonalAccessTokenByIDsResponse:
    service_user = call.target.subject
    token = load_token(service_user.personal_tokens, request.token_id)
    return pb.GetPersonalAccessTokenByIDsResponse(token=_message(service_user, token))


async def list_personal_access_tokens(
    call: Call[ServiceUser], request: pb.ListPersonalAccessTokensRequest
) -> pb.ListPersonalAccessTokensResponse:
    service_user = call.target.subject
    page = page_out_of(service_user.personal_tokens, request.query)
    return pb.ListPersonalAccessTokensResponse(
        details=details_of_list(len(service_user.personal_tokens)),
        result=[_message(service_user, token) for token in page],
    )


def _message(service_user: ServiceUser, token: PersonalToken) -> pb.PersonalAccessToken:
    message = pb.PersonalAccessToken(id=token.id, details=details_of(service_user))
    if token.expires_at:
        message.expiration_date.CopyFrom(timestamp_of(token.expires_at))
    return message
