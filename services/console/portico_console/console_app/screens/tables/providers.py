from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen, Usage
from portico_console.console_app.screens.tables import assertions
from portico_console.console_app.screens.tables.shared import (
    ADMIN,
    CHANGED,
    CREATED,
    ID,
    MANAGEMENT,
    STATE,
    removal,
    search,
    switches,
)

_CONFIGS: Final = (
    "google", "azureAd", "apple", "github", "githubEs", "gitlab", "gitlabSelfHosted", "oidc", "oauth", "ldap", "jwt",
)  # fmt: skip
"""The members of the configuration, by kind of provider."""


def _anywhere(field: str) -> str:
    return "|".join(f"config.{config}.{field}" for config in _CONFIGS)


_FACTS: Final = (
    STATE,
    Column("Type", "type", Kind.WORD),
    Column("Client ID", _anywhere("clientId"), Kind.CODE),
    Column("Issuer", _anywhere("issuer")),
    Column("Servers", "config.ldap.servers", Kind.LIST),
    Column("Scopes", _anywhere("scopes"), Kind.LIST),
    Column("Verified email addresses are trusted", _anywhere("trustedEmail"), Kind.YES),
    Column("Existing accounts can be linked", "config.options.isLinkingAllowed", Kind.YES),
    Column("New accounts can be created", "config.options.isCreationAllowed", Kind.YES),
    Column("Accounts are created without asking", "config.options.isAutoCreation", Kind.YES),
    Column("Profiles are updated at each sign-in", "config.options.isAutoUpdate", Kind.YES),
    Column("Offer to link an account by", "config.options.autoLinking", Kind.WORD),
    CREATED,
    CHANGED,
    ID,
)


def _screen(key: str, path: str, service: str, on_off: str, add: str) -> Screen:
    return Screen(
        key,
        path,
        "Identity providers",
        part="idp",
        parts={"idpId": "idp"},
        listing=Listing(
            f"{service}/ListProviders",
            (Column("Name", "name"), Column("Type", "type", Kind.WORD), STATE, Column("Owner", "owner", Kind.WORD)),
            searches=(search("name", "Name", "idpNameQuery", "name"),),
        ),
        getting=Getting(f"{service}/GetProviderByID", "idp"),
        facts=_FACTS,
        create=(Action("new", "Add provider", f"{service}/AddGenericOIDCProvider", done="%(name)s was added.", named="name", at=add),),
        actions=(
            Action(
                "to-microsoft", "Convert to Microsoft preset", f"{service}/MigrateGenericOIDCProvider", done="%(name)s now uses the Microsoft preset.",
                only=("azure",), needs="config.oidc",
            ),
            *switches(service, on_off, loses="Users can no longer sign in with it."),
            removal(
                f"{service}/DeleteProvider", done="%(name)s was deleted.", title="Delete", danger=Danger.TYPE_NAME,
                loses="Links of users to it are removed. Users without another way to sign in can no longer sign in.",
            ),
        ),
        usage=Usage(
            f"{service}/GetProviderUsage",
            (("Linked users", "linkedUsers"), ("Users without another way to sign in", "onlyWayIn")),
        ),
        empty="No identity providers yet.",
    )  # fmt: skip


SCREENS: Final = (
    _screen("idps", "/orgs/{org}/idps", f"{MANAGEMENT}.IDPService", "OrgIDP", "/orgs/{org}/providers/new"),
    *assertions.SCREENS,
    _screen("instance-idps", "/instance/idps", f"{ADMIN}.IDPService", "IDP", "/instance/providers/new"),
)
