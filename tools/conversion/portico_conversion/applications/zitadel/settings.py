"""Domains and policies of a ZITADEL organization."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from portico_contracts.apply import (
    Domain,
    FirstFactorName,
    LockoutPolicy,
    MultiFactorName,
    PasswordPolicy,
    SecondFactorName,
)

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.password_length import allowed_length
from portico_conversion.findings import Findings, Place, Reports
from portico_conversion.reading.records import Record, read_record

RULE: Final = "a rule of the login policy"
FACTOR: Final = "a second factor of a kind that is not supported"

_OF_NEARLY_ALL: Final = frozenset(
    {
        "allowDomainDiscovery",
        "passwordCheckLifetime",
        "externalLoginCheckLifetime",
        "mfaInitSkipLifetime",
        "secondFactorCheckLifetime",
        "multiFactorCheckLifetime",
    }
)


class _Domain(Record, frozen=True):
    domain_name: str
    is_verified: bool = False
    is_primary: bool = False


class _Shown(Record, frozen=True):
    idp_id: str


class _Login(Record, frozen=True):
    """An export omits what is false or the first value of an enumeration, which is "not allowed" here (proto3 JSON)."""

    allow_register: bool = False
    allow_external_idp: bool = False
    force_mfa: bool = False
    hide_password_reset: bool = False
    allow_username_password: bool = False
    passwordless_type: str = "PASSWORDLESS_TYPE_NOT_ALLOWED"
    force_mfa_local_only: bool = False
    idps: list[_Shown] = []

    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return "loginPolicy"


class _Complexity(Record, frozen=True):
    min_length: str | int = 8
    has_uppercase: bool = False
    has_lowercase: bool = False
    has_number: bool = False
    has_symbol: bool = False


class _Lockout(Record, frozen=True):
    max_password_attempts: str | int = 0


class _Factor(Record, frozen=True):
    type: str = ""


Rows = Mapping[str, Sequence[tuple[Place, Any]]]


def add_domains(draft: Draft, rows: Rows) -> None:
    for place, value in rows.get("domains", ()):
        if (domain := read_record(value, _Domain, place, draft.findings)) and not domain.is_primary:
            draft.domains.append(Domain(name=domain.domain_name, is_verified=domain.is_verified))


def add_rules(draft: Draft, rows: Rows, shared_idps: Collection[str]) -> None:
    """Adds the policies. `shared_idps` are the ids of the converted identity providers of the instance."""
    for place, value in rows.get("loginPolicy", ()):
        if login := read_record(value, _Login, place, draft.findings):
            known = (*draft.idp_names, *shared_idps)
            draft.login["idps"] = tuple(one.idp_id for one in login.idps if one.idp_id in known)
            _add_login(draft, login, Reports(draft.findings, place, "loginPolicy"))
    second = _factors(rows, "secondFactors", SecondFactorName, draft.findings)
    multi = _factors(rows, "multiFactors", MultiFactorName, draft.findings)
    if second:
        draft.login["second_factors"] = tuple(SecondFactorName(one) for one in second)
    if multi:
        draft.login["multi_factors"] = tuple(MultiFactorName(one) for one in multi)
    for place, value in rows.get("passwordComplexityPolicy", ()):
        if rule := read_record(value, _Complexity, place, draft.findings):
            draft.password_policy = PasswordPolicy(
                min_length=allowed_length(
                    _number(rule.min_length), Reports(draft.findings, place, "passwordComplexityPolicy")
                ),
                has_uppercase=rule.has_uppercase,
                has_lowercase=rule.has_lowercase,
                has_number=rule.has_number,
                has_symbol=rule.has_symbol,
            )
    for place, value in rows.get("lockoutPolicy", ()):
        if lockout := read_record(value, _Lockout, place, draft.findings):
            draft.lockout_policy = LockoutPolicy(
                max_password_attempts=min(_number(lockout.max_password_attempts), 1_000)
            )


def _add_login(draft: Draft, login: _Login, report: Reports) -> None:
    draft.login |= {
        "may_register": login.allow_register,
        "allow_external_idp": login.allow_external_idp,
        "force_mfa": login.force_mfa,
        "hide_password_reset": login.hide_password_reset,
    }
    if not login.allow_username_password:
        _forbid_passwords(draft, login, report)
    if login.force_mfa_local_only:
        report(RULE, "forceMfaLocalOnly")


def _forbid_passwords(draft: Draft, login: _Login, report: Reports) -> None:
    """Passkeys and the converted identity providers are left; without any, users could not sign in."""
    left = []
    if login.passwordless_type == "PASSWORDLESS_TYPE_ALLOWED":
        left.append(FirstFactorName.PASSKEY)
    if login.allow_external_idp and draft.login["idps"]:
        left.append(FirstFactorName.PROVIDER)
    if left:
        draft.login["first_factors"] = tuple(left)
    else:
        report(RULE, "allowUsernamePassword: false")


def _factors(
    rows: Rows, name: str, known: type[SecondFactorName] | type[MultiFactorName], findings: Findings
) -> list[str]:
    found = []
    for place, value in rows.get(name, ()):
        factor = read_record(value, _Factor, place, findings)
        if factor and factor.type in [one.value for one in known]:
            found.append(factor.type)
        elif factor:
            findings.not_moved(place, name, FACTOR, factor.type)
    return found


def _number(text: str | int) -> int:
    """Reads a number of 64 bits, which is text in the JSON of protocol buffers."""
    return int(text) if isinstance(text, int) or text.isdecimal() else 0
