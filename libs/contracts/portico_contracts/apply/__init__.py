"""The document of ``portico apply``: the desired state in the terms of the management API.

Unknown keys are errors. Missing ids are generated. Secrets and passwords are applied at creation only, so a
later apply never overwrites a change by a user.
"""

from __future__ import annotations

from portico_oauth.grant_types import GrantTypeName

from portico_contracts.apply.idps import (
    ClaimTables,
    GroupGrant,
    JwtIdp,
    MappedGroup,
    Oauth2Idp,
    OidcIdp,
    ProviderGroups,
    ProviderOptions,
    UserinfoClaims,
)
from portico_contracts.apply.ldap_idps import LdapAttributes, LdapIdp
from portico_contracts.apply.organizations import Document, Domain, Organization
from portico_contracts.apply.parts import DeclaredObject, Id, Key, Member, Name, SecretText, Text
from portico_contracts.apply.policies import (
    ClientMetadataPolicy,
    LabelPolicy,
    LockoutPolicy,
    LoginPolicy,
    OwnTexts,
    PasswordAgePolicy,
    PasswordPolicy,
    PrivacyPolicy,
    TextPolicy,
)
from portico_contracts.apply.projects import ApiApp, ApiScope, OidcApp, Project, ProjectGrant, Role
from portico_contracts.apply.senders import EmailSender, SmsSender
from portico_contracts.apply.settings import OidcSettings
from portico_contracts.apply.users import (
    Address,
    Attributes,
    Email,
    EndUser,
    Group,
    GroupRoles,
    HashedPassword,
    IdpLink,
    Password,
    Phone,
    Profile,
    RoleGrant,
    ServiceUser,
)
from portico_contracts.apply.vocabulary import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    AutoLinkingOption,
    ClientAssertionAudience,
    ClientAssertionJti,
    ClockSkew,
    ConsentName,
    EnrolmentName,
    Gender,
    LoopbackPorts,
    MappingField,
    MultiFactorName,
    Oauth2PresetName,
    ObjectState,
    OidcPresetName,
    PrivateLabelingSetting,
    ProviderAuthMethod,
    ResponseTypeName,
    SecondFactorName,
    StylingType,
    UserState,
)
from portico_contracts.apply.webhooks import Webhook
