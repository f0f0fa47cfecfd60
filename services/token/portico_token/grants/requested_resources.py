"""The parameter resource of a token request, which only narrows what was granted before (RFC 8707 section 2.2).

The audience would be the client's choice if a resource counted that was not named, or permitted, at sign-in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from portico_contracts.diagnostics import Hint
from portico_contracts.users import Api, Target, targets_of
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import RESOURCE
from portico_oauth.resources import read_resources, resource_key
from portico_runtime.diagnostics.uri_hints import compare_resources

INVALID_RESOURCE = ErrorCode(
    "TOKEN-292",
    Kind.INVALID_TARGET,
    "A resource is malformed, unknown, or not part of what was granted.",
    "Omit the resource, or send one that was requested at sign-in.",
)


def requested_resources(parameters: Mapping[str, str]) -> tuple[str, ...]:
    """Raises TOKEN-292 for a malformed resource."""
    resources = read_resources(parameters.get(RESOURCE))
    if resources is None:
        raise _refused(parameters[RESOURCE].split(), (), (), Hint.MALFORMED)
    return resources


def find_targets(resources: tuple[str, ...], apis: Iterable[Api]) -> tuple[Target, ...]:
    """Raises TOKEN-292 unless each resource is one of the APIs."""
    offered = tuple(apis)
    found = targets_of(resources, offered)
    if len(found) < len({*map(resource_key, resources)}):
        known = tuple(resource for api in offered for resource in api.resources)
        raise _refused(resources, tuple(target.resource for target in found), known, Hint.NOT_ALLOWED)
    return found


def resource_refused(resources: Iterable[str], targets: Iterable[Target]) -> ServiceError:
    """The error TOKEN-292; `targets` could be named."""
    return _refused(tuple(resources), tuple([target.resource for target in targets]), (), Hint.NOT_ALLOWED)


def _refused(resources: Sequence[str], named: Sequence[str], known: Sequence[str], hint: str) -> ServiceError:
    return INVALID_RESOURCE.error(compared=compare_resources(resources, named, known, hint))
