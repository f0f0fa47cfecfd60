"""Groups of a directory: compared as distinguished names (RFC 4514), however many it lists."""

from __future__ import annotations

from typing import Any

import pytest
from portico_harness.ldap_server import RunningLdapServer
from portico_oauth.errors import ServiceError
from portico_users.settings import Settings

from .ldap_sign_in import LdapSignIn

pytestmark = pytest.mark.servers

MANY = 2_200


@pytest.fixture
def cheap_hashing(cheap_hashing: Settings, ldap_server: RunningLdapServer) -> Settings:
    return cheap_hashing.model_copy(update={"outbound_allow": ldap_server.allowed})


@pytest.fixture
def ldap(users_world: Any, ldap_server: RunningLdapServer) -> LdapSignIn:
    return LdapSignIn(users_world, ldap_server)


async def set_up(ldap: LdapSignIn, *names: str) -> None:
    lines = [{"group": name, "to": f"group {number}"} for number, name in enumerate(names)]
    groups = [{"name": line["to"]} for line in lines]
    await ldap.set_up(autoRegister=True, groups={"claim": "seeAlso", "groups": lines}, policies={"groups": groups})


async def groups_after_sign_in(ldap: LdapSignIn) -> list[str]:
    done = await ldap.verify()
    assert done is not None
    assert done.user is not None
    (human,) = await ldap.world.rows("users", _id=done.user.user_id)
    return sorted(one["name"] for one in human["groups"] if one["links"])


async def test_groups_of_the_directory_are_followed(ldap: LdapSignIn) -> None:
    """The attribute is compared as a whole, in any case: an entry of the same name elsewhere is another group."""
    await set_up(ldap, "cn=admins,ou=main,dc=org", "cn=admins,ou=labs,dc=org")
    ldap.add(seeAlso="CN=Admins,ou=main,dc=org")

    assert await groups_after_sign_in(ldap) == ["group 0"]


async def test_names_with_a_comma_have_several_spellings(ldap: LdapSignIn) -> None:
    """OpenLDAP and 389 Directory Server write ``\\2C``, Samba and people ``\\,``."""
    await set_up(ldap, r"cn=R\, D,ou=main,dc=org", r"cn=Q\2C A, OU=Main , dc=org", r"cn=R,ou=main,dc=org")
    ldap.add(seeAlso=(r"cn=R\, D,ou=main,dc=org", r"cn=Q\, A,ou=main,dc=org"))

    assert await groups_after_sign_in(ldap) == ["group 0", "group 1"]


async def test_entry_in_many_groups_signs_in(ldap: LdapSignIn) -> None:
    """The attribute may have more values than others; mapped ones count."""
    last = f"cn=Group {MANY - 1:05},ou=main,dc=org"
    await set_up(ldap, last)
    ldap.add(seeAlso=tuple(f"cn=group {number:05},ou=main,dc=org" for number in range(MANY)))

    assert await groups_after_sign_in(ldap) == ["group 0"]


async def test_limit_of_values_is_named(ldap: LdapSignIn) -> None:
    await ldap.set_up(attributes={"preferredUsernameAttribute": "uid", "displayNameAttribute": "seeAlso"})
    ldap.add(seeAlso=tuple(f"cn=group {number:05},ou=main,dc=org" for number in range(MANY)))
    with pytest.raises(ServiceError) as refused:
        await ldap.verify()

    assert refused.value.id == "USER-770"
    assert refused.value.text == "The directory sent more than Portico reads about a user."
