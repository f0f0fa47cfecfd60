"""acr by what was done."""

from __future__ import annotations

import pytest
from portico_oauth.assurance import ACR_VALUES, acr_of


@pytest.mark.parametrize(
    ("amr", "acr"),
    [
        (["pwd"], "pwd"),
        (["pwd", "otp", "mfa"], "mfa"),
        (["pwd", "hwk", "user", "mfa"], "phr"),
        (["hwk", "user"], "phr"),
        ([], "pwd"),
    ],
)
def test_the_level_follows_from_the_methods(amr: list[str], acr: str) -> None:
    """The strongest thing that was done decides, and the value is always a published one."""
    assert acr_of(amr) == f"urn:portico:acr:{acr}"
    assert acr_of(amr) in ACR_VALUES
