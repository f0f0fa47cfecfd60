"""The closed list of operations for which a person must have signed in recently (decision 0059).

What gives another person a lasting way in, takes a protection away, or cannot be undone.
"""

from __future__ import annotations

from typing import Final

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
    | {f"{service}.IDPService.{name}" for service in (_M, _A) for name in ("DeleteProvider", "MigrateGenericOIDCProvider")}
    | {f"{_A}.IDPService.{name}" for name in ("AddJWTIDP", "AddOIDCIDP", "UpdateIDP", "UpdateIDPJWTConfig", "UpdateIDPOIDCConfig")}
    | {
        f"{_M}.IDPService.{name}"
        for name in ("AddOrgJWTIDP", "AddOrgOIDCIDP", "UpdateOrgIDP", "UpdateOrgIDPJWTConfig", "UpdateOrgIDPOIDCConfig")
    }
    | {f"{_U}.{name}" for name in ("AddIDPLink", "AddKey", "AddPersonalAccessToken", "AddSecret", "GenerateRecoveryCodes")}
    | {
        f"{_M}.{name}"
        for name in (
            "UserService.SetHumanPassword", "UserService.SetHumanInitialPassword", "UserService.AddPasswordlessRegistration",
            "ServiceUserService.GenerateMachineSecret", "ServiceUserService.AddMachineKey",
            "ServiceUserService.AddPersonalAccessToken", "AppService.RegenerateOIDCClientSecret",
            "AppService.RegenerateAPIClientSecret", "AppService.AddAppKey",
        )
    }
)  # fmt: skip
"""Secrets, keys, links and providers with which others can come in later."""

_RIGHTS: Final = frozenset(
    {f"{_A}.MemberService.{verb}IAMMember" for verb in ("Add", "Update")}
    | {
        f"{_M}.MemberService.{verb}{place}Member"
        for verb in ("Add", "Update")
        for place in ("Org", "Project", "ProjectGrant")
    }
)
"""Roles of administrators."""

_PROTECTIONS: Final = frozenset(
    {f"{_U}.{name}" for name in ("RemoveTOTP", "RemoveU2F", "RemovePasskey", "RemoveOTPEmail", "RemoveRecoveryCodes")}
    | {
        f"{_A}.{name}"
        for name in (
            "PolicyService.UpdateLoginPolicy", "SettingsService.UpdateOIDCSettings", "SettingsService.AddOIDCSettings",
            "SettingsService.SetIDPIntentSettings", "SigningKeyService.RotateSigningKeys", "SigningKeyService.RevokeSigningKey",
        )
    }
    | {f"{_M}.PolicyService.{name}" for name in ("AddCustomLoginPolicy", "UpdateCustomLoginPolicy", "ResetLoginPolicyToDefault")}
    | {
        f"{service}.PolicyService.{name}"
        for service in (_M, _A)
        for name in ("RemoveSecondFactorFromLoginPolicy", "RemoveMultiFactorFromLoginPolicy", "AddIDPToLoginPolicy")
    }
    | {f"{service}.WebhookService.{name}" for service in (_M, _A) for name in ("AddWebhook", "UpdateWebhook", "RotateWebhookSecret")}
)  # fmt: skip
"""Factors, rules of sign-in, signing keys, and where events are sent."""

_ENDS: Final = frozenset(
    {f"{_U}.DeleteUser"}
    | {
        f"{_M}.{name}"
        for name in ("OrganizationService.DeactivateOrg", "ProjectService.RemoveProject", "AppService.RemoveApp")
    }
)
"""What cannot be undone, or ends the sign-in of many."""

RECENT: Final = _WAYS_IN | _RIGHTS | _PROTECTIONS | _ENDS
