from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field
from portico_oauth.grant_types import GrantTypeName

from portico_contracts.apply.parts import DeclaredObject, Id, Key, Member, Name, Text
from portico_contracts.apply.trusted_workloads import TrustedWorkloads
from portico_contracts.apply.vocabulary import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    ClaimFormatName,
    ClaimPlaceName,
    ClaimSourceName,
    ClientAssertionAudience,
    ClientAssertionJti,
    ClockSkew,
    ConsentName,
    DpopName,
    LoopbackPorts,
    MinimumAcr,
    ObjectState,
    PrivateLabelingSetting,
    ResponseTypeName,
    SecurityProfile,
)
from portico_contracts.subjects import Secret

AppSeconds = Annotated[int, Meta(ge=0, le=31_536_000)]


class ClaimRule(DeclaredObject, frozen=True):
    """A claim about the user in tokens and answers; the meaning of ``key`` depends on the ``source``."""

    claim: Annotated[str, Meta(min_length=1, max_length=100)]
    source: ClaimSourceName
    places: Annotated[tuple[ClaimPlaceName, ...], Meta(min_length=1, max_length=4)] = field(name="in")
    key: Text = ""
    value: Annotated[str, Meta(max_length=2_000)] = ""
    format: ClaimFormatName = ClaimFormatName.TEXT
    groups: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    scope: Text = ""


ClaimRules = Annotated[tuple[ClaimRule, ...], Meta(max_length=50)]


class ApiScope(DeclaredObject, frozen=True):
    """A scope of an API; ``grantedByDefault``: granted for its resource when a request names no scope of an API.

    ``roles``: keys of the project; only users with one of them get the scope.
    """

    scope: Annotated[str, Meta(min_length=1, max_length=200)]
    title: Text = ""
    description: Annotated[str, Meta(max_length=1_000)] = ""
    granted_by_default: bool = False
    roles: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()


class ApiApp(DeclaredObject, frozen=True):
    """An API application: it introspects tokens, and has scopes and resource URIs that clients request."""

    name: Name
    id: Id | None = None
    client_id: Id | None = None
    client_secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    auth_method_type: ApiAuthMethodName = ApiAuthMethodName.BASIC
    client_assertion_jti: ClientAssertionJti = ClientAssertionJti.OPTIONAL
    token_exchange: bool = False
    resources: tuple[str, ...] = ()
    scopes: tuple[ApiScope, ...] = ()
    certificate_subject: Annotated[str, Meta(max_length=1_000)] = ""
    keys: tuple[Key, ...] | None = None
    trusted_workloads: TrustedWorkloads | None = None
    state: ObjectState | None = None


class Role(DeclaredObject, frozen=True):
    role_key: Name
    display_name: Text = ""
    group: Text = ""


class OidcApp(DeclaredObject, frozen=True):
    """``clientSecret`` is generated and shown once when it is required and omitted."""

    name: Name
    id: Id | None = None
    client_id: Id | None = None
    client_secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    response_types: tuple[ResponseTypeName, ...] = (ResponseTypeName.CODE,)
    grant_types: tuple[GrantTypeName, ...] = (GrantTypeName.AUTHORIZATION_CODE,)
    app_type: AppTypeName = AppTypeName.WEB
    auth_method_type: AuthMethodName = AuthMethodName.BASIC
    access_token_type: AccessTokenTypeName = AccessTokenTypeName.BEARER
    dev_mode: bool = False
    access_token_role_assertion: bool = False
    id_token_role_assertion: bool = False
    id_token_userinfo_assertion: bool = False
    additional_origins: tuple[str, ...] = ()
    back_channel_logout_uri: Text = ""
    id_token_signed_response_alg: str = "RS256"
    refresh_token_grace_seconds: Annotated[int, Meta(ge=0, le=60)] = 0
    client_assertion_audience: ClientAssertionAudience = ClientAssertionAudience.ANY
    client_assertion_jti: ClientAssertionJti = ClientAssertionJti.OPTIONAL
    clock_skew: ClockSkew = "0s"
    strict_auth_method: bool = False
    roles_claim: Text = ""
    groups_claim: Text = ""
    hinted_logout: bool = True
    logo_uri: Text = ""
    policy_uri: Text = ""
    tos_uri: Text = ""
    management_access: bool = False
    apis: tuple[str, ...] = ()
    consent: ConsentName = ConsentName.NONE
    plain_oauth: bool = field(default=False, name="plainOAuth")
    require_pushed_authorization_requests: bool = False
    loopback_ports: LoopbackPorts = LoopbackPorts.EXACT
    plain_schemes: bool = False
    default_max_age_seconds: AppSeconds = 0
    session_seconds: AppSeconds = 0
    session_idle_seconds: AppSeconds = 0
    access_token_seconds: AppSeconds = 0
    id_token_seconds: AppSeconds = 0
    refresh_token_idle_seconds: AppSeconds = 0
    refresh_token_seconds: AppSeconds = 0
    minimum_acr: MinimumAcr = MinimumAcr.ANY
    access_token_acr_assertion: bool = False
    claim_rules: ClaimRules = ()
    dpop: DpopName = DpopName.OFF
    security_profile: SecurityProfile = SecurityProfile.NONE
    dpop_nonce: bool = False
    agent: bool = False
    certificate_subject: Annotated[str, Meta(max_length=1_000)] = ""
    keys: tuple[Key, ...] | None = None
    trusted_workloads: TrustedWorkloads | None = None
    state: ObjectState | None = None


class ProjectGrant(DeclaredObject, frozen=True):
    """Exactly the roles that the other ``organization`` (id or name) may grant to its users."""

    organization: Name
    id: Id | None = None
    role_keys: tuple[str, ...] = ()
    members: tuple[Member, ...] | None = None
    state: ObjectState | None = None


class Project(DeclaredObject, frozen=True):
    """A project: the common audience of its applications."""

    name: Name
    id: Id | None = None
    project_role_assertion: bool = False
    project_role_check: bool = False
    has_project_check: bool = False
    private_labeling_setting: PrivateLabelingSetting = PrivateLabelingSetting.UNSPECIFIED
    claim_rules: ClaimRules = ()
    roles: tuple[Role, ...] | None = None
    oidc_apps: tuple[OidcApp, ...] | None = None
    api_apps: tuple[ApiApp, ...] | None = None
    members: tuple[Member, ...] | None = None
    """Users with roles in this project only."""
    state: ObjectState | None = None
    grants: tuple[ProjectGrant, ...] | None = None
    """Grants of the project's roles to other organizations."""
