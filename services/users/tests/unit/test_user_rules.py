from __future__ import annotations

import secrets
from typing import Any

import msgspec
import pytest
from portico_contracts.users import AuthMethod
from portico_oauth.errors import ERROR_CODES, ErrorCode, Kind, ServiceError
from portico_users.administrators.permissions import Scope, by_scope
from portico_users.applications.app_record import App, origins_of
from portico_users.applications.client_keys.client_secrets import new_secret
from portico_users.credentials.attempts.attempts import of_unknown, of_user
from portico_users.credentials.attempts.backoff import delay_after
from portico_users.end_users.end_user import EndUser, with_metadata
from portico_users.end_users.rules import problems_of as problems_of_human
from portico_users.grants.role_grants import TOO_MANY_ROLES, RoleGrant, problems_of, with_grants
from portico_users.organizations.org import Org
from portico_users.policies.password_policy import COMMON, LIKE_THE_NAME, NOT_A_PASSWORD, TOO_SHORT, problem_with
from portico_users.projects.project import ProjectRole, with_roles
from portico_users.values.problems import Problem, at, refuse_first
from portico_users.values.records import changed_fields


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("1234567", TOO_SHORT),
        ("💥" * 7, TOO_SHORT),
        ("e\u0301" * 7, TOO_SHORT),
        ("x" * 201, NOT_A_PASSWORD),
        ("ＣＯＭＭＯＮ password", COMMON),
        ("my-ALICE-adams-1", LIKE_THE_NAME),
        ("ＡＬＩＣＥ-adams", LIKE_THE_NAME),
        ("💥" * 8, None),
        ("x" * 200, None),
        ("all lower case words", None),
    ],
)
def test_password_policy(password: str, problem: ErrorCode | None) -> None:
    """The rules are length in code points of the composed form, not common, and not the login name (LG-24)."""
    assert problem_with(password, "alice@mail.example", {"common password"}) == problem


def test_short_names_are_allowed_in_passwords() -> None:
    """A name of three letters occurs in too many good passwords."""
    assert problem_with("ambitious plan", "amb", ()) is None


def test_delay_starts_at_the_fifth_failure() -> None:
    """Four attempts are free, then the delay is 1 s and doubles up to a quarter of an hour."""
    assert [delay_after(failures) for failures in range(8)] == [0, 0, 0, 0, 0, 1, 2, 4]
    assert delay_after(14) == 512
    assert delay_after(15) == 900
    assert delay_after(10**9) == 900


def test_counters_contain_no_names() -> None:
    """A typed name is only part of the counter's key as a hash, and never collides with an account's counter."""
    counters = {of_user("alice", "password"), of_unknown("alice", "password"), of_user("alice", "code")}

    assert len(counters) == 3
    assert not any("alice" in counter for counter in counters)


def test_roles_are_grouped_by_scope() -> None:
    """Only scopes that occur are returned, with each role once."""
    assert by_scope(["ORG_OWNER", "ORG_OWNER", "IAM_OWNER"]) == {
        Scope.ORGANIZATION: ("ORG_OWNER",),
        Scope.INSTANCE: ("IAM_OWNER",),
    }
    assert by_scope([]) == {}


def test_client_secret_is_alphanumeric_and_unique() -> None:
    """A secret has 64 letters and digits, even from a source whose first bytes must be discarded."""
    served = iter([b"\xff" * 64, bytes(range(64)), bytes(range(64))])

    assert new_secret(lambda _size: next(served)).isalnum()
    assert len({new_secret(secrets.token_bytes) for _ in range(100)}) == 100
    assert len(new_secret(secrets.token_bytes)) == 64


def test_changed_fields_exclude_details() -> None:
    """Times and sequence numbers are not changes; for a new record the nonempty fields are listed."""
    before = Org(id="o", org_id="o", name="Acme", primary_domain="acme.test", sequence=3, changed=5.0)
    after = Org(id="o", org_id="o", name="Acme AG", primary_domain="acme.test", sequence=4, changed=9.0)

    assert changed_fields(before, after) == ("name",)
    assert changed_fields(None, after) == ("orgId", "state", "name", "primaryDomain")


