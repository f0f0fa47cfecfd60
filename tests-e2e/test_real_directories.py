"""Signing in at 389 Directory Server and Samba, with their own certificates, through the whole stack."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from portico_contracts.apply import Document, Group, LdapAttributes, LdapIdp, LoginPolicy, MappedGroup, Organization
from portico_contracts.apply import ProviderGroups as Groups
from portico_harness.real_directory import LOGIN, PASSWORD, RealDirectory
from portico_scenarios.id_token import checked_claims
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.long, pytest.mark.e2e, pytest.mark.xdist_group("real directories")]

ORG = "org-directories"

_RESOLVER = """
import uvloop

_find = uvloop.Loop.getaddrinfo


async def getaddrinfo(loop, host, *args, **kwargs):
    return await _find(loop, {address!r} if host == {host!r} else host, *args, **kwargs)


uvloop.Loop.getaddrinfo = getaddrinfo
"""


@pytest.fixture(params=["dirsrv", "samba"], scope="module")
def directory(request: pytest.FixtureRequest) -> RealDirectory:
    found: RealDirectory = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
async def place(directory: RealDirectory, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    folder = tmp_path_factory.mktemp("real")
    environment = {"PORTICO_OUTBOUND_ALLOW": directory.allowed, "PYTHONPATH": _resolving(directory, folder / "names")}
    async with started(StackOptions(folder, extra_env={"users": environment})) as world:
        policy = LoginPolicy(idps=("staff",))
        groups = (Group(name="Researchers"),)
        org = Organization(id=ORG, name="Staff", groups=groups, ldap_idps=(_staff(directory),), login_policy=policy)
        await world.stack.apply(Document(organizations=(org,)))
        yield world


def _resolving(directory: RealDirectory, folder: Path) -> str:
    """Returns a module path with which Python finds the name in the certificate; /etc/hosts is not ours to change."""
    folder.mkdir()
    text = _RESOLVER.format(address=directory.address, host=directory.host)
    (folder / "sitecustomize.py").write_text(text)
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))


def _staff(directory: RealDirectory) -> LdapIdp:
    return LdapIdp(
        id="staff",
        name="Staff",
        servers=(directory.ldaps,),
        base_dn=directory.base_dn,
        bind_dn=directory.search_dn,
        bind_password=PASSWORD,
        user_filters=(directory.login_attribute,),
        user_object_classes=(directory.user_class,),
        root_ca=directory.authority,
        attributes=LdapAttributes(
            id_attribute=directory.subject,
            first_name_attribute="givenName",
            last_name_attribute="sn",
            preferred_username_attribute=directory.login_attribute,
            email_attribute="mail",
        ),
        groups=Groups(claim="memberOf", groups=(MappedGroup(group=directory.group, to="Researchers"),)),
        auto_register=True,
    )


async def test_user_of_a_real_directory_signs_in(place: World) -> None:
    """A wrong password is refused on the page, the right one leads to the application, with the data of the entry."""
    scope = f"openid profile email urn:portico:org:id:{ORG} urn:portico:idp:id:staff"
    begun = begin(place.metadata, place.clients["basic"], scope=scope)
    async with place.agent() as agent:
        await agent.open(begun.url)
        refused = await agent.press("directory-submit", directory_loginname=LOGIN, password="wrong")
        page = await agent.press("directory-submit", directory_loginname=LOGIN, password=PASSWORD)
    answer = await place.redeem("basic", code_in(page), code_verifier=begun.verifier)
    claims = await checked_claims(place.http, place.metadata, answer.json()["id_token"], "e2e-basic")
    access = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    user = (await place.http.get(place.metadata["userinfo_endpoint"], headers=access)).json()

    assert refused.shows("directory-page")
    assert refused.shows("login-problem")
    assert (user["sub"], user["given_name"]) == (claims["sub"], "Dora")
