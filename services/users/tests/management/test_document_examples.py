from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.example_runner import DOMAIN, ORG_ID, ExampleRunner, shape, steps

from .intent_provider import IntentProvider

pytestmark = pytest.mark.servers


async def test_openapi_examples_work(managed: Any) -> None:
    """Each example request succeeds, and its response has exactly the members of the example."""
    names = {DOMAIN: managed.domain(managed.org_id), ORG_ID: managed.org_id}

    async def bring_back(address: str) -> str:
        claims = {"preferred_username": "ada@partner.example", "given_name": "Ada", "family_name": "Lovelace"}
        return (await IntentProvider(managed.users, "https://sso.partner.example").bring_back(address, claims))["token"]

    story = ExampleRunner(managed.api, managed.tokens, names, managed.users.clock.now, bring_back)
    for step in steps():
        api_response = await story.play(step)

        assert api_response.code == 0, (step["method"], api_response.body)
        assert (step["method"], shape(api_response.body)) == (step["method"], shape(step["response"]))
