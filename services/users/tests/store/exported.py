"""An organization with everything that a document has, and how its export is read."""

from __future__ import annotations

from typing import Any

import msgspec
from portico_contracts.apply import Organization
from portico_contracts.users import EXPORT, Export, Note

IDP = {"issuer": "https://idp.example", "autoRegister": True}


def jwt_idp(id: str, **members: Any) -> dict[str, Any]:
    return {
        "id": id,
        "name": id,
        **IDP,
        "jwtEndpoint": "https://idp.example/go",
        "keysEndpoint": "https://idp.example/k",
    } | members


def oidc_idp(id: str, **members: Any) -> dict[str, Any]:
    return {"id": id, "name": id, **IDP, "clientId": "portico", "clientSecret": "of-the-other-side", **members}


def project_of(world: Any) -> dict[str, Any]:
    tag = world.tag
    return {
        "id": f"p-{tag}",
        "name": "web",
        "privateLabelingSetting": "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY",
        "roles": [{"roleKey": "reader", "displayName": "Reads"}, {"roleKey": "writer"}],
        "oidcApps": [
            world.app(id=f"shop-{tag}", additionalOrigins=["https://a.example"], state="inactive"),
            world.app(
                name="keyed",
                clientId=f"keyed-{tag}",
                authMethodType="OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
                keys=[world.key(id=f"k1-{tag}"), world.key(expirationDate=world.moment(3600.25))],
                clientAssertionAudience="issuer",
                clientAssertionJti="required",
                clockSkew="4s",
                hintedLogout=False,
                logoUri="https://shop.example/logo.png",
                policyUri="https://shop.example/privacy",
                tosUri="https://shop.example/terms",
            ),
        ],
        "apiApps": [world.api_app(id=f"orders-{tag}", clientAssertionJti="required")],
        "members": [{"user": f"bob-{tag}", "roles": ["PROJECT_OWNER"]}],
    }


def granted_project_of(world: Any) -> dict[str, Any]:
    tag = world.tag
    grant = {
        "id": f"g-{tag}",
        "organization": f"other-{tag}",
        "roleKeys": ["reader"],
        "members": [{"user": f"bob-{tag}", "roles": ["PROJECT_GRANT_OWNER_VIEWER"]}],
        "state": "inactive",
    }
    return {"id": f"q-{tag}", "name": "wide", "roles": [{"roleKey": "reader"}], "grants": [grant]}


PROVIDER_OPTIONS = {
    "isLinkingAllowed": False,
    "isCreationAllowed": False,
    "isAutoUpdate": True,
    "autoLinking": "AUTO_LINKING_OPTION_EMAIL",
}


