"""Where people find terms and help."""

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
from portico_users.directory.policies.policies import PrivacyLinks

_NAME = "privacy"


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetPrivacyPolicyResponse:
    """What holds."""
    holder = call.target.subject
    links = (await policies_in_force(call.needs, holder)).privacy or PrivacyLinks()
    policy = pb.PrivacyPolicy(
        details=details_of(holder),
        tos_link=links.tos_link,
        privacy_link=links.privacy_link,
        help_link=links.help_link,
        support_email=links.support_email,
        is_default=is_default(holder, _NAME),
    )
    return pb.GetPrivacyPolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetPrivacyPolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; see `add_own`."""
    return pb.PolicyChangedResponse(details=await add_own(call, _NAME, _wanted(request)))


async def update_policy(call: Call[Holder], request: pb.SetPrivacyPolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it; see `update_own`."""
    return pb.PolicyChangedResponse(details=await update_own(call, _NAME, _wanted(request)))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's; see `reset_own`."""
    return pb.PolicyChangedResponse(details=await reset_own(call, _NAME))


def _wanted(request: pb.SetPrivacyPolicyRequest) -> PrivacyLinks:
    return PrivacyLinks(
        tos_link=request.tos_link,
        privacy_link=request.privacy_link,
        help_link=request.help_link,
        support_email=request.support_email,
    )
