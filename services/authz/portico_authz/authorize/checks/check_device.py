"""Checks that the application may sign users in on devices (RFC 8628), and sets what only a browser's request has."""

from __future__ import annotations

from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.grant_types import DEVICE_CODE
from portico_oauth.response_types import ResponseType

from portico_authz.checked_request import CheckedRequest, app_org_of

DEVICE_NOT_ALLOWED = ErrorCode(
    "AUTHZ-265",
    Kind.UNAUTHORIZED_CLIENT,
    "The application may not sign users in on devices.",
    "Enable the grant type device_code of the application, and allowDeviceAuthorization in the login policy"
    " of the instance and the organization.",
)


async def check_device(ctx: CheckedRequest) -> None:
    ctx.response_type, ctx.prompts = ResponseType.CODE, frozenset()
    ctx.max_age = ctx.client.default_max_age_seconds or None
    ctx.nonce = ctx.code_challenge = ""
    policy = await ctx.sources.users_client.login_policy(app_org_of(ctx.client))
    if DEVICE_CODE not in ctx.client.grant_types or not policy.device_authorization:
        raise DEVICE_NOT_ALLOWED.error(client_id=ctx.client.client_id, compared=compare_device(ctx))


def compare_device(ctx: CheckedRequest) -> Compared:
    """Diagnostics of the grant types."""
    return Compared("device", DEVICE_CODE, ctx.client.grant_types)
