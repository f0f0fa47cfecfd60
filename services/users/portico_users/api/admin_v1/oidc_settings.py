"""How long tokens live."""

from __future__ import annotations

import msgspec
from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.admin.v1 import settings_service_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.policies.holders import put
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.instance.instance import Instance
from portico_users.directory.policies.token_lifetimes import INVALID_LIFETIME, TokenLifetimes, effective, problems_of
from portico_users.kernel.problems import at, refuse_first

SETTINGS_THERE = ErrorCode(
    "USER-932", Kind.ALREADY_EXISTS, "How long tokens live is set already.", "Change it instead."
)


async def get_settings(call: Call[Instance], _request: pb.GetOIDCSettingsRequest) -> pb.GetOIDCSettingsResponse:
    """What holds."""
    instance = call.target.subject
    lives = effective(instance.token_lifetimes, call.needs.longest_lifetimes)
    settings = pb.OIDCSettings(
        details=details_of(instance),
        access_token_lifetime=Duration(seconds=lives.access_token),
        id_token_lifetime=Duration(seconds=lives.id_token),
        refresh_token_idle_expiration=Duration(seconds=lives.refresh_idle),
        refresh_token_expiration=Duration(seconds=lives.refresh),
    )
    return pb.GetOIDCSettingsResponse(settings=settings)


async def add_settings(call: Call[Instance], request: pb.SetOIDCSettingsRequest) -> pb.OIDCSettingsChangedResponse:
    """Sets them for the first time; USER-932 when they are there, and as `update_settings`."""
    if call.target.subject.token_lifetimes is not None:
        raise SETTINGS_THERE.error()
    return await update_settings(call, request)


async def update_settings(call: Call[Instance], request: pb.SetOIDCSettingsRequest) -> pb.OIDCSettingsChangedResponse:
    """Replaces them, be they set or not.

    Raises:
        ServiceError: USER-930, USER-931 with the place; USER-702 when nothing changes.
    """
    wanted = _wanted(request)
    refuse_first(problems_of(wanted, call.needs.longest_lifetimes), "")
    after = msgspec.structs.replace(call.target.subject, token_lifetimes=wanted)
    return pb.OIDCSettingsChangedResponse(details=await put(call, after))


def _wanted(request: pb.SetOIDCSettingsRequest) -> TokenLifetimes:
    return TokenLifetimes(
        access_token=_seconds(request.access_token_lifetime, "accessTokenLifetime"),
        id_token=_seconds(request.id_token_lifetime, "idTokenLifetime"),
        refresh_idle=_seconds(request.refresh_token_idle_expiration, "refreshTokenIdleExpiration"),
        refresh=_seconds(request.refresh_token_expiration, "refreshTokenExpiration"),
    )


def _seconds(duration: Duration, place: str) -> int:
    if duration.nanos:
        raise at(place, INVALID_LIFETIME.error())
    return duration.seconds
