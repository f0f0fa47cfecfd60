from __future__ import annotations

import re
from itertools import product
from typing import Any

from portico_contracts.activities.activity import sentence_values
from portico_contracts.activities.table import ACTIVITIES, SENTENCES, activity_of, find_activity

Values = dict[str, Any]

USER_CHANGES: list[tuple[str, list[str], Values, Values]] = [
    ("locked", ["state"], {"state": "locked"}, {"state": "active"}),
    ("locked", ["state"], {"state": "locked"}, {}),
    ("unlocked", ["state"], {"state": "active"}, {"state": "locked"}),
    ("reactivated", ["state"], {"state": "active"}, {"state": "inactive"}),
    ("deactivated", ["state"], {"state": "inactive"}, {"state": "active"}),
    ("invited", ["inviteCode"], {}, {}),
    ("invitationRevoked", ["inviteRevoked"], {}, {}),
    ("passwordSet", ["hasPassword", "emailVerified", "emailProof", "password"], {"hasPassword": True}, {}),
    ("emailChanged", ["email", "emailVerified"], {"email": "b@example.com"}, {"email": "a@example.com"}),
    ("emailVerified", ["emailVerified", "emailProof"], {"emailVerified": True}, {"emailVerified": False}),
    ("emailRequested", ["pendingEmail", "emailCode"], {"pendingEmail": "b@example.com"}, {"pendingEmail": ""}),
    ("emailCodeSent", ["emailCode"], {}, {}),
    ("passwordLinkSent", ["passwordCode"], {}, {}),
    ("phoneChanged", ["phone", "phoneVerified"], {"phone": "+41791234567", "phoneVerified": False}, {}),
    ("phoneVerified", ["phoneVerified"], {"phoneVerified": True}, {}),
    ("phoneCodeSent", ["phoneCode"], {}, {}),
    ("consentGiven", ["consents"], {"consents": [{}]}, {"consents": []}),
    ("consentGiven", ["consents"], {"consents": [{}]}, {"consents": [{}]}),
    ("consentRevoked", ["consents"], {"consents": []}, {"consents": [{}]}),
    ("keyAdded", ["securityKeys", "securityKeyData"], {"securityKeys": [{}]}, {"securityKeys": []}),
    ("keyRemoved", ["securityKeys", "securityKeyData"], {"securityKeys": []}, {"securityKeys": [{}]}),
    ("keysChanged", ["securityKeys", "securityKeyData"], {"securityKeys": [{}]}, {}),
    ("totpAdded", ["hasTotp", "totpSecret"], {"hasTotp": True}, {}),
    ("totpRemoved", ["hasTotp", "totpSecret"], {"hasTotp": False}, {}),
    ("textCodesAdded", ["hasOtpSms"], {"hasOtpSms": True}, {}),
    ("textCodesRemoved", ["hasOtpSms"], {"hasOtpSms": False}, {}),
    ("emailCodesAdded", ["hasOtpEmail"], {"hasOtpEmail": True}, {}),
    ("emailCodesRemoved", ["hasOtpEmail"], {"hasOtpEmail": False}, {}),
    ("recoveryCodesCreated", ["recoveryCodes", "recoveryCodeHashes"], {"recoveryCodes": 10}, {}),
    ("recoveryCodesRemoved", ["recoveryCodes", "recoveryCodeHashes"], {"recoveryCodes": 0}, {}),
    ("recoveryCodeUsed", ["recoveryCodes", "recoveryCodeUsed"], {"recoveryCodes": 9}, {}),
    ("identityLinked", ["idpLinks"], {"idpLinks": [{}]}, {"idpLinks": []}),
    ("identityUnlinked", ["idpLinks"], {"idpLinks": []}, {"idpLinks": [{}]}),
    ("identityChanged", ["idpLinks", "grants"], {"idpLinks": [{}], "grants": []}, {}),
    ("secretChanged", ["secretHash", "previousSecret"], {}, {}),
    ("tokensChanged", ["personalTokens"], {}, {}),
    ("keysOfServiceChanged", ["keys"], {"keys": []}, {}),
    ("rolesChanged", ["grants"], {"grants": []}, {}),
    ("userNameChanged", ["userName"], {"userName": "grace"}, {}),
    ("passwordChangeRequired", ["passwordChangeRequired"], {"passwordChangeRequired": True}, {}),
    ("metadataChanged", ["metadata"], {}, {}),
    ("profileChanged", ["firstName", "displayName"], {"firstName": "Grace"}, {}),
    ("profileChanged", ["description"], {"description": "Nightly import"}, {}),
    ("updated", ["somethingNew"], {"somethingNew": 1}, {}),
]


