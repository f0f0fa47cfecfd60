"""The settings that own login pages read, from the policies of an organization or of the instance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1 import policy_pb2 as pb
from portico_contracts.generated.portico.management.v1.idp_pb2 import IDP_STATE_ACTIVE
from portico_contracts.generated.zitadel.settings import v2_pb2 as their

from portico_users.management_api.zitadel.calls import TheirCall
from portico_users.management_api.zitadel.copying import copy_answer, refuse_fields

_ORG: Final = "portico.management.v1.PolicyService"
_INSTANCE: Final = "portico.admin.v1.PolicyService"

_COLORS: Final = ("primary_color", "background_color", "warn_color", "font_color")

_Asked = TypeVar(
    "_Asked",
    their.GetLoginSettingsRequest,
    their.GetPasswordComplexitySettingsRequest,
    their.GetPasswordExpirySettingsRequest,
    their.GetLockoutSettingsRequest,
    their.GetLegalAndSupportSettingsRequest,
    their.GetBrandingSettingsRequest,
    their.GetActiveIdentityProvidersRequest,
)

Fill = Callable[[Any, Any, str], None]
"""Fills the settings with a policy and the issuer."""


class _OtherOwnerError(Exception):
    """The message names an owner, which is known only once it is decoded."""


def settings(word: str, fill: Fill) -> Callable[[TheirCall[_Asked], Any], Awaitable[None]]:
    """``word`` is the kind of the policy in the names of methods, as in ``Get<word>Policy``."""

    async def handle(call: TheirCall[_Asked], response: Any) -> None:
        policy = (await of_owner(call, f"Get{word}Policy")).policy
        copy_answer(policy.details, response.details)
        response.settings.resource_owner_type = (
            their.RESOURCE_OWNER_TYPE_INSTANCE if policy.is_default else their.RESOURCE_OWNER_TYPE_ORG
        )
        fill(policy, response.settings, call.issuer)

    return handle


async def of_owner(call: TheirCall[_Asked], method: str) -> Any:
    """Performs it for the owner in the message, otherwise for the organization of the header or of the caller."""
    try:
        return await call.perform(f"{_ORG}.{method}", _of_call)
    except _OtherOwnerError:
        owner = call.theirs.ctx
        if owner.WhichOneof("resource_owner") == "instance":
            return await call.perform(f"{_INSTANCE}.{method}", _any)
        return await call.perform(f"{_ORG}.{method}", _any, org_id=owner.org_id)


def _of_call(theirs: _Asked, ours: Message) -> None:
    if theirs.ctx.WhichOneof("resource_owner"):
        raise _OtherOwnerError
    _any(theirs, ours)


def _any(theirs: _Asked, _ours: Message) -> None:
    # Each of these would show fewer identity providers.
    if conditions := [str(field.json_name) for field, _ in theirs.ListFields() if field.name != "ctx"]:
        refuse_fields(*conditions)


def login(policy: pb.LoginPolicy, found: their.LoginSettings, _issuer: str) -> None:
    copy_answer(policy, found)
    rule = policy.first_factors.types
    found.allow_username_password = not rule or pb.FIRST_FACTOR_TYPE_PASSWORD in rule
    if rule:
        found.allow_external_idp = pb.FIRST_FACTOR_TYPE_PROVIDER in rule
    # Unknown names are always answered like known ones.
    found.ignore_unknown_usernames = True
    if pb.FIRST_FACTOR_TYPE_PASSKEY in rule if rule else policy.multi_factors:
        found.passkeys_type = their.PASSKEYS_TYPE_ALLOWED


def complexity(policy: pb.PasswordComplexityPolicy, found: their.PasswordComplexitySettings, _issuer: str) -> None:
    found.min_length = policy.min_length
    for kind in ("uppercase", "lowercase", "number", "symbol"):
        setattr(found, f"requires_{kind}", getattr(policy, f"has_{kind}"))


def same_names(policy: Message, found: Message, _issuer: str) -> None:
    copy_answer(policy, found)


def legal(policy: pb.PrivacyPolicy, found: their.LegalAndSupportSettings, _issuer: str) -> None:
    copy_answer(policy, found)
    found.privacy_policy_link = policy.privacy_link


def branding(policy: pb.LabelPolicy, found: their.BrandingSettings, issuer: str) -> None:
    copy_answer(policy, found)
    found.theme_mode = their.THEME_MODE_AUTO
    for theme, suffix in ((found.light_theme, ""), (found.dark_theme, "_dark")):
        for name in _COLORS:
            setattr(theme, name, getattr(policy, f"{name}{suffix}"))
        if path := getattr(policy, f"logo_url{suffix}"):
            theme.logo_url = f"{issuer}{path}"


async def active_identity_providers(
    call: TheirCall[their.GetActiveIdentityProvidersRequest], response: their.GetActiveIdentityProvidersResponse
) -> None:
    """With id and name; the kind of a provider is not read."""
    found = await of_owner(call, "ListLoginPolicyIDPs")
    copy_answer(found.details, response.details)
    for one in found.result:
        if one.state == IDP_STATE_ACTIVE:
            response.identity_providers.add(id=one.idp_id, name=one.idp_name)
    response.details.total_result = len(response.identity_providers)
