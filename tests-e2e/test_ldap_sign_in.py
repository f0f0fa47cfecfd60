"""Signing in through an LDAP server: a real slapd checks the password, and the sign-in ends at the application."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.async_api import Page, expect
from portico_contracts.apply import Document, LdapAttributes, LdapIdp, LoginPolicy, Organization
from portico_harness.ldap_server import PEOPLE_DN, SEARCH_DN, RunningLdapServer
from portico_scenarios.federated import Federated
from portico_scenarios.id_token import checked_claims
from portico_scenarios.login_pages import RelyingPartyPages
from portico_scenarios.relying_party import Begun, begin
from portico_scenarios.world import World, code_in

pytestmark = pytest.mark.e2e

ORG = "org-directory"
IDP = "staff"
PASSWORD = "a word of the directory"
SCOPE = f"openid profile email urn:portico:org:id:{ORG}"
STRAIGHT = f"{SCOPE} urn:portico:idp:id:{IDP}"


@dataclass(frozen=True)
class Place:
    world: World
    directory: RunningLdapServer

    def begin(self, scope: str = STRAIGHT) -> Begun:
        return begin(self.world.metadata, self.world.clients["basic"], scope=scope)

    def add(self, login: str) -> None:
        self.directory.add(
            f"cn={login}",
            uid=login,
            userPassword=PASSWORD,
            givenName="Dora",
            sn="Directory",
            mail=f"{login}@directory.example",
        )


@pytest.fixture(scope="module")
async def place(federated: Federated) -> Place:
    directory = federated.directory
    staff = LdapIdp(
        id=IDP,
        name="Staff",
        servers=(directory.ldaps,),
        base_dn=PEOPLE_DN,
        bind_dn=SEARCH_DN,
        bind_password=directory.password,
        user_filters=("uid", "mail"),
        user_object_classes=("inetOrgPerson",),
        root_ca=directory.authority,
        attributes=LdapAttributes(
            first_name_attribute="givenName",
            last_name_attribute="sn",
            preferred_username_attribute="uid",
            email_attribute="mail",
        ),
        auto_register=True,
    )
    org = Organization(id=ORG, name="Staff", ldap_idps=(staff,), login_policy=LoginPolicy(idps=(IDP,)))
    await federated.world.stack.apply(Document(organizations=(org,)))
    return Place(federated.world, directory)


async def test_ldap_login_names_lead_to_one_account(place: Place) -> None:
    """Both login names lead to one account; a wrong password and an unknown name get the same error (LG-01)."""
    place.add("dora")
    subjects, refused = [], []
    for login in ("dora", "dora@directory.example"):
        begun = place.begin()
        async with place.world.agent() as agent:
            await agent.open(begun.url)
            for name, password in (("dora", "wrong"), ("unknown", PASSWORD)):
                refused.append(await agent.press("directory-submit", directory_loginname=name, password=password))
            page = await agent.press("directory-submit", directory_loginname=login, password=PASSWORD)
        answer = await place.world.redeem("basic", code_in(page), code_verifier=begun.verifier)
        claims = await checked_claims(place.world.http, place.world.metadata, answer.json()["id_token"], "e2e-basic")
        subjects.append(claims["sub"])

    assert len(set(subjects)) == 1
    assert all(page.shows("directory-page") and page.shows("login-problem") for page in refused)


async def test_chromium_signs_in_through_ldap(place: Place, either_tab: Page, *, scripts: bool) -> None:
    """With and without scripts, the button leads to the LDAP page, which reports a wrong password and then signs in."""
    login = f"chromium-{scripts}"
    place.add(login)
    pages = RelyingPartyPages(either_tab, place.world.rp_url("basic"))
    await pages.begin(f"scope={SCOPE.replace(' ', '%20')}")
    await either_tab.click("#provider-1")
    await either_tab.fill("#directory-loginname", login)
    await either_tab.fill("#password", "wrong")
    await either_tab.click("#directory-submit")
    await expect(either_tab.locator("#login-problem")).to_be_visible()
    await expect(either_tab.locator("#directory-loginname")).to_have_value(login)
    await either_tab.fill("#password", PASSWORD)
    await either_tab.click("#directory-submit")
    await pages.expect_signed_in()
    session = await pages.session()

    assert (session["userinfo"]["given_name"], session["claims"]["acr"]) == ("Dora", "urn:portico:acr:pwd")
    assert not session["claims"].get("amr")
