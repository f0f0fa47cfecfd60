"""The rows of identity providers, and of the links of users to them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

from portico_users_rows.permission_rows.row import (
    ABSENT,
    NO,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    WRITERS,
    YES,
    Body,
    Row,
    body,
    but,
    nothing,
)

_ORG: Final = "portico.management.v1.IDPService"
_IAM: Final = "portico.admin.v1.IDPService"
_USER: Final = "portico.user.v2.UserService"

INVALID: Final = 3

_JWT: Final = {"jwtEndpoint": "https://jwt.example", "issuer": "jwt", "keysEndpoint": "https://jwt.example/keys"}
_OIDC: Final = {"issuer": "https://oidc.example", "clientId": "portico"}

_LDAP: Final = {
    "servers": ["ldaps://ldap.example"],
    "baseDn": "ou=people,dc=example,dc=org",
    "bindDn": "cn=portico,dc=example,dc=org",
    "bindPassword": "secret",
    "userFilters": ["uid"],
}

INSTANCE_OBJECTS: Final = (WHO, WHO, ABSENT, ABSENT, ABSENT, ABSENT, YES, ABSENT)
"""Instance owners; for others the object is unknown."""

INSTANCE_ONLY: Final = (WHO, WHO, NO, NO, NO, NO, YES, NO)
"""Owners of the instance."""

_CLIENT: Final = {"clientId": "portico", "clientSecret": "secret"}
_ENDPOINTS: Final = {
    "authorizationEndpoint": "https://oauth.example/authorize",
    "tokenEndpoint": "https://oauth.example/token",
    "userEndpoint": "https://oauth.example/user",
}
_P256: Final = """-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
-----END PRIVATE KEY-----
"""
"""A published example key for ES256; it signs nothing."""

PRESETS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "GenericOAuth": ("oauth", _CLIENT | _ENDPOINTS | {"idAttribute": "id"}),
    "Google": ("google", _CLIENT),
    "AzureAD": ("azure", _CLIENT),
    "GitHub": ("github", _CLIENT),
    "GitHubEnterpriseServer": ("github_es", _CLIENT | _ENDPOINTS),
    "GitLab": ("gitlab", _CLIENT),
    "GitLabSelfHosted": ("gitlab_self_hosted", _CLIENT | {"issuer": "https://gitlab.partner.example"}),
    "Apple": (
        "apple",
        {
            "clientId": "example.portico",
            "teamId": "ABCDE12345",
            "keyId": "FGHIJ67890",
            "privateKey": b64encode(_P256.encode()).decode(),
        },
    ),
}
"""By provider in method names: last path segment, and required values of a new provider other than the name."""


def _new(**members: Any) -> Body:
    return lambda managed, caller: {"name": f"by {caller} {managed.tag}", **members}


def _rows_of(path: str, readers: tuple[int, ...], writers: tuple[int, ...]) -> dict[str, Row]:
    jwt, oidc = f"{path}-jwt-{{caller}}-{{tag}}", f"{path}-oidc-{{caller}}-{{tag}}"
    return {
        "Get{}IDPByID": Row(jwt, nothing, readers),
        "Update{}IDP": Row(jwt, _new(), writers),
        "Update{}IDPJWTConfig": Row(f"{jwt}/jwt_config", body(**_JWT), writers),
        "Update{}IDPOIDCConfig": Row(f"{oidc}/oidc_config", body(**_OIDC), writers),
        "Deactivate{}IDP": Row(f"{jwt}/_deactivate", nothing, writers),
        "Reactivate{}IDP": Row(f"{jwt}/_reactivate", nothing, tuple(code or 9 for code in writers)),
        "Remove{}IDP": Row(jwt, nothing, writers),
    }


def _templates_of(path: str, owner: str, readers: tuple[int, ...], writers: tuple[int, ...]) -> dict[str, Row]:
    jwt, oidc = f"{owner}-jwt-{{caller}}-{{tag}}", f"{owner}-oidc-{{caller}}-{{tag}}"
    return {
        "GetProviderByID": Row(f"{path}/templates/{jwt}", nothing, readers),
        "GetProviderUsage": Row(f"{path}/templates/{jwt}/usage", nothing, readers),
        "StartProviderTest": Row(f"{path}/templates/{jwt}/tests", nothing, writers),
        # Writers get the error for an unknown test.
        "GetProviderTest": Row(
            f"{path}/templates/{jwt}/tests/none", body(token="none"), tuple(code or ABSENT for code in writers)
        ),
        "DeleteProvider": Row(f"{path}/templates/{oidc}", nothing, writers),
        "UpdateGenericJWTProvider": Row(f"{path}/generic_jwt/{jwt}", _new(**_JWT), writers),
        "UpdateGenericOIDCProvider": Row(f"{path}/generic_oidc/{oidc}", _new(**_OIDC), writers),
        "MigrateGenericOIDCProvider": Row(f"{path}/generic_oidc/{oidc}/_migrate", _migrated, writers),
        # Writers get the error for a provider of another kind.
        "UpdateLDAPProvider": Row(f"{path}/ldap/{jwt}", _new(**_LDAP), tuple(code or 9 for code in writers)),
        **{
            f"Update{word}Provider": Row(f"{path}/{part}/{jwt}", _new(**members), tuple(code or 9 for code in writers))
            for word, (part, members) in PRESETS.items()
        },
    }


def _migrated(managed: Any, caller: str) -> dict[str, Any]:
    return {"google": _new(**_CLIENT)(managed, caller)}


def _presets(service: str, answers: tuple[int, ...]) -> dict[str, Row]:
    return {f"{service}.Add{word}Provider": Row("", _new(**members), answers) for word, (_, members) in PRESETS.items()}


_OWN: Final = _rows_of("/management/v1/idps/own", READERS, WRITERS)
_INSTANCES: Final = _rows_of("/admin/v1/idps/iam", INSTANCE_OBJECTS, INSTANCE_OBJECTS)
_OWN_TEMPLATES: Final = _templates_of("/management/v1/idps", "own", READERS, WRITERS)
_INSTANCE_TEMPLATES: Final = _templates_of("/admin/v1/idps", "iam", INSTANCE_OBJECTS, INSTANCE_OBJECTS)

_OWN_OIDC: Final = "/management/v1/idps/own-oidc-{caller}-{tag}"
_ACCEPTED: Final = {
    "acceptedAssertions": {
        "rules": [{"clientId": "agent", "resource": "https://files.example/mcp", "scopes": ["files.read"]}]
    }
}

IDP_ROWS: Final = {
    **{f"{_ORG}.{name.format('Org')}": row for name, row in _OWN.items()},
    f"{_ORG}.AddGenericJWTProvider": Row("", _new(**_JWT), OF_OWN_ORG),
    f"{_ORG}.AddGenericOIDCProvider": Row("", _new(**_OIDC, clientSecret="secret"), OF_OWN_ORG),
    **{f"{_ORG}.{name}": row for name, row in _OWN_TEMPLATES.items()},
    **_presets(_ORG, OF_OWN_ORG),
    f"{_ORG}.AddLDAPProvider": Row("", _new(**_LDAP), OF_OWN_ORG),
    f"{_ORG}.ListProviders": Row("", nothing, READS_OWN_ORG),
    f"{_ORG}.AddOrgJWTIDP": Row("", _new(**_JWT), OF_OWN_ORG),
    f"{_ORG}.AddOrgOIDCIDP": Row("", _new(**_OIDC, clientSecret="secret"), OF_OWN_ORG),
    f"{_ORG}.ListOrgIDPs": Row("", nothing, READS_OWN_ORG),
    f"{_ORG}.SetAcceptedAssertions": Row(f"{_OWN_OIDC}/accepted_assertions", body(**_ACCEPTED), WRITERS),
    f"{_ORG}.GetAcceptedAssertions": Row(f"{_OWN_OIDC}/accepted_assertions", nothing, READERS),
    **{f"{_IAM}.{name.format('')}": row for name, row in _INSTANCES.items()},
    f"{_IAM}.AddJWTIDP": Row("", _new(**_JWT), INSTANCE_ONLY),
    f"{_IAM}.AddOIDCIDP": Row("", _new(**_OIDC, clientSecret="secret"), INSTANCE_ONLY),
    f"{_IAM}.AddGenericJWTProvider": Row("", _new(**_JWT), INSTANCE_ONLY),
    f"{_IAM}.AddGenericOIDCProvider": Row("", _new(**_OIDC, clientSecret="secret"), INSTANCE_ONLY),
    **{f"{_IAM}.{name}": row for name, row in _INSTANCE_TEMPLATES.items()},
    **_presets(_IAM, INSTANCE_ONLY),
    f"{_IAM}.AddLDAPProvider": Row("", _new(**_LDAP), INSTANCE_ONLY),
    f"{_IAM}.ListProviders": Row("", nothing, INSTANCE_ONLY),
    f"{_IAM}.ListIDPs": Row("", nothing, INSTANCE_ONLY),
}

_READS: Final = (WHO, WHO, YES, NO, YES, YES, YES, ABSENT)
_NO_LINK: Final = (WHO, WHO, ABSENT, NO, NO, ABSENT, ABSENT, ABSENT)
_LINK: Final = {"idpLink": {"idpId": "nobody", "userId": "1", "userName": "x"}}
_V1: Final = "/management/v1/users/self-{tag}/idps"
_V2: Final = "/v2/users/self-{tag}/links"

LINK_ROWS: Final = {
    f"{_USER}.AddIDPLink": Row(_V2, body(**_LINK), tuple(code or ABSENT for code in WRITERS)),
    f"{_USER}.ListIDPLinks": Row(f"{_V2}/_search", nothing, _READS),
    f"{_USER}.RemoveIDPLink": Row(f"{_V2}/nobody/1", nothing, _NO_LINK),
    f"{_ORG}.ListHumanLinkedIDPs": Row(f"{_V1}/_search", nothing, _READS),
    f"{_ORG}.RemoveHumanLinkedIDP": Row(f"{_V1}/nobody/1", nothing, _NO_LINK),
}
"""There is no link, and no user links their own account (MG-16)."""

_URL: Final = "https://nobody.example/registered"

INTENT_ROWS: Final = {
    f"{_USER}.StartIdentityProviderIntent": Row(
        "", body(idpId="nobody", urls={"successUrl": _URL, "failureUrl": _URL}), but(INVALID, INSTANCE_ONLY)
    ),
    f"{_USER}.RetrieveIdentityProviderIntent": Row(
        "/v2/idp_intents/nobody", body(idpIntentToken="nobody"), but(ABSENT, INSTANCE_ONLY)
    ),
}
"""Address and intent are unknown; `test_idp_intents.py` tests callers with the required role."""
