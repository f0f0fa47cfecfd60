"""The management API: every operation with the parts it names."""

from __future__ import annotations

from portico_runtime.clock import Clock

from portico_users.api.operations.all_operations import OPERATIONS
from portico_users.api.transport.authentication import Authentication, BearerTokens
from portico_users.api.transport.dispatch import Dispatch
from portico_users.api.transport.endpoints.public_endpoints import LogoEndpoint
from portico_users.api.transport.refused_calls import RefusedCalls
from portico_users.api.transport.step_up import StepUp
from portico_users.directory.members.member import MongoMembers
from portico_users.wiring.parts import Parts


def add_api(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(Authentication, BearerTokens, RefusedCalls, StepUp, LogoEndpoint, _dispatch)


def _dispatch(
    parts: Parts,
    authentication: Authentication,
    members: MongoMembers,
    clock: Clock,
    refused_calls: RefusedCalls,
    step_up: StepUp,
) -> Dispatch:
    operations = [one.bound(parts.bind) for one in OPERATIONS]
    return Dispatch(operations, authentication, members, clock, refused_calls, step_up)
