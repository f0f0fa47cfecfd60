from __future__ import annotations

from typing import Final, NamedTuple

from portico_console.console_app.screens.screen import (
    SAVE,
    Action,
    Column,
    Danger,
    Getting,
    Kind,
    Listing,
    Screen,
)
from portico_console.console_app.screens.tables.shared import ADMIN, MANAGEMENT


class Rules(NamedTuple):
    """One kind of policy; the instance's `key` is prefixed with ``instance-``."""

    key: str
    title: str
    policy: str
    saved: str
    facts: tuple[Column, ...]
    only: tuple[str, ...]
    hint: str = ""


_DEFAULT: Final = Column("Instance policy applies", "isDefault", Kind.YES)
_BACK: Final = "The policy of the instance applies again immediately."
_LOGIN_BACK: Final = (
    "The sign-in rules of the instance apply again immediately. Users whose way to sign in they do not allow can no longer"
    " sign in."
)

BY_HAND: Final = (
    ("login", "Sign-in rules", "LoginPolicy"),
    ("password", "Password complexity", "PasswordComplexityPolicy"),
    ("password-age", "Password age", "PasswordAgePolicy"),
    ("lockout", "Lockout", "LockoutPolicy"),
    ("branding", "Branding", "LabelPolicy"),
)
"""Key, title and policy of the cards of the pages "Sign-in rules" and "Branding", which are made by hand."""

KINDS: Final = (
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
        (
            Column("Language", "texts.language", Kind.LANGUAGES),
            Column("Heading of the sign-in page", "texts.signInTitle", Kind.LIST),
            Column("Text of the sign-in page", "texts.signInText", Kind.LIST),
            Column("Text at the end of emails", "texts.emailText", Kind.LIST),
        ),
        ("texts",),
        hint="Custom texts on the first sign-in page and in emails. Languages without a text use the first one.",
    ),
    Rules(
        "client-metadata",
        "Hosts of metadata documents",
        "ClientMetadataPolicy",
        "The hosts were changed.",
        (Column("Hosts", "hosts", Kind.LIST), Column("Project", "projectId")),
        ("hosts", "projectId"),
        hint="Applications of these hosts identify themselves by the address of a metadata document. They need no registration, and ask users each time.",
    ),
)  # fmt: skip


def _reset(policy: str, loses: str = _BACK) -> Action:
    return Action(
        "reset", "Reset to the instance's rules", f"{MANAGEMENT}.PolicyService/Reset{policy}ToDefault", done="The instance's settings apply again.", own=True,
        danger=Danger.CONFIRM, loses=loses,
    )  # fmt: skip


def _by_hand(prefix: str, path: str, service: str) -> tuple[Screen, ...]:
    """The table has only their place in the navigation and the confirmation of a reset."""
    return tuple(
        Screen(
            f"{prefix}{key}",
            f"{path}/rules/{key}",
            title,
            getting=Getting(f"{service}/Get{policy}", "policy"),
            name="",
            actions=() if prefix else (_reset(policy, _LOGIN_BACK if key == "login" else _BACK),),
        )
        for key, title, policy in BY_HAND
    )


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
                "own", "Override for this organization", f"{service}/AddCustom{rules.policy}", done="The organization now has its own settings.", submit=SAVE,
                only=rules.only, filled_from=".", own=False,
            ),
            Action("change", "Edit", f"{service}/UpdateCustom{rules.policy}", done=rules.saved, only=rules.only, filled_from=".", own=True),
            _reset(rules.policy),
        ),
        hint=rules.hint,
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
        actions=(Action("change", "Edit", f"{service}/Update{rules.policy}", done=rules.saved, only=rules.only, filled_from="."),),
        hint=rules.hint,
    )  # fmt: skip


METADATA_APPS: Final = Screen(
    "metadata-apps",
    "/orgs/{org}/metadata-apps",
    "Applications by metadata document",
    listing=Listing(
        f"{MANAGEMENT}.PolicyService/ListMetadataApps",
        (
            Column("Name", "name"),
            Column("Host", "host"),
            Column("State", "state", Kind.WORD),
            Column("First use", "firstUsed", Kind.TIME),
            Column("Last use", "lastUsed", Kind.TIME),
            Column("Users", "users"),
        ),
        leads_to="/orgs/{orgId}/projects/{projectId}/apps/{id}",
    ),
    hint="Applications that users have allowed without a registration. To turn one off, deactivate it; to turn all off, remove their hosts.",
    empty="No applications yet.",
)  # fmt: skip

POLICIES: Final = (*(_of_org(rules) for rules in KINDS), *(_of_instance(rules) for rules in KINDS))
"""Their page is a card with the form."""

SCREENS: Final = (
    METADATA_APPS,
    *_by_hand("", "/orgs/{org}", f"{MANAGEMENT}.PolicyService"),
    *_by_hand("instance-", "/instance", f"{ADMIN}.PolicyService"),
    *POLICIES,
)