def test_unnamed_metadata_remains() -> None:
    """Setting one key leaves the others unchanged; values are base64url without padding."""
    stored = with_metadata((), {"b": b"1", "a": b"2"})
    merged = with_metadata(stored, {"b": b"3"})

    assert {entry.key: entry.value for entry in merged} == {"a": "Mg", "b": "Mw"}


def test_unnamed_project_roles_remain() -> None:
    """Setting one role leaves the others unchanged; the order in a document is irrelevant."""
    stored = with_roles((), [ProjectRole(key="writer"), ProjectRole(key="reader")])
    merged = with_roles(stored, [ProjectRole(key="writer", display_name="Writer")])

    assert merged == (ProjectRole(key="reader"), ProjectRole(key="writer", display_name="Writer"))


def test_role_grants_are_exact_per_project() -> None:
    """Grants of other projects and organizations remain; an empty list removes the grant."""
    shop, blog = granted("shop", "acme", "b", "a"), granted("blog", "acme", "a")
    from_elsewhere = granted("shop", "other", "z")
    stored = with_grants((), [shop, blog, from_elsewhere])
    merged = with_grants(stored, [granted("shop", "acme", "c", "c")])
    emptied = with_grants(merged, [granted("shop", "acme")])

    assert stored == (blog, granted("shop", "acme", "a", "b"), from_elsewhere)
    assert merged == (blog, granted("shop", "acme", "c"), from_elsewhere)
    assert emptied == (blog, from_elsewhere)


def granted(project_id: str, org_id: str, *role_keys: str) -> RoleGrant:
    return RoleGrant(project_id=project_id, org_id=org_id, role_keys=role_keys)


def test_roles_per_user_are_limited() -> None:
    """A user is loaded with all grants, so their total number is limited (MG-14)."""
    most = [granted("a", "o", *map(str, range(999))), granted("b", "o", "x")]

    assert list(problems_of(most)) == []
    assert list(problems_of([*most, granted("c", "o", "y")])) == [Problem("grants", TOO_MANY_ROLES)]


def test_origins_are_normalized_like_in_browsers() -> None:
    """Origins are in lower case and without the default port; URIs without an origin have none (RFC 6454 §6.2)."""
    app = App(
        id="a",
        org_id="o",
        project_id="p",
        name="shop",
        client_id="c",
        auth_method=AuthMethod.NONE,
        redirect_uris=(
            "https://Shop.example:443/cb",
            "http://[::1]:80/cb",
            "https://shop.example/2",
            "com.example:/cb",
        ),
        additional_origins=("https://cdn.example:8443", "http://localhost:443"),
    )

    assert origins_of(app) == (
        "https://shop.example",
        "http://[::1]",
        "https://cdn.example:8443",
        "http://localhost:443",
    )


def test_error_starts_with_its_path() -> None:
    """The public text starts with the path; kind, id and wait are unchanged."""
    error_code = next(error_code for error_code in ERROR_CODES.values() if error_code.kind is Kind.UNAVAILABLE)
    error = at("organizations[0].name", error_code.error(retry_after=3))

    assert error.text == f"organizations[0].name: {error_code.text}"
    assert (error.kind, error.id, error.retry_after) == (error_code.kind, error_code.id, 3)
    with pytest.raises(ServiceError) as refused:
        refuse_first(iter([Problem("roles[1]", error_code), Problem("later", error_code)]), "humans[2]")

    assert refused.value.text.startswith("humans[2].roles[1]: ")


def test_repr_omits_values() -> None:
    """The repr of a record names only the object (IN-09)."""
    assert repr(Org(id="o", org_id="o", name="Secret Club", primary_domain="club.test")) == "Org(id='o')"


@pytest.mark.parametrize("key", [".", ".."])
def test_unaddressable_metadata_keys_are_refused(key: str) -> None:
    """A new key that no path can contain is refused; a stored one does not prevent other changes of its user."""
    names: dict[str, Any] = {
        "user_name": "ada",
        "first_name": "A",
        "last_name": "B",
        "display_name": "A B",
        "email": "a@mail.example",
    }
    stored = EndUser(id="ada", org_id="o", metadata=with_metadata((), {key: b"1"}), **names)
    renamed = msgspec.structs.replace(stored, last_name="C")

    assert [one.path for one in problems_of_human(stored)] == ["metadata"]
    assert list(problems_of_human(renamed, stored)) == []
