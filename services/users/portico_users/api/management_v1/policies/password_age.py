"""How old a password may get."""

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
from portico_users.directory.policies.policies import PasswordAge

_NAME = "password_age"


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetPasswordAgePolicyResponse:
    """What holds."""
    holder = call.target.subject
    age = (await policies_in_force(call.needs, holder)).password_age or PasswordAge()
    policy = pb.PasswordAgePolicy(
        details=details_of(holder),
        max_age_days=age.max_days,
        expire_warn_days=age.warn_days,
        is_default=is_default(holder, _NAME),
    )
    return pb.GetPasswordAgePolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetPasswordAgePolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; see `add_own`."""
    return pb.PolicyChangedResponse(details=await add_own(call, _NAME, _wanted(request)))


async def update_policy(call: Call[Holder], request: pb.SetPasswordAgePolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it; see `update_own`."""
    return pb.PolicyChangedResponse(details=await update_own(call, _NAME, _wanted(request)))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's; see `reset_own`."""
    return pb.PolicyChangedResponse(details=await reset_own(call, _NAME))


def _wanted(request: pb.SetPasswordAgePolicyRequest) -> PasswordAge:
    return PasswordAge(max_days=request.max_age_days, warn_days=request.expire_warn_days)
