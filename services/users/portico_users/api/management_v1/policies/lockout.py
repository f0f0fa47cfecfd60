"""When wrong passwords lock a user."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb

from portico_users.api.management_v1.policies.holders import (
    Holder,
    add_own,
    is_default,
    policies_in_force,
    reset_own,
    update_own,
)
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies.policies import LockoutRules

_NAME = "lockout"


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetLockoutPolicyResponse:
    """What holds."""
    holder = call.target.subject
    rules = (await policies_in_force(call.needs, holder)).lockout or LockoutRules()
    policy = pb.LockoutPolicy(
        details=details_of(holder),
        max_password_attempts=rules.max_password_attempts,
        is_default=is_default(holder, _NAME),
    )
    return pb.GetLockoutPolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetLockoutPolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; see `add_own`."""
    return pb.PolicyChangedResponse(details=await add_own(call, _NAME, _wanted(request)))


async def update_policy(call: Call[Holder], request: pb.SetLockoutPolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it; see `update_own`."""
    return pb.PolicyChangedResponse(details=await update_own(call, _NAME, _wanted(request)))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's; see `reset_own`."""
    return pb.PolicyChangedResponse(details=await reset_own(call, _NAME))


def _wanted(request: pb.SetLockoutPolicyRequest) -> LockoutRules:
    return LockoutRules(
        max_password_attempts=request.max_password_attempts,
    )
