from __future__ import annotations

from typing import Final

from portico_contracts.apply import AppTypeName, AuthMethodName, GrantTypeName, Key
from portico_oauth.client_certificates import is_subject

from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.applications.old_client import OldClient
from portico_conversion.findings import Place, Reports
from portico_conversion.reading.records import Record
from portico_conversion.reading.yaml_files import Object

ORGANIZATION: Final = "a redirect URI with {organization_name}: register each complete URI"
GRANT: Final = "a grant type that is not supported"
TWO_ROLES: Final = "client credentials: they need a service user with another name than this client"
SUBJECT: Final = "another subject of a client certificate: set certificateSubject of the application"
LOGOUT: Final = "a second back-channel logout URI"

_GRANTS: Final = {
    "authorization_code": GrantTypeName.AUTHORIZATION_CODE,
    "implicit": GrantTypeName.IMPLICIT,
    "refresh_token": GrantTypeName.REFRESH_TOKEN,
    "urn:ietf:params:oauth:grant-type:device_code": GrantTypeName.DEVICE_CODE,
}
_CREDENTIALS: Final = "client_credentials"
_METHODS: Final = {
    "none": AuthMethodName.NONE,
    "client_secret_post": AuthMethodName.POST,
    "client_secret_basic": AuthMethodName.BASIC,
}
_TYPES: Final = {
    "spa": AppTypeName.USER_AGENT,
    "native": AppTypeName.NATIVE,
    "regular_web": AppTypeName.WEB,
}
_OF_NEARLY_ALL: Final = frozenset(
    {
        "cross_origin_auth",
        "cross_origin_authentication",
        "custom_login_page_on",
        "is_token_endpoint_ip_header_trusted",
        "oidc_conformant",
        "sso_disabled",
        "sso",
        "native_social_login",
        "refresh_token",
        "description",
    }
)


class _Jwt(Record, frozen=True, rename=None):
    alg: str = "RS256"


class _Credential(Record, frozen=True, rename=None):
    pem: str = ""
    subject_dn: str = ""


class _KeyMethod(Record, frozen=True, rename=None):
    credentials: list[_Credential] = []


class _Methods(Record, frozen=True, rename=None):
    private_key_jwt: _KeyMethod = _KeyMethod()
    tls_client_auth: _KeyMethod = _KeyMethod()
    self_signed_tls_client_auth: _KeyMethod = _KeyMethod()


class _Logout(Record, frozen=True, rename=None):
    backchannel_logout_urls: list[str] = []


class Client(Record, frozen=True, rename=None):
    name: str
    client_id: str = ""
    client_secret: str = ""
    app_type: str = ""
    callbacks: list[str] = []
    allowed_logout_urls: list[str] = []
    web_origins: list[str] = []
    allowed_origins: list[str] = []
    grant_types: list[str] = []
    token_endpoint_auth_method: str = "client_secret_post"
    client_authentication_methods: _Methods = _Methods()
    jwt_configuration: _Jwt = _Jwt()
    oidc_logout: _Logout = _Logout()
    logo_uri: str = ""
    is_first_party: bool = True
    require_pushed_authorization_requests: bool = False
    require_proof_of_possession: bool = False

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return f"client {self.client_id or self.name}"


def add_client(draft: Draft, project: ProjectDraft, value: Object, client: Client) -> None:
    place = value.place
    report = Reports(draft.findings, place, client.title)
    old = _old_client(place, client, report)
    has_credentials = _CREDENTIALS in client.grant_types
    if old.grant_types or not has_credentials:
        draft.add_oidc(project, old)
        if has_credentials:
            report(TWO_ROLES)
    elif old.client_id:
        draft.add_service_user(old)
    else:
        draft.findings.left_out(place, client.name, "a service user needs the client id: export it as the guide says")


def _old_client(place: Place, client: Client, report: Reports) -> OldClient:
    method, keys, subject = _authentication(client, report)
    logouts = client.oidc_logout.backchannel_logout_urls
    for uri in logouts[1:]:
        report(LOGOUT, uri)
    return OldClient(
        place=place,
        client_id=client.client_id,
        name=client.name,
        secret=client.client_secret,
        method=method,
        redirect_uris=_uris(client.callbacks, report),
        post_logout_uris=_uris(client.allowed_logout_urls, report),
        origins=[*client.web_origins, *client.allowed_origins],
        grant_types=_grant_types(client, report),
        app_type=_TYPES.get(client.app_type),
        claims_in_id_token=True,
        id_token_alg=client.jwt_configuration.alg,
        logout_uri=logouts[0] if logouts else "",
        logo_uri=client.logo_uri,
        keys=keys,
        certificate_subject=subject,
        consent=not client.is_first_party,
        push_required=client.require_pushed_authorization_requests,
        proofs_required=client.require_proof_of_possession,
    )


def _authentication(client: Client, report: Reports) -> tuple[AuthMethodName, tuple[Key, ...], str]:
    methods = client.client_authentication_methods
    for method, used in (
        (AuthMethodName.PRIVATE_KEY_JWT, methods.private_key_jwt),
        (AuthMethodName.SELF_SIGNED_TLS_CLIENT_AUTH, methods.self_signed_tls_client_auth),
    ):
        if keys := tuple(Key(public_key=one.pem) for one in used.credentials if one.pem):
            return method, keys, ""
    for number, one in enumerate(methods.tls_client_auth.credentials):
        if number:
            report(SUBJECT, one.subject_dn)
    subjects = [f"subject_dn:{one.subject_dn}" for one in methods.tls_client_auth.credentials]
    if subjects and is_subject(subjects[0]):
        return AuthMethodName.TLS_CLIENT_AUTH, (), subjects[0]
    if subjects:
        report(SUBJECT, subjects[0].partition(":")[2])
    return _METHODS.get(client.token_endpoint_auth_method, AuthMethodName.POST), (), ""


def _grant_types(client: Client, report: Reports) -> tuple[GrantTypeName, ...]:
    for one in client.grant_types:
        if one not in _GRANTS and one != _CREDENTIALS:
            report(GRANT, one)
    return tuple(_GRANTS[one] for one in client.grant_types if one in _GRANTS)


def _uris(uris: list[str], report: Reports) -> list[str]:
    found = []
    for uri in uris:
        if "{" in uri:
            report(ORGANIZATION, uri)
        else:
            found.append(uri)
    return found
