from __future__ import annotations

from typing import Final

import pytest
from portico_oauth.scopes import is_known, organization_in, own_name, to_be_allowed
from portico_oauth.zitadel_names import readable_scope, with_asked_names

_OURS = "urn:portico:"
_THEIRS = "urn:zitadel:iam:"
_ROLES: Final[dict[str, dict[str, str]]] = {"admin": {}}
_CLAIMS = {
    "sub": "u1",
    "urn:portico:project:roles": _ROLES,
    "urn:portico:project:p1:roles": _ROLES,
    "urn:portico:user:metadata": {"a": "MQ"},
    "urn:portico:user:resourceowner:id": "o1",
}
_THEIR_CLAIMS = {
    "sub": "u1",
    "urn:zitadel:iam:org:project:roles": _ROLES,
    "urn:zitadel:iam:org:project:p1:roles": _ROLES,
    "urn:zitadel:iam:user:metadata": {"a": "MQ"},
    "urn:zitadel:iam:user:resourceowner:id": "o1",
}
_ALL = ("project:roles", "user:metadata", "user:resourceowner")


@pytest.mark.parametrize(
    ("theirs", "read"),
    [
        ("org:project:id:zitadel:aud", "urn:portico:project:id:portico:aud"),
        ("org:project:id:p1:aud", "urn:portico:project:id:p1:aud"),
        ("org:idp:id:i1", "urn:portico:idp:id:i1"),
        ("org:project:roles", "urn:zitadel:iam:org:project:roles"),
        ("org:projects:roles", "urn:zitadel:iam:org:project:roles"),
        ("org:project:role:admin", "urn:zitadel:iam:org:project:roles"),
        ("user:metadata", "urn:zitadel:iam:user:metadata"),
        ("user:resourceowner", "urn:zitadel:iam:user:resourceowner"),
        ("org:id:o1", "urn:zitadel:iam:org:id:o1"),
    ],
)
def test_scope_keeps_their_name_where_it_names_a_claim(theirs: str, read: str) -> None:
    assert readable_scope(f"openid {_THEIRS}{theirs} email") == f"openid {read} email"
    assert is_known(read)


def test_scope_without_a_counterpart_stays() -> None:
    """Unknown words are left to the checks of scopes."""
    text = "openid urn:zitadel:iam:org:domain:primary:x.example urn:portico:project:roles notes.read"

    assert readable_scope(text) == text


def test_scope_has_one_meaning_under_both_names() -> None:
    """A user who allowed it under one name is not asked about the other."""
    assert [own_name(f"{_THEIRS}{word}") for word in ("org:project:roles", *_ALL[1:])] == [f"{_OURS}{w}" for w in _ALL]
    assert to_be_allowed((f"{_THEIRS}user:metadata", f"{_OURS}user:metadata", f"{_THEIRS}org:id:o1")) == (
        f"{_OURS}user:metadata",
    )
    assert organization_in(f"{_THEIRS}org:id:o1") == "o1"


def test_list_of_roles_under_their_name_stays() -> None:
    """An application may have registered it as its `rolesClaim`."""
    claims = {"urn:portico:project:roles": {"admin": {}}, "urn:zitadel:iam:org:project:roles": ["admin"]}

    assert with_asked_names(claims, (f"{_THEIRS}org:project:roles",)) == claims


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ([f"{_OURS}{word}" for word in _ALL], _CLAIMS),
        ([f"{_THEIRS}org:project:roles", f"{_THEIRS}user:metadata", f"{_THEIRS}user:resourceowner"], _THEIR_CLAIMS),
        ([f"{_THEIRS}org:project:roles", f"{_OURS}project:roles", f"{_THEIRS}user:metadata", f"{_THEIRS}org:id:o1"],
         _THEIR_CLAIMS | {name: claim for name, claim in _CLAIMS.items() if name.endswith(":roles")}),
        (["openid"], _CLAIMS | _THEIR_CLAIMS),
        ([f"{_OURS}project:id:p1:aud"], _CLAIMS | _THEIR_CLAIMS),
        ([f"{_OURS}org:id:o1", f"{_OURS}project:roles", f"{_OURS}user:metadata"], _CLAIMS),
    ],
    ids=["Portico's", "ZITADEL's", "both", "neither", "an audience", "an organization"],
)  # fmt: skip
def test_claims_have_the_names_that_were_requested(scope: list[str], expected: dict[str, object]) -> None:
    """Claims that no scope names, which the application's settings add, come under both."""
    assert with_asked_names(_CLAIMS, scope) == expected
