"""The cards of the page: each is one policy, with its switches, numbers and lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_console.console_app.sign_in_rules.first_factors import (
    first_form,
    first_message,
    first_problem,
    first_typed,
    first_values,
)
from portico_console.console_app.sign_in_rules.places import (
    place_form,
    place_message,
    place_problem,
    place_typed,
    place_values,
)
from portico_console.messages import message


class Switch(NamedTuple):
    """`inverted`: the field of the policy has the opposite value."""

    name: str
    label: str
    hint: str = ""
    inverted: bool = False


class Number(NamedTuple):
    name: str
    label: str
    least: int
    most: int
    hint: str = ""


class Group(NamedTuple):
    title: str
    switches: tuple[Switch, ...] = ()
    lists: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()


class Section(NamedTuple):
    """`key` is the anchor and the key of the generated screen; `kind` is the policy in method names.

    `own_numbers` are shown before the groups.
    """

    key: str
    kind: str
    title: str
    groups: tuple[Group, ...]
    own_numbers: tuple[Number, ...] = ()
    hint: str = ""

    @property
    def numbers(self) -> tuple[Number, ...]:
        return (*self.own_numbers, *(number for group in self.groups for number in group.numbers))

    @property
    def switches(self) -> tuple[Switch, ...]:
        return tuple(switch for group in self.groups for switch in group.switches)


class Factor(NamedTuple):
    """`list` is the field of the policy, `kind` the word of its operations, `type` the value."""

    key: str
    label: str
    hint: str
    list: str
    kind: str
    type: str


FACTORS: Final = (
    Factor(
        "passkey", message("Passkey"), message("Signs in without a password, and counts as a second factor after one."),
        "multiFactors", "Multi", "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION",
    ),
    Factor(
        "key", message("Security key"), message("A second factor after a password."),
        "secondFactors", "Second", "SECOND_FACTOR_TYPE_U2F",
    ),
    Factor(
        "app", message("Authenticator app"), message("Codes that change every 30 seconds."),
        "secondFactors", "Second", "SECOND_FACTOR_TYPE_OTP",
    ),
    Factor(
        "email", message("Email code"), message("A code sent to the verified email address."),
        "secondFactors", "Second", "SECOND_FACTOR_TYPE_OTP_EMAIL",
    ),
    Factor(
        "text", message("Code by text message"), message("A code sent to the verified phone number. Needs a sender of text messages, costs money, and is the weakest second factor."),
        "secondFactors", "Second", "SECOND_FACTOR_TYPE_OTP_SMS",
    ),
)  # fmt: skip

BY_EMAIL: Final = "ENROLMENT_TYPE_EMAIL"
ENROLMENTS: Final = (
    (BY_EMAIL, message("A code sent to the verified email address")),
    ("ENROLMENT_TYPE_PASSWORD", message("Only the password")),
)

LOGIN: Final = Section(
    "login",
    "Login",
    message("Sign-in"),
    (
        Group(
            message("Accounts"),
            (
                Switch("allowRegister", message("People can create an account")),
                Switch(
                    "joinByDomain",
                    message("New users with an address of a verified domain join this organization"),
                    message("After entering the emailed code, and without roles. Existing accounts are never moved."),
                ),
                Switch("verifiedEmailRequired", message("A verified email address is required")),
                Switch("hidePasswordReset", message("Forgotten passwords can be reset by email"), inverted=True),
                Switch(
                    "allowEmailCodeSignIn",
                    message("People can sign in with an emailed code instead of a password"),
                    message(
                        "The code goes to the verified email address. A required second factor is still requested."
                    ),
                ),
                Switch(
                    "allowAccountDeletion",
                    message("People can delete their own accounts"),
                    message("On the account page, after they have confirmed who they are. It cannot be undone."),
                ),
            ),
        ),
        Group(
            message("First factor"),
            (
                Switch(
                    "exemptInstanceOwners",
                    message("Owners of the instance can nevertheless use a password"),
                    message("A way in if the allowed ones fail. Each use is recorded in the audit."),
                ),
            ),
            ("firstFactors",),
        ),
        Group(
            message("Second factor"),
            (Switch("forceMfa", message("A second factor or a passkey is required")),),
            ("factors", "enrolment"),
            (
                Number(
                    "trustedDeviceDays",
                    message("Users can trust a browser for (days)"),
                    0,
                    365,
                    message("No second factor is requested there then. 0: never."),
                ),
            ),
        ),
        Group(message("Networks and countries"), lists=("places",)),
        Group(
            message("Identity providers"),
            (
                Switch("allowExternalIdp", message("People can sign in with identity providers")),
                Switch(
                    "redirectToProvider",
                    message("Login names of your domains lead to the identity provider without a page"),
                    message("If exactly one is offered. Users who come back without signing in there get the page."),
                ),
            ),
            ("providers",),
        ),
        Group(
            message("Devices"),
            (
                Switch(
                    "allowDeviceAuthorization",
                    message("People can sign in on devices without a browser"),
                    message(
                        "With applications that use device codes. The instance must allow it, and an organization can"
                        " forbid it."
                    ),
                ),
            ),
        ),
    ),
)

PASSWORDS: Final = Section(
    "password",
    "PasswordComplexity",
    message("Passwords"),
    (
        Group(
            message("A new password must contain"),
            (
                Switch("hasUppercase", message("An upper-case letter")),
                Switch("hasLowercase", message("A lower-case letter")),
                Switch("hasNumber", message("A digit")),
                Switch("hasSymbol", message("A symbol")),
            ),
        ),
        Group(
            message("A new password must not"),
            (
                Switch(
                    "refuseBreached",
                    message("Be known from data breaches"),
                    message(
                        "Needs a list of breached passwords, which the operator of this installation provides. While the"
                        " list cannot be read, no password is refused."
                    ),
                ),
            ),
        ),
    ),
    (Number("minLength", message("Minimum length"), 8, 72),),
    message("Applies to the next password that a user chooses. Existing passwords keep working."),
)

EXPIRY: Final = Section(
    "password-age",
    "PasswordAge",
    message("Password expiry"),
    (),
    (
        Number("maxAgeDays", message("Passwords expire after (days)"), 0, 36_500, message("0: never.")),
        Number(
            "expireWarnDays", message("Warning after (days)"), 0, 36_500, message("Only stored, for your own sign-in pages.")
        ),
    ),
)  # fmt: skip

LOCKOUT: Final = Section(
    "lockout",
    "Lockout",
    message("Lockout"),
    (),
    (
        Number(
            "maxPasswordAttempts", message("Wrong passwords that lock a user"), 0, 1000,
            message("0: never. Without a limit, each further attempt has to wait longer."),
        ),
    ),
)  # fmt: skip

SECTIONS: Final = (LOGIN, PASSWORDS, EXPIRY, LOCKOUT)
BY_KEY: Final = {section.key: section for section in SECTIONS}


def values_of(section: Section, policy: Mapping[str, Any]) -> dict[str, Any]:
    """What the form shows: booleans and texts by field, and sets of keys for the lists."""
    found: dict[str, Any] = {
        switch.name: bool(policy.get(switch.name, False)) != switch.inverted for switch in section.switches
    }
    found |= {number.name: str(policy.get(number.name, 0)) for number in section.numbers}
    if section is LOGIN:
        found["factors"] = {one.key for one in FACTORS if one.type in policy.get(one.list, ())}
        found["providers"] = {one["idpId"] for one in policy.get("idps", ())}
        found["enrolment"] = policy.get("enrolment", BY_EMAIL)
        found |= first_values(policy) | place_values(policy)
    return found


def typed_values(section: Section, typed: Mapping[str, str]) -> dict[str, Any]:
    """The same of a submitted form; a checkbox that is not ticked is absent."""
    found: dict[str, Any] = {switch.name: switch.name in typed for switch in section.switches}
    found |= {number.name: typed.get(number.name, "").strip() for number in section.numbers}
    if section is LOGIN:
        found["factors"] = {one.key for one in FACTORS if f"factor-{one.key}" in typed}
        found["providers"] = {name.removeprefix("idp-") for name in typed if name.startswith("idp-")}
        wanted = typed.get("enrolment", "")
        found["enrolment"] = wanted if wanted in dict(ENROLMENTS) else BY_EMAIL
        found |= first_typed(typed) | place_typed(typed)
    return found


def form_values(section: Section, values: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that has these values, for a page that sends them again."""
    found = {switch.name: "on" for switch in section.switches if values[switch.name]}
    found |= {number.name: values[number.name] for number in section.numbers}
    if section is LOGIN:
        found |= {f"factor-{key}": "on" for key in values["factors"]}
        found |= {f"idp-{id}": "on" for id in values["providers"]}
        found["enrolment"] = values["enrolment"]
        found |= first_form(values) | place_form(values)
    return found


