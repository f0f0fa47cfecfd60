"""Every operation of the management API is in the console: a screen of the table, a hand-written page, or an
exception with a reason.
"""

from __future__ import annotations

from portico_console.console_app.provider_wizard.presets import PRESETS
from portico_console.console_app.screens.table import SCREENS
from portico_console.forms.building import fields_of
from portico_contracts.management import METHODS

_M = "portico.management.v1"
_A = "portico.admin.v1"
_U = "portico.user.v2.UserService"

BY_HAND = {
    f"{_A}.PolicyService.CountAffectedUsers",
    *(
        f"{_A}.EmailService.{name}"
        for name in ("GetEmailDelivery", "SendTestEmail", "PreviewEmail", "SendEmailPreview")
    ),
    f"{_M}.AppService.AddAPIApp",
    f"{_M}.AppService.AddAppAPI",
    f"{_M}.AppService.ListAppAPIs",
    f"{_M}.AppService.RemoveAppAPI",
    f"{_M}.AppService.PreviewTokens",
    f"{_M}.CallerService.GetMyBranding",
    f"{_M}.CallerService.GetMyPasswordRules",
    f"{_M}.CallerService.ListMyEvents",
    f"{_M}.CallerService.ListMyOrgs",
    f"{_M}.CallerService.ListMyPermissions",
    *(f"{place}.IDPService.{name}ProviderTest" for place in (_M, _A) for name in ("Start", "Get")),
    *(
        f"{place}.IDPService.{verb}{preset.method}Provider"
        for place in (_M, _A)
        for verb in ("Add", "Update")
        for preset in PRESETS
        if (verb, preset.method) != ("Add", "GenericOIDC")
    ),
    f"{_M}.ProjectGrantService.GetGrantedProjectByID",
    f"{_M}.ProjectService.SetUpProject",
    f"{_M}.PolicyService.CountAffectedUsers",
    *(
        f"{place}.PolicyService.{verb}{policy}Policy"
        for place, verbs in ((_M, ("AddCustom", "UpdateCustom")), (_A, ("Update",)))
        for verb in verbs
        for policy in ("Login", "PasswordComplexity", "PasswordAge", "Lockout", "Label")
    ),
    *(
        f"{place}.PolicyService.{name}"
        for place in (_M, _A)
        for name in (
            "AddIDPToLoginPolicy",
            "RemoveIDPFromLoginPolicy",
            "AddSecondFactorToLoginPolicy",
            "RemoveSecondFactorFromLoginPolicy",
            "AddMultiFactorToLoginPolicy",
            "RemoveMultiFactorFromLoginPolicy",
            "SetLabelPolicyLogo",
            "RemoveLabelPolicyLogo",
        )
    ),
    f"{_M}.SearchService.Search",
    f"{_U}.RemoveCredentials",
    *(f"{_M}.SenderService.{name}" for name in ("PreviewEmail", "SendEmailPreview")),
    *(f"{place}.StatisticsService.GetStatistics" for place in (_M, _A)),
    f"{_M}.TraceService.GetTrace",
    f"{_M}.TraceService.ListAppTraces",
    f"{_M}.TraceService.ListOrgTraces",
    f"{_M}.UserService.GetUserByLoginNameGlobal",
    f"{_M}.UserService.ImportHumanUsers",
}
"""Called by hand-written pages."""

OF_THE_ACCOUNT = {
    f"{_U}.{name}"
    for name in (
        "AddOTPEmail", "AddOTPSMS", "CountRecoveryCodes", "GenerateRecoveryCodes", "RegisterPasskey", "RegisterTOTP", "RegisterU2F",
        "RemovePhone", "ResendEmailCode", "ResendPhoneCode", "SendEmailCode", "SetEmail", "SetPassword", "SetPhone",
        "UpdateHumanUser", "VerifyEmail", "VerifyPasskeyRegistration", "VerifyPhone", "VerifyTOTPRegistration",
        "VerifyU2FRegistration",
    )
} | {
    f"{_M}.AgentService.ListUserAgents", f"{_M}.AgentService.EndUserAgents", f"{_M}.ScimService.ListUserProvisioning",
}  # fmt: skip
"""What users do to themselves."""

