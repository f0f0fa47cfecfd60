"""How the pages look."""

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
from portico_users.directory.policies.policies import Label

_NAME = "label"


async def get_policy(call: Call[Holder], _request: pb.GetPolicyRequest) -> pb.GetLabelPolicyResponse:
    """What holds."""
    holder = call.target.subject
    label = (await policies_in_force(call.needs, holder)).label or Label()
    policy = pb.LabelPolicy(
        details=details_of(holder),
        primary_color=label.primary_color,
        background_color=label.background_color,
        warn_color=label.warn_color,
        font_color=label.font_color,
        primary_color_dark=label.primary_color_dark,
        background_color_dark=label.background_color_dark,
        warn_color_dark=label.warn_color_dark,
        font_color_dark=label.font_color_dark,
        hide_login_name_suffix=label.hide_login_name_suffix,
        is_default=is_default(holder, _NAME),
    )
    return pb.GetLabelPolicyResponse(policy=policy)


async def add_policy(call: Call[Org], request: pb.SetLabelPolicyRequest) -> pb.PolicyChangedResponse:
    """Gives the organization its own; see `add_own`."""
    return pb.PolicyChangedResponse(details=await add_own(call, _NAME, _wanted(request)))


async def update_policy(call: Call[Holder], request: pb.SetLabelPolicyRequest) -> pb.PolicyChangedResponse:
    """Replaces it; see `update_own`."""
    return pb.PolicyChangedResponse(details=await update_own(call, _NAME, _wanted(request)))


async def reset_policy(call: Call[Org], _request: pb.ResetPolicyRequest) -> pb.PolicyChangedResponse:
    """Back to the instance's; see `reset_own`."""
    return pb.PolicyChangedResponse(details=await reset_own(call, _NAME))


def _wanted(request: pb.SetLabelPolicyRequest) -> Label:
    return Label(
        primary_color=request.primary_color,
        background_color=request.background_color,
        warn_color=request.warn_color,
        font_color=request.font_color,
        primary_color_dark=request.primary_color_dark,
        background_color_dark=request.background_color_dark,
        warn_color_dark=request.warn_color_dark,
        font_color_dark=request.font_color_dark,
        hide_login_name_suffix=request.hide_login_name_suffix,
    )
