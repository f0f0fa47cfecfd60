"""Projects with their roles and applications."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from portico_oauth.grant_types import GrantTypeName

from portico_contracts.apply.parts import DeclaredObject, Id, Key, Member, Name, Text
from portico_contracts.apply.vocabulary import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    ClientAssertionAudience,
    ClientAssertionJti,
    ClockSkew,
    ObjectState,
    PrivateLabelingSetting,
    ResponseTypeName,
)
from portico_contracts.subjects import Secret


class ApiApp(DeclaredObject, frozen=True):
    """An API application: it only introspects."""

    name: Name
    id: Id | None = None
    client_id: Id | None = None
    client_secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    auth_method_type: ApiAuthMethodName = ApiAuthMethodName.BASIC
    client_assertion_jti: ClientAssertionJti = ClientAssertionJti.OPTIONAL
    keys: tuple[Key, ...] | None = None
    state: ObjectState | None = None


class Role(DeclaredObject, frozen=True):
    """A role of a project."""

    role_key: Name
    display_name: Text = ""
    group: Text = ""


class OidcApp(DeclaredObject, frozen=True):
    """An OIDC application. ``clientSecret`` is made and shown once when a secret is needed and none is given.

    ``strictAuthMethod`` keeps a secret to the method that is registered. ``rolesClaim`` names the claim of id_token, userinfo and
    access token that lists the role keys, for example groups. ``clockSkew`` is by how much its clock may be off.
    ``hintedLogout: false`` keeps its server from ending a session by an id_token_hint alone. ``logoUri``, ``policyUri`` and
    ``tosUri`` are https addresses that the login pages show or link.
    ``managementAccess: true`` lets its access tokens be for the management API.
    """

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
    hinted_logout: bool = True
    logo_uri: Text = ""
    policy_uri: Text = ""
    tos_uri: Text = ""
    management_access: bool = False
    keys: tuple[Key, ...] | None = None
    state: ObjectState | None = None


class ProjectGrant(DeclaredObject, frozen=True):
    """Roles of the project another organization may give its users: exactly these.

    ``organization`` is that one's id or name; ``members`` are the users with roles in the grant alone.
    """

    organization: Name
    id: Id | None = None
    role_keys: tuple[str, ...] = ()
    members: tuple[Member, ...] | None = None
    state: ObjectState | None = None


class Project(DeclaredObject, frozen=True):
    """A project: the audience its applications share.

    With ``projectRoleCheck`` no user without a role in it can sign in, with ``hasProjectCheck`` none of an organization
    it is neither of nor granted to. ``privateLabelingSetting`` selects whose branding the login pages show.
    """

    name: Name
    id: Id | None = None
    project_role_assertion: bool = False
    project_role_check: bool = False
    has_project_check: bool = False
    private_labeling_setting: PrivateLabelingSetting = PrivateLabelingSetting.UNSPECIFIED
    roles: tuple[Role, ...] | None = None
    oidc_apps: tuple[OidcApp, ...] | None = None
    api_apps: tuple[ApiApp, ...] | None = None
    members: tuple[Member, ...] | None = None
    """The users with roles in this project alone."""
    state: ObjectState | None = None
    grants: tuple[ProjectGrant, ...] | None = None
    """Which other organizations may give its roles."""
