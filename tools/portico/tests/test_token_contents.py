"""What ``portico explain --client`` prints."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from portico_cli.apps.token_contents import lines_of
from portico_cli.cli import main
from portico_contracts.token import AppliedClaimRule, DroppedScope, ScopeDropped, TokensPreviewed
from portico_contracts.users import ClaimPlace, NotGiven


def test_each_rule_and_each_dropped_scope_has_its_reason() -> None:
    found = TokensPreviewed(
        scope=("openid",),
        dropped=(DroppedScope(scope="stock.read", reason=ScopeDropped.UNKNOWN),),
        userinfo='{"sub":"u1","team":["blue"]}',
        rules=(
            AppliedClaimRule(claim="team", places=(ClaimPlace.USERINFO,)),
            AppliedClaimRule(claim="city", of_project=True, reason=NotGiven.NO_VALUE),
        ),
    )

    assert [*lines_of(found)] == [
        "scope          openid",
        "dropped        stock.read: no API that the application may use defines it",
        "claim rule     team (of the application): userinfo",
        "claim rule     city (of the project): not given: the user has no such value",
        "\nuserinfo",
        '  sub                      "u1"',
        '  team                     ["blue"]  (claim rule)',
    ]


@pytest.mark.parametrize("arguments", [(), ("r-1", "--client", "c"), ("--client", "c"), ("--user", "u")])
def test_a_request_or_an_application_with_a_user_is_needed(arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(main, ("explain", *arguments)).exit_code == 2