def test_change_of_a_user_has_an_activity() -> None:
    for name, fields, values, before in USER_CHANGES:
        assert activity_of("users", "updated", fields, values, before).key == f"users.{name}", (fields, values, before)


def _policies(name: str) -> tuple[Values, Values]:
    return {"policies": {name: {"any": 1}}}, {"policies": {}}


OTHER_CHANGES: list[tuple[str, str, list[str], Values, Values]] = [
    *(
        (f"{kind}.{name}Changed", "updated", ["policies"], *_policies(name))
        for kind in ("orgs", "instances")
        for name in ("password", "passwordAge", "lockout", "privacy", "label", "logos", "text")
    ),
    ("orgs.policiesChanged", "updated", ["policies"], {"policies": {"label": {}}}, {}),
    ("orgs.signInChanged", "updated", ["loginRules"], {}, {}),
    ("orgs.renamed", "updated", ["name"], {"name": "Acme"}, {}),
    ("orgs.domainChanged", "updated", ["primaryDomain"], {}, {}),
    ("orgs.domainsChanged", "updated", ["domains"], {}, {}),
    ("orgs.linkHostsChanged", "updated", ["mailLinkHosts"], {}, {}),
    ("orgs.deactivated", "updated", ["state"], {"state": "inactive"}, {}),
    ("instances.signInChanged", "updated", ["loginRules"], {}, {}),
    ("instances.lifetimesChanged", "updated", ["tokenLifetimes"], {}, {}),
    ("instances.defaultChanged", "updated", ["defaultOrgId"], {}, {}),
    ("instances.impersonationChanged", "updated", ["allowsImpersonation"], {}, {}),
    ("instances.intentUrlsChanged", "updated", ["intentUrls"], {}, {}),
    ("projects.rolesChanged", "updated", ["roles"], {}, {}),
    ("projects.updated", "updated", ["projectRoleCheck"], {}, {}),
    ("projectGrants.created", "created", ["projectId"], {}, {}),
    ("projectGrants.updated", "updated", ["roleKeys"], {}, {}),
    ("projectGrants.deactivated", "updated", ["state"], {"state": "inactive"}, {}),
    ("projectGrants.reactivated", "updated", ["state"], {"state": "active"}, {}),
    ("projectGrants.deleted", "deleted", ["state"], {}, {}),
    ("apps.secretChanged", "updated", ["secretHash"], {}, {}),
    ("apps.keysChanged", "updated", ["keys"], {}, {}),
    ("apps.redirectsChanged", "updated", ["redirectUris"], {}, {}),
    ("apps.logoutChanged", "updated", ["postLogoutRedirectUris"], {}, {}),
    ("apps.accessChanged", "updated", ["managementAccess"], {}, {}),
    ("apps.renamed", "updated", ["name"], {}, {}),
    ("apps.updated", "updated", ["devMode"], {}, {}),
    ("idps.secretChanged", "updated", ["sealedSecret"], {}, {}),
    ("idps.updated", "updated", ["config"], {}, {}),
    ("members.created", "created", ["userId", "roles"], {}, {}),
    ("members.created", "updated", ["state", "roles"], {"state": "active"}, {}),
    ("members.updated", "updated", ["roles"], {}, {}),
    ("members.deleted", "deleted", ["state", "roles"], {}, {}),
    ("webhooks.secretChanged", "updated", ["secrets"], {}, {}),
    ("webhooks.disabled", "updated", ["state", "failure"], {"state": "inactive", "failure": "410"}, {}),
    ("webhooks.updated", "updated", ["url"], {}, {}),
    ("scimConnections.mappingChanged", "updated", ["mapping"], {}, {}),
    ("scimTargets.tokenChanged", "updated", ["token"], {}, {}),
    ("scimTargets.failed", "updated", ["state", "failure"], {"state": "inactive", "failure": "three days"}, {}),
    ("scimTargets.updated", "updated", ["url"], {}, {}),
    ("senders.secretChanged", "updated", ["secrets"], {}, {}),
    ("senders.updated", "updated", ["url"], {}, {}),
    ("textLimits.limitReached", "limit_reached", ["senderId"], {}, {}),
    ("signingKeys.rotated", "rotated", ["alg", "now"], {}, {}),
    ("signingKeys.revoked", "revoked", ["kid"], {}, {}),
    ("idpSignIns.failed", "signin_failed", ["idpId", "reason"], {}, {}),
    ("impersonations.impersonated", "impersonated", ["appId", "userId"], {}, {}),
    ("agents.ended", "ended", ["appId", "clientId", "userId"], {}, {}),
    ("signIns.signedIn", "signed_in", ["appId", "userId"], {}, {}),
    ("signIns.signedInOnly", "signed_in", ["userId"], {}, {}),
    ("signIns.signedOut", "signed_out", ["userId"], {}, {}),
    ("signIns.signedOutBy", "signed_out", ["endedBy", "userId"], {}, {}),
    ("signIns.failed", "signin_failed", ["appId", "userId"], {}, {}),
    ("signIns.failedUnknown", "signin_failed", ["appId"], {}, {}),
    ("signIns.failedOnly", "signin_failed", [], {}, {}),
    ("signIns.passwordRefused", "password_refused", ["errorId", "userId"], {}, {}),
    ("signIns.placeExempted", "rule_exempted", ["userId", "rule"], {}, {}),
    ("signIns.ruleExempted", "rule_exempted", ["userId"], {}, {}),
    ("signIns.deviceApproved", "device_approved", ["appId", "userId"], {}, {}),
    ("signIns.deviceDenied", "device_denied", ["appId", "userId"], {}, {}),
    ("signIns.deviceDeniedUnknown", "device_denied", ["appId"], {}, {}),
    ("requests.refused", "refused", ["appId", "errorId"], {}, {}),
    ("requests.refusedUser", "refused", ["userId", "errorId"], {}, {}),
]


