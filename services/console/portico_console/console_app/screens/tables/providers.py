from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Danger, Getting, Kind, Listing, Screen, Usage
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

_PRESETS: Final = (
    ("google", "Google", "Google", "google"),
    ("microsoft", "Microsoft", "AzureAD", "azureAd"),
    ("apple", "Apple", "Apple", "apple"),
    ("github", "GitHub", "GitHub", "github"),
    ("github-server", "GitHub Enterprise Server", "GitHubEnterpriseServer", "githubEs"),
    ("gitlab", "GitLab", "GitLab", "gitlab"),
    ("gitlab-server", "GitLab, self-hosted", "GitLabSelfHosted", "gitlabSelfHosted"),
    ("oidc", "OpenID Connect", "GenericOIDC", "oidc"),
    ("oauth", "OAuth 2.0", "GenericOAuth", "oauth"),
    ("ldap", "LDAP", "LDAP", "ldap"),
    ("jwt", "JSON Web Token", "GenericJWT", "jwt"),
)

_FIRST: Final = ("name", "issuer", "clientId", "clientSecret")
_FIRST_OF: Final = {
    "microsoft": ("tenant", "allowedTenants"),
    "oauth": ("authorizationEndpoint", "tokenEndpoint", "userEndpoint", "idAttribute", "userNameAttribute"),
    "ldap": ("servers", "startTls", "rootCa"),
}
_LAST: Final = ("scopes", "trustedEmail", "providerOptions")
_FIELDS: Final = {
    word: fields_in(
        f"{MANAGEMENT}.IDPService/Add{thing}Provider", (*_FIRST, *_FIRST_OF.get(word, ())), _LAST, but=("id",)
    )
    for word, _title, thing, _config in _PRESETS
}
"""By preset, the fields of its forms."""

_SHOWN: Final = {
    word: len([name for name in fields if name in (*_FIRST, *_FIRST_OF.get(word, ()))])
    for word, fields in _FIELDS.items()
}

_STARTS: Final = {"providerOptions": {"isLinkingAllowed": True, "isCreationAllowed": True}}
"""The defaults of the API."""

_GENERIC: Final = ("oidc", "oauth", "ldap", "jwt")
"""Presets without a name that people know."""

_CONFIGS: Final = tuple(config for _word, _title, _thing, config in _PRESETS)
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
        create=tuple(
            Action(word, f"Add {title}", f"{service}/Add{thing}Provider", done="%(name)s was added.", only=_FIELDS[word], shown=_SHOWN[word], leads_to="id", starts=_STARTS | ({} if word in _GENERIC else {"name": title}))
            for word, title, thing, _config in _PRESETS
        ),
        actions=(
            *(
                Action(
                    f"change-{word}", "Edit settings", f"{service}/Update{thing}Provider", done="The settings of %(name)s were saved.",
                    only=_FIELDS[word], shown=_SHOWN[word], filled_from=f".|config.{config}|providerOptions=config.options", needs=f"config.{config}",
                )
                for word, _title, thing, config in _PRESETS
            ),
        create=(Action("new", "Add provider", f"{service}/AddGenericOIDCProvider", at=add),),
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
    _screen("instance-idps", "/instance/idps", f"{ADMIN}.IDPService", "IDP", "/instance/providers/new"),
)
