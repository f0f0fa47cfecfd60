from __future__ import annotations

import pytest
from portico_users.identity_providers.issuers import is_same_issuer

BASE = "ldap:///ou=people,dc=example,dc=org?entryUUID"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (BASE, BASE, True),
        (BASE, "ldap:///OU=People, DC=Example , dc = org?entryuuid", True),
        ("ldap:///ou=a\\,b\\20c?x", "ldap:///ou=A\\2Cb c?x", True),
        ("ldap:///ou=Bj\\C3\\B6rn?x", "ldap:///ou=björn?x", True),
        ("ldap:///cn=a+ou=b,dc=c?x", "ldap:///OU=b + CN=a,dc=c?x", True),
        (BASE, BASE.replace("entryUUID", "objectGUID"), False),
        (BASE, "ldap:///ou=people,dc=org,dc=example?entryUUID", False),
        (BASE, "ldap:///dc=example,dc=org?entryUUID", False),
        ("ldap:///ou=a\\,dc=b?x", "ldap:///ou=a,dc=b?x", False),
        ("ldap:///ou=a\\\\,dc=b?x", "ldap:///ou=a\\\\\\,dc=b?x", False),
        ("ldap:///ou=a b?x", "ldap:///ou=ab?x", False),
        ("https://id.example/A", "https://id.example/a", False),
    ],
)
def test_spellings_of_a_name_are_one_issuer(one: str, other: str, *, same: bool) -> None:
    """Letter case, spaces and escapes make no other base DN (RFC 4514); URLs are compared by code points."""
    assert is_same_issuer(one, other) is same
