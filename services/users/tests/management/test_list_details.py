from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import pytest
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

PROJECTS: Final = "portico.management.v1.ProjectService"
LISTS: Final = {
    "projects": f"{PROJECTS}.ListProjects",
    "users": "portico.user.v2.UserService.ListUsers",
    "factors": "portico.management.v1.PolicyService.ListLoginPolicySecondFactors",
}


async def _details(managed: Any, name: str) -> Any:
    response = await call_as(managed, name, {})
    assert response.code == 0
    return response.body["details"]


@pytest.mark.parametrize("kind", LISTS)
async def test_list_has_the_timestamp_of_the_request(managed: Any, kind: str) -> None:
    """The timestamp is never older than the call, also for lists without any object."""
    first = datetime.fromisoformat((await _details(managed, LISTS[kind]))["viewTimestamp"])
    managed.users.clock.tick(90)
    second = datetime.fromisoformat((await _details(managed, LISTS[kind]))["viewTimestamp"])

    assert first.timestamp() == pytest.approx(managed.users.clock.now() - 90, abs=1e-5)
    assert (second - first).total_seconds() == 90


async def test_list_includes_changes_up_to_its_sequence(managed: Any) -> None:
    """The sequence is a string; after a change, a list has at least the sequence in the response of the change."""
    token = managed.tokens["owner"]
    added = await managed.api.json(f"{PROJECTS}.AddProject", {"name": f"Shop {managed.tag}"}, token=token)
    path = f"/management/v1/projects/{added.body['id']}"
    await managed.api.json(f"{PROJECTS}.AddProject", {"name": f"Other shop {managed.tag}"}, token=token)
    before = await _details(managed, LISTS["projects"])
    for name in ("Web", "Web 2"):
        body = {"name": f"{name} {managed.tag}"}
        changed = await managed.api.json(f"{PROJECTS}.UpdateProject", body, token=token, path=path)
    after = await _details(managed, LISTS["projects"])

    assert (before["processedSequence"], after["processedSequence"]) == ("1", "3")
    assert after["processedSequence"] == changed.body["details"]["sequence"]
    assert "processedSequence" not in await _details(managed, LISTS["factors"])
