from __future__ import annotations

import pytest
from portico_contracts.users import VerifyLdap
from portico_users.commands.identity_providers.external_accounts import Audience, audience_of


@pytest.mark.parametrize(("any_organization", "only"), [(False, "org-1"), (True, "")])
def test_accounts_of_other_organizations_are_refused_only_where_the_request_names_one(
    any_organization: bool, only: str
) -> None:
    """New accounts belong to the organization of the policy in both cases; authz of the last release restricts."""
    asked = VerifyLdap(
        provider_id="p", org_id="org-1", login_name="ada", password="p", any_organization=any_organization
    )

    assert audience_of(asked) == Audience(org_id="org-1", only=only)
