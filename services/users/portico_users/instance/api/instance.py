"""Operations of `portico.admin.v1` for the instance alone: settings, emails, signing keys, and organizations set up with their first user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from portico_contracts.generated.portico.admin.v1 import settings_service_pb2 as pb
from portico_contracts.generated.portico.admin.v1 import signing_key_service_pb2 as signing_key_service_pb
from portico_contracts.keys import KEY_STATES, GetKeyStates, KeyState

from portico_users.bus import Bus
from portico_users.instance.commands import ChangeSigningKeys
from portico_users.instance.instance import Instance
from portico_users.management_api.protobuf.details import details_of, timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call
from portico_users.policies.token_lifetimes import LIFETIME_FIELDS, LongestLifetimes, TokenLifetimes, effective


async def get_settings(
    call: Call[Instance], _request: pb.GetOIDCSettingsRequest, *, longest: LongestLifetimes
) -> pb.GetOIDCSettingsResponse:
    instance = call.target.subject
    lives = effective(instance.token_lifetimes, longest)
    settings = message_of(pb.OIDCSettings, LIFETIME_FIELDS, lives, details=details_of(instance))
    return pb.GetOIDCSettingsResponse(settings=settings)


def lifetimes_of(request: pb.SetOIDCSettingsRequest) -> TokenLifetimes:
    return LIFETIME_FIELDS.new(MessageValues(request))


async def get_intent_settings(
    call: Call[Instance], _request: pb.GetIDPIntentSettingsRequest
) -> pb.GetIDPIntentSettingsResponse:
    instance = call.target.subject
    return pb.GetIDPIntentSettingsResponse(details=details_of(instance), urls=instance.intent_urls)


async def get_impersonation_settings(
    call: Call[Instance], _request: pb.GetImpersonationSettingsRequest
) -> pb.GetImpersonationSettingsResponse:
    instance = call.target.subject
    return pb.GetImpersonationSettingsResponse(
        details=details_of(instance), allow_impersonation=instance.allows_impersonation
    )


_STATES: Final = {
    "made": signing_key_service_pb.SIGNING_KEY_STATE_CREATED,
    "published": signing_key_service_pb.SIGNING_KEY_STATE_PUBLISHED,
    "signing": signing_key_service_pb.SIGNING_KEY_STATE_SIGNING,
    "retired": signing_key_service_pb.SIGNING_KEY_STATE_RETIRED,
    "revoked": signing_key_service_pb.SIGNING_KEY_STATE_REVOKED,
}


async def list_signing_keys(
    _call: Call[Instance], _request: signing_key_service_pb.ListSigningKeysRequest, *, bus: Bus
) -> signing_key_service_pb.ListSigningKeysResponse:
    found = _messages((await bus.call(KEY_STATES, GetKeyStates())).keys)
    return signing_key_service_pb.ListSigningKeysResponse(details=details_of_list(len(found)), result=found)


async def rotate_signing_keys(
    call: Call[Instance], request: signing_key_service_pb.RotateSigningKeysRequest, *, change: ChangeSigningKeys
) -> signing_key_service_pb.RotateSigningKeysResponse:
    keys = await change.rotate(request.alg, now=request.now, actor=call.caller.user_id)
    return signing_key_service_pb.RotateSigningKeysResponse(result=_messages(keys))


async def revoke_signing_key(
    call: Call[Instance], request: signing_key_service_pb.RevokeSigningKeyRequest, *, change: ChangeSigningKeys
) -> signing_key_service_pb.RevokeSigningKeyResponse:
    keys = await change.revoke(request.kid, actor=call.caller.user_id)
    return signing_key_service_pb.RevokeSigningKeyResponse(result=_messages(keys))


def _messages(keys: Iterable[KeyState]) -> list[signing_key_service_pb.SigningKey]:
    # Within an algorithm, keys are already sorted newest first.
    return [_message(key) for key in sorted(keys, key=lambda one: one.alg)]


def _message(key: KeyState) -> signing_key_service_pb.SigningKey:
    signs = bool(key.activates_at) and key.state != "revoked"
    return signing_key_service_pb.SigningKey(
        kid=key.kid,
        alg=key.alg,
        state=_STATES.get(key.state, signing_key_service_pb.SIGNING_KEY_STATE_UNSPECIFIED),
        since=timestamp_of(key.since),
        activation_date=timestamp_of(key.activates_at) if signs else None,
    )
