"""The closed list of operations that require a recent sign-in of the user (decision 0059).

It has the operations of all API versions that give lasting access, remove a protection or cannot be undone.
All other operations that change something are listed in test_recent_operations.py, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message
from portico_contracts.generated.portico.management.v1.service_user_service_pb2 import AddMachineUserRequest
from portico_contracts.generated.portico.user.v2.user_changes_pb2 import UpdateHumanUserRequest

_M: Final = "portico.management.v1"
_A: Final = "portico.admin.v1"
_U: Final = "portico.user.v2.UserService"

_PRESETS: Final = (
    "GenericJWT", "GenericOIDC", "GenericOAuth", "Google", "AzureAD", "LDAP", "GitHub", "GitHubEnterpriseServer", "GitLab",
    "GitLabSelfHosted", "Apple",
)  # fmt: skip

_WAYS_IN: Final = frozenset(
    {
        f"{service}.IDPService.{verb}{preset}Provider"
        for service in (_M, _A)
        for verb in ("Add", "Update")
        for preset in _PRESETS
    }
    | {f"{service}.IDPService.{name}" for service in (_M, _A) for name in ("DeleteProvider", "MigrateGenericOIDCProvider", "StartProviderTest")}
    | {f"{_A}.IDPService.{name}" for name in ("AddJWTIDP", "AddOIDCIDP", "UpdateIDP", "UpdateIDPJWTConfig", "UpdateIDPOIDCConfig")}
    | {
        f"{_M}.IDPService.{name}"
        for name in (
            "AddOrgJWTIDP", "AddOrgOIDCIDP", "UpdateOrgIDP", "UpdateOrgIDPJWTConfig", "UpdateOrgIDPOIDCConfig", "SetAcceptedAssertions",
        )
    }
    | {f"{_A}.IDPService.ReactivateIDP", f"{_M}.IDPService.ReactivateOrgIDP"}
    | {
        f"{_U}.{name}"
        for name in (
            "RegisterPasskey", "RegisterU2F", "RegisterTOTP", "AddOTPEmail", "AddOTPSMS", "CreatePasskeyRegistrationLink", "SetEmail",
        )
    }
    | {f"{_U}.{name}" for name in ("AddIDPLink", "AddKey", "AddPersonalAccessToken", "AddSecret", "GenerateRecoveryCodes")}
    | {
        f"{_M}.{name}"
        for name in (
            "UserService.SetHumanPassword", "UserService.SetHumanInitialPassword", "UserService.AddPasswordlessRegistration",
            "UserService.SendPasswordlessRegistration", "UserService.UpdateHumanEmail", "AppService.UpdateOIDCAppConfig",
            "ServiceUserService.GenerateMachineSecret", "ServiceUserService.AddMachineKey",
            "ServiceUserService.SetMachineTrustedWorkloads", "AppService.SetAppTrustedWorkloads",
            "ServiceUserService.AddPersonalAccessToken", "AppService.RegenerateOIDCClientSecret",
            "AppService.RegenerateAPIClientSecret", "AppService.AddAppKey",
        )
    }
)  # fmt: skip
"""Secrets, keys, factors, addresses, links and providers, which others could use to sign in later."""

_RIGHTS: Final = frozenset(
    {f"{_A}.OrganizationService.SetUpOrg"}
    | {f"{_A}.MemberService.{verb}IAMMember" for verb in ("Add", "Update")}
    | {
        f"{_M}.MemberService.{verb}{place}Member"
        for verb in ("Add", "Update")
        for place in ("Org", "Project", "ProjectGrant")
    }
    | {f"{_M}.AppService.SetAppClaimRules", f"{_M}.ProjectService.SetProjectClaimRules"}
)
"""Roles of administrators, and claims on which applications may base rights."""

_PROTECTIONS: Final = frozenset(
    {f"{_U}.{name}" for name in ("RemoveTOTP", "RemoveU2F", "RemovePasskey", "RemoveOTPEmail", "RemoveOTPSMS", "RemoveRecoveryCodes", "RemoveCredentials")}
    | {
        f"{_A}.{name}"
        for name in (
            "PolicyService.UpdateLoginPolicy", "SettingsService.UpdateOIDCSettings", "SettingsService.AddOIDCSettings",
            "SettingsService.SetIDPIntentSettings", "SettingsService.SetImpersonationSettings", "SigningKeyService.RotateSigningKeys", "SigningKeyService.RevokeSigningKey",
        )
    }
    | {f"{_M}.PolicyService.{name}" for name in ("AddCustomLoginPolicy", "UpdateCustomLoginPolicy", "ResetLoginPolicyToDefault")}
    | {
        f"{service}.PolicyService.{name}"
        for service in (_M, _A)
        for name in ("RemoveSecondFactorFromLoginPolicy", "RemoveMultiFactorFromLoginPolicy", "AddIDPToLoginPolicy")
    }
    | {f"{_M}.ScimService.{name}" for name in ("AddScimConnection", "UpdateScimConnection", "SetScimMapping", "RemoveScimConnection", "AddScimSecret", "RemoveScimSecret")}
    | {f"{_M}.ScimTargetService.{verb}ScimTarget" for verb in ("Add", "Update", "Activate", "Remove")}
    | {f"{_M}.OutsideServerService.{verb}OutsideServer" for verb in ("Add", "Update")}
    | {f"{service}.WebhookService.{name}" for service in (_M, _A) for name in ("AddWebhook", "UpdateWebhook", "RotateWebhookSecret")}
    | {
        f"{service}.SenderService.{verb}"
        for service in (_M, _A)
        for verb in ("SetSmsSender", "RotateSmsSenderSecret", "RemoveSmsSender", "TestSmsSender")
    }
    | {f"{_M}.SenderService.{verb}" for verb in ("SetEmailSender", "RotateEmailSenderSecret", "RemoveEmailSender")}
)  # fmt: skip

_ENDS: Final = frozenset(
    {f"{_U}.DeleteUser"}
    | {
        f"{_M}.{name}"
        for name in ("OrganizationService.DeactivateOrg", "ProjectService.RemoveProject", "AppService.RemoveApp")
    }
)
"""Operations that cannot be undone or that end the sign-in of many users."""

RECENT: Final = _WAYS_IN | _RIGHTS | _PROTECTIONS | _ENDS

Condition = Callable[..., bool]


def _returns_a_code(request: Message) -> bool:
    return request.HasField("return_code")


def _generates_a_secret(request: AddMachineUserRequest) -> bool:
    return request.generate_secret


def _proves_nothing(request: Message) -> bool:
    """The current password or a code that was sent proves more than a recent sign-in."""
    return request.WhichOneof("verification") is None


def _changes_a_way_in(request: UpdateHumanUserRequest) -> bool:
    return request.HasField("email") or (request.HasField("password") and _proves_nothing(request.password))


RECENT_WHEN: Final[dict[str, Condition]] = {
    f"{_U}.SetPassword": _proves_nothing,
    f"{_U}.UpdateHumanUser": _changes_a_way_in,
    f"{_M}.ServiceUserService.AddMachineUser": _generates_a_secret,
    **{
        f"{_U}.{name}": _returns_a_code
        for name in ("PasswordReset", "CreateInviteCode", "ResendEmailCode", "SendEmailCode")
    },
}
"""Operations that give lasting access only with some requests."""
