"""The rules of one organization or of the instance, and the operations that read and change them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portico_contracts.management import METHODS

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.requests import address
from portico_console.console_app.sign_in_rules.sections import LOGIN, SECTIONS, Section
from portico_console.management.api import LARGEST_PAGE
from portico_console.request_context import RequestContext


@dataclass(frozen=True, slots=True)
class Place:
    ctx: RequestContext
    frame: Frame

    @property
    def org_id(self) -> str:
        return self.ctx.path.get("org", "")

    @property
    def base(self) -> str:
        return address(self.ctx, "/orgs/{org}" if self.org_id else "/instance")

    @property
    def here(self) -> str:
        return f"{self.base}/rules/login"

    def method(self, name: str, service: str = "PolicyService") -> str:
        return f"portico.{'management' if self.org_id else 'admin'}.v1.{service}/{name}"

    def may_change(self, section: Section = LOGIN) -> bool:
        return self.frame.may_call(self.changing(section, inherited=False))

    def changing(self, section: Section, *, inherited: bool) -> str:
        custom = ("AddCustom" if inherited else "UpdateCustom") if self.org_id else "Update"
        return self.method(f"{custom}{section.kind}Policy")

    async def call(self, method: str, fields: Mapping[str, Any] | None = None, sequence: str = "") -> Any:
        versioned = sequence.isdecimal() and METHODS[method.replace("/", ".")].answers_version
        headers = {"if-match": f'"{sequence}"'} if versioned else {}
        return await self.ctx.api.call(method, fields or {}, org=self.org_id, headers=headers)

    async def policy(self, section: Section) -> Any:
        return (await self.call(self.method(f"Get{section.kind}Policy")))["policy"]

    async def read(self) -> tuple[dict[str, Any], list[Any]]:
        """Returns the policies by the key of their section, and the identity providers that can be offered."""
        async with asyncio.TaskGroup() as group:
            policies = {section.key: group.create_task(self.policy(section)) for section in SECTIONS}
            providers = group.create_task(self._providers())
        return {key: task.result() for key, task in policies.items()}, providers.result()

    async def _providers(self) -> list[Any]:
        method = self.method("ListProviders", "IDPService")
        if not self.frame.may_call(method):
            return []
        found = await self.call(method, {"query": {"limit": LARGEST_PAGE, "asc": True}})
        return [one for one in found.get("result", []) if not str(one["state"]).endswith("_INACTIVE")]
