"""Where providers are: in an organization, or in the instance for all organizations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from portico_console.console_app.rights import Frame
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

OF_INSTANCE: Final = "IDP_OWNER_TYPE_SYSTEM"


@dataclass(frozen=True, slots=True)
class Place:
    """`org_id` is empty for the instance."""

    ctx: RequestContext
    org_id: str

    @classmethod
    def of(cls, ctx: RequestContext) -> Place:
        return cls(ctx, ctx.path.get("org", ""))

    @property
    def base(self) -> str:
        return (
            f"{self.ctx.party.path}/orgs/{segment(self.org_id)}" if self.org_id else f"{self.ctx.party.path}/instance"
        )

    @property
    def key(self) -> str:
        """The key of the navigation entry."""
        return "idps" if self.org_id else "instance-idps"

    @property
    def list_href(self) -> str:
        return f"{self.base}/idps"

    @property
    def new_href(self) -> str:
        return f"{self.base}/providers/new"

    def href(self, id: str) -> str:
        return f"{self.base}/idps/{segment(id)}"

    def method(self, name: str) -> str:
        """``GetProviderByID`` of this place; ``PolicyService/GetLoginPolicy`` for another service."""
        api = "portico.management.v1" if self.org_id else "portico.admin.v1"
        return f"{api}.{name}" if "/" in name else f"{api}.IDPService/{name}"

    async def call(
        self, name: str, fields: Mapping[str, Any] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> Fields:
        return await self.ctx.api.call(self.method(name), fields or {}, org=self.org_id, headers=headers)

    def may(self, frame: Frame, name: str) -> bool:
        return frame.may_call(self.method(name))

    def is_foreign(self, provider: Fields) -> bool:
        """A provider of the instance, on the pages of an organization."""
        return bool(self.org_id) and provider["owner"] == OF_INSTANCE
