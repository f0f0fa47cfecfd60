"""Password and sign-in rules of a Keycloak realm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.apply import LockoutPolicy, PasswordAgePolicy, PasswordPolicy
from portico_contracts.apply.vocabulary import SecondFactorName

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.password_length import allowed_length
from portico_conversion.findings import Place, Reports
from portico_conversion.reading.records import Record, items_of, read_record

PASSWORD_RULE: Final = "a password rule"
TEMPORARY_LOCKOUT: Final = "temporary lockout: repeated wrong passwords are slowed down without a setting"
ACTION: Final = "a required action of every new user"
SECOND_FACTOR: Final = "the required action CONFIGURE_TOTP: a second factor becomes mandatory (forceMfa)"
DISABLED: Final = "a disabled realm: its users can sign in here unless you deactivate the organization"
FLOW: Final = "a custom sign-in flow: its conditions do not apply here"
LIFETIME: Final = "a lifetime: token lifetimes are set for the instance (oidcSettings)"

_RULE: Final = re.compile(r"(\w+)(?:\(([^()]*)\))?")
_CLASSES: Final = {
    "upperCase": "has_uppercase",
    "lowerCase": "has_lowercase",
    "digits": "has_number",
    "specialChars": "has_symbol",
}
_SWITCHES: Final = {"registrationAllowed": "may_register", "verifyEmail": "verified_mail"}
_OF_HASHES: Final = frozenset({"hashAlgorithm", "hashIterations"})
_ATTEMPTS: Final = range(1, 1_001)
_DAYS: Final = range(36_501)

RULES: Final = frozenset(
    {
        "passwordPolicy",
        "bruteForceProtected",
        "permanentLockout",
        "failureFactor",
        "registrationAllowed",
        "verifyEmail",
        "resetPasswordAllowed",
        "requiredActions",
        "enabled",
        "browserFlow",
    }
)
LIFETIMES: Final = {"accessTokenLifespan": 300, "ssoSessionIdleTimeout": 1800, "ssoSessionMaxLifespan": 36000}
"""Lifetimes with the default of Keycloak."""


class _Action(Record, frozen=True):
    alias: str = ""
    default_action: bool = False

    usual = frozenset({"name", "providerId", "enabled", "priority", "config"})

    @property
    def title(self) -> str:
        return f"required action {self.alias}"


Settings = Mapping[str, tuple[Place, Any]]


def add_rules(draft: Draft, settings: Settings) -> None:
    def report_at(name: str) -> Reports:
        return Reports(draft.findings, settings[name][0], name)

    if "passwordPolicy" in settings:
        _add_password_policy(draft, str(settings["passwordPolicy"][1] or ""), report_at("passwordPolicy"))
    if _is_on(settings, "bruteForceProtected"):
        _add_lockout(draft, settings, report_at("bruteForceProtected"))
    draft.login |= {ours: _is_on(settings, name) for name, ours in _SWITCHES.items() if name in settings}
    if "resetPasswordAllowed" in settings:
        draft.login["hide_password_reset"] = not _is_on(settings, "resetPasswordAllowed")
    if "requiredActions" in settings:
        _add_actions(draft, settings["requiredActions"], report_at("requiredActions"))
    if settings.get("enabled", (None, True))[1] is False:
        report_at("enabled")(DISABLED)
    if settings.get("browserFlow", (None, None))[1] not in ("browser", None):
        report_at("browserFlow")(FLOW, str(settings["browserFlow"][1]))
    for name, usual in LIFETIMES.items():
        if name in settings and settings[name][1] != usual:
            report_at(name)(LIFETIME, f"{settings[name][1]} s")


def _add_password_policy(draft: Draft, text: str, report: Reports) -> None:
    values: dict[str, Any] = {}
    for name, value in _RULE.findall(text.replace(" and ", " ")):
        number = int(value) if value.isdecimal() else 0
        if name == "length":
            values["min_length"] = allowed_length(number, report)
        elif name in _CLASSES:
            values[_CLASSES[name]] = True
            if number > 1:
                report(PASSWORD_RULE, f"{name}({value}): one is required here")
        elif name == "forceExpiredPasswordChange" and number in _DAYS:
            draft.password_age_policy = PasswordAgePolicy(max_age_days=number)
        elif name not in _OF_HASHES:
            report(PASSWORD_RULE, f"{name}({value})" if value not in ("", "undefined") else name)
    if values:
        draft.password_policy = PasswordPolicy(**values)


def _add_lockout(draft: Draft, settings: Settings, report: Reports) -> None:
    attempts = settings.get("failureFactor", (None, 30))[1]
    if not _is_on(settings, "permanentLockout"):
        report(TEMPORARY_LOCKOUT)
    elif isinstance(attempts, int) and attempts in _ATTEMPTS:
        draft.lockout_policy = LockoutPolicy(max_password_attempts=attempts)


def _is_on(settings: Settings, name: str) -> bool:
    return name in settings and settings[name][1] is True


def _add_actions(draft: Draft, setting: tuple[Place, Any], report: Reports) -> None:
    place, values = setting
    for action in filter(None, (read_record(one, _Action, place, draft.findings) for one in items_of(values))):
        if not action.default_action:
            continue
        if action.alias == "CONFIGURE_TOTP":
            draft.login |= {"force_mfa": True, "second_factors": (SecondFactorName.OTP, SecondFactorName.U2F)}
            report.changed(SECOND_FACTOR)
        elif action.alias != "VERIFY_EMAIL":
            report(ACTION, action.alias)
