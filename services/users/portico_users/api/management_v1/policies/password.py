"""What passwords must be like."""

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
from portico_users.directory.policies.password_policy import PasswordRules

_NAME = "password"


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetPasswordComplexityPolicyResponse:
    """What holds."""
    holder = call.target.subject
    rules = (await policies_in_force(call.needs, holder)).password or PasswordRules()
    policy = pb.PasswordComplexityPolicy(
        details=details_of(holder),
        min_length=rules.min_length,
        has_uppercase=rules.uppercase,
        has_lowercase=rules.lowercase,
        has_number=rules.number,
        has_symbol=rules.symbol,
        is_default=is_default(holder, _NAME),
    )
    return pb.GetPasswordComplexityPolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetPasswordComplexityPolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; see `add_own`."""
    return pb.PolicyChangedResponse(details=await add_own(call, _NAME, _wanted(request)))


async def update_policy(call: Call[Holder], request: pb.SetPasswordComplexityPolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it; see `update_own`."""
    return pb.PolicyChangedResponse(details=await update_own(call, _NAME, _wanted(request)))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's; see `reset_own`."""
    return pb.PolicyChangedResponse(details=await reset_own(call, _NAME))


def _wanted(request: pb.SetPasswordComplexityPolicyRequest) -> PasswordRules:
    return PasswordRules(
        min_length=request.min_length,
        uppercase=request.has_uppercase,
        lowercase=request.has_lowercase,
        number=request.has_number,
        symbol=request.has_symbol,
    )
