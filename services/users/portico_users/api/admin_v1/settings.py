"""Settings of the instance: token lifetimes, and where intents may return to."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.admin.v1 import settings_service_pb2 as pb

from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.instance.instance import Instance
from portico_users.directory.policies.token_lifetimes import (
    INVALID_LIFETIME,
    LongestLifetimes,
    TokenLifetimes,
    effective,
)
from portico_users.kernel.problems import at


async def get_settings(
    call: Call[Instance], _request: pb.GetOIDCSettingsRequest, *, longest: LongestLifetimes
) -> pb.GetOIDCSettingsResponse:
    """The lifetimes in force."""
    instance = call.target.subject
    lives = effective(instance.token_lifetimes, longest)
    settings = pb.OIDCSettings(
        details=details_of(instance),
        access_token_lifetime=Duration(seconds=lives.access_token),
        id_token_lifetime=Duration(seconds=lives.id_token),
        refresh_token_idle_expiration=Duration(seconds=lives.refresh_idle),
        refresh_token_expiration=Duration(seconds=lives.refresh),
    )
    return pb.GetOIDCSettingsResponse(settings=settings)


def lifetimes_of(request: pb.SetOIDCSettingsRequest) -> TokenLifetimes:
    """The lifetimes of a request; USER-931 for a fraction of a second."""
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


async def get_intent_settings(
    call: Call[Instance], _request: pb.GetIDPIntentSettingsRequest
) -> pb.GetIDPIntentSettingsResponse:
    """The registered addresses."""
    instance = call.target.subject
    return pb.GetIDPIntentSettingsResponse(details=details_of(instance), urls=instance.intent_urls)
