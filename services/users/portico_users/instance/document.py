from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.apply import Document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.credentials.texts import NO_TEXT_MESSAGES, Texts
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Subject, step_of
from portico_users.instance.instance import UNSET, Instance, MongoInstance
from portico_users.organizations.org import MongoOrgs
from portico_users.policies import login_rules
from portico_users.policies.document import LoginRulesPlanner, member_of, policies_of
from portico_users.policies.edit_policies import AllowImpersonation, ChangeSettings, SetIntentUrls, SetTokenLifetimes
from portico_users.policies.login_constraints import MAX_NAMED, left_without, locked_out_by
from portico_users.policies.login_rules import (
    FORCED_WITHOUT,
    LoginRules,
    admits_no_user,
    admits_only_by_text,
    narrows,
)
from portico_users.policies.policies import KINDS
from portico_users.policies.token_lifetimes import LIFETIME_FIELDS
from portico_users.values.fields import DeclaredValues
from portico_users.values.names import INSTANCE
from portico_users.values.problems import at, below


@dataclass(frozen=True, slots=True)
class FactorGuard:
    """Refuses login rules that require a second factor while none is allowed, also in organizations not listed."""

    orgs: MongoOrgs
    texts: Texts

    async def require_sender(self, plan: Plan, document: Document, before: LoginRules, after: LoginRules) -> None:
        """Raises USER-404 where only codes by text message admit users, and nothing sends them."""
        if document.sms_sender is not None:
            return
        if after != before and admits_only_by_text(after) and not await self.texts.has_sender(""):
            raise at("loginPolicy.secondFactors", NO_TEXT_MESSAGES.error())
        for home in plan.orgs:
            if home.wanted.sms_sender is not None or not admits_only_by_text(home.org.login_rules, after):
                continue
            if await self._changes(plan, home) and not await self.texts.has_sender(home.org.id):
                place = ".loginPolicy.secondFactors" if home.wanted.login_policy else ""
                raise at(f"{home.path}{place}", NO_TEXT_MESSAGES.error())

    async def require_factors(self, plan: Plan, before: LoginRules, after: LoginRules) -> None:
        """Checks the organizations that the plan changes, or all if it restricts the instance's policy."""
        narrowed = narrows(before, after)
        for home in plan.orgs:
            if admits_no_user(home.org.login_rules, after) and (narrowed or await self._changes(plan, home)):
                place = ".loginPolicy.forceMfa" if home.wanted.login_policy else ""
                raise at(f"{home.path}{place}", FORCED_WITHOUT.error(org_id=home.org.id))
        if not narrowed:
            return
        others = {**locked_out_by(after), "_id": {"$nin": [home.org.id for home in plan.orgs]}}
        if found := await self.orgs.list_where(others, MAX_NAMED):
            raise at("loginPolicy", left_without([org.id for org in found]))

    async def _changes(self, plan: Plan, home: PlannedOrg) -> bool:
        stored = await self.orgs.find(home.org.id)
        return stored is None or stored.login_rules != home.org.login_rules


DEFAULT_UNKNOWN = ErrorCode(
    "USER-061",
    Kind.NOT_FOUND,
    "Organization not found.",
    "Use the id or name of an organization that is stored or in the document.",
)


@dataclass(frozen=True, slots=True)
class InstancePlanner:
    factor_guard: FactorGuard
    instances: MongoInstance
    change_settings: ChangeSettings
    login_rules_planner: LoginRulesPlanner
    set_token_lifetimes: SetTokenLifetimes
    set_intent_urls: SetIntentUrls
    allow_impersonation: AllowImpersonation

    async def plan_instance(self, plan: Plan, document: Document, first: int) -> None:
        """Plans the instance settings of the document, if any.

        Organizations depend on the instance's login policy while they are written. Changes that allow more
        sign-ins are therefore written before the organizations (at ``first``), restrictions after them.
        """
        stored = await self.instances.find_settings()
        before = stored or UNSET
        after = await self._wanted(plan, document, before) if _says_something(document) else before
        await self.factor_guard.require_factors(plan, before.login_rules, after.login_rules)
        await self.factor_guard.require_sender(plan, document, before.login_rules, after.login_rules)
        if not _says_something(document):
            return
        subject = Subject("instance", "", "instance")
        rules = login_rules.between(before.login_rules, after.login_rules)
        if stored and login_rules.narrows(rules, before.login_rules):
            widened = msgspec.structs.replace(stored, login_rules=rules)
            plan.steps.insert(first, step_of(subject, self.change_settings.plan(stored, widened)))
            if widened == after:
                return
            stored = msgspec.structs.replace(widened, sequence=widened.sequence + 1)
            after = msgspec.structs.replace(after, sequence=stored.sequence)
        plan.add(after, step_of(subject, self.change_settings.plan(stored or UNSET, after)))

    async def _wanted(self, plan: Plan, document: Document, before: Instance) -> Instance:
        after = msgspec.structs.replace(
            before,
            login_rules=await self.login_rules_planner.login_rules_of(plan, document, before.login_rules, INSTANCE, ""),
            policies=policies_of(document, before.policies, ""),
        )
        after = self._with_token_lifetimes(plan, document, after)
        if document.allow_impersonation is not None:
            after = self.allow_impersonation.applied(after, document.allow_impersonation)
        if document.intent_urls is not None:
            after = self.set_intent_urls.applied(after, document.intent_urls, "intentUrls")
        if not document.default_organization:
            return after
        default = await plan.find_org(document.default_organization)
        if default is None:
            raise at("defaultOrganization", DEFAULT_UNKNOWN.error())
        return msgspec.structs.replace(after, default_org_id=default.id)

    def _with_token_lifetimes(self, plan: Plan, document: Document, instance: Instance) -> Instance:
        settings = document.oidc_settings
        if settings is None:
            return instance
        with below("oidcSettings"):
            lifetimes = LIFETIME_FIELDS.new(DeclaredValues(settings))
            return self.set_token_lifetimes.applied(instance, lifetimes)


def _says_something(document: Document) -> bool:
    policies = (getattr(document, member_of(kind)) for kind in KINDS)
    settings = (
        document.login_policy,
        document.oidc_settings,
        document.intent_urls,
        document.allow_impersonation,
        document.default_organization or None,
    )
    return any(value is not None for value in (*settings, *policies))
