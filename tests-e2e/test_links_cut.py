"""One replica loses one link under load, by refused connections or dropped packets (FD-02, FD-06, FD-11).

``PORTICO_TEST_DRILL_SECONDS=60`` sets how long each link is cut; run with ``-s`` to see the table, and with
``PORTICO_TEST_RECORD=1`` to record it in the guide.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from typing import Final

import pytest
from portico_harness.eventually import eventually
from portico_harness.tcp_link import Cut
from portico_scenarios import drill_table
from portico_scenarios.links import Ends, StackLinks, ends_of
from portico_scenarios.steady_load import SteadyLoad
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import Profile, StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SECONDS: Final = float(os.environ.get("PORTICO_TEST_DRILL_SECONDS", "2"))
"""Duration of each cut."""

SERVICES: Final = ("authz", "token", "users", "keys", "login-ui")
LINKS: Final = [ends for service in SERVICES for ends in ends_of(service)]


@pytest.fixture(scope="module")
async def links(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[StackLinks]:
    """Every link of the first replica of each service."""
    options = StackOptions(tmp_path_factory.mktemp("links"), port=0, replicas=Replicas(2), profile=Profile.HA)
    async with StackLinks(options, LINKS) as found:
        yield found


@pytest.fixture(scope="module")
async def several(links: StackLinks) -> AsyncIterator[World]:
    """Three MongoDB, nine Redis, three NATS, two replicas of each service."""
    async with started(links.options) as world:
        yield world


async def test_any_single_link_may_be_cut(several: World, links: StackLinks) -> None:
    """No response is wrong, no acknowledged write is lost, and everything recovers soon after the repair."""
    load = SteadyLoad(several)
    await load.prepare()
    rows: list[drill_table.Row] = []
    async with load:
        for ends in LINKS:
            for how in Cut:
                rows.append(await _cut(load, links, ends, how))
    lost = await load.lost()
    drill_table.report("links", drill_table.table(load, rows, len(lost), SECONDS))

    assert load.outcome.wrong == []
    assert lost == []


async def _cut(load: SteadyLoad, links: StackLinks, ends: Ends, how: Cut) -> drill_table.Row:
    began, before = time.monotonic(), load.outcome.asked
    await links.cut(ends, how)
    try:
        await asyncio.sleep(SECONDS)  # allow fixed-wait: how long the link is cut
    finally:
        await links.heal(ends)
    healed = time.monotonic()
    assert await eventually(load.works, bool), f"nothing works after {ends} was {how.value}"
    outcome = load.outcome
    return drill_table.Row(
        f"{ends}, {how.value}",
        outcome.asked - before,
        outcome.failed_after(began),
        outcome.last_failure_after(began),
        outcome.last_failure_after(healed),
    )
