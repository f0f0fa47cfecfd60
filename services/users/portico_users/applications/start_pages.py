"""Where an invited user begins: an address registered for the application, never one of a request or link."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.redirect_uris import start_address

from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.projects.store import ActiveProjects
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class StartPages:
    apps: MongoApps
    projects: ActiveProjects

    async def find_app(self, name: str, org_id: str) -> App | None:
        """Returns the application of the organization with this id or client id, if it has an address."""
        for app in (await self.apps.find(name), await self.apps.find_by_client_id(name)):
            if app and await self._address_of(app, org_id):
                return app
        return None

    async def find_address(self, app_id: str, org_id: str) -> str:
        """Returns an empty address unless application, project and organization are still active."""
        app = await self.apps.find(app_id) if app_id else None
        return await self._address_of(app, org_id) if app else ""

    async def _address_of(self, app: App, org_id: str) -> str:
        if app.state is not State.ACTIVE:
            return ""
        owned = await self.projects.list_of((app.project_id,))
        is_own = any(one.org.id == org_id for one in owned)
        return start_address(app.redirect_uris, app.post_logout_redirect_uris) if is_own else ""
