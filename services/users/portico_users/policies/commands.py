"""Changes login policies: the rules, the identity providers that are offered, the factors that are allowed."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from msgspec.structs import replace
from portico_contracts.users import Factor, FirstFactor
from portico_oauth.errors import ErrorCode, Kind

from portico_users.credentials.texts import NO_TEXT_MESSAGES, Texts
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDP_NOT_FOUND, MongoIdps
from portico_users.instance.instance import UNSET, MongoInstance
from portico_users.journal.command import Command
from portico_users.organizations.org import Org
from portico_users.policies.edit_policies import POLICY_EXISTS, POLICY_NOT_FOUND, ChangeSettings, Holder
from portico_users.policies.login_rules import MAX_IDPS, TOO_MANY_OFFERED, LoginRules, in_force
from portico_users.policies.place_guard import PlaceGuard
from portico_users.policies.place_rules import problems_of_places
from portico_users.values.operator_settings import CanSendEmail
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import Record

OFFERED_ALREADY = ErrorCode(
    "USER-622", Kind.ALREADY_EXISTS, "This identity provider is already offered.", "No action needed."
)
ALLOWED_ALREADY = ErrorCode("USER-881", Kind.ALREADY_EXISTS, "This factor is already allowed.", "No action needed.")
NOT_ALLOWED = ErrorCode("USER-882", Kind.NOT_FOUND, "This factor is not allowed.", "No action needed.")


NOT_BY_THIS = ErrorCode(
    "USER-683",
    Kind.INVALID_REQUEST,
    "This operation does not change the factors and identity providers of a login policy.",
    "Send them unchanged, or omit them. Separate operations add and remove them.",
)


CODES_UNSENDABLE = ErrorCode(
    "USER-182",
    Kind.FAILED_PRECONDITION,
    "Emailed codes cannot be a first factor, because no mail server is configured.",
    "Ask the operator to set PORTICO_SMTP_HOST, or allow another first factor.",
)


class FactorList(StrEnum):
    SECOND = "second_factors"
    MULTI = "multi_factors"


@dataclass(frozen=True, slots=True)
class LoginLists:
    """The lists of a login policy in an update, which must be unchanged; empty means omitted."""

    idps: Set[str] = frozenset()
    second_factors: Set[Factor | None] = frozenset()
    multi_factors: Set[Factor | None] = frozenset()


@dataclass(frozen=True, slots=True)
class LoginListsInForce:
    instances: MongoInstance
    idps: MongoIdps

    async def rules(self, holder: Holder) -> tuple[LoginRules, LoginRules]:
        return holder.login_rules, (await self.instances.find_settings() or UNSET).login_rules

    async def factors(self, holder: Holder, factors: FactorList) -> tuple[Factor, ...]:
        rules = in_force(*await self.rules(holder))
        return rules.second_factors if factors is FactorList.SECOND else rules.multi_factors

    async def offered(self, rules: Sequence[LoginRules]) -> list[Idp]:
        ids = in_force(*rules).idps
        found = {idp.id: idp for idp in await self.idps.list_by_ids(ids)}
        return [found[id] for id in ids if id in found]

    async def require_same(self, holder: Holder, lists: LoginLists) -> None:
        """Raises USER-683 with the path of a given list that differs from the effective one."""
        rules = await self.rules(holder)
        offered = {idp.id for idp in await self.offered(rules)} if lists.idps else set()
        for place, given, known in (
            ("idps", lists.idps, offered),
            ("secondFactors", lists.second_factors, set(in_force(*rules).second_factors)),
            ("multiFactors", lists.multi_factors, set(in_force(*rules).multi_factors)),
        ):
            if given and given != known:
                raise at(place, NOT_BY_THIS.error())


def refuse_unsendable(before: LoginRules, after: LoginRules, *, sends_email: bool, path: str = "") -> None:
    """Raises USER-182 where emailed codes become a first factor without a mail server."""
    newly = before.first_factors != after.first_factors and FirstFactor.EMAIL_CODE in (after.first_factors or ())
    if newly and not sends_email:
        raise at(f"{path}firstFactors", CODES_UNSENDABLE.error())


def require_offerable(idp_ids: Sequence[str], place: str = "") -> None:
    """Raises USER-623 with the path for too many providers, USER-622 with the path of a repeated one."""
    if len(idp_ids) > MAX_IDPS:
        raise at(place, TOO_MANY_OFFERED.error())
    for number, id in enumerate(idp_ids):
        if id in idp_ids[:number]:
            raise at(f"{place}[{number}]" if place else "", OFFERED_ALREADY.error())


@dataclass(frozen=True, slots=True)
class ChangeLoginRules(Command):
    change: ChangeSettings
    sends_email: CanSendEmail
    places: PlaceGuard

    async def __call__(self, holder: Holder, rules: LoginRules, *, actor: str) -> Record:
        """Replaces the login rules of a holder; a required second factor must stay possible everywhere."""
        refuse_unsendable(holder.login_rules, rules, sends_email=self.sends_email)
        refuse_first(problems_of_places(rules.sign_in_from))
        await self.places.require_possible(holder.login_rules, rules)
        await self.places.require_way_in(holder, rules, actor)
        return await self.change(holder, replace(holder, login_rules=rules), actor=actor)


@dataclass(frozen=True, slots=True)
class OwnLoginPolicy(Command):
    """The login policy of an organization or of the instance."""

    change: ChangeLoginRules
    in_force: LoginListsInForce

    async def add(self, org: Org, lists: LoginLists, rules: LoginRules, *, actor: str) -> Record:
        """Gives an organization its own login policy; USER-618 when it has one already, USER-683 for other lists, and as `ChangeLoginRules`."""
        if _has_own(org):
            raise POLICY_EXISTS.error()
        await self.in_force.require_same(org, lists)
        return await self.change(org, rules, actor=actor)

    async def update(self, holder: Holder, lists: LoginLists, rules: LoginRules, *, actor: str) -> Record:
        if isinstance(holder, Org) and holder.login_rules == LoginRules():
            raise POLICY_NOT_FOUND.error()
        await self.in_force.require_same(holder, lists)
        return await self.change(holder, rules, actor=actor)

    async def reset(self, org: Org, *, actor: str) -> Record:
        """Removes the policy of an organization with its lists, so that the instance's is in force; USER-619 without one."""
        if org.login_rules == LoginRules():
            raise POLICY_NOT_FOUND.error()
        return await self.change(org, LoginRules(), actor=actor)


