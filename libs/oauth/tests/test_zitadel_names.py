from __future__ import annotations

import pytest
from portico_oauth.zitadel_names import portico_scope, with_their_names

_OURS = "urn:portico:"
_THEIRS = "urn:zitadel:iam:"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("org:project:id:zitadel:aud", "project:id:portico:aud"),
        ("org:project:id:p1:aud", "project:id:p1:aud"),
        ("org:project:roles", "project:roles"),
        ("org:projects:roles", "project:roles"),
        ("org:project:role:admin", "project:roles"),
        ("user:metadata", "user:metadata"),
        ("user:resourceowner", "user:resourceowner"),
        ("org:id:o1", "org:id:o1"),
        ("org:idp:id:i1", "idp:id:i1"),
    ],
)
def test_scope_has_one_meaning_under_both_names(theirs: str, ours: str) -> None:
    assert portico_scope(f"openid {_THEIRS}{theirs} email") == f"openid {_OURS}{ours} email"


def test_scope_without_a_counterpart_stays() -> None:
    """Unknown words are left to the checks of scopes."""
    text = "openid urn:zitadel:iam:org:domain:primary:x.example urn:portico:project:roles notes.read"

    assert portico_scope(text) == text


def test_list_of_roles_under_their_name_stays() -> None:
    """An application may have registered it as its `rolesClaim`."""
    claims = {"urn:portico:project:roles": {"admin": {}}, "urn:zitadel:iam:org:project:roles": ["admin"]}

    assert with_their_names(claims) == claims


def test_claims_get_their_second_name() -> None:
    claims = {
        "sub": "u1",
        "urn:portico:project:roles": {"admin": {}},
        "urn:portico:project:p1:roles": {"admin": {}},
        "urn:portico:user:metadata": {"a": "MQ"},
        "urn:portico:user:resourceowner:id": "o1",
    }

    assert with_their_names(claims) == {
        **claims,
        "urn:zitadel:iam:org:project:roles": {"admin": {}},
        "urn:zitadel:iam:org:project:p1:roles": {"admin": {}},
        "urn:zitadel:iam:user:metadata": {"a": "MQ"},
        "urn:zitadel:iam:user:resourceowner:id": "o1",
    }
