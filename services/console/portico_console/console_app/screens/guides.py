"""Which guide helps on a page: the only place where help is linked."""

from __future__ import annotations

from typing import Final, NamedTuple


class Help(NamedTuple):
    """A guide of ``docs/guides``, and the section of it that a page needs; empty for its beginning."""

    guide: str
    section: str = ""


_START: Final = Help("console")
_APPS: Final = Help("applications")
_API: Final = Help("api-scopes")
_PROGRAMS: Final = Help("api")
_GROUPS: Final = Help("groups")
_AUDIT: Final = Help("audit")
_RULES: Final = Help("sign-in-rules")
_PROVIDERS: Final = Help("identity-providers")
_BRANDING: Final = Help("console", "branding")
_SCIM: Final = Help("scim")
_WEBHOOKS: Final = Help("webhooks")
_AGENTS: Final = Help("agents")
_METADATA: Final = Help("client-metadata")
_SENDERS: Final = Help("text-messages", "set-up-the-sender")

HELP: Final = {
    "applications": Help("console", "start-page"),
    "all": _START,
    "new": _APPS,
    "projects": _APPS,
    "apps": _APPS,
    "app-keys": Help("client-secrets"),
    "roles": Help("api-scopes", "scopes-and-roles"),
    "project-members": _START,
    "project-grants": _START,
    "grant-members": _START,
    "project-history": _AUDIT,
    "granted": _START,
    "agents": _AGENTS,
    "outside-servers": Help("outside-servers"),
    "app-agents": _AGENTS,
    "metadata-apps": _METADATA,
    "client-metadata": _METADATA,
    "users": Help("console", "everyday-jobs"),
    "invitations": Help("console", "invitations"),
    "user-factors": Help("console", "everyday-jobs"),
    "user-passkeys": Help("console", "everyday-jobs"),
    "user-keys": _PROGRAMS,
    "user-sessions": Help("console", "everyday-jobs"),
    "user-trusted-devices": Help("trusted-devices"),
    "user-access": Help("console", "everyday-jobs"),
    "user-memberships": _START,
    "user-links": _PROVIDERS,
    "user-metadata": _START,
    "user-grants": _GROUPS,
    "user-groups": _GROUPS,
    "grants": _GROUPS,
    "groups": _GROUPS,
    "group-members": _GROUPS,
    "group-roles": _GROUPS,
    "group-groups": _GROUPS,
    "group-mappings": Help("groups", "groups-of-a-provider"),
    "group-history": _AUDIT,
    "machines": _PROGRAMS,
    "machine-keys": Help("api", "authenticate-with-a-key-file"),
    "machine-tokens": Help("api", "use-a-personal-access-token"),
    "machine-history": _AUDIT,
    "org": _START,
    "domains": _START,
    "members": Help("console", "invitations"),
    "org-history": _AUDIT,
    "idps": _PROVIDERS,
    "instance-idps": _PROVIDERS,
    "login": _RULES,
    "password": _RULES,
    "password-age": _RULES,
    "lockout": _RULES,
    "branding": _BRANDING,
    "links": _BRANDING,
    "texts": _BRANDING,
    "scim": _SCIM,
    "scim-targets": Help("scim-targets"),
    "idp-assertions": Help("accepted-assertions"),
    "machine-workloads": Help("workloads"),
    "app-workloads": Help("workloads"),
    "scim-secrets": Help("scim", "change-the-secret"),
    "webhooks": _WEBHOOKS,
    "deliveries": Help("webhooks", "deliveries"),
    "sms": _SENDERS,
    "emails": Help("emails", "senders-of-organizations"),
    "instance-overview": Help("console", "start-page"),
    "instance-orgs": _START,
    "instance-members": Help("console", "invitations"),
    "instance-webhooks": _WEBHOOKS,
    "instance-deliveries": Help("webhooks", "deliveries"),
    "instance-sms": _SENDERS,
    "instance-login": _RULES,
    "instance-password": _RULES,
    "instance-password-age": _RULES,
    "instance-lockout": _RULES,
    "instance-branding": _BRANDING,
    "instance-links": _BRANDING,
    "instance-texts": _BRANDING,
    "instance-client-metadata": _METADATA,
    "lifetimes": Help("api", "token-lifetime"),
    "signing-keys": _START,
    "intents": Help("own-login-pages", "only-the-identity-intents"),
    "impersonation": Help("token-exchange", "act-for-a-user"),
    "instance-requests": Help("why-refused"),
    "instance-history": _AUDIT,
    "requests": Help("why-refused"),
    "search": Help("console", "search"),
    "api": _PROGRAMS,
}
"""By the key of a page's entry in the navigation, or of its screen."""

GUIDES: Final = tuple(sorted({help.guide for help in HELP.values()}))


def help_on(place: str) -> Help:
    """The help for a page; the guide of the console for one without a row."""
    return HELP.get(place, _START)
