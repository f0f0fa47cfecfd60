"""The form of a token request (RFC 6749 §3.2)."""

from __future__ import annotations

from itertools import product
from urllib.parse import quote

import pytest
from portico_fakes.token_service import CALLBACK, SECRET, TokenService, basic_header
from portico_harness.rows import row

SCHEMA_VERSION = {"grant_type": "authorization_code", "code": "c", "redirect_uri": CALLBACK}


OTHER_GRANT_TYPES: list[str] = [
    "password",
    "urn:openid:params:grant-type:ciba",
    "AUTHORIZATION_CODE",
    "authorization_code ",
    "implicit",
    "x" * 5_000,
]


async def test_other_grant_type_is_unsupported(token_service: TokenService) -> None:
    """Grant types are case-sensitive and checked before the client is authenticated (TK-19)."""
    for grant_type in OTHER_GRANT_TYPES:
        with row(grant_type):
            answer = await token_service.token({**SCHEMA_VERSION, "grant_type": grant_type}, basic=("web", SECRET))

            assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")


@pytest.mark.parametrize("form", [{}, {"grant_type": ""}])
async def test_missing_grant_type_is_invalid_request(token_service: TokenService, form: dict[str, str]) -> None:
    """A grant_type that is absent or empty is an invalid_request (TK-19)."""
    answer = await token_service.token(form, basic=("web", SECRET))

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_disallowed_grant_is_unauthorized_client(token_service: TokenService) -> None:
    """The grant is supported but not allowed for this client (TK-19)."""
    token_service.register("app", grant_types=("implicit",))
    code = token_service.issue_code("app")

    answer = await token_service.redeem(code, "app")

    assert (answer.status_code, answer.json()["error"]) == (400, "unauthorized_client")
    assert not token_service.authz.codes[code].used


async def test_only_post_is_allowed(token_service: TokenService) -> None:
    """Every other method is 405 in the error format of this endpoint (TK-21)."""
    for method in ("GET", "PUT", "DELETE", "PATCH", "HEAD"):
        with row(method):
            answer = await token_service.http.request(method, "/oauth/v2/token")

            assert answer.status_code == 405
            assert answer.headers["allow"] == "POST"
            assert answer.headers["cache-control"] == "no-store"
            if method != "HEAD":
                assert answer.json()["error"] == "invalid_request"


OTHER_BODIES: list[dict[str, str]] = [
    {"Content-Type": "application/json"},
    {"Content-Type": "multipart/form-data; boundary=x"},
    {"Content-Type": "text/plain"},
    {"Content-Type": ""},
    {"Content-Encoding": "gzip"},
]


async def test_only_forms_are_accepted(token_service: TokenService) -> None:
    """A body that is not a urlencoded form is 415 (TK-21)."""
    for headers in OTHER_BODIES:
        with row(headers):
            answer = await token_service.token(SCHEMA_VERSION, basic=("web", SECRET), headers=headers)

            assert (answer.status_code, answer.json()["error"]) == (415, "invalid_request")


async def test_charset_of_the_content_type_is_ignored(token_service: TokenService) -> None:
    code = token_service.issue_code("web")
    headers = {"Content-Type": "Application/X-WWW-Form-URLencoded; charset=UTF-8"}

    answer = await token_service.token({**SCHEMA_VERSION, "code": code}, basic=("web", SECRET), headers=headers)

    assert answer.status_code == 200


async def test_body_over_the_limit_is_413(token_service: TokenService) -> None:
    """A body of more than 64 KiB is refused (TK-19, RX-01)."""
    answer = await token_service.token({**SCHEMA_VERSION, "code": "c" * 65_536}, basic=("web", SECRET))

    assert (answer.status_code, answer.json()["error"]) == (413, "invalid_request")


KNOWN: list[str] = [
    "grant_type",
    "code",
    "redirect_uri",
    "client_id",
    "client_secret",
    "code_verifier",
    "token",
    "expires_in",
]


async def test_repeated_parameter_is_refused(token_service: TokenService) -> None:
    """Each known parameter is allowed once, with equal values or not (RFC 6749 §3.2)."""
    for name, second in product(KNOWN, ("same", "other")):
        with row(name, second):
            body = f"grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fa&{name}=same&{name}={second}"

            answer = await token_service.token(body, basic=("web", SECRET))

            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_unknown_parameter_may_be_repeated(token_service: TokenService) -> None:
    """Only known parameters are read (RFC 6749 §3.2)."""
    code = token_service.issue_code("web")
    for path, known in {
        "/oauth/v2/token": f"grant_type=authorization_code&code={code}&redirect_uri={quote(CALLBACK, safe='')}",
        "/oauth/v2/introspect": "token=unknown",
        "/oauth/v2/revoke": "token=unknown",
    }.items():
        answer = await token_service.http.post(
            path,
            content=f"{known}&audience=a&audience=b",
            headers={"Authorization": basic_header("web", SECRET), "Content-Type": "application/x-www-form-urlencoded"},
        )
        assert answer.status_code == 200, path


async def test_credentials_in_the_url_are_refused(token_service: TokenService) -> None:
    """URLs are logged, so no secret is read from the query, not even with a valid body (TK-21)."""
    for query in ("client_id=web&client_secret=" + SECRET, "code=c", "client_assertion=x"):
        with row(query):
            code = token_service.issue_code("web")

            answer = await token_service.http.post(
                f"/oauth/v2/token?{query}",
                data={**SCHEMA_VERSION, "code": code},
                headers={"Authorization": basic_header("web", SECRET)},
            )

            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_grant_type_in_the_url_is_not_read(token_service: TokenService) -> None:
    answer = await token_service.http.post(
        "/oauth/v2/token?grant_type=authorization_code",
        data={"redirect_uri": CALLBACK},
        headers={"Authorization": basic_header("web", SECRET)},
    )

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


async def test_unreadable_form_is_a_client_error(token_service: TokenService) -> None:
    for body in ("grant_type=%ff", "grant_type=a%00b", "&" * 200, "grant_type=\xe9"):
        with row(body):
            answer = await token_service.token(body, basic=("web", SECRET))

            assert 400 <= answer.status_code < 500
            assert answer.json()["error"] == "invalid_request"


WRONG_FORMS: list[dict[str, str]] = [{}, {"grant_type": "nope"}, SCHEMA_VERSION]


async def test_error_is_never_stored(token_service: TokenService) -> None:
    """Every response has no-store and a request id (TK-21)."""
    for form in WRONG_FORMS:
        with row(form):
            answer = await token_service.token(form)

            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["pragma"] == "no-cache"
            assert answer.headers["x-request-id"]
            assert set(answer.json()) == {"error", "error_description"}


async def test_trailing_slash_is_another_path(token_service: TokenService) -> None:
    """A 307 would send the secrets again (AZ-16)."""
    answer = await token_service.http.post("/oauth/v2/token/", data=SCHEMA_VERSION)

    assert answer.status_code == 404
    assert answer.json()["error"] == "invalid_request"
