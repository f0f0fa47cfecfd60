"""The policies in force in an organization: at sign-in, and for passwords and attempts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_contracts.users import (
    Branding,
    EnrolmentDemand,
    FindOrganization,
    FirstFactor,
    GetLoginPolicy,
    LoginPolicy,
    OfferedProvider,
    OrganizationFound,
    PasswordRules,
    SignInFrom,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.identity_providers.idp import as_offered
from portico_users.identity_providers.store import MongoIdps
from portico_users.instance.instance import UNSET, Instance, MongoInstance
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.policies.branding import branding_of
from portico_users.policies.login_rules import LoginRules, RulesInForce, allows_devices, in_force
from portico_users.policies.password_policy import SHORTEST, STANDARD
from portico_users.policies.policies import Policies, effective
from portico_users.values.names import INSTANCE, MAX_LENGTH, split_address
from portico_users.values.operator_settings import CanSendEmail
from portico_users.values.records import State

ORG_UNKNOWN = ErrorCode("USER-060", Kind.NOT_FOUND, "Organization not found.", "Use the id of an active organization.")
MAY_NOT_REGISTER = ErrorCode(
    "USER-063",
    Kind.PERMISSION_DENIED,
    "This organization does not allow registration.",
    "Ask the organization for an account.",
)


_WITHOUT_PASSWORD: Final = (FirstFactor.EMAIL_CODE, FirstFactor.PASSKEY)
REGISTERING: Final = (FirstFactor.PASSWORD, *_WITHOUT_PASSWORD)
"""The first factors that a registration gives: a password, the address that a code has proven, or a passkey."""


@dataclass(frozen=True, slots=True)
class LoginPolicies:
    orgs: MongoOrgs
    instances: MongoInstance
    idps: MongoIdps
    sends_email: CanSendEmail

    async def get_login_policy(self, ask: GetLoginPolicy) -> LoginPolicy:
        org, instance = await asyncio.gather(self._active(ask.org_id), self._settings())
        if ask.org_id and org is None:
            raise ORG_UNKNOWN.error(org_id=ask.org_id)
        joined = org or await self._default_of(instance)
        rules = in_force(*((org.login_rules, instance.login_rules) if org else (instance.login_rules,)))
        return LoginPolicy(
            may_register=self._lets_register(joined, instance),
            verified_mail=rules.verified_mail,
            force_mfa=rules.force_mfa,
            may_reset=self.sends_email and lets_reset(rules),
            password_rules=_password_rules(_policies(joined, instance)),
            factors=rules.factors,
            password_max_age_days=_max_age_days(_policies(org, instance)),
            providers=await self._providers(org, rules.sign_in_idps),
            enrolment=self._enrolment(rules.enrolment),
            branding=branding_of(_policies(org, instance), org.name if org and org.policies.logos else ""),
            organization=org.name if org else "",
            device_authorization=allows_devices(org.login_rules if org else LoginRules(), instance.login_rules),
            email_code_sign_in=self.sends_email and rules.may_begin_with(FirstFactor.EMAIL_CODE),
            trusted_device_days=rules.trusted_device_days,
            password_sign_in=rules.may_begin_with(FirstFactor.PASSWORD),
            passkey_sign_in=rules.may_begin_with(FirstFactor.PASSKEY),
            exempt_owners=rules.exempt_instance_owners and rules.first_factors is not None,
            redirect_to_provider=rules.redirect_to_provider,
            sign_in_from=rules.sign_in_from if rules.sign_in_from != SignInFrom() else None,
            redirects_somewhere=org is None and (rules.redirect_to_provider or await self.orgs.any_redirects()),
        )

    async def lets_reset(self, org: Org) -> bool:
        return lets_reset(await self.rules_of(org))

    async def allows_passwords(self, org: Org) -> bool:
        """Reports whether a new user of the organization could sign in with a password."""
        return (await self.rules_of(org)).may_begin_with(FirstFactor.PASSWORD)

    async def allows_email_code(self, org: Org) -> bool:
        return (await self.rules_of(org)).may_begin_with(FirstFactor.EMAIL_CODE)

    async def rules_of(self, org: Org | None) -> RulesInForce:
        """Returns the rules of an organization, or of the instance."""
        return in_force(*((org.login_rules,) if org else ()), (await self._settings()).login_rules)

    async def lets_delete_account(self, org_id: str) -> bool:
        org, instance = await asyncio.gather(self.orgs.find(org_id), self._settings())
        return org is not None and in_force(org.login_rules, instance.login_rules).allow_account_deletion

    async def find_organization(self, ask: FindOrganization) -> OrganizationFound:
        if len(ask.domain) > MAX_LENGTH:
            return OrganizationFound()
        org = await self.orgs.find_by_domain(ask.domain)
        return OrganizationFound(org_id=org.id if org and org.state is State.ACTIVE else "")

    async def load_joined(self, org_id: str) -> Org:
        """Returns the active organization for a registration; the default one for an empty id."""
        instance = await self._settings()
        org = await (self._active(org_id) if org_id else self._default_of(instance))
        if org is None:
            raise ORG_UNKNOWN.error(org_id=org_id)
        if not self._lets_register(org, instance):
            raise MAY_NOT_REGISTER.error(org_id=org.id)
        return org

    async def home_of(self, email: str, joined: Org, *, with_password: bool) -> Org:
        """Returns the organization of a new account with this address, which is proven before the account exists.

        It is the one that has verified the domain, if it lets users join so and the account has a first factor there;
        otherwise the one that was joined. ``with_password``: the form has one, which the joined organization decides.
        """
        _, domain = split_address(email)
        found = await self.orgs.find_by_domain(domain) if domain else None
        if found is None or found.state is not State.ACTIVE or not found.has_verified(domain):
            return joined
        rules, given = await self.rules_of(found), REGISTERING if with_password else _WITHOUT_PASSWORD
        return found if rules.join_by_domain and any(map(rules.may_begin_with, given)) else joined

    async def find_default(self) -> Org | None:
        """Returns the organization of users who register without naming one; None if none is active."""
        return await self._default_of(await self._settings())

    def _lets_register(self, org: Org | None, instance: Instance) -> bool:
        if not self.sends_email or org is None:
            return False
        rules = in_force(org.login_rules, instance.login_rules)
        return rules.may_register and any(rules.may_begin_with(first) for first in REGISTERING)

    def _enrolment(self, demanded: EnrolmentDemand) -> EnrolmentDemand:
        """Without a mail server, enrolment by an emailed code is disabled."""
        return EnrolmentDemand.NONE if demanded is EnrolmentDemand.EMAIL and not self.sends_email else demanded

    async def _providers(self, org: Org | None, ids: tuple[str, ...]) -> tuple[OfferedProvider, ...]:
        """Returns active providers of the organization and the instance, in the policy's order."""
        owners = (org.id, INSTANCE) if org else (INSTANCE,)
        found = {idp.id: idp for idp in await self.idps.list_active(ids) if idp.org_id in owners}
        return tuple(as_offered(found[id]) for id in ids if id in found)

    async def _default_of(self, instance: Instance) -> Org | None:
        return await (self._active(instance.default_org_id) if instance.default_org_id else self.orgs.find_oldest())

    async def _active(self, org_id: str) -> Org | None:
        found = await self.orgs.find(org_id[: MAX_LENGTH + 1]) if org_id else None
        return found if found and found.state is State.ACTIVE else None

    async def _settings(self) -> Instance:
        return await self.instances.find_settings() or UNSET


