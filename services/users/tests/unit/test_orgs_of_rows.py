from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from portico_oauth.errors import ServiceError
from portico_users.organizations.org import ORG_NOT_FOUND
from portico_users.user_import.orgs_of_rows import OrgsOfRows


class UserOrgs:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def find_named(self, org_id: str, domain: str) -> str:
        self.asked.append((org_id, domain))
        await asyncio.sleep(0)
        if org_id == "none":
            raise ORG_NOT_FOUND.error()
        return f"{org_id} {domain}"


async def test_organization_is_read_once_for_all_rows() -> None:
    """Rows of a message share the organization, or the error, whether they ask together or later."""
    orgs = UserOrgs()
    of_rows = OrgsOfRows(cast("Any", orgs))
    questions = [("acme", ""), ("acme", "acme.example"), ("acme", "")]
    together: list[Any] = await asyncio.gather(*(of_rows.find_named(*one) for one in questions))
    later: Any = await of_rows.find_named("acme", "")

    assert [*together, later] == ["acme ", "acme acme.example", "acme ", "acme "]
    for _ in range(2):
        with pytest.raises(ServiceError, match=ORG_NOT_FOUND.id):
            await of_rows.find_named("none", "")
    assert orgs.asked == [("acme", ""), ("acme", "acme.example"), ("none", "")]
