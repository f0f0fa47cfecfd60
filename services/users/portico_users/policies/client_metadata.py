from __future__ import annotations

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.names import is_domain
from portico_users.values.problems import Problem, Problems

INVALID_HOST = ErrorCode(
    "USER-893",
    Kind.INVALID_REQUEST,
    "Invalid or repeated host name.",
    "Use lower case, without scheme, port and path, each host once.",
)
PROJECT_MISSING = ErrorCode(
    "USER-894",
    Kind.INVALID_REQUEST,
    "Hosts need a project to which their applications belong.",
    "Enter the id of a project, or remove the hosts.",
)


class ClientMetadata(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Which client-ID metadata documents are accepted: of these hosts and their subdomains; none by default."""

    hosts: tuple[str, ...] = ()
    project_id: str = ""


def problems_of(policy: ClientMetadata) -> Problems:
    for number, host in enumerate(policy.hosts):
        if not is_domain(host) or host in policy.hosts[:number]:
            yield Problem(f"hosts[{number}]", INVALID_HOST)
    if policy.hosts and not policy.project_id:
        yield Problem("projectId", PROJECT_MISSING)