def lets_reset(rules: RulesInForce) -> bool:
    """Reports whether forgotten passwords are reset by email."""
    return rules.may_begin_with(FirstFactor.PASSWORD) and not rules.hide_password_reset


def _policies(org: Org | None, instance: Instance) -> Policies:
    return effective(*((org.policies,) if org else ()), instance.policies)


def _max_age_days(policies: Policies) -> int:
    return policies.password_age.max_days if policies.password_age else 0


def _password_rules(policies: Policies) -> PasswordRules:
    rules = policies.password or STANDARD
    return PasswordRules(
        min_length=max(SHORTEST, rules.min_length),
        lowercase=rules.lowercase,
        uppercase=rules.uppercase,
        number=rules.number,
        symbol=rules.symbol,
    )


@dataclass(frozen=True, slots=True)
class PoliciesInForce:
    """Reads an organization's policies, with the instance's as defaults."""

    orgs: MongoOrgs
    instances: MongoInstance

    async def of(self, org_id: str) -> Policies:
        """Returns all policies, never None; the instance's for an unknown organization."""
        org, instance = await asyncio.gather(self.orgs.find(org_id), self.instances.find_settings())
        return effective(*((org.policies,) if org else ()), (instance or UNSET).policies)

    async def branding(self, org_id: str) -> Branding:
        """Returns the branding of pages and emails; the instance's for an unknown organization or an empty id."""
        org = await self.orgs.find(org_id) if org_id else None
        policies = await self.within(org) if org else await self.of("")
        return branding_of(policies, org.name if org and org.policies.logos else "")

    async def within(self, org: Org) -> Policies:
        """Like `of`, for an organization in memory, which may not be stored yet."""
        return effective(org.policies, (await self.instances.find_settings() or UNSET).policies)