def users_of(world: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    tag = world.tag
    grant = {"project": f"p-{tag}", "roleKeys": ["reader"]}
    alice = world.human(
        id=f"alice-{tag}",
        phone={"phone": "+41791234567", "isVerified": True},
        attributes={"middleName": "Q", "address": {"country": "CH"}},
        metadata={"color": "blue ${NOT} $${A}", "lines": "a\nb\n"},
        binaryMetadata={"raw": "/w=="},
        idpLinks=[{"idp": f"own-{tag}", "userId": "a1", "userName": "ali"}],
        roles=["IAM_OWNER_VIEWER", "ORG_OWNER"],
        grants=[grant],
        groups=[f"team-{tag}"],
    )
    bob = world.human(
        id=f"bob-{tag}",
        username=f"bob-{tag}",
        email={"email": world.mail("bob")},
        state="locked",
        grants=[
            {**grant, "organization": f"org-{tag}", "active": False},
            {"project": f"q-{tag}", "projectGrant": f"g-{tag}", "roleKeys": ["reader"]},
        ],
    )
    return alice, bob


SCIM_ROW = {"attribute": "externalId", "destination": "metadata", "key": "directory_id"}
SCIM_MAPPING = {"loginName": "employee_number", "address": "work", "displayName": "parts", "attributes": [SCIM_ROW]}
SCIM = {"name": "Entra", "provisionsGroups": False, "deletes": True, "mapping": SCIM_MAPPING}
TEXT_SENDER = {
    "url": "https://a.example/sms",
    "allowedPrefixes": ["+41"],
    "messagesPerDay": 5,
    "messagesPerMonth": 9,
}
MAIL_SENDER = {
    "smtpHost": "mail.a.example",
    "smtpPort": 465,
    "smtpSecurity": "tls",
    "fromAddress": "Acme <id@a.example>",
}


def rich(world: Any) -> dict[str, Any]:
    tag = world.tag
    grant = {"project": f"p-{tag}", "roleKeys": ["reader"]}
    alice, bob = users_of(world)
    first = {
        "id": f"org-{tag}",
        "name": f"Acme {tag}",
        "domains": [{"name": f"a-{tag}.example", "isVerified": True}, {"name": f"b-{tag}.example"}],
        "mailLinkHosts": ["mail.example"],
        "loginPolicy": {
            "mayRegister": False,
            "forceMfa": True,
            "hidePasswordReset": True,
            "enrolment": "password",
            "secondFactors": ["SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
            "multiFactors": [],
            "idps": [f"all-{tag}", f"own-{tag}"],
        },
        "passwordPolicy": {"minLength": 10, "hasNumber": True},
        "passwordAgePolicy": {"maxAgeDays": 90, "expireWarnDays": 80},
        "lockoutPolicy": {"maxPasswordAttempts": 7},
        "labelPolicy": {"primaryColor": "#112233", "hideLoginNameSuffix": True, "disableWatermark": True},
        "privacyPolicy": {"tosLink": "https://a.example/tos", "supportEmail": "help@a.example"},
        "jwtIdps": [jwt_idp(f"own-{tag}", stylingType="STYLING_TYPE_GOOGLE", providerOptions=PROVIDER_OPTIONS)],
        "oidcIdps": [
            oidc_idp(f"oidc-{tag}", scopes=["openid"], usernameMapping="OIDC_MAPPING_FIELD_EMAIL", trustedEmail=True)
        ],
        "webhooks": [
            {"id": f"w-{tag}", "name": "w", "url": "https://a.example/w", "eventTypes": ["user.*"], "state": "inactive"}
        ],
        "scimConnections": [{"id": f"scim-{tag}", **SCIM}],
        "smsSender": TEXT_SENDER,
        "emailSender": MAIL_SENDER,
        "projects": [project_of(world), granted_project_of(world)],
        "groups": [
            {"id": f"staff-{tag}", "name": "Staff", "description": "Everybody", "grants": [grant]},
            {"id": f"team-{tag}", "name": "Team", "memberOf": [f"staff-{tag}"]},
        ],
        "humans": [alice | {"password": {"password": "a whistle in the wood 1"}}],
        "serviceUsers": [world.robot(keys=[world.key()], roles=["ORG_USER_MANAGER"], grants=[grant], state="inactive")],
        "members": [{"user": f"bob-{tag}", "roles": ["ORG_OWNER_VIEWER"]}],
    }
    other = {"id": f"other-{tag}", "name": f"Other {tag}", "state": "inactive", "humans": [bob | {"password": None}]}
    return {"jwtIdps": [jwt_idp(f"all-{tag}", state="inactive")], "organizations": [first, other]}


async def export_org(world: Any, org_id: str) -> tuple[Organization, list[Note]]:
    part = await world.call(EXPORT, Export(org_id=org_id))
    [whole], notes = part.document.organizations, list(part.notes)
    while part.after:
        part = await world.call(EXPORT, Export(org_id=org_id, after=part.after))
        [more] = part.document.organizations
        humans = (*(whole.humans or ()), *(more.humans or ()))
        service_users = (*(whole.service_users or ()), *(more.service_users or ()))
        whole = msgspec.structs.replace(whole, humans=humans or None, service_users=service_users or None)
        notes += part.notes
    return whole, notes
