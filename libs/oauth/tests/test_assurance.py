from __future__ import annotations

import pytest
from portico_oauth.assurance import ACR_VALUES, acr_claim, acr_of, add_password, add_second_factor, level_of


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
def test_acr_follows_from_the_methods(amr: list[str], acr: str) -> None:
    """The strongest authentication method decides the acr, which is always a published value."""
    assert acr_of(amr) == f"urn:portico:acr:{acr}"
    assert acr_of(amr) in ACR_VALUES


@pytest.mark.parametrize(
    ("reached", "named", "told"),
    [
        ("phr", [], "phr"),
        ("phr", ["mfa"], "mfa"),
        ("phr", ["pwd", "mfa"], "mfa"),
        ("mfa", ["pwd", "mfa", "phr"], "mfa"),
        ("mfa", ["phr"], "mfa"),
        ("pwd", ["mfa", "phr"], "pwd"),
    ],
)
def test_application_gets_a_requested_acr(reached: str, named: list[str], told: str) -> None:
    """A requested acr that was reached is the one returned, because OIDC Core §5.5.1.1 requires a match."""
    acr = "urn:portico:acr:"

    assert acr_claim(f"{acr}{reached}", [f"{acr}{one}" for one in named]) == f"{acr}{told}"


@pytest.mark.parametrize(
    ("before", "second", "after"),
    [
        (["pwd"], ["otp"], ("pwd", "otp", "mfa")),
        (["pwd"], ["hwk", "user"], ("pwd", "hwk", "user", "mfa")),
        ([], ["hwk", "user"], ("hwk", "user", "mfa")),
        (["hwk", "user", "mfa"], ["otp"], ("otp", "hwk", "user", "mfa")),
    ],
)
def test_second_factor_is_added_to_amr(before: list[str], second: list[str], after: tuple[str, ...]) -> None:
    """Each amr value occurs once, in a fixed order (RFC 8176)."""
    assert add_second_factor(before, *second) == after


def test_password_is_added_to_amr() -> None:
    assert add_password(["mfa", "hwk"]) == ("pwd", "hwk", "mfa")
    assert add_password(["pwd"]) == ("pwd",)


def test_acr_levels_are_ordered() -> None:
    assert [level_of(acr) for acr in ("", "1", *ACR_VALUES)] == [0, 0, 1, 2, 3]
