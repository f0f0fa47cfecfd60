"""Names and meanings of the values of pickers: administrator roles and event types."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.events import AGENT_ENDED, USERS_CREATED, WEBHOOKS


class Role(NamedTuple):
    name: str
    meaning: str


ROLES: Final = {
    "IAM_OWNER": Role("Instance owner", "May do everything in all organizations."),
    "IAM_OWNER_VIEWER": Role("Instance viewer", "May see everything in all organizations, and change nothing."),
    "IAM_ORG_MANAGER": Role("Organization manager", "May create organizations and manage all of them, without the settings of the instance."),
    "IAM_USER_MANAGER": Role("User manager of all organizations", "May manage the users of all organizations and their roles."),
    "IAM_LOGIN_CLIENT": Role("Custom login page", "For the service user of a custom login page: may read login settings and start sign-ins with identity providers."),
    "IAM_END_USER_IMPERSONATOR": Role("Support of all organizations", "May act for users without administrator roles, where the instance allows it."),
    "ORG_OWNER": Role("Organization owner", "May do everything in this organization."),
    "ORG_OWNER_VIEWER": Role("Organization viewer", "May see everything in this organization, and change nothing."),
    "ORG_USER_MANAGER": Role("User manager", "May manage users, their sign-in and their roles in projects."),
    "ORG_SETTINGS_MANAGER": Role("Settings manager", "May change sign-in rules, branding and identity providers."),
    "ORG_USER_PERMISSION_EDITOR": Role("Role manager", "May give users roles in projects, and change nothing else."),
    "ORG_PROJECT_PERMISSION_EDITOR": Role("Project grant manager", "May grant projects to other organizations."),
    "ORG_PROJECT_CREATOR": Role("Project creator", "May create projects, and owns those it creates."),
    "ORG_USER_SELF_MANAGER": Role("Own account", "May delete the own account."),
    "ORG_END_USER_IMPERSONATOR": Role("Support", "May act for users of this organization without administrator roles, where the instance allows it."),
    "PROJECT_OWNER": Role("Project owner", "May do everything in this project."),
    "PROJECT_OWNER_VIEWER": Role("Project viewer", "May see everything in this project, and change nothing."),
    "PROJECT_GRANT_OWNER": Role("Granted project owner", "May give roles of the granted project to users, and add administrators."),
    "PROJECT_GRANT_OWNER_VIEWER": Role("Granted project viewer", "May see the granted project and its roles, and change nothing."),
}  # fmt: skip
"""Administrator roles by key."""

_KINDS: Final = {
    "instance": ("Instance", "the instance"),
    "org": ("Organization", "organizations"),
    "project": ("Project", "projects"),
    "projectgrant": ("Project grant", "project grants"),
    "app": ("Application", "applications"),
    "user": ("User", "users"),
    "idp": ("Identity provider", "identity providers"),
    "group": ("Group", "groups"),
    "member": ("Administrator", "administrators"),
    "scimconnection": ("SCIM connection", "SCIM connections"),
    "scimtarget": ("SCIM target", "SCIM targets"),
    "outsideserver": ("Outside server", "outside servers"),
    "webhook": ("Webhook", "webhooks"),
    "sender": ("Sender", "senders"),
}
_CHANGES: Final = (("created", "created"), ("updated", "changed"), ("deleted", "deleted"))


_AGENT: Final = "agent.ended"
_MIGRATION: Final = "migration.signin"
_TOKEN_HOOK: Final = "token.issue"
"""Not events: the webhook is called at a sign-in or before tokens are issued, and answers."""


def _event_types() -> tuple[tuple[str, str], ...]:
    found = [("*", "All events")]
    for kind in (event.subject.split(".")[2] for event in WEBHOOKS.events if event not in (AGENT_ENDED, USERS_CREATED)):
        one, several = _KINDS[kind]
        found.append((f"{kind}.*", f"All changes of {several}"))
        found += ((f"{kind}.{action}", f"{one} {done}") for action, done in _CHANGES)
    found.append((_AGENT, "Access of an agent was ended"))
    found.append((_MIGRATION, "Sign-ins of users to migrate"))
    found.append((_TOKEN_HOOK, "Calls before tokens are issued"))
    return tuple(found)


EVENT_TYPES: Final = _event_types()

MEANINGS: Final = {key: role.meaning for key, role in ROLES.items()}
HEADINGS: Final = {f"{kind}.*": several[:1].upper() + several[1:] for kind, (_one, several) in _KINDS.items()} | {
    _AGENT: "Agents",
    _MIGRATION: "Lazy migration",
    _TOKEN_HOOK: "Token hook",
}
"""Title above a choice, which begins a group."""
PICKED: Final = {key: role.name for key, role in ROLES.items()} | dict(EVENT_TYPES)
