"""Organizations, and the whole file."""

from __future__ import annotations

from portico_contracts.apply.idps import JwtIdp, Oauth2Idp, OidcIdp
from portico_contracts.apply.ldap_idps import LdapIdp
from portico_contracts.apply.parts import DeclaredObject, Id, Member, Name, Text
from portico_contracts.apply.people import Human, ServiceUser
from portico_contracts.apply.policies import (
    LabelPolicy,
    LockoutPolicy,
    LoginPolicy,
    PasswordAgePolicy,
    PasswordPolicy,
    PrivacyPolicy,
    TextPolicy,
)
from portico_contracts.apply.projects import Project
from portico_contracts.apply.settings import OidcSettings
from portico_contracts.apply.vocabulary import ObjectState
from portico_contracts.apply.webhooks import Webhook


class Domain(DeclaredObject, frozen=True):
    """A domain beside the primary one; ``isVerified``: the operator vouches that it is theirs."""

    name: Name
    is_verified: bool = False


class Organization(DeclaredObject, frozen=True):
    """An organization with everything that belongs to it.

    A list that is present, be it empty, is complete with ``--prune``; one that is left out changes
    nothing.
    """

    name: Name
    id: Id | None = None
    primary_domain: Text = ""
    """Defaults to a slug of the name, below the issuer's host."""
    projects: tuple[Project, ...] | None = None
    humans: tuple[Human, ...] | None = None
    service_users: tuple[ServiceUser, ...] | None = None
    jwt_idps: tuple[JwtIdp, ...] | None = None
    oidc_idps: tuple[OidcIdp, ...] | None = None
    oauth2_idps: tuple[Oauth2Idp, ...] | None = None
    ldap_idps: tuple[LdapIdp, ...] | None = None
    domains: tuple[Domain, ...] | None = None
    webhooks: tuple[Webhook, ...] | None = None
    members: tuple[Member, ...] | None = None
    """Users of other organizations with roles here; of its own users, their own roles state it."""
    state: ObjectState | None = None
    login_policy: LoginPolicy | None = None
    password_policy: PasswordPolicy | None = None
    password_age_policy: PasswordAgePolicy | None = None
    lockout_policy: LockoutPolicy | None = None
    label_policy: LabelPolicy | None = None
    privacy_policy: PrivacyPolicy | None = None
    text_policy: TextPolicy | None = None
    mail_link_hosts: tuple[Text, ...] | None = None
    """Host names the links in emails may lead to; empty for any."""


class Document(DeclaredObject, frozen=True):
    """The whole file."""

    organizations: tuple[Organization, ...] = ()
    login_policy: LoginPolicy | None = None
    """Of the instance: for every organization without one of its own."""
    password_policy: PasswordPolicy | None = None
    password_age_policy: PasswordAgePolicy | None = None
    lockout_policy: LockoutPolicy | None = None
    label_policy: LabelPolicy | None = None
    privacy_policy: PrivacyPolicy | None = None
    text_policy: TextPolicy | None = None
    oidc_settings: OidcSettings | None = None
    intent_urls: tuple[Text, ...] | None = None
    """Where intents of login pages of one's own may lead, letter for letter."""
    jwt_idps: tuple[JwtIdp, ...] | None = None
    """Of the instance: every organization may use them."""
    oidc_idps: tuple[OidcIdp, ...] | None = None
    oauth2_idps: tuple[Oauth2Idp, ...] | None = None
    ldap_idps: tuple[LdapIdp, ...] | None = None
    webhooks: tuple[Webhook, ...] | None = None
    """Of the instance: they receive every event."""
    members: tuple[Member, ...] | None = None
    """Users with roles in the instance that this document does not state elsewhere."""
    default_organization: Text = ""
    """Id or name of the one people join who register without naming any; without a word, the oldest."""