TWINS = {
    f"{_A}.IDPService.{name}"
    for name in (
        "AddJWTIDP", "AddOIDCIDP", "GetIDPByID", "ListIDPs", "RemoveIDP", "UpdateIDP", "UpdateIDPJWTConfig", "UpdateIDPOIDCConfig",
    )
} | {
    f"{_M}.IDPService.{name}"
    for name in (
        "AddOrgJWTIDP", "AddOrgOIDCIDP", "GetOrgIDPByID", "ListHumanLinkedIDPs", "ListOrgIDPs", "RemoveHumanLinkedIDP",
        "RemoveOrgIDP", "UpdateOrgIDP", "UpdateOrgIDPJWTConfig", "UpdateOrgIDPOIDCConfig",
    )
} | {
    f"{_M}.UserService.{name}"
    for name in (
        "AddHumanUser", "GetHumanEmail", "GetHumanPhone", "GetHumanProfile", "ImportHumanUser",
        "ResendHumanInitialization", "SetHumanInitialPassword",
    )
} | {
    f"{_U}.{name}"
    for name in (
        "AddKey", "AddPersonalAccessToken", "AddSecret", "DeleteUserMetadata", "ListKeys", "ListPersonalAccessTokens",
        "ListUserMetadata", "ListUsers", "PasswordReset", "RemoveKey", "RemovePersonalAccessToken", "RemoveSecret",
        "ResendInviteCode", "SetUserMetadata",
    )
} | {
    f"{place}.PolicyService.ListLoginPolicy{what}" for place in (_M, _A) for what in ("IDPs", "SecondFactors", "MultiFactors")
} | {f"{_A}.SettingsService.AddOIDCSettings", f"{_M}.ProjectGrantService.ListAllProjectGrants"}  # fmt: skip
"""Alternatives to operations of the table: older names, or several at once."""

API_ONLY = {
    f"{_M}.OrganizationService.GetOrgByDomainGlobal": "for programs that know a domain",
    f"{_M}.ProjectGrantService.ListGrantedProjectRoles": "the list has the keys of the roles",
    f"{_M}.UserMetadataService.BulkSetMetadata": "for programs that set many",
    f"{_M}.UserMetadataService.BulkRemoveMetadata": "the rows of the list are chosen instead",
    f"{_M}.UserService.AddPasswordlessRegistration": "answers a link; the console sends it to the user",
    f"{_U}.CreatePasskeyRegistrationLink": "the same",
    f"{_M}.UserService.IsUserUnique": "the form of a new user says it",
    f"{_U}.StartIdentityProviderIntent": "for sign-in pages of one's own",
    f"{_U}.RetrieveIdentityProviderIntent": "the same",
    f"{_U}.VerifyInviteCode": "what the link of an invitation does",
}
"""Only in the generated list of API operations, with the reason."""


def test_every_operation_is_reachable() -> None:
    """A new operation needs a screen, a page, an alternative or a reason, and these lists name only existing
    operations.
    """
    in_table = {method.replace("/", ".") for screen in SCREENS for method in screen.methods}
    elsewhere = BY_HAND | OF_THE_ACCOUNT | TWINS | set(API_ONLY)

    assert set(METHODS) - in_table - elsewhere == set()
    assert elsewhere - set(METHODS) == set()
    assert elsewhere & in_table == set()


def test_addresses_and_words_are_unique() -> None:
    lists = [screen.path for screen in SCREENS]
    keys = [screen.key for screen in SCREENS]
    words = [(screen.key, one.word) for screen in SCREENS for one in (*screen.create, *screen.actions)]

    assert len(set(lists)) == len(lists)
    assert len(set(keys)) == len(keys)
    assert len(set(words)) == len(words)
    assert {child for screen in SCREENS for child in screen.children} <= set(keys)


def test_pages_of_a_form_have_every_field_once() -> None:
    """Except the ids in the address, and a version with one value."""
    tabbed = [(screen, one.method) for screen in SCREENS for one in screen.actions if screen.tabs(one)[:1] == (one,)]
    assert tabbed
    for screen, method in tabbed:
        pages = [name for one in screen.actions if one.method == method for name in one.only]
        known = {field.name for field in fields_of(method)} - set(screen.parts) - {"version"}

        assert sorted(pages) == sorted(known)


def test_action_without_a_form_has_every_required_field() -> None:
    """Each is in the address of the page or fixed; otherwise the API refuses every call."""
    missing = {
        (screen.key, action.word, field.name)
        for screen in SCREENS
        for action in screen.actions
        for field in fields_of(action.method)
        if field.required and not (action.only or action.at) and field.name not in (*screen.parts, *action.fixed)
    }

    assert missing == set()
