"""Labels of the fields that entries of the event log name, in English and translated."""

from __future__ import annotations

import re
from typing import Final

FIELD_LABELS: Final = {
    "hasPassword": "Password",
    "password": "Password",
    "passwordChangeRequired": "Password change required",
    "securityKeys": "Passkeys and security keys",
    "hasTotp": "Authenticator app",
    "hasOtpEmail": "Code by email",
    "hasOtpSms": "Code by text message",
    "recoveryCodes": "Recovery codes",
    "recoveryCodeUsed": "Recovery codes",
    "idpLinks": "External accounts",
    "consents": "Allowed scopes",
    "provisioned": "Directory",
    "grants": "Roles",
    "groups": "Groups",
    "parents": "Groups that it belongs to",
    "roles": "Roles",
    "roleKeys": "Roles",
    "email": "Email",
    "emailVerified": "Email verified",
    "pendingEmail": "New email, not verified yet",
    "phone": "Phone",
    "phoneVerified": "Phone verified",
    "userName": "User name",
    "firstName": "First name",
    "lastName": "Last name",
    "displayName": "Display name",
    "nickName": "Nickname",
    "preferredLanguage": "Language",
    "state": "State",
    "name": "Name",
    "description": "Description",
    "metadata": "Metadata",
    "inviteCode": "Invitation",
    "inviteRevoked": "Invitation revoked",
    "passwordCode": "Password link",
    "emailCode": "Email verification code",
    "phoneCode": "Phone verification code",
    "secretHash": "Client secret",
    "sealedSecret": "Client secret",
    "secrets": "Signing secret",
    "personalTokens": "Personal access tokens",
    "keys": "Keys",
    "redirectUris": "Redirect URIs",
    "postLogoutRedirectUris": "Redirect URIs after sign-out",
    "additionalOrigins": "Additional origins",
    "backChannelLogoutUri": "Back-channel logout URI",
    "authMethod": "Authentication method",
    "managementAccess": "Access to the management API",
    "primaryDomain": "Primary domain",
    "domains": "Domains",
    "mailLinkHosts": "Hosts of links in emails",
    "url": "URL",
    "eventTypes": "Event types",
    "onFailure": "If the token hook fails",
    "atRefresh": "Call the token hook at each refresh",
    "failure": "Failure",
    "scope": "Scope",
    "methods": "Methods",
    "skippedFactor": "Second factor skipped",
    "device": "Device",
    "country": "Country",
    "count": "Times",
    "reason": "Reason",
    "failureReason": "Reason",
    "errorId": "Error",
    "kid": "Key ID",
    "alg": "Algorithm",
    "forceMfa": "Second factor required",
}

INTERNAL: Final = frozenset(
    {
        "emailProof", "provenEmail", "recoveryFrom", "provenRecoveryFrom", "passwordChanged", "recoveryCodeHashes",
        "securityKeyData", "totpSecret", "previousSecret", "secretCreated", "secretUntil", "tables", "userId", "appId", "clientId", "idpId", "projectId",
        "grantedOrgId", "endedBy", "scopeId", "orgId", "requestOrgId", "requestId", "leftOut",
    }
)  # fmt: skip
"""Fields that repeat others or the sentence."""

_PART: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_SPELLED: Final = {
    "uri": "URI",
    "url": "URL",
    "id": "ID",
    "idp": "identity provider",
    "tos": "terms of service",
    "mfa": "MFA",
}


def field_label(name: str) -> str:
    """``policies.label.hideWatermark`` becomes ``Label: hide watermark``; such labels are English in every language."""
    if name in FIELD_LABELS:
        return FIELD_LABELS[name]
    *parents, last = name.split(".")
    if last in FIELD_LABELS:
        return FIELD_LABELS[last]
    words = [_words(part) for part in (*parents[1:], last)]
    text = ": ".join(words)
    return text[:1].upper() + text[1:]


def _words(name: str) -> str:
    return " ".join(_SPELLED.get(part.lower(), part.lower()) for part in _PART.findall(name)) or name
