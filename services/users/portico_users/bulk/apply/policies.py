"""Reads policies of the document; what it does not speak of stays."""

from __future__ import annotations

import msgspec
from portico_contracts import apply as document

from portico_users.bulk.apply.factor_names import MULTI_FACTORS, SECOND_FACTORS, factors_of
from portico_users.bulk.apply.plan import Plan
from portico_users.directory.identity_providers.changes import IDP_NOT_FOUND
from portico_users.directory.policies import login_rules, policies
from portico_users.directory.policies.login_rules import MAX_IDPS, TOO_MANY_OFFERED, LoginRules
from portico_users.directory.policies.password_policy import PasswordRules
from portico_users.directory.policies.policies import Label, LockoutRules, PasswordAge, Policies, PrivacyLinks
from portico_users.kernel.journal import NAME_TAKEN
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.problems import at, refuse_first

HasPolicies = document.Organization | document.Document


def policies_of(wanted: HasPolicies, stored: Policies, path: str) -> Policies:
    """The policies that will hold.

    Args:
        path: place of the organization; empty for the instance.

    Raises:
        ServiceError: naming the place, when one may not be so.
    """
    said = Policies(
        password=_password(wanted),
        password_age=_password_age(wanted),
        lockout=_lockout(wanted),
        label=_label(wanted),
        privacy=_privacy(wanted),
    )
    for field in msgspec.structs.fields(Policies):
        one = Policies(**{field.name: getattr(said, field.name)})
        refuse_first(policies.problems_of(one), _member(path, f"{field.encode_name}Policy"))
    values = {name: value for name, value in msgspec.structs.asdict(said).items() if value is not None}
    return msgspec.structs.replace(stored, **values)


async def login_rules_of(plan: Plan, wanted: HasPolicies, stored: LoginRules, owner_id: str, path: str) -> LoginRules:
    """The login rules that will hold: exactly what the document's policy says; what it leaves out is not said.

    Args:
        stored: keeps the identity providers it offers where the document says nothing of them.
        owner_id: the organization, or the instance.

    Raises:
        ServiceError: USER-318, USER-623, USER-011 with the place, about the identity providers that are offered; USER-883.
    """
    policy = wanted.login_policy
    if policy is None:
        return stored
    rules = msgspec.structs.replace(
        stored,
        may_register=policy.may_register,
        verified_mail=policy.verified_mail,
        force_mfa=policy.force_mfa,
        hide_password_reset=policy.hide_password_reset,
        second_factors=factors_of(policy.second_factors, SECOND_FACTORS),
        multi_factors=factors_of(policy.multi_factors, MULTI_FACTORS),
    )
    refuse_first(login_rules.problems_of(rules), _member(path, "loginPolicy"))
    if policy.idps is None:
        return rules
    place = _member(path, "loginPolicy.idps")
    if len(policy.idps) > MAX_IDPS:
        raise at(place, TOO_MANY_OFFERED.error())
    owners = tuple(dict.fromkeys((owner_id, INSTANCE)))
    offered: list[str] = []
    for number, named in enumerate(policy.idps):
        idp = await plan.find_idp(owners, named)
        if idp is None:
            raise at(f"{place}[{number}]", IDP_NOT_FOUND.error())
        if idp.id in offered:
            raise at(f"{place}[{number}]", NAME_TAKEN.error())
        offered.append(idp.id)
    # Removed ones that still stand there are nobody's to name.
    there = {idp.id for idp in await plan.stored.idps.list_by_ids(stored.idps or ())}
    if stored.idps is not None and [id for id in stored.idps if id in there] == offered:
        return rules
    return msgspec.structs.replace(rules, idps=tuple(offered))


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _password(wanted: HasPolicies) -> PasswordRules | None:
    policy = wanted.password_policy
    if policy is None:
        return None
    return PasswordRules(
        min_length=policy.min_length,
        uppercase=policy.has_uppercase,
        lowercase=policy.has_lowercase,
        number=policy.has_number,
        symbol=policy.has_symbol,
    )


def _password_age(wanted: HasPolicies) -> PasswordAge | None:
    policy = wanted.password_age_policy
    return PasswordAge(max_days=policy.max_age_days, warn_days=policy.expire_warn_days) if policy else None


def _lockout(wanted: HasPolicies) -> LockoutRules | None:
    policy = wanted.lockout_policy
    return LockoutRules(max_password_attempts=policy.max_password_attempts) if policy else None


def _label(wanted: HasPolicies) -> Label | None:
    return Label(**msgspec.structs.asdict(wanted.label_policy)) if wanted.label_policy else None


def _privacy(wanted: HasPolicies) -> PrivacyLinks | None:
    return PrivacyLinks(**msgspec.structs.asdict(wanted.privacy_policy)) if wanted.privacy_policy else None
