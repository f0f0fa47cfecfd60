"""The organization in which a sign-in at a provider creates the account (decision 0048)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ExternalFinished, ProviderRedirect

pytestmark = pytest.mark.servers


@pytest.fixture
async def home_id(external: Any) -> str:
    """The application's organization; the provider belongs to that of the login policy, which offers it."""
    await external.set_up(auto=True)
    id = f"home-{external.world.tag}"
    await external.world.apply({"name": f"Home {external.world.tag}", "id": id})
    return id


async def finish(external: Any, home_id: str | None) -> ExternalFinished:
    done: ExternalFinished = await external.finish(external.jwt(), any_organization=True, home_id=home_id)
    return done


async def share(external: Any, *org_ids: str) -> None:
    """Makes it a provider of the instance, which these organizations offer too."""
    database = external.world.parts.mongo.database
    of_instance = {"orgId": "instance", "nameKey": external.idp_id}
    await database["idps"].update_one({"_id": external.idp_id}, {"$set": of_instance})
    offered = {"$set": {"loginRules.idps": [external.idp_id]}}
    await database["orgs"].update_many({"_id": {"$in": org_ids}}, offered)


async def test_provider_of_an_organization_creates_its_accounts(external: Any, home_id: str) -> None:
    done = await finish(external, home_id)

    assert done.user is not None
    assert done.user.org_id == external.world.org_id


@pytest.mark.parametrize("is_stated", [True, False])
async def test_provider_of_the_instance_creates_accounts_of_the_home(
    external: Any, home_id: str, is_stated: bool
) -> None:
    """An authz of an older release states none, and the organization of the login policy has them."""
    await share(external, home_id)
    done = await finish(external, home_id if is_stated else None)

    assert done.user is not None
    assert done.user.org_id == (home_id if is_stated else external.world.org_id)


async def test_home_that_does_not_offer_the_provider_gets_no_accounts(external: Any, home_id: str) -> None:
    """A page shows that instead of a form."""
    await share(external)

    assert (await finish(external, home_id)).onward is ProviderRedirect.NO_ACCOUNT
