"""Login rules between two versions, while a document changes the instance and its organizations."""

from __future__ import annotations

import pytest
from portico_contracts.users import FirstFactor
from portico_users.policies.login_rules import LoginRules, between, in_force, narrows

PASSWORD, PASSKEY, EMAIL_CODE, PROVIDER = FirstFactor
STRICT = LoginRules(second_factors=(), multi_factors=())


def rules(*first: FirstFactor) -> LoginRules:
    return LoginRules(second_factors=(), multi_factors=(), first_factors=first)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (rules(PASSWORD), rules(PASSKEY), (PASSWORD, PASSKEY)),
        (rules(PASSKEY, PROVIDER), rules(PASSKEY), (PASSKEY, PROVIDER)),
        (STRICT, rules(PASSWORD), None),
        (rules(EMAIL_CODE), STRICT, None),
        (STRICT, rules(PASSKEY), (PASSWORD, PASSKEY)),
        (rules(PASSKEY, EMAIL_CODE), STRICT, (PASSWORD, PASSKEY, EMAIL_CODE)),
    ],
)
def test_first_factors_of_both_versions_are_allowed(
    before: LoginRules, after: LoginRules, expected: tuple[FirstFactor, ...] | None
) -> None:
    """A version without the rule allows passwords; it names no provider, which would have to be active."""
    assert between(before, after).first_factors == expected


def test_passkey_that_a_rule_states_is_a_second_factor() -> None:
    """To drop it is as narrow as to empty a list of second factors."""
    with_passkey, without = rules(PASSWORD, PASSKEY), rules(PASSWORD)

    assert narrows(with_passkey, without)
    assert narrows(with_passkey, STRICT)
    assert not narrows(without, with_passkey)
    assert in_force(between(with_passkey, without)).factors
    assert in_force(between(without, with_passkey)).factors


def test_organizations_keep_the_offered_providers() -> None:
    """An offer that ends is read until the organizations are written; a new one from the first step on."""
    assert between(LoginRules(idps=("a",)), LoginRules(idps=("b",))).idps == ("b",)
    assert between(LoginRules(idps=("a",)), LoginRules(idps=())).idps == ("a",)
    assert between(LoginRules(idps=("a",)), LoginRules()).idps == ("a",)
