"""Every changing operation is classified: it needs a recent sign-in, or a reason why not."""

from __future__ import annotations

from collections import Counter

import pytest
from google.protobuf.message import Message
from portico_contracts.management import METHODS
from portico_users.management_api.all_operations import OPERATIONS

POLICIES = (
    "PasswordComplexityPolicy", "PasswordAgePolicy", "LockoutPolicy", "PrivacyPolicy", "LabelPolicy", "TextPolicy",
    "ClientMetadataPolicy",
)  # fmt: skip

WITHOUT: dict[str, tuple[str, ...]] = {
    "reads only": (
        "management.v1.UserService.IsUserUnique", "management.v1.CallerService.ListMyOrgs",
        "management.v1.CallerService.ListMyEvents", "management.v1.CallerService.GetMyBranding",
        "management.v1.CallerService.GetMyPasswordRules",
        "management.v1.CallerService.ListMyPermissions", "management.v1.SearchService.Search", "management.v1.TraceService.GetTrace",
        "management.v1.PolicyService.CountAffectedUsers", "admin.v1.PolicyService.CountAffectedUsers",
    ),
    "creates a user, who has no rights yet": (
        "user.v2.UserService.AddHumanUser", "management.v1.UserService.AddHumanUser",
        "management.v1.UserService.ImportHumanUser", "management.v1.UserService.ImportHumanUsers",
    ),
    "proves itself by a code": (
        "user.v2.UserService.VerifyEmail", "user.v2.UserService.VerifyPhone", "user.v2.UserService.VerifyInviteCode",
        "user.v2.UserService.VerifyU2FRegistration", "user.v2.UserService.VerifyPasskeyRegistration",
        "user.v2.UserService.VerifyTOTPRegistration",
    ),
    "sends a code to the address the user has": (
        "user.v2.UserService.ResendInviteCode", "user.v2.UserService.ResendPhoneCode",
        "management.v1.UserService.ResendHumanInitialization",
        "management.v1.UserService.SendHumanResetPasswordNotification",
    ),
    "sends an email without a code to the caller": ("admin.v1.EmailService.SendTestEmail", "admin.v1.EmailService.SendEmailPreview", "management.v1.SenderService.TestEmailSender", "management.v1.SenderService.SendEmailPreview"),
    "a phone number opens nothing": (
        "user.v2.UserService.SetPhone", "user.v2.UserService.RemovePhone", "management.v1.UserService.UpdateHumanPhone",
    ),
    "names and texts": (
        "management.v1.UserService.UpdateHumanProfile", "management.v1.UserService.UpdateUserName",
        "management.v1.ServiceUserService.UpdateMachine", "user.v2.UserService.RenameU2F",
        "user.v2.UserService.RenamePasskey", "user.v2.UserService.SetUserMetadata",
        "user.v2.UserService.DeleteUserMetadata", "management.v1.UserMetadataService.SetMetadata",
        "management.v1.UserMetadataService.BulkSetMetadata", "management.v1.UserMetadataService.RemoveMetadata",
        "management.v1.UserMetadataService.BulkRemoveMetadata", "management.v1.AppService.UpdateApp",
    ),
    "a state that can be put back": (
        "user.v2.UserService.DeactivateUser", "user.v2.UserService.ReactivateUser", "user.v2.UserService.LockUser",
        "user.v2.UserService.UnlockUser", "management.v1.ProjectService.DeactivateProject",
        "management.v1.ProjectService.ReactivateProject", "management.v1.OrganizationService.ReactivateOrg",
        "management.v1.AppService.DeactivateApp", "management.v1.AppService.ReactivateApp",
        "management.v1.IDPService.DeactivateOrgIDP", "admin.v1.IDPService.DeactivateIDP",
        "management.v1.WebhookService.DeactivateWebhook", "management.v1.WebhookService.ActivateWebhook",
        "admin.v1.WebhookService.DeactivateWebhook", "admin.v1.WebhookService.ActivateWebhook",
    ),
    "takes a way in away": (
        "management.v1.SessionService.RemoveUserSession", "management.v1.SessionService.RemoveUserSessions",
        "management.v1.SessionService.RemoveUserTrustedDevice",
        "management.v1.AgentService.EndUserAgents", "management.v1.AgentService.EndAgents",
        "management.v1.AppAccessService.RemoveUserAppAccess", "management.v1.MemberService.RemoveOrgMember",
        "management.v1.MemberService.RemoveProjectMember", "management.v1.MemberService.RemoveProjectGrantMember",
        "admin.v1.MemberService.RemoveIAMMember", "management.v1.ServiceUserService.RemoveMachineSecret",
        "management.v1.ServiceUserService.RemovePreviousMachineSecret",
        "management.v1.ServiceUserService.RemoveMachineKey",
        "management.v1.ServiceUserService.RemovePersonalAccessToken", "user.v2.UserService.RemoveKey",
        "user.v2.UserService.RemovePersonalAccessToken", "user.v2.UserService.RemoveSecret",
        "management.v1.AppService.RemovePreviousClientSecret", "management.v1.AppService.RemoveAppKey",
        "management.v1.IDPService.RemoveOrgIDP", "admin.v1.IDPService.RemoveIDP",
        "management.v1.IDPService.RemoveHumanLinkedIDP", "user.v2.UserService.RemoveIDPLink",
        "user.v2.UserService.RevokeInviteCode",
        "management.v1.PolicyService.RemoveIDPFromLoginPolicy", "admin.v1.PolicyService.RemoveIDPFromLoginPolicy",
        "management.v1.WebhookService.RemoveWebhook", "admin.v1.WebhookService.RemoveWebhook",
        "management.v1.OutsideServerService.RemoveOutsideServer",
    ),
    "demands more of a sign-in": tuple(
        f"{service}.PolicyService.Add{kind}FactorToLoginPolicy"
        for service in ("management.v1", "admin.v1")
        for kind in ("Second", "Multi")
    ),
    "projects, and roles in applications": (
        *(f"management.v1.ProjectService.{name}" for name in (
            "AddProject", "SetUpProject", "UpdateProject", "AddProjectRole", "BulkAddProjectRoles", "UpdateProjectRole", "RemoveProjectRole",
        )),
        *(f"management.v1.ProjectGrantService.{verb}ProjectGrant" for verb in (
            "Add", "Update", "Deactivate", "Reactivate", "Remove",
        )),
        *(f"management.v1.UserGrantService.{verb}UserGrant" for verb in (
            "Add", "Update", "Deactivate", "Reactivate", "Remove",
        )),
        *(f"management.v1.GroupService.{name}" for name in (
            "AddGroup", "UpdateGroup", "RemoveGroup", "SetGroupRoles", "RemoveGroupRoles", "AddGroupMember",
            "RemoveGroupMember", "AddGroupToGroup", "RemoveGroupFromGroup", "SetGroupMapping", "RemoveGroupMapping",
        )),
    ),
    "which APIs an application may use": (
        "management.v1.AppService.AddAppAPI", "management.v1.AppService.RemoveAppAPI",
    ),
    "a new application, which has nothing yet; an API only asks about tokens": (
        "management.v1.AppService.AddOIDCApp", "management.v1.AppService.AddAPIApp",
        "management.v1.AppService.UpdateAPIAppConfig", "management.v1.AppService.SetAPIScopes",
    ),
    "organizations and their domains": (
        *(f"management.v1.OrganizationService.{name}" for name in (
            "AddOrg", "UpdateOrg", "AddOrgDomain", "RemoveOrgDomain", "GenerateOrgDomainValidation",
            "ValidateOrgDomain", "SetPrimaryOrgDomain",
        )),
    ),
    "policies that let no other user in": (
        *(f"management.v1.PolicyService.{verb}Custom{one}" for one in POLICIES for verb in ("Add", "Update")),
        *(f"management.v1.PolicyService.Reset{one}ToDefault" for one in POLICIES),
        *(f"admin.v1.PolicyService.Update{one}" for one in POLICIES),
        *(f"{service}.PolicyService.{verb}LabelPolicyLogo" for service in ("management.v1", "admin.v1") for verb in (
            "Set", "Remove",
        )),
    ),
    "login pages of one's own, which hold no session": (
        "user.v2.UserService.StartIdentityProviderIntent", "user.v2.UserService.RetrieveIdentityProviderIntent",
    ),
    "shows the result of a test, whose start needs a recent sign-in": (
        "management.v1.IDPService.GetProviderTest", "admin.v1.IDPService.GetProviderTest",
    ),
    "of a SCIM target: sends nothing that its activation did not permit": (
        *(f"management.v1.ScimTargetService.{verb}ScimTarget" for verb in ("Deactivate", "Test", "DryRun", "Compare")),
    ),
    "repeats a delivery": (
        "management.v1.WebhookService.ResendDelivery", "admin.v1.WebhookService.ResendDelivery",
        "management.v1.WebhookService.TestTokenHook", "admin.v1.WebhookService.TestTokenHook",
    ),
}  # fmt: skip
"""By reason: operations that do not require a recent sign-in."""