def message_of(section: Section, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the policy, without the lists that have separate operations."""
    found: dict[str, Any] = {switch.name: values[switch.name] != switch.inverted for switch in section.switches}
    found |= {number.name: int(values[number.name]) for number in section.numbers}
    if section is LOGIN:
        found |= {"enrolment": values["enrolment"], **first_message(values), **place_message(values)}
    return found


def problems_of(
    section: Section, values: Mapping[str, Any], stored: Mapping[str, Any]
) -> dict[str, tuple[str, dict[str, int]]]:
    """Sentences with their values, by the field that they are about."""
    found: dict[str, tuple[str, dict[str, int]]] = {}
    for number in section.numbers:
        text = values[number.name]
        is_number = text.isascii() and text.isdecimal() and len(text) < 7
        if not is_number or not number.least <= int(text) <= number.most:
            found[number.name] = (NOT_IN_RANGE, {"least": number.least, "most": number.most})
    if section is LOGIN and values["forceMfa"] and not values["factors"]:
        found["factors"] = (NO_FACTOR, {})
    if section is LOGIN and (wrong := first_problem(values, stored)):
        found["firstFactors"] = (wrong, {})
    if section is LOGIN and (wrong := place_problem(values)):
        found["placeRules"] = (wrong, {})
    return found


NOT_IN_RANGE: Final = message("Enter a number from %(least)s to %(most)s.")
NO_FACTOR: Final = message("Choose at least one, or do not require a second factor.")
