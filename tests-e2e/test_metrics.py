"""The metrics used by alerts and dashboards are exposed by a running system."""

from __future__ import annotations

import re

import pytest
from portico_scenarios.participants import ALICE
from portico_scenarios.world import World
from portico_stack.installation.demo import REPOSITORY

pytestmark = pytest.mark.e2e


async def test_alert_and_dashboard_metrics_exist(world: World) -> None:
    """After a sign-in and an error each metric family is exposed by some service, and the events are counted."""
    await world.tokens_of(ALICE, "basic")
    await world.redeem("basic", "no-code-at-all")
    for replica in world.stack.layout.replicas:
        await world.http.get(f"http://127.0.0.1:{replica.internal_port}/readyz")
    exposed = ""
    for replica in world.stack.layout.replicas:
        exposed += (await world.http.get(f"http://127.0.0.1:{replica.internal_port}/metrics")).text
    families = set(re.findall(r"^# TYPE (portico_\w+) ", exposed, re.MULTILINE))
    folder = REPOSITORY / "deploy" / "monitoring"
    named = {
        re.sub(r"_(bucket|count|sum)\Z", "", name)
        for path in (folder / "rules.yaml", folder / "dashboards" / "overview.json")
        for name in re.findall(r"\bportico_[a-z_]+", path.read_text())
        if name != "portico_overview"
    }

    assert named - families == set()
    assert re.search(r'^portico_sign_ins_total\{outcome="succeeded"\} [1-9]', exposed, re.MULTILINE)
    assert re.search(r'^portico_tokens_issued_total\{grant="authorization_code"\} [1-9]', exposed, re.MULTILINE)
    assert re.search(r'^portico_refusals_total\{error="\w+-\d+"\} [1-9]', exposed, re.MULTILINE)
    assert re.search(r'^portico_signing_key_since_timestamp_seconds\{alg="RS256"\} [1-9]', exposed, re.MULTILINE)
    assert re.search(r'^portico_dependency_usable\{name="redis"\} 1.0', exposed, re.MULTILINE)
