from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace
from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.login import PageBranding
from portico_contracts.step_names import StepName
from portico_contracts.users import Branding, PrivateLabeling
from portico_fakes.authz_service import BOB, PASSWORD, AuthzService, FakeBrowser
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus

INSTANCE, FIRST, SECOND = (Branding(help_link=f"https://{name}.example/") for name in ("instance", "first", "second"))
OF_SECOND = "openid urn:portico:org:id:org-2"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    """The instance and two organizations with their own branding; the application belongs to the first."""
    service = AuthzService(clock, bus)
    for org_id, branding in (("", INSTANCE), ("org-1", FIRST), ("org-2", SECOND)):
        service.peers.set_policy(org_id, branding=branding)
    return service


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


@pytest.mark.parametrize(
    ("labeling", "scope", "expected"),
    [
        (PrivateLabeling.UNSPECIFIED, "openid", FIRST),
        (PrivateLabeling.UNSPECIFIED, OF_SECOND, SECOND),
        (PrivateLabeling.PROJECT, "openid", FIRST),
        (PrivateLabeling.PROJECT, OF_SECOND, FIRST),
        (PrivateLabeling.USER, "openid", FIRST),
        (PrivateLabeling.USER, OF_SECOND, SECOND),
    ],
)
async def test_project_and_scope_select_the_branding(
    authz: AuthzService, browser: FakeBrowser, labeling: PrivateLabeling, scope: str, expected: Branding
) -> None:
    """Before a user is known, the organization of the scope decides, otherwise that of the project."""
    authz.peers.register("web", private_labeling=labeling)
    step = await browser.ask(await browser.begin(scope=scope))

    assert step.look.branding == expected


@pytest.mark.parametrize(
    ("labeling", "expected"),
    [
        (PrivateLabeling.UNSPECIFIED, FIRST),
        (PrivateLabeling.PROJECT, FIRST),
        (PrivateLabeling.USER, SECOND),
    ],
)
async def test_users_branding_is_shown_after_the_password(
    authz: AuthzService, browser: FakeBrowser, labeling: PrivateLabeling, expected: Branding
) -> None:
    """A login name alone changes nothing, because a page must not reveal whether an account exists (LG-01)."""
    authz.peers.register("web", private_labeling=labeling)
    authz.peers.people[BOB.user_id] = replace(BOB, password_change_required=True)
    stranger = authz.browser()
    id, other = await browser.begin(), await stranger.begin()
    named, unknown = await browser.name(id, "bob"), await stranger.name(other, "no-such-name")
    known = await browser.answer(id, named, password=PASSWORD)

    assert named.look.branding == unknown.look.branding == FIRST
    assert (known.name, known.look.branding) == (StepName.CHANGE_PASSWORD, expected)


async def test_step_names_the_registered_links(authz: AuthzService, browser: FakeBrowser) -> None:
    """The values ``logo_uri``, ``policy_uri`` and ``tos_uri`` reach the page."""
    links = {name: f"https://shop.example/{name}" for name in ("logo_uri", "policy_uri", "tos_uri")}
    authz.peers.register("web", name="Shop", **links)
    step = await browser.ask(await browser.begin())

    assert step.look == PageBranding(
        client_name="Shop",
        client_logo="https://shop.example/logo_uri",
        client_policy="https://shop.example/policy_uri",
        client_tos="https://shop.example/tos_uri",
        branding=FIRST,
    )


async def test_unknown_organization_shows_the_instances_branding(authz: AuthzService, browser: FakeBrowser) -> None:
    step = await browser.ask(await browser.begin(scope="openid urn:portico:org:id:no-such"))

    assert step.look.branding == INSTANCE


async def test_logout_page_shows_the_applications_branding(authz: AuthzService, browser: FakeBrowser) -> None:
    """The client is named with its links, in the branding of its organization."""
    authz.peers.register("web", tos_uri="https://shop.example/terms")
    await browser.sign_in()
    page = await browser.end_session(client_id="web")
    id = parse_qs(urlsplit(page.headers["location"]).query)["request"][0]
    look = (await browser.get_logout(id)).look

    assert (look.branding, look.client_tos) == (FIRST, "https://shop.example/terms")


@pytest.mark.parametrize("labeling", PrivateLabeling)
async def test_console_and_account_page_show_the_instances_branding(
    authz: AuthzService, browser: FakeBrowser, labeling: PrivateLabeling
) -> None:
    """Portico's own applications are for all organizations."""
    authz.peers.register("web", project_id=OWN_APPLICATIONS, private_labeling=labeling)
    step = await browser.ask(await browser.begin())

    assert (step.look.branding, step.look.client_is_own) == (INSTANCE, True)
