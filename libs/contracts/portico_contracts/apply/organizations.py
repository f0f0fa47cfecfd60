from __future__ import annotations

from portico_contracts.apply.idps import JwtIdp, Oauth2Idp, OidcIdp
from portico_contracts.apply.ldap_idps import LdapIdp
from portico_contracts.apply.outside_servers import OutsideServer
from portico_contracts.apply.parts import DeclaredObject, Id, Member, Name, Text
from portico_contracts.apply.policies import (
    ClientMetadataPolicy,
    LabelPolicy,
    LockoutPolicy,
    LoginPolicy,
    PasswordAgePolicy,
    PasswordPolicy,
    PrivacyPolicy,
    TextPolicy,
)
from portico_contracts.apply.projects import Project
from portico_contracts.apply.scim import ScimConnection
from portico_contracts.apply.senders import EmailSender, SmsSender
from portico_contracts.apply.settings import OidcSettings
from portico_contracts.apply.users import EndUser, Group, ServiceUser
from portico_contracts.apply.vocabulary import ObjectState
from portico_contracts.apply.webhooks import Webhook


class Domain(DeclaredObject, frozen=True):
    """An additional domain. ``isVerified``: the operator vouches for its ownership."""

    name: Name
    is_verified: bool = False


class Organization(DeclaredObject, frozen=True):
    """With ``--prune``, objects missing from a list, even an empty one, are deleted; omitted lists change nothing."""

    name: Name
    id: Id | None = None
    primary_domain: Text = ""
    """Defaults to a slug of the name as a subdomain of the issuer's host."""
    projects: tuple[Project, ...] | None = None
    groups: tuple[Group, ...] | None = None
    humans: tuple[EndUser, ...] | None = None
    service_users: tuple[ServiceUser, ...] | None = None
    jwt_idps: tuple[JwtIdp, ...] | None = None
    oidc_idps: tuple[OidcIdp, ...] | None = None
    oauth2_idps: tuple[Oauth2Idp, ...] | None = None
    ldap_idps: tuple[LdapIdp, ...] | None = None
    domains: tuple[Domain, ...] | None = None
    webhooks: tuple[Webhook, ...] | None = None
    scim_connections: tuple[ScimConnection, ...] | None = None
    outside_servers: tuple[OutsideServer, ...] | None = None
    sms_sender: SmsSender | None = None
    email_sender: EmailSender | None = None
    members: tuple[Member, ...] | None = None
    """Users of other organizations with roles in this one. Roles of its own users are set on the user."""
    state: ObjectState | None = None
    login_policy: LoginPolicy | None = None
    password_policy: PasswordPolicy | None = None
    password_age_policy: PasswordAgePolicy | None = None
    lockout_policy: LockoutPolicy | None = None
    label_policy: LabelPolicy | None = None
    privacy_policy: PrivacyPolicy | None = None
    text_policy: TextPolicy | None = None
    client_metadata_policy: ClientMetadataPolicy | None = None
    mail_link_hosts: tuple[Text, ...] | None = None
    """Host names allowed in email links; empty for any."""


class Document(DeclaredObject, frozen=True):
    organizations: tuple[Organization, ...] = ()
    login_policy: LoginPolicy | None = None
    """Default of the instance, for organizations without a policy."""
    password_policy: PasswordPolicy | None = None
    password_age_policy: PasswordAgePolicy | None = None
    lockout_policy: LockoutPolicy | None = None
    label_policy: LabelPolicy | None = None
    privacy_policy: PrivacyPolicy | None = None
    text_policy: TextPolicy | None = None
    client_metadata_policy: ClientMetadataPolicy | None = None
    oidc_settings: OidcSettings | None = None
    allow_impersonation: bool | None = None
    """Whether administrators with the permission user.impersonate may act for users."""
    intent_urls: tuple[Text, ...] | None = None
    """Allowed redirect URLs for intents of custom login pages, compared exactly."""
    jwt_idps: tuple[JwtIdp, ...] | None = None
    """Identity providers of the instance; every organization may use them."""
    oidc_idps: tuple[OidcIdp, ...] | None = None
    oauth2_idps: tuple[Oauth2Idp, ...] | None = None
    ldap_idps: tuple[LdapIdp, ...] | None = None
    webhooks: tuple[Webhook, ...] | None = None
    """Webhooks of the instance; they receive every event."""
    sms_sender: SmsSender | None = None
    """Sends text messages of organizations without their own sender."""
    members: tuple[Member, ...] | None = None
    """Users with roles in the instance that are not set elsewhere in this document."""
    default_organization: Text = ""
    """Id or name of the organization for registrations that name none; defaults to the oldest."""
