from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Options, Screen
from portico_console.console_app.screens.tables.shared import ADMIN, MANAGEMENT, removal


class Rules(NamedTuple):
    """One kind of policy; the instance's `key` is prefixed with ``instance-``; `more` may use ``{service}``."""

    key: str
    title: str
    policy: str
    saved: str
    facts: tuple[Column, ...]
    only: tuple[str, ...]
    children: tuple[str, ...] = ()
    hint: str = ""
    words: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType({})
    previewed: bool = False
    more: tuple[Action, ...] = ()


_FONTS: Final = (
    ("humanist", "Humanist"), ("geometric", "Geometric"), ("rounded", "Rounded"), ("serif", "Serif"), ("slab", "Slab serif"),
    ("monospace", "Monospace"),
)  # fmt: skip
_LOGOS: Final = (
    Action(
        "logo", "Upload logo", "{service}/SetLabelPolicyLogo", done="The logo was uploaded.", only=("theme", "logo")
    ),
    Action(
        "remove-logo",
        "Remove logo",
        "{service}/RemoveLabelPolicyLogo",
        done="The logo was removed.",
        only=("theme",),
        needs="logoUrl|logoUrlDark",
    ),
)

_DEFAULT: Final = Column("Instance policy applies", "isDefault", Kind.YES)
_BACK: Final = "The policy of the instance applies again immediately."

KINDS: Final = (
    Rules(
        "login",
        "Sign-in rules",
        "LoginPolicy",
        "The sign-in rules were changed.",
        (
            Column("Users can register", "allowRegister", Kind.YES),
            Column("Verified email address required", "verifiedEmailRequired", Kind.YES),
            Column("Second factor required", "forceMfa", Kind.YES),
            Column("Password reset by email is off", "hidePasswordReset", Kind.YES),
            Column("Sign-in with identity providers", "allowExternalIdp", Kind.YES),
            Column("Proof before a factor is set up", "enrolment", Kind.WORD),
            Column("Second factors", "secondFactors", Kind.LIST),
            Column("Passkeys instead of a password", "multiFactors", Kind.LIST),
        ),
        ("allowRegister", "verifiedEmailRequired", "forceMfa", "hidePasswordReset", "allowExternalIdp", "enrolment"),
        ("login-idps", "login-second-factors", "login-multi-factors"),
    ),
    Rules(
        "password",
        "Password complexity",
        "PasswordComplexityPolicy",
        "The password rules were changed.",
        (
            Column("Minimum length", "minLength"),
            Column("Upper-case letter required", "hasUppercase", Kind.YES),
            Column("Lower-case letter required", "hasLowercase", Kind.YES),
            Column("Digit required", "hasNumber", Kind.YES),
            Column("Symbol required", "hasSymbol", Kind.YES),
        ),
        ("minLength", "hasUppercase", "hasLowercase", "hasNumber", "hasSymbol"),
    ),
    Rules(
        "password-age",
        "Password age",
        "PasswordAgePolicy",
        "The password age was changed.",
        (Column("Password expires after (days)", "maxAgeDays"), Column("Reminder after (days)", "expireWarnDays")),
        ("maxAgeDays", "expireWarnDays"),
        hint="0: no limit.",
    ),
    Rules(
        "lockout",
        "Lockout",
        "LockoutPolicy",
        "The lockout was changed.",
        (Column("Failed attempts before lockout", "maxPasswordAttempts"),),
        ("maxPasswordAttempts",),
        hint="0: no limit.",
    ),
    Rules(
        "links",
        "Terms and help",
        "PrivacyPolicy",
        "The links were changed.",
        (
            Column("Terms of service", "tosLink"),
            Column("Privacy policy", "privacyLink"),
            Column("Help", "helpLink"),
            Column("Support address", "supportEmail"),
        ),
        ("tosLink", "privacyLink", "helpLink", "supportEmail"),
    ),
    Rules(
        "texts",
        "Texts",
        "TextPolicy",
        "The texts were changed.",
        (Column("Language", "texts.language", Kind.LANGUAGES), Column("Heading of the sign-in page", "texts.signInTitle", Kind.LIST)),
        ("texts",),
        hint="Custom texts on the first sign-in page and in emails. Languages without a text use the first one.",
    ),
    Rules(
        "branding",
        "Branding",
        "LabelPolicy",
        "The branding was changed.",
        (
            Column("Accent", "primaryColor", Kind.CODE),
            Column("Background", "backgroundColor", Kind.CODE),
            Column("Text", "fontColor", Kind.CODE),
            Column("Warnings", "warnColor", Kind.CODE),
            Column("Accent, dark", "primaryColorDark", Kind.CODE),
            Column("Background, dark", "backgroundColorDark", Kind.CODE),
            Column("Text, dark", "fontColorDark", Kind.CODE),
            Column("Warnings, dark", "warnColorDark", Kind.CODE),
            Column("Font", "fontFamily"),
            Column("Logo", "logoUrl"),
            Column("Logo, dark", "logoUrlDark"),
            Column("Login names without the domain", "hideLoginNameSuffix", Kind.YES),
            Column("Hide Portico branding", "disableWatermark", Kind.YES),
        ),
        (
            "primaryColor", "backgroundColor", "fontColor", "warnColor", "primaryColorDark", "backgroundColorDark",
            "fontColorDark", "warnColorDark", "fontFamily", "hideLoginNameSuffix", "disableWatermark",
        ),
        words={"fontFamily": _FONTS},
        previewed=True,
        more=_LOGOS,
    ),
)  # fmt: skip


