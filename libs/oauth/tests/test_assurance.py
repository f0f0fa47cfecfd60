from __future__ import annotations

import pytest
from portico_oauth.assurance import (
    ACR_MULTI_FACTOR,
    ACR_PASSWORD,
    ACR_PHISHING_RESISTANT,
    ACR_PHR,
    ACR_PHRH,
    ACR_VALUES,
    acr_claim,
    acr_of,
    add_password,
    add_second_factor,
    level_of,
    published_in,
)


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
    ("reached", "named", "told"),
    [
        (ACR_PHRH, (), ACR_PHISHING_RESISTANT),
        (ACR_PHRH, (ACR_PHR,), ACR_PHR),
        (ACR_PHRH, (ACR_PHR, ACR_PHRH), ACR_PHRH),
        (ACR_PHISHING_RESISTANT, (ACR_PHRH,), ACR_PHISHING_RESISTANT),
        (ACR_PHISHING_RESISTANT, (ACR_PHR, ACR_PHISHING_RESISTANT), ACR_PHR),
        (ACR_PHISHING_RESISTANT, (ACR_PHISHING_RESISTANT, ACR_PHR), ACR_PHISHING_RESISTANT),
        (ACR_MULTI_FACTOR, (ACR_PHR, ACR_PHRH), ACR_MULTI_FACTOR),
    ],
)
def test_phr_and_phrh_are_told_to_who_names_them(reached: str, named: tuple[str, ...], told: str) -> None:
    """Of two names for one level the first requested; an application that names none gets our own name."""
    assert acr_claim(reached, named) == told


def test_requested_values_keep_their_order() -> None:
    assert published_in(["phrh", 7, "1", ACR_PASSWORD, "phrh", []]) == (ACR_PHRH, ACR_PASSWORD)


def test_only_a_device_bound_key_reaches_phrh() -> None:
    """The flag has a meaning for keys only."""
    assert acr_of(["pwd", "hwk"], device_bound=True) == ACR_PHRH
    assert acr_of(["pwd", "pop"]) == ACR_PHISHING_RESISTANT
    assert acr_of(["pwd", "otp", "mfa"], device_bound=True) == ACR_MULTI_FACTOR


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
    assert [level_of(acr) for acr in ("", "1", *ACR_VALUES)] == [0, 0, 1, 2, 3, 3, 4]