@dataclass(frozen=True, slots=True)
class OfferIdp(Command):
    """Offers an identity provider; an organization's first one replaces the instance's offer."""

    change: ChangeLoginRules
    idps: MongoIdps

    async def __call__(self, holder: Holder, idp_id: str, of_instance: bool | None = None, *, actor: str) -> Record:
        idp = await self.idps.find_usable(idp_id, holder.id)
        if idp is None or of_instance not in (None, idp.of_instance):
            raise IDP_NOT_FOUND.error()
        offered = (*(holder.login_rules.idps or ()), idp.id)
        require_offerable(offered)
        return await self.change(holder, replace(holder.login_rules, idps=offered), actor=actor)

    async def withdraw(self, holder: Holder, idp_id: str, *, actor: str) -> Record:
        """Ends the offer; USER-318 when the holder does not offer the identity provider."""
        offered = holder.login_rules.idps or ()
        if idp_id not in offered:
            raise IDP_NOT_FOUND.error()
        left = tuple(id for id in offered if id != idp_id)
        return await self.change(holder, replace(holder.login_rules, idps=left), actor=actor)


@dataclass(frozen=True, slots=True)
class AllowFactor(Command):
    """Allows a factor. The first change of a list copies the effective one to the holder."""

    change: ChangeLoginRules
    in_force: LoginListsInForce
    texts: Texts

    async def __call__(self, holder: Holder, factors: FactorList, factor: Factor, *, actor: str) -> Record:
        """Raises USER-404 for codes by text message where there is no sender of text messages."""
        allowed = await self.in_force.factors(holder, factors)
        if factor in allowed:
            raise ALLOWED_ALREADY.error()
        await self._require_sender(holder, factor)
        wanted = tuple(one for one in Factor if one in (*allowed, factor))
        return await self.change(holder, replace(holder.login_rules, **{factors.value: wanted}), actor=actor)

    async def disallow(self, holder: Holder, factors: FactorList, factor: Factor, *, actor: str) -> Record:
        """Allows one factor less, from the next sign-in on; USER-882 for another one, USER-883 and USER-911 for the last."""
        allowed = await self.in_force.factors(holder, factors)
        if factor not in allowed:
            await self._require_sender(holder, factor)
            raise NOT_ALLOWED.error()
        left = tuple(one for one in allowed if one is not factor)
        return await self.change(holder, replace(holder.login_rules, **{factors.value: left}), actor=actor)

    async def _require_sender(self, holder: Holder, factor: Factor) -> None:
        if factor is Factor.OTP_SMS and not await self.texts.has_sender(holder.id):
            raise at("type", NO_TEXT_MESSAGES.error())


def _has_own(org: Org) -> bool:
    rules = org.login_rules
    flags = (rules.may_register, rules.verified_mail, rules.force_mfa, rules.hide_password_reset)
    ways = (rules.allow_external_idp, rules.allow_device_authorization, rules.allow_email_code_sign_in, rules.enrolment)
    first = (rules.first_factors, rules.exempt_instance_owners, rules.redirect_to_provider, rules.join_by_domain)
    others = (rules.trusted_device_days, rules.allow_account_deletion, rules.sign_in_from)
    return any(one is not None for one in (*flags, *ways, *others, *first))
