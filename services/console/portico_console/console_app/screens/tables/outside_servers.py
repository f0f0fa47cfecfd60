"""Outside authorization servers, for which applications get assertions (decision 0153)."""

from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Getting, Kind, Listing, Screen, Sort
from portico_console.console_app.screens.tables.shared import CHANGED, CREATED, ID, MANAGEMENT, removal

_OF: Final = f"{MANAGEMENT}.OutsideServerService"
_FIELDS: Final = ("name", "issuer", "applications", "resources", "scopes", "people", "groups", "roles", "sendsEmail")
_SELECTED: Final = "OUTSIDE_SERVER_PEOPLE_SELECTED"

SERVERS: Final = Screen(
    "outside-servers",
    "/orgs/{org}/outside-servers",
    "Outside servers",
    part="server",
    parts={"serverId": "server"},
    listing=Listing(
        f"{_OF}/ListOutsideServers",
        (
            Column("Name", "name"),
            Column("Issuer", "issuer"),
            Column("Client ID", "applications.clientId", Kind.LIST),
            Column("For which users", "people", Kind.WORD, _SELECTED),
        ),
        sorts=(Sort("Name"),),
    ),
    getting=Getting(f"{_OF}/GetOutsideServer", "server"),
    facts=(
        Column("Issuer", "issuer"),
        Column("Client ID", "applications.clientId", Kind.LIST),
        Column("Client ID at the server", "applications.outsideClientId", Kind.LIST),
        Column("Resources", "resources", Kind.LIST),
        Column("Scopes", "scopes", Kind.LIST),
        Column("For which users", "people", Kind.WORD, _SELECTED),
        Column("Groups", "groups", Kind.LIST),
        Column("Role", "roles.roleKey", Kind.LIST),
        Column("Assertions have the email address", "sendsEmail", Kind.YES),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(
        Action(
            "new", "Create outside server", f"{_OF}/AddOutsideServer", done="%(name)s was created.", only=_FIELDS,
            leads_to="id",
        ),
    ),
    actions=(
        Action("change", "Edit", f"{_OF}/UpdateOutsideServer", done="%(name)s was changed.", only=_FIELDS, filled_from="."),
        removal(
            f"{_OF}/RemoveOutsideServer", done="%(name)s was removed.",
            loses="Applications get no assertions for this server any longer.",
        ),
    ),
    hint="Authorization servers of others, where your applications act for users by a rule of yours, without asking them.",
    empty="No outside servers yet.",
)  # fmt: skip

SCREENS: Final = (SERVERS,)
