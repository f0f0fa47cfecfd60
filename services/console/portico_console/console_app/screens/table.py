from __future__ import annotations

from typing import Final

from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.tables import (
    agents,
    groups,
    instance,
    organizations,
    outside_servers,
    projects,
    providers,
    role_grants,
    rules,
    scim,
    scim_targets,
    senders,
    service_users,
    user_lists,
    users,
    webhooks,
    workloads,
)

SCREENS: Final[tuple[Screen, ...]] = (
    *user_lists.SCREENS,
    *users.SCREENS,
    *role_grants.SCREENS,
    *groups.SCREENS,
    *service_users.SCREENS,
    *workloads.SCREENS,
    *organizations.SCREENS,
    *projects.SCREENS,
    *providers.SCREENS,
    *rules.SCREENS,
    *agents.SCREENS,
    *scim.SCREENS,
    *outside_servers.SCREENS,
    *scim_targets.SCREENS,
    *webhooks.SCREENS,
    *senders.SCREENS,
    *instance.SCREENS,
)
"""A new kind of object is a row of one of these tables: its list, page and forms follow from it."""

BY_KEY: Final = {screen.key: screen for screen in SCREENS}
