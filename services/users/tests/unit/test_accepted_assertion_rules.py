"""Our own issuer cannot be one whose identity assertions are accepted (decision 0157)."""

from __future__ import annotations

import pytest
from portico_users.identity_providers.assertions.accepted import AcceptedAssertions, AssertionRule
from portico_users.identity_providers.assertions.rules import problems_of_assertions
from portico_users.identity_providers.idp import Idp, OidcConfig

OWN = "https://id.example.com"
RULE = AssertionRule(client_id="planner", resource="https://files.example/mcp")


@pytest.mark.parametrize(
    ("issuer", "problems"),
    [
        (OWN, ["USER-697"]),
        (f"{OWN}/", ["USER-697"]),
        ("https://ID.example.com:443", ["USER-697"]),
        (f"{OWN}/other", []),
        ("https://acme.idp.example", []),
    ],
)
def test_our_own_issuer_is_refused(issuer: str, problems: list[str]) -> None:
    """In each spelling that leads to this installation: what it signs is no reason to issue access tokens."""
    idp = Idp(
        id="idp-1",
        org_id="org-1",
        name="Acme",
        config=OidcConfig(issuer=issuer, client_id="portico"),
        assertions=AcceptedAssertions(rules=(RULE,)),
    )

    assert [one.error_code.id for one in problems_of_assertions(idp, OWN)] == problems
