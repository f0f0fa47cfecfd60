from __future__ import annotations

import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.step_names import StepName
from portico_contracts.users import OfferedProvider, ProviderKind, ProviderRedirect
from portico_fakes.authz_service import BOB, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

OF_SECOND = "openid urn:portico:org:id:org-2"
OWN, OTHER, SHARED = (OfferedProvider(name, name.title(), ProviderKind.CODE) for name in ("own", "other", "shared"))


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    """The application belongs to the first organization."""
    service = AuthzService(clock, bus)
    for org_id, providers in (("", (SHARED,)), ("org-1", (OWN,)), ("org-2", (OTHER,))):
        service.peers.set_policy(org_id, providers=providers, may_register=org_id == "org-1")
    return service


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.mark.parametrize(
    ("scope", "name", "expected"),
    [
        ("openid", "", (OWN,)),
        ("openid", "someone@other.test", (OTHER,)),
        (OF_SECOND, "", (OTHER,)),
        (OF_SECOND, "ada@example.test", (OTHER,)),
    ],
)
async def test_page_offers_the_providers_of_the_applications_organization(
    authz: AuthzService, browser: FakeBrowser, scope: str, name: str, expected: tuple[OfferedProvider, ...]
) -> None:
    """An organization that the request or the domain of the login name names overrides it."""
    id = await browser.begin(scope=scope)
    step = await (browser.name(id, name) if name else browser.ask(id))

    assert step.providers == expected


async def test_own_applications_offer_the_instances_providers(authz: AuthzService, browser: FakeBrowser) -> None:
    """The console and the account page are for all organizations."""
    authz.peers.register("web", project_id=OWN_APPLICATIONS)
    step = await browser.ask(await browser.begin())

    assert (step.providers, step.may_register) == ((SHARED,), False)


async def test_password_of_a_user_of_another_organization_is_accepted(
    authz: AuthzService, browser: FakeBrowser
) -> None:
    """The application's organization restricts no user, and the user's own organization decides on the factors."""
    authz.peers.set_policy("org-1", force_mfa=True)
    step = await browser.log_in(await browser.begin(), "bob")

    assert step.name is StepName.DONE


@pytest.mark.parametrize(("scope", "any_organization"), [("openid", True), (OF_SECOND, False)])
async def test_only_a_named_organization_restricts_external_identities(
    authz: AuthzService, browser: FakeBrowser, scope: str, any_organization: bool
) -> None:
    authz.peers.providers.find(ProviderRedirect.SIGNED_IN, BOB)
    provider = OTHER if scope == OF_SECOND else OWN
    state = await browser.leave(await browser.begin(scope=scope), provider.id)
    back = await browser.come_back(provider_id=provider.id, parameters={"state": state, "code": "right"})
    (asked,) = authz.peers.providers.finished

    assert back.step.name is StepName.DONE
    assert asked.any_organization is any_organization
    assert asked.org_id == ("org-2" if scope == OF_SECOND else "org-1")
