from __future__ import annotations

import base64
from typing import Any

import msgspec
from portico_contracts.users import IMPORT_USERS, VERIFY_PASSWORD, ImportUsers, PasswordVerified, VerifyPassword
from portico_users.lazy_migration.migrating_sign_in import EqualDelay

PASSWORD = "what they had there"
KEY = b"a key of 32 bytes for the tests."
SECRET = "whsec_" + base64.b64encode(KEY).decode()


class Moving:
    """An organization with a hook; `grace` is known to its old system only."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.old = world.old_system
        self.grace = f"grace-{world.tag}"
        self.old.people[self.grace] = (PASSWORD, self.row())
        world.service.find(EqualDelay).seconds = 0.0

    def row(self, **members: Any) -> dict[str, Any]:
        return {
            "userId": f"old-{self.world.tag}",
            "username": self.grace,
            "profile": {"firstName": "Grace", "lastName": "Hopper"},
            "email": {"email": f"{self.grace}@mail.example", "isVerified": True},
            **members,
        }

    async def begin(self, **members: Any) -> None:
        hook = {
            "name": "old system",
            "url": "https://old.example/portico",
            "eventTypes": ["migration.signin"],
            "secret": SECRET,
        }
        await self.world.home(webhooks=[hook], **members)

    async def try_password(self, name: str = "", password: str = PASSWORD, world: Any = None) -> PasswordVerified:
        question = VerifyPassword(login_name=name or self.grace, password=password, org_id=self.world.org_id)
        verified: PasswordVerified = await (world or self.world).call(VERIFY_PASSWORD, question)
        return verified

    async def users(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await self.world.rows("users", orgId=self.world.org_id)
        return found


async def import_row(world: Any, row: dict[str, Any]) -> None:
    text = msgspec.json.encode(row).decode()
    imported = await world.call(IMPORT_USERS, ImportUsers(rows=(text,), org_id=world.org_id))
    assert [one.status for one in imported.rows] == ["created"], imported
