from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Getting, Kind, Listing, Screen, Sort
from portico_console.console_app.screens.tables.shared import CHANGED, CREATED, ID, MANAGEMENT, removal

_OF: Final = f"{MANAGEMENT}.ScimService"
_SENDS: Final = ("provisionsUsers", "provisionsGroups", "deletes")

CONNECTIONS: Final = Screen(
    "scim",
    "/orgs/{org}/scim",
    "SCIM connections",
    part="scim",
    parts={"connectionId": "scim"},
    listing=Listing(
        f"{_OF}/ListScimConnections",
        (
            Column("Name", "name"),
            Column("Sends users", "provisionsUsers", Kind.YES),
            Column("Sends groups", "provisionsGroups", Kind.YES),
            Column("Last call", "lastCall", Kind.TIME),
        ),
        sorts=(Sort("Name"),),
    ),
    getting=Getting(f"{_OF}/GetScimConnection", "connection"),
    facts=(
        Column("Sends users", "provisionsUsers", Kind.YES),
        Column("Sends groups", "provisionsGroups", Kind.YES),
        Column("Deletes users", "deletes", Kind.YES),
        CREATED,
        CHANGED,
        ID,
    ),
    create=(
        Action(
            "new", "Create SCIM connection", f"{_OF}/AddScimConnection", done="%(name)s was created.", only=("name", *_SENDS),
            starts={"provisionsUsers": True, "provisionsGroups": True}, once=("url", "secret"), leads_to="id",
        ),
    ),
    actions=(
        Action("change", "Edit", f"{_OF}/UpdateScimConnection", done="%(name)s was changed.", only=("name", *_SENDS), filled_from="."),
        Action(
            "mapping", "Edit mapping", f"{_OF}/SetScimMapping", done="The mapping of %(name)s was saved.",
            only=("mapping",), filled_from=".",
        ),
        removal(
            f"{_OF}/RemoveScimConnection", done="%(name)s was removed.",
            loses="The directory can send nothing any longer. Its users and groups stay.",
        ),
    ),
    children=("scim-secrets",),
    empty="No SCIM connections yet.",
)  # fmt: skip

SECRETS: Final = Screen(
    "scim-secrets",
    "/orgs/{org}/scim/{scim}/secrets",
    "Secrets",
    part="secret",
    parts={"connectionId": "scim", "secretId": "secret"},
    listing=Listing(f"{_OF}/ListScimSecrets", (ID, Column("Created", "creationDate", Kind.TIME)), page=""),
    name="id",
    create=(
        Action("new", "Generate new secret", f"{_OF}/AddScimSecret", done="The secret was generated.", once=("secret",)),
    ),
    actions=(
        removal(
            f"{_OF}/RemoveScimSecret", done="The secret was removed.",
            loses="A directory that uses it is refused immediately.",
        ),
    ),
    empty="No secrets: the directory can send nothing.",
)  # fmt: skip

SCREENS: Final = (CONNECTIONS, SECRETS)
