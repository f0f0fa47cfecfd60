"""Writes policies, domains and identity providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec
from portico_contracts.apply import (
    Domain,
    JwtIdp,
    LabelPolicy,
    LdapIdp,
    LockoutPolicy,
    LoginPolicy,
    ObjectState,
    OidcIdp,
    OidcSettings,
    PasswordAgePolicy,
    PasswordPolicy,
    PrivacyPolicy,
    ProviderOptions,
    Webhook,
)

from portico_users.bulk.apply.factor_names import MULTI_FACTORS, SECOND_FACTORS, names_of
from portico_users.bulk.apply.idps import AUTO_LINKINGS, MAPPINGS, STYLINGS
from portico_users.bulk.apply.policies import member_of
from portico_users.bulk.export.ldap_idps import ldap_idp
from portico_users.bulk.export.written import Notes
from portico_users.commands.command import Assembled
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, Mapping, OidcConfig, Options, Styling
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.directory.instance.instance import Instance
from portico_users.directory.organizations.org import Org
from portico_users.directory.policies import kinds
from portico_users.directory.policies.login_rules import LoginRules
from portico_users.directory.policies.policies import Policies
from portico_users.kernel.records import Record, State
from portico_users.notifications.webhooks.store import MongoWebhooks

_STYLINGS = {value: name for name, value in STYLINGS.items()}
_MAPPINGS = {value: name for name, value in MAPPINGS.items()}
_AUTO_LINKINGS = {value: name for name, value in AUTO_LINKINGS.items()}

_POLICIES: Final[dict[str, type[msgspec.Struct]]] = {
    kinds.PASSWORD.name: PasswordPolicy,
    kinds.PASSWORD_AGE.name: PasswordAgePolicy,
    kinds.LOCKOUT.name: LockoutPolicy,
    kinds.PRIVACY.name: PrivacyPolicy,
    kinds.LABEL.name: LabelPolicy,
}

THERE = {"state": {"$ne": State.DELETED.value}}
MOST = 1_000_000
"""More than fit into a document."""


def state_of(record: Record) -> ObjectState | None:
    """The state of what is not a user, where it is worth a word."""
    return ObjectState.INACTIVE if record.state is State.INACTIVE else None


@dataclass(frozen=True, slots=True)
class SettingsExport(Assembled):
    """Exports login policies, identity providers and webhooks."""

    idps: MongoIdps
    webhooks: MongoWebhooks

    async def login_policy_of(self, rules: LoginRules) -> LoginPolicy | None:
        """The login policy, without identity providers that were deleted."""
        if rules == LoginRules():
            return None
        idps = None
        if rules.idps is not None:
            there = {idp.id for idp in await self.idps.list_by_ids(rules.idps)}
            idps = tuple(id for id in rules.idps if id in there)
        return LoginPolicy(
            may_register=rules.may_register,
            verified_mail=rules.verified_mail,
            force_mfa=rules.force_mfa,
            hide_password_reset=rules.hide_password_reset,
            idps=idps,
            second_factors=names_of(rules.second_factors, SECOND_FACTORS),
            multi_factors=names_of(rules.multi_factors, MULTI_FACTORS),
        )

    async def idps_of(self, owner_id: str, notes: Notes) -> dict[str, Any]:
        """The identity providers of an organization or the instance, by the field of the document."""
        found = await self.idps.list_where({"orgId": owner_id, **THERE}, MOST, order=("nameKey",))
        jwt: list[JwtIdp] = []
        oidc: list[OidcIdp] = []
        ldap: list[LdapIdp] = []
        for idp in found:
            match idp.config:
                case JwtConfig() as config:
                    jwt.append(_jwt(idp, config))
                case OidcConfig() as config:
                    oidc.append(_oidc(idp, config))
                    notes.add(idp.id, "clientSecret is not exported: needed where it does not stand yet.")
                case LdapConfig() as config:
                    ldap.append(_ldap(idp, config))
                    notes.add(idp.id, "bindPassword is not exported: needed where it does not stand yet.")
        found_by_field: dict[str, list[Any]] = {"jwt_idps": jwt, "oidc_idps": oidc, "ldap_idps": ldap}
        return {field: tuple(idps) or None for field, idps in found_by_field.items()}

    async def webhooks_of(self, owner_id: str, notes: Notes) -> tuple[Webhook, ...]:
        """The webhooks of an organization or the instance."""
        found = await self.webhooks.list_where({"orgId": owner_id, **THERE}, MOST, order=("nameKey",))
        for webhook in found:
            notes.add(webhook.id, "secret is not exported: where it does not stand yet, one is made and shown.")
        return tuple(
            Webhook(
                id=webhook.id,
                name=webhook.name,
                url=webhook.url,
                event_types=webhook.event_types,
                state=state_of(webhook),
            )
            for webhook in found
        )


def policies_of(policies: Policies) -> dict[str, Any]:
    """The other policies, by the field of the document."""
    stored = ((kind, getattr(policies, kind.name)) for kind in kinds.KINDS)
    return {member_of(kind): policy and _POLICIES[kind.name](**kind.values_of(policy)) for kind, policy in stored}


def oidc_settings_of(instance: Instance) -> OidcSettings | None:
    """The lifetimes of tokens, where the instance sets them."""
    lives = instance.token_lifetimes
    if lives is None:
        return None
    return OidcSettings(
        access_token_lifetime=f"{lives.access_token}s",
        id_token_lifetime=f"{lives.id_token}s",
        refresh_token_idle_expiration=f"{lives.refresh_idle}s",
        refresh_token_expiration=f"{lives.refresh}s",
    )


def domains_of(org: Org) -> tuple[Domain, ...]:
    """The further domains."""
    return tuple(Domain(name=domain.name, is_verified=domain.verified) for domain in org.domains)


def _jwt(idp: Idp, config: JwtConfig) -> JwtIdp:
    return JwtIdp(
        id=idp.id,
        name=idp.name,
        jwt_endpoint=config.jwt_endpoint,
        issuer=config.issuer,
        keys_endpoint=config.keys_endpoint,
        header_name=config.header_name,
        auto_register=idp.options.auto_creation,
        provider_options=_provider_options(idp.options),
        styling_type=_STYLINGS[idp.styling] if idp.styling is not Styling.UNSPECIFIED else None,
        state=state_of(idp),
    )


def _oidc(idp: Idp, config: OidcConfig) -> OidcIdp:
    names, users = config.display_name_mapping, config.username_mapping
    return OidcIdp(
        id=idp.id,
        name=idp.name,
        issuer=config.issuer,
        client_id=config.client_id,
        scopes=config.scopes,
        display_name_mapping=_MAPPINGS[names] if names is not Mapping.UNSPECIFIED else None,
        username_mapping=_MAPPINGS[users] if users is not Mapping.UNSPECIFIED else None,
        trusted_email=config.trusted_email or None,
        auto_register=idp.options.auto_creation,
        provider_options=_provider_options(idp.options),
        styling_type=_STYLINGS[idp.styling] if idp.styling is not Styling.UNSPECIFIED else None,
        state=state_of(idp),
    )


def _ldap(idp: Idp, config: LdapConfig) -> LdapIdp:
    return msgspec.structs.replace(
        ldap_idp(idp, config),
        provider_options=_provider_options(idp.options),
        styling_type=_STYLINGS[idp.styling] if idp.styling is not Styling.UNSPECIFIED else None,
        state=state_of(idp),
    )


def _provider_options(options: Options) -> ProviderOptions | None:
    """The options that are not at their defaults; None where all are, but for that of ``autoRegister``."""
    if msgspec.structs.replace(options, auto_creation=False) == Options():
        return None
    return ProviderOptions(
        is_linking_allowed=options.linking,
        is_creation_allowed=options.creation,
        is_auto_update=options.auto_update,
        auto_linking=_AUTO_LINKINGS[options.auto_linking],
    )
