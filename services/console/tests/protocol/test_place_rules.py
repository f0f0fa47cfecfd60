"""The card "Sign-in" has rules by network and country, one a line (decision 0145)."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from .test_sign_in_rules import LOGIN, POLICIES, Rules, rules

__all__ = ["rules"]

STORED = {
    "rules": [{"action": "PLACE_ACTION_ALLOW", "networks": ["203.0.113.0/24"], "countries": ["DE"]}],
    "elsewhere": "PLACE_ACTION_SECOND_FACTOR",
}


def sent(rules: Rules) -> Any:
    ((_, fields, _),) = rules.called
    return fields.get("signInFrom")


async def test_stored_rules_are_shown(rules: Rules) -> None:
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": {**LOGIN, "signInFrom": STORED}})
    page = (await rules.open()).text

    assert ">allow 203.0.113.0/24 DE</textarea>" in page
    assert '<option value="second_factor" selected>' in page


async def test_lines_become_rules(rules: Rules) -> None:
    """Empty lines, commas and lower case do not matter."""
    lines = "allow 203.0.113.0/24, 2001:db8::/32 de\n\n  refuse   KP"
    saved = await rules.send(placeRules=lines, placesElsewhere="second_factor", confirmed="1")

    assert saved.status_code == 303
    assert sent(rules) == {
        "rules": [
            {"action": "PLACE_ACTION_ALLOW", "networks": ["203.0.113.0/24", "2001:db8::/32"], "countries": ["DE"]},
            {"action": "PLACE_ACTION_REFUSE", "countries": ["KP"]},
        ],
        "elsewhere": "PLACE_ACTION_SECOND_FACTOR",
    }


async def test_emptied_form_removes_stored_rules(rules: Rules) -> None:
    rules.answer(f"{POLICIES}/GetLoginPolicy", {"policy": {**LOGIN, "signInFrom": STORED}})
    saved = await rules.send(placesStored="on", placeRules="", placesElsewhere="allow")

    assert saved.status_code == 303
    assert sent(rules) == {"rules": [], "elsewhere": "PLACE_ACTION_ALLOW"}


@pytest.mark.parametrize(
    ("caller", "shown"),
    [
        (
            {"address": "192.0.2.1", "action": "PLACE_ACTION_REFUSE", "rule": "elsewhere"},
            ['<li class="bad">Your own address 192.0.2.1 is refused.</li>'],
        ),
        (
            {"address": "203.0.113.9", "action": "PLACE_ACTION_ALLOW", "rule": "203.0.113.0/24"},
            ["<li>Your own address 203.0.113.9 (203.0.113.0/24) may sign in.</li>"],
        ),
        (
            {"address": "192.0.2.1", "action": "PLACE_ACTION_SECOND_FACTOR", "rule": "DE"},
            ["<li>Your own address 192.0.2.1 (DE) needs a second factor.</li>"],
        ),
        ({}, []),
    ],
)
async def test_administrators_see_their_own_place_before_limits_are_saved(
    rules: Rules, caller: dict[str, str], shown: list[str]
) -> None:
    """The page states that other users are not counted, and why; the rules are sent with the count."""
    asked: list[dict[str, Any]] = []

    def count(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        asked.append(fields)
        return httpx.Response(200, json={"counted": "20", **({"callerPlace": caller} if caller else {})})

    rules.console.provider.answers[f"{POLICIES}/CountAffectedUsers"] = count
    page = await rules.send(placeRules="allow 203.0.113.0/24", placesElsewhere="refuse")

    assert rules.called == []
    assert re.findall(r"<li[^>]*>Your own.*?</li>", page.text) == shown
    assert "Portico stores no addresses of users" in page.text
    assert asked[0]["signInFrom"] == {
        "rules": [{"action": "PLACE_ACTION_ALLOW", "networks": ["203.0.113.0/24"]}],
        "elsewhere": "PLACE_ACTION_REFUSE",
    }


async def test_rules_that_limit_nobody_are_saved_at_once(rules: Rules) -> None:
    saved = await rules.send(placeRules="allow DE", placesElsewhere="allow")

    assert saved.status_code == 303


@pytest.mark.parametrize("line", ["203.0.113.0/24", "allow", "permit DE"])
async def test_line_without_action_or_place_is_refused_beside_its_field(rules: Rules, line: str) -> None:
    refused = await rules.send(placeRules=line)

    assert refused.status_code == 400
    assert 'id="placeRules-problem"' in refused.text
    assert f">{line}</textarea>" in refused.text
    assert rules.called == []
