"""Plans are Lua that evaluates to the value it was written from."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.plans import PlanValue, lua, write_plan


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (200, "200"),
        ("plain", '"plain"'),
        ('say "\\"', '"say \\034\\092\\034"'),
        ("line\n1", '"line\\0101"'),
        ("ä", '"\\195\\164"'),
        (["a", "b"], '{"a", "b"}'),
        ({"Content-Type": "x", "n": [1]}, '{["Content-Type"] = "x", ["n"] = {1}}'),
    ],
)
def test_value_is_written_as_lua(value: PlanValue, text: str) -> None:
    """Quotes, backslashes, control characters and what is not ASCII are escaped with three digits."""
    assert lua(value) == text


def test_plan_is_for_its_owner_only(tmp_path: Path) -> None:
    """Plans hold tokens and secrets, so no other user may read them."""
    path = write_plan(tmp_path / "plan.lua", {"status": 200})

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == 'return {["status"] = 200}\n'