def _more(rules: Rules, service: str) -> tuple[Action, ...]:
    return tuple(replace(one, method=one.method.format(service=service)) for one in rules.more)


def _of_org(rules: Rules) -> Screen:
    service = f"{MANAGEMENT}.PolicyService"
    return Screen(
        rules.key,
        f"/orgs/{{org}}/rules/{rules.key}",
        rules.title,
        getting=Getting(f"{service}/Get{rules.policy}", "policy"),
        name="",
        facts=(_DEFAULT, *rules.facts),
        actions=(
            Action(
                "own", "Override for this organization", f"{service}/AddCustom{rules.policy}", done="The organization now has its own settings.", submit="Override for this organization",
                only=rules.only, filled_from=".", own=False, words=rules.words,
            ),
            Action(
                "change", "Edit", f"{service}/UpdateCustom{rules.policy}", done=rules.saved, only=rules.only, filled_from=".", own=True,
                words=rules.words,
            ),
            Action(
                "reset", "Reset to the instance's rules", f"{service}/Reset{rules.policy}ToDefault", done="The instance's settings apply again.", own=True,
                danger=Danger.CONFIRM, loses=_BACK,
            ),
            *_more(rules, service),
        ),
        children=rules.children,
        hint=rules.hint,
        previewed=rules.previewed,
        beside=f"{ADMIN}.PolicyService/Get{rules.policy}",
    )  # fmt: skip


def _of_instance(rules: Rules) -> Screen:
    service = f"{ADMIN}.PolicyService"
    return Screen(
        f"instance-{rules.key}",
        f"/instance/rules/{rules.key}",
        rules.title,
        getting=Getting(f"{service}/Get{rules.policy}", "policy"),
        name="",
        facts=rules.facts,
        actions=(
            Action("change", "Edit", f"{service}/Update{rules.policy}", done=rules.saved, only=rules.only, filled_from=".", words=rules.words),
            *_more(rules, service),
        ),
        children=tuple(f"instance-{one}" for one in rules.children),
        hint=rules.hint,
        previewed=rules.previewed,
    )  # fmt: skip


def _lists(prefix: str, path: str, service: str) -> tuple[Screen, ...]:
    providers = service.replace("PolicyService", "IDPService")
    return (
        Screen(
            f"{prefix}login-idps",
            f"{path}/rules/login/idps",
            "Identity providers on the sign-in page",
            part="idp",
            parts={"idpId": "idp"},
            listing=Listing(f"{service}/ListLoginPolicyIDPs", (Column("Name", "idpName|idpId"),), id="idpId"),
            name="idpName",
            create=(
                Action("new", "Add provider", f"{service}/AddIDPToLoginPolicy", done="The provider is now on the sign-in page.", only=("idpId", "ownerType"), options={"idpId": Options(f"{providers}/ListProviders", "id", "name")}),
            ),
            actions=(
                removal(f"{service}/RemoveIDPFromLoginPolicy", done="%(name)s was removed from the sign-in page.", loses="It is removed from the sign-in page."),
            ),
            empty="The sign-in page shows no identity providers.",
        ),
        _factors(prefix, path, service, "second-factors", "Second factors", "SecondFactor"),
        _factors(prefix, path, service, "multi-factors", "Passkeys instead of a password", "MultiFactor"),
    )  # fmt: skip


def _factors(prefix: str, path: str, service: str, word: str, title: str, thing: str) -> Screen:
    return Screen(
        f"{prefix}login-{word}",
        f"{path}/rules/login/{word}",
        title,
        part="type",
        parts={"type": "type"},
        listing=Listing(f"{service}/ListLoginPolicy{thing}s", (Column("Type", "", Kind.WORD),), id="", page=""),
        name="",
        create=(Action("new", "Add factor", f"{service}/Add{thing}ToLoginPolicy", done="The factor was added.", only=("type",)),),
        actions=(removal(f"{service}/Remove{thing}FromLoginPolicy", done="The factor was removed.", loses="Users can no longer sign in with it."),),
        empty="No identity providers offered.",
    )  # fmt: skip


SCREENS: Final = (
    *(_of_org(rules) for rules in KINDS),
    *_lists("", "/orgs/{org}", f"{MANAGEMENT}.PolicyService"),
    *(_of_instance(rules) for rules in KINDS),
    *_lists("instance-", "/instance", f"{ADMIN}.PolicyService"),
)