CONDITIONS: tuple[tuple[str, dict[str, object], bool], ...] = (
    ("SetPassword", {"new_password": {"password": "x"}}, True),
    ("SetPassword", {"new_password": {"password": "x"}, "current_password": "y"}, False),
    ("SetPassword", {"new_password": {"password": "x"}, "verification_code": "y"}, False),
    ("UpdateHumanUser", {"profile": {"first_name": "A"}}, False),
    ("UpdateHumanUser", {"password": {"password": {"password": "x"}}}, True),
    ("UpdateHumanUser", {"password": {"hashed_password": {"hash": "x"}}}, True),
    ("UpdateHumanUser", {"password": {"password": {"password": "x"}, "current_password": "y"}}, False),
    ("UpdateHumanUser", {"email": {"email": "a@b.example", "is_verified": True}}, True),
    ("PasswordReset", {"return_code": {}}, True),
    ("PasswordReset", {"send_link": {}}, False),
    ("PasswordReset", {}, False),
    ("CreateInviteCode", {"return_code": {}}, True),
    ("CreateInviteCode", {"send_code": {}}, False),
    ("ResendEmailCode", {"return_code": {}}, True),
    ("ResendEmailCode", {}, False),
    ("SendEmailCode", {"return_code": {}}, True),
    ("SendEmailCode", {"send_code": {}}, False),
)


def test_every_change_is_classified_once() -> None:
    """An operation in no list, or in two, has not been considered (decision 0059)."""
    changing = {one.name for one in OPERATIONS if not str(one.permission).endswith(".read")}
    listed = Counter(f"portico.{name}" for names in WITHOUT.values() for name in names)
    listed.update(one.name for one in OPERATIONS if one.recent or one.recent_when)
    # Some read operations return a secret or cannot be undone: they may be in the list too.
    missing, twice = changing - listed.keys(), [name for name, times in listed.items() if times > 1]

    assert (sorted(missing), twice, sorted(listed.keys() - {one.name for one in OPERATIONS})) == ([], [], [])


@pytest.mark.parametrize(("name", "fields", "needed"), CONDITIONS)
def test_some_requests_need_a_recent_sign_in(name: str, fields: dict[str, object], needed: bool) -> None:
    """Setting a password without proof, an address, or returning a code gives lasting access (decision 0059)."""
    [operation] = [one for one in OPERATIONS if one.name == f"portico.user.v2.UserService.{name}"]
    request: Message = METHODS[operation.name].request(**fields)

    assert operation.recent_when is not None
    assert operation.recent_when(request) is needed
