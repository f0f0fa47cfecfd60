"""What a changed configuration of an LDAP provider means for those who have signed in with it."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ProviderRedirect
from portico_harness.ldap_server import RunningLdapServer
from portico_users.settings import Settings

from .ldap_sign_in import LdapSignIn

pytestmark = pytest.mark.servers


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, ldap_server: RunningLdapServer) -> Settings:
    return cheap_hashing.model_copy(update={"outbound_allow": ldap_server.allowed})


async def test_other_spelling_of_the_base_dn_keeps_links(users_world: Any, ldap_server: RunningLdapServer) -> None:
    """Linked users sign in, and the mapped groups stay, after letter case and spaces of baseDn changed."""
    ldap = LdapSignIn(users_world, ldap_server)
    policies = {"groups": [{"name": "staff"}]}
    groups = {"claim": "seeAlso", "groups": [{"group": "cn=staff,dc=org", "to": "staff"}]}
    await ldap.set_up(autoRegister=True, groups=groups, policies=policies)
    ldap.add(seeAlso="cn=staff,dc=org")
    first = await ldap.verify()
    await ldap.set_up(autoRegister=True, baseDn="OU=People, DC=Example,DC=org", policies=policies)
    again = await ldap.verify()
    assert first
    assert again
    (idp,) = await ldap.world.rows("idps", _id=ldap.idp_id)

    assert again.onward is ProviderRedirect.SIGNED_IN
    assert again.user == first.user
    assert idp["tables"]["memberships"]
