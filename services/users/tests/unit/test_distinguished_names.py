"""Which texts are one distinguished name (RFC 4514)."""

from __future__ import annotations

import pytest
from portico_users.identity_providers.distinguished_names import one_spelling


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"cn=R\2C D,ou=groups,dc=acme", r"cn=R\, D,ou=groups,dc=acme"),
        (r"CN=R\, D,OU=Groups,DC=Acme", r"cn=r\2c d,ou=groups,dc=acme"),
        ("cn=staff, ou=groups , dc = acme", "cn=staff,ou=groups,dc=acme"),
        (r"cn=Bj\C3\B6rn,dc=acme", "cn=Björn,dc=acme"),
        (r"cn=\C3\96mer,dc=acme", "cn=ömer,dc=acme"),
        (r"cn=a\5Cb,dc=acme", r"cn=a\\b,dc=acme"),
        (r"cn=a\2Bb,dc=acme", r"cn=a\+b,dc=acme"),
        (r"cn=a\3Db,dc=acme", "cn=a=b,dc=acme"),
        (r"cn=\#one,dc=acme", r"cn=\23one,dc=acme"),
        ("cn=a  b,dc=acme", "cn=A b,dc=acme"),
        ("cn=one+uid=1,dc=acme", "UID=1 + CN=one,dc=acme"),
        ("2.5.4.3=staff,0.9.2342.19200300.100.1.25=acme", "cn=staff,dc=acme"),
        ("OID.2.5.4.3=staff,dc=acme", "cn=staff,dc=acme"),
        ("cn=#04057374616666,dc=acme", "cn=staff,dc=acme"),
        ("Staff", "staff"),
        ("CN=Staff, not a name", "cn=staff, NOT a name"),
    ],
)
def test_spellings_of_a_name_are_one(one: str, other: str) -> None:
    assert one_spelling(one) == one_spelling(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"cn=a\,dc=acme", "cn=a,dc=acme"),
        (r"cn=R\, D,dc=acme", "cn=R,D=,dc=acme"),
        (r"cn=a\+uid=1,dc=acme", "cn=a+uid=1,dc=acme"),
        (r"cn=a\\\,b,dc=acme", r"cn=a\\,b=,dc=acme"),
        (r"cn=\#04057374616666,dc=acme", "cn=staff,dc=acme"),
        (r"cn=\#0201ff,dc=acme", "cn=#0201ff,dc=acme"),
        (r"cn=\FF,dc=acme", r"cn=\FE,dc=acme"),
        ("cn=staff,ou=a,dc=acme", "cn=staff,ou=b,dc=acme"),
        ("ou=a,cn=staff", "cn=staff,ou=a"),
        ("cn=ab,dc=acme", "cn=a b,dc=acme"),
        ("2.5.4.3=staff,dc=acme", "2.5.4.31=staff,dc=acme"),
        ("staff, admins", "staff,admins"),
        (r"staff\2c admins", "staff, admins"),
        ("cn=staff,", "cn=staff"),
    ],
)
def test_other_names_stay_apart(one: str, other: str) -> None:
    """Text that is no name is compared as it is, apart from case."""
    assert one_spelling(one) != one_spelling(other)


@pytest.mark.parametrize("name", [r"cn=R\, D,ou=a\+b,dc=acme", r"cn=\#x,dc=acme", "cn=a=b,dc=acme", "no name", ""])
def test_one_spelling_is_kept(name: str) -> None:
    assert one_spelling(one_spelling(name)) == one_spelling(name)
