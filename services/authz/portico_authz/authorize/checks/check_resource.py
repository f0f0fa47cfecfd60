"""Checks resource: each names an API whose scopes the client may request (RFC 8707 section 2.1)."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from portico_contracts.diagnostics import Hint
from portico_contracts.users import targets_of
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.parameters import RESOURCE
from portico_oauth.resources import read_resources, resource_key
from portico_runtime.diagnostics.uri_hints import compare_resources

from portico_authz.checked_request import ScopedRequest

INVALID_RESOURCE = ErrorCode(
    "AUTHZ-280",
    Kind.INVALID_TARGET,
    "A resource is malformed, unknown, or not available to the application.",
    "Send the resource of an API of the application's project, of a granted project, or one listed in its settings.",
)


def check_resource(ctx: ScopedRequest) -> Awaitable[None] | None:
    resources = read_resources(ctx.parameters.get(RESOURCE))
    if resources is None:
        raise INVALID_RESOURCE.error(compared=_compare(ctx, Hint.MALFORMED))
    return _find_apis(ctx, resources) if resources else None


async def _find_apis(ctx: ScopedRequest, resources: tuple[str, ...]) -> None:
    apis = await ctx.sources.users_client.apis_of(ctx.client)
    ctx.targets = targets_of(resources, apis)
    if len(ctx.targets) < len({*map(resource_key, resources)}):
        known = [resource for api in apis for resource in api.resources]
        raise INVALID_RESOURCE.error(compared=_compare(ctx, Hint.UNKNOWN, known))


def compare_resource(ctx: ScopedRequest) -> Compared:
    """Diagnostics of the resources."""
    return _compare(ctx)


def _compare(ctx: ScopedRequest, hint: str = "", known: Sequence[str] = ()) -> Compared:
    return compare_resources(ctx.parameters.get(RESOURCE, "").split(), ctx.resources, known, hint)