def test_other_event_has_an_activity() -> None:
    for key, action, fields, values, before in OTHER_CHANGES:
        kind = key.partition(".")[0]
        assert activity_of(kind, action, fields, values, before).key == key, (action, fields, values, before)


KINDS = (
    "instances",
    "orgs",
    "projects",
    "projectGrants",
    "apps",
    "users",
    "members",
    "idps",
    "webhooks",
    "senders",
    "scimTargets",
)


def test_every_kind_of_object_has_a_sentence_for_each_action() -> None:
    """Only the instance cannot be deleted."""
    for kind, action in product(KINDS, ("created", "updated", "deleted")):
        found = activity_of(kind, action)

        assert found.kind == ("objects" if (kind, action) == ("instances", "deleted") else kind), (kind, action)
        assert found.name in (action, "changed"), (kind, action)


def test_unknown_event_has_a_plain_sentence() -> None:
    """Events of a newer release are shown too."""
    assert activity_of("teams", "created").say("Grace", "Blue") == "Grace created Blue"
    assert activity_of("teams", "merged").say("Grace", "Blue") == "Grace changed Blue"
    assert find_activity("users.promoted").say("Grace", "Carl") == "Grace changed Carl"


def test_own_change_has_its_own_sentence() -> None:
    activity = activity_of("users", "updated", ["password"])

    assert activity.say("Grace", "Carl") == "Grace set a password for Carl"
    assert activity.say("Grace", "Grace", own=True) == "Grace set a password"


def test_sentences_name_only_known_values() -> None:
    known = set(sentence_values("", "", ()))

    assert {name for text in SENTENCES for name in re.findall(r"%\((\w+)\)s", text)} <= known


def test_key_names_one_sentence() -> None:
    """Clients find the sentence by the key."""
    sentences: dict[str, set[tuple[str, str]]] = {}
    for one in ACTIVITIES:
        sentences.setdefault(one.key, set()).add((one.sentence, one.own))

    assert {key: found for key, found in sentences.items() if len(found) > 1} == {}
