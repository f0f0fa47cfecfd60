from __future__ import annotations

import pytest
from portico_contracts.users import VerifyLdap
from portico_users.identity_providers.commands.external_accounts import Audience, audience_of


@pytest.mark.parametrize(
    ("any_organization", "home_id", "audience"),
    [
        (False, None, Audience(home_id="org-1", only="org-1")),
        (False, "org-2", Audience(home_id="org-1", only="org-1")),
        (True, "org-2", Audience(home_id="org-2", only="")),
        (True, "", Audience(home_id="", only="")),
        (True, None, Audience(home_id="org-1", only="")),
    ],
)
def test_only_a_request_that_names_an_organization_restricts_a_sign_in(
    any_organization: bool, home_id: str | None, audience: Audience
) -> None:
    """Without such a request authz states the organization of new accounts; an authz of an older release states none."""
    asked = VerifyLdap(
        provider_id="p",
        org_id="org-1",
        login_name="ada",
        password="p",
        any_organization=any_organization,
        home_id=home_id,
    )

    assert audience_of(asked) == audience
