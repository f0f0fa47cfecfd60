"""Test suites of SCIM that others wrote, unchanged, through the gateway. What they expect otherwise is listed here."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from typing import Any

import httpx2
import pytest
from portico_harness.eventually import HANGS
from portico_scenarios.scim_provisioner import OF_SCIM, Provisioner, provisioner_of
from portico_scenarios.world import World
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

NOT_REMOVED = {
    "name": "an account has a name: without one, that of the user name",
    "displayName": "made of the parts of the name",
    "active": "absent means unchanged (Entra inbound provisioning #16)",
}
"""Attributes that stay when they are removed (decision 0150)."""

NO_SEARCH_OF_ALL = ("search_with_attributes", "User"), ("search_with_attributes", "Group")
"""`/.search` at the root searches resources of all kinds, which RFC 7644 section 3.4.3 leaves to servers."""

SANITY = {
    "PATCH /Groups/{id}": "a PATCH of a group answers 204, so that no member is read",
    "PATCH /Groups/{id} remove members": "likewise",
    "PATCH /Groups/{id} add member": "the member does not exist",
}
"""Checks of scim-sanity that decision 0150 answers otherwise."""


@pytest.fixture
async def directory(world: World) -> Provisioner:
    return await provisioner_of(world)


def _checked(directory: Provisioner) -> list[Any]:
    with httpx2.Client(base_url=directory.url, headers=directory.headers) as http:
        return check_server(SyncSCIMClient(http))


MAPPING: dict[str, Any] = {
    "loginName": "SCIM_LOGIN_NAME_EMAIL",
    "address": "SCIM_ADDRESS_WORK",
    "attributes": [
        {"attribute": f"{ENTERPRISE}:department", "destination": "SCIM_DESTINATION_METADATA", "key": "department"},
        {"attribute": "nickName", "destination": "SCIM_DESTINATION_METADATA", "key": "scim.title"},
        {"attribute": "phoneNumbers", "destination": "SCIM_DESTINATION_NOWHERE"},
        {"attribute": "userType", "destination": "SCIM_DESTINATION_NOWHERE"},
    ],
}


@pytest.mark.parametrize(("mapping", "checks"), [({}, 114), (MAPPING, 108)], ids=["usual", "mapped"])
async def test_scim2_tester(directory: Provisioner, mapping: dict[str, Any], checks: int) -> None:
    """All checks but those that decision 0150 answers otherwise; with a mapping, of what its schemas list."""
    path = f"/management/v1/scim/connections/{directory.id}/mapping"
    if mapping:
        assert (await directory.owner.json(f"{OF_SCIM}.SetScimMapping", {"mapping": mapping}, path=path)).code == 0
    results = await asyncio.to_thread(_checked, directory)
    others = [one for one in results if one.status is not Status.SUCCESS]
    removed = {
        found[1]
        for one in others
        if (found := re.search(r"modify\(\) did not remove attribute '(\w+)'", one.reason or ""))
    }
    searched = {(one.title, one.resource_type) for one in others if one.title == "search_with_attributes"}

    assert len(others) == len(removed) + len(searched), others
    assert (removed, searched) == (set(NOT_REMOVED), set(NO_SEARCH_OF_ALL))
    assert len(results) >= checks


async def test_scim_sanity(directory: Provisioner) -> None:
    """The probe in its strict mode; agents (a draft) are skipped, because the server has none."""
    command = ("probe", directory.url, "--token", directory.secret, "--json-output", "--i-accept-side-effects")
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "scim_sanity", *command, stdin=DEVNULL, stdout=PIPE
    )
    async with asyncio.timeout(HANGS):
        shown, _ = await started.communicate()
    results = json.loads(shown)["results"]

    assert {one["name"] for one in results if one["status"] not in ("pass", "skip")} == set(SANITY)
    assert {one["name"].partition(" ")[0] for one in results if one["status"] == "skip"} == {
        "Agent",
        "AgenticApplication",
    }
    assert len(results) >= 31
