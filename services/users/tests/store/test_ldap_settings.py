"""Settings of a directory and of its provider that decide over a sign-in with the right password."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import ProviderRedirect
from portico_harness.ldap_server import POLICY_DN, RunningLdapServer
from portico_oauth.errors import ServiceError
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


async def test_password_that_must_be_changed_is_no_wrong_one(users_world: Any, ldap_server: RunningLdapServer) -> None:
    """A user who must change it at the directory gets an error of its own and is not delayed (USER-395, LG-05)."""
    ldap = LdapSignIn(users_world, ldap_server)
    await ldap.set_up(autoRegister=True)
    ldap.add(pwdPolicySubentry=POLICY_DN, pwdReset="TRUE")
    errors = []
    for _ in range(6):
        with pytest.raises(ServiceError) as refused:
            await ldap.verify()
        errors.append(refused.value.id)

    assert set(errors) == {"USER-395"}
    assert await ldap.verify(password="wrong") is None
