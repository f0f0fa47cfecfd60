"""Policies of organizations and of the instance, but the login policy, by one handler: a kind is a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb

from portico_users.instance.instance import UNSET, MongoInstance
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.policies import policies
from portico_users.policies.edit_policies import Holder, OwnPolicy, is_default
from portico_users.policies.policies import Logos, Policies, Theme, effective, path_of

_THEMES: Final = {
    pb.LOGO_THEME_UNSPECIFIED: Theme.LIGHT,
    pb.LOGO_THEME_LIGHT: Theme.LIGHT,
    pb.LOGO_THEME_DARK: Theme.DARK,
}


def theme_of(request: pb.SetLabelPolicyLogoRequest | pb.RemoveLabelPolicyLogoRequest) -> Theme:
    return _THEMES[request.theme]


def logo_urls(in_force: Policies) -> dict[str, str]:
    logos = in_force.logos or Logos()
    return {"logo_url": path_of(logos.light), "logo_url_dark": path_of(logos.dark)}


@dataclass(frozen=True, slots=True)
class PolicyCalls:
    """The operations on one kind of policy; ``word`` is the kind in method names, as in ``Get<word>Policy``."""

    word: str
    kind: policies.PolicyKind
    message: type[Message]
    response: type[Message]
    read_only: Callable[[Policies], dict[str, str]] | None = None

    async def get_policy(
        self, call: Call[Holder], _request: pb.GetPolicyRequest, *, instances: MongoInstance
    ) -> Message:
        holder = call.target.subject
        in_force = effective(holder.policies, (await instances.find_settings() or UNSET).policies)
        policy = message_of(
            self.message,
            self.kind.fields,
            getattr(in_force, self.kind.name),
            details=details_of(holder),
            is_default=is_default(holder, self.kind),
            **(self.read_only(in_force) if self.read_only else {}),
        )
        return self.response(policy=policy)

    async def add_policy(self, call: Call[Org], request: Message, *, own: OwnPolicy) -> pb.PolicyChangedResponse:
        policy = self.kind.fields.new(MessageValues(request))
        org = await own.add(call.target.subject, self.kind, policy, actor=call.caller.user_id)
        return pb.PolicyChangedResponse(details=details_of(org))

    async def update_policy(self, call: Call[Holder], request: Message, *, own: OwnPolicy) -> pb.PolicyChangedResponse:
        policy = self.kind.fields.new(MessageValues(request))
        holder = await own.update(call.target.subject, self.kind, policy, actor=call.caller.user_id)
        return pb.PolicyChangedResponse(details=details_of(holder))

    async def reset_policy(
        self, call: Call[Org], _request: pb.ResetPolicyRequest, *, own: OwnPolicy
    ) -> pb.PolicyChangedResponse:
        org = await own.reset(call.target.subject, self.kind, actor=call.caller.user_id)
        return pb.PolicyChangedResponse(details=details_of(org))


POLICY_CALLS: Final = (
    PolicyCalls(
        "PasswordComplexity", policies.PASSWORD, pb.PasswordComplexityPolicy, pb.GetPasswordComplexityPolicyResponse
    ),
    PolicyCalls("PasswordAge", policies.PASSWORD_AGE, pb.PasswordAgePolicy, pb.GetPasswordAgePolicyResponse),
    PolicyCalls("Lockout", policies.LOCKOUT, pb.LockoutPolicy, pb.GetLockoutPolicyResponse),
    PolicyCalls("Privacy", policies.PRIVACY, pb.PrivacyPolicy, pb.GetPrivacyPolicyResponse),
    PolicyCalls("Label", policies.LABEL, pb.LabelPolicy, pb.GetLabelPolicyResponse, logo_urls),
    PolicyCalls(
        "ClientMetadata", policies.CLIENT_METADATA, pb.ClientMetadataPolicy, pb.GetClientMetadataPolicyResponse
    ),
    PolicyCalls("Text", policies.TEXT, pb.TextPolicy, pb.GetTextPolicyResponse),
)
