"""The card "Sign-in" has rules by network and country, one a line (decision 0145)."""

from __future__ import annotations

from typing import Any

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
    saved = await rules.send(placeRules=lines, placesElsewhere="second_factor")

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


@pytest.mark.parametrize("line", ["203.0.113.0/24", "allow", "permit DE"])
async def test_line_without_action_or_place_is_refused_beside_its_field(rules: Rules, line: str) -> None:
    refused = await rules.send(placeRules=line)

    assert refused.status_code == 400
    assert 'id="placeRules-problem"' in refused.text
    assert f">{line}</textarea>" in refused.text
    assert rules.called == []
