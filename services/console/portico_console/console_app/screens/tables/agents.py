from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Action, Column, Kind, Listing, Screen, Search
from portico_console.console_app.screens.tables.shared import MANAGEMENT

_AGENTS: Final = f"{MANAGEMENT}.AgentService"
_USER: Final = "/orgs/{userOrgId}/users/{userId}/access"

_COLUMNS: Final = (
    Column("User", "userName|userId"),
    Column("Agent", "name|clientId"),
    Column("Host", "host"),
    Column("Allowed by", "rule", Kind.WORD),
    Column("Outside server", "serverName|serverId"),
    Column("Allowed scopes", "apiScopes.scope", Kind.LIST),
    Column("Since", "since", Kind.TIME),
    Column("Last use", "lastUsed", Kind.TIME),
)

_IN_FILES: Final = (
    Column("User ID", "userId"),
    Column("Client ID", "clientId"),
    Column("Scopes of no API", "scopes", Kind.LIST),
    Column("APIs", "apiScopes.apiName", Kind.LIST),
    Column("Used at", "uses.apiName", Kind.LIST),
    Column("Exchanged by", "uses.viaName", Kind.LIST),
    Column("Administrator", "actorName|actorId"),
)

OF_ORG: Final = Screen(
    "agents",
    "/orgs/{org}/agents",
    "Agents",
    listing=Listing(
        f"{_AGENTS}/ListAgents",
        _COLUMNS,
        id="clientId",
        searches=(
            Search("host", "Host", {"host": "$q"}),
            Search("agent", "Client ID of the agent", {"clientId": "$q"}),
            Search("user", "ID of the user", {"userId": "$q"}),
            Search("api", "Client ID of an API", {"apiClientId": "$q"}),
        ),
        only_exported=_IN_FILES,
        newest_first=True,
        leads_to=_USER,
    ),
    name="clientId",
    create=(
        Action(
            "end", "End access of agents", f"{_AGENTS}/EndAgents", only=("host", "clientId"), submit="End access", left="remaining",
            done="The access of these agents was ended, and all their tokens.",
        ),
    ),
    hint="What agents may do for users of this organization: what each user allowed, for which APIs, and when it was last used.",
    empty="No agents yet.",
)  # fmt: skip

OF_APP: Final = Screen(
    "app-agents",
    "/orgs/{org}/projects/{project}/apps/{app}/agents",
    "Agents",
    parts={"projectId": "project", "appId": "app"},
    listing=Listing(f"{_AGENTS}/ListAppAgents", _COLUMNS, id="clientId", only_exported=_IN_FILES, newest_first=True, leads_to=_USER),
    name="clientId",
    hint="Of an agent, the users for whom it may act. Of an API, the agents with access to it. Only users whose sessions you may read.",
    empty="No agents yet.",
)  # fmt: skip

SCREENS: Final = (OF_ORG, OF_APP)
