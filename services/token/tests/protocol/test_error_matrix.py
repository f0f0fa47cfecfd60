"""Every error of the specification's token table, for every grant and method it applies to.

Run with ``-s`` to print the matrix of requests, statuses, errors and headers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx
import msgspec
import pytest
from portico_contracts.users import AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_assertions import MemoryAssertions
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_calls import EVERY_CALL, VERIFIER, Call, good, register_everybody
from portico_fakes.token_service import CALLBACK, SECRET, TokenService, basic_header, token_service_in_memory
from portico_harness.rows import row as noted
from portico_oauth.grant_types import AUTHORIZATION_CODE, CLIENT_CREDENTIALS, JWT_BEARER, REFRESH_TOKEN
from portico_oauth.jose import SigningKey
from portico_oauth.pkce import challenge_of

STRANGE = SigningKey.generate("k1", "ES256")
CODE: Final = [call for call in EVERY_CALL if call[0] == AUTHORIZATION_CODE]
REFRESH: Final = [call for call in EVERY_CALL if call[0] == REFRESH_TOKEN]
SERVICE: Final = [call for call in EVERY_CALL if call[0] in (CLIENT_CREDENTIALS, JWT_BEARER)]
APPS: Final = [*CODE, *REFRESH]
AUTHENTICATED: Final = [call for call in EVERY_CALL if call[0] != JWT_BEARER]
WITH_SECRET: Final = [call for call in EVERY_CALL if "secret" in call[1]]
WITH_PROOF: Final = [call for call in AUTHENTICATED if call[1] != "none"]


BROKEN: Any = None
Spoil = Callable[[Call], Awaitable[None] | None]


@dataclass(frozen=True)
class Row:
    """One faulty request and its expected error; with `changes_service`, each call gets a new service."""

    condition: str
    spoil: Spoil
    error: str
    calls: Any = EVERY_CALL
    status: int = 400
    changes_service: bool = False


def without(*names: str) -> Spoil:
    def spoil(call: Call) -> None:
        call.form = {name: value for name, value in call.form.items() if name not in names}

    return spoil


def having(**form: str) -> Spoil:
    return lambda call: call.form.update(form)


def repeating(name: str) -> Spoil:
    def spoil(call: Call) -> None:
        call.more = f"&{name}=x&{name}=x"

    return spoil


def _basic_too(call: Call) -> None:
    if "Authorization" in call.headers:
        call.form |= {"client_id": call.client, "client_secret": SECRET}
    else:
        call.headers["Authorization"] = basic_header(call.client, SECRET)


def _two_credentials(call: Call) -> None:
    call.form |= {"client_assertion_type": ASSERTION_TYPE, "client_assertion": call.assertion()}
    call.form |= {"client_id": call.client, "client_secret": SECRET}


def _wrong_secret(call: Call) -> None:
    if "Authorization" in call.headers:
        call.headers["Authorization"] = basic_header(call.client, SECRET + "x")
    else:
        call.form["client_secret"] = SECRET + "x"


def _no_authentication(call: Call) -> None:
    call.headers.clear()
    without("client_id", "client_secret", "client_assertion", "client_assertion_type")(call)


def _unknown_client(call: Call) -> None:
    for found in (call.service.users.clients, call.service.users.service_users):
        found.pop(call.client, None)


def _another_method(call: Call) -> None:
    """For a strict application."""
    known = call.service.users.clients[call.client]
    call.service.users.clients[call.client] = msgspec.structs.replace(known, strict_auth_method=True)
    _no_authentication(call)
    if call.method == "client_secret_basic":
        call.form |= {"client_id": call.client, "client_secret": SECRET}
    else:
        call.headers["Authorization"] = basic_header(call.client, SECRET)


def _unsupported_method(call: Call) -> None:
    _no_authentication(call)
    call.headers["Authorization"] = "Digest username=app"


def _only_the_id(call: Call) -> None:
    _no_authentication(call)
    call.form["client_id"] = call.client


def _foreign_key(call: Call) -> None:
    call.form["client_assertion"] = call.assertion(STRANGE)


def _other_grant_types(call: Call) -> None:
    known = call.service.users.clients[call.client]
    call.service.users.clients[call.client] = msgspec.structs.replace(known, grant_types=("implicit",))


def _an_application(call: Call) -> None:
    for name, method in (("app", AuthMethod.CLIENT_SECRET_BASIC), ("app-post", AuthMethod.CLIENT_SECRET_POST)):
        call.service.register(name, method)
    if call.method == "client_secret_post":
        call.form["client_id"] = "app-post"
    else:
        call.headers["Authorization"] = basic_header("app", SECRET)


async def _used(call: Call) -> None:
    assert (await call.send()).status_code == 200
    if "client_assertion" in call.form:
        call.form["client_assertion"] = call.assertion()


async def _revoked(call: Call) -> None:
    for grant_id in list(call.grants.held):
        await call.grants.revoke(grant_id)


def _inactive_user(call: Call) -> None:
    call.service.users.people.clear()


def _of_another_client(call: Call) -> None:
    _no_authentication(call)
    call.headers["Authorization"] = basic_header("app-other", SECRET)
    call.service.register("app-other", grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN))


def _expired(call: Call) -> None:
    clock = call.service.clock
    assert isinstance(clock, FrozenClock)
    call.form["assertion"] = call.assertion(exp=int(clock.now()) - 1)


def _used_assertion(call: Call) -> Awaitable[None]:
    async def spoil() -> None:
        assert (await call.send()).status_code == 200
        if call.grant == AUTHORIZATION_CODE:
            call.form["code"] = call.service.issue_code(call.client, challenge=challenge_of(VERIFIER))

    return spoil()


def _store_down(call: Call) -> None:
    call.grants.down = True


def _broken(call: Call) -> None:
    async def fault(*_args: Any) -> None:
        raise RuntimeError("nobody foresaw this")

    call.service.authz.codes = BROKEN
    call.grants.find_refresh = call.grants.save = fault  # type: ignore[method-assign, assignment]


ID_ALONE: Final = ("none", "tls_client_auth", "self_signed_tls_client_auth")
"""Methods of which the request itself has only the client id, which Basic may repeat."""

MATRIX: Final = (
    # invalid_request: missing, unsupported value, repeated, multiple credentials, more than one mechanism, malformed
    Row("grant_type missing", without("grant_type"), "invalid_request"),
    Row("grant_type empty", having(grant_type=""), "invalid_request"),
    Row("code missing", without("code"), "invalid_request", CODE),
    Row("redirect_uri missing", without("redirect_uri"), "invalid_request", CODE),
    Row("code_verifier missing", without("code_verifier"), "invalid_request", CODE),
    Row("code_verifier malformed", having(code_verifier="short"), "invalid_request", CODE),
    Row("refresh_token missing", without("refresh_token"), "invalid_request", REFRESH),
    Row("scope missing", without("scope"), "invalid_request", SERVICE),
    Row("assertion missing", without("assertion"), "invalid_request", [(JWT_BEARER, "assertion")]),
    Row(
        "client_assertion_type unsupported",
        having(client_assertion_type="other"),
        "invalid_request",
        [call for call in APPS if call[1] == "private_key_jwt"],
    ),
    Row("grant_type repeated", repeating("grant_type"), "invalid_request"),
    Row("client_id repeated", repeating("client_id"), "invalid_request"),
    Row("scope repeated", repeating("scope"), "invalid_request"),
    Row("two mechanisms", _basic_too, "invalid_request", [c for c in EVERY_CALL if c[1] not in ID_ALONE]),
    Row("multiple credentials", _two_credentials, "invalid_request"),
    Row("form unreadable", repeating("%ff"), "invalid_request"),
    Row(
        "credentials half sent",
        having(client_assertion="a.b.c"),
        "invalid_request",
        [call for call in EVERY_CALL if call[1] != "private_key_jwt"],
    ),
    # invalid_scope: invalid, unknown, malformed, exceeds the granted scope
    Row("scope unknown", having(scope="openid nope"), "invalid_scope", [*REFRESH, *SERVICE]),
    Row("scope malformed", having(scope="openid\temail"), "invalid_scope", [*REFRESH, *SERVICE]),
    Row("scope too long", having(scope="a" * 4_001), "invalid_scope", [*REFRESH, *SERVICE]),
    Row("scope wider than granted", having(scope="openid email"), "invalid_scope", REFRESH),
    Row("scope of an unknown project", having(scope="urn:portico:project:id:x:aud"), "invalid_scope", SERVICE),
    Row("scope of another organization", having(scope="urn:portico:org:id:other"), "invalid_scope", SERVICE),
    # unauthorized_client
    Row("grant not enabled for the client", _other_grant_types, "unauthorized_client", APPS, changes_service=True),
    Row(
        "an application asks for client_credentials",
        _an_application,
        "unauthorized_client",
        [call for call in SERVICE if call[0] == CLIENT_CREDENTIALS],
    ),
    # unsupported_grant_type
    Row("grant_type unknown", having(grant_type="password"), "unsupported_grant_type"),
    Row("grant_type in another case", lambda c: c.form.update(grant_type=c.grant.upper()), "unsupported_grant_type"),
    # server_error
    Row("store unreachable", _store_down, "server_error", EVERY_CALL, 503, changes_service=True),
    Row("something unforeseen", _broken, "server_error", EVERY_CALL, 500, changes_service=True),
    # invalid_grant: invalid, expired, revoked, mismatching the redirect URI, issued to another client
    Row("code unknown", having(code="x"), "invalid_grant", CODE),
    Row("code used", _used, "invalid_grant", CODE),
    Row("code of another client", _of_another_client, "invalid_grant", CODE),
    Row("redirect_uri differs", having(redirect_uri=CALLBACK + "/"), "invalid_grant", CODE),
    Row("code_verifier wrong", having(code_verifier="w" * 43), "invalid_grant", CODE),
    Row("refresh_token unknown", having(refresh_token="x"), "invalid_grant", REFRESH),
    Row("refresh_token used", _used, "invalid_grant", REFRESH),
    Row("refresh_token revoked", _revoked, "invalid_grant", REFRESH),
    Row("refresh_token of another client", _of_another_client, "invalid_grant", REFRESH),
    Row("user gone", _inactive_user, "invalid_grant", APPS, changes_service=True),
    Row("assertion expired", _expired, "invalid_grant", [(JWT_BEARER, "assertion")]),
    Row("assertion used", _used_assertion, "invalid_grant", [(JWT_BEARER, "assertion")]),
    Row("assertion of nobody", having(assertion="a.b.c"), "invalid_grant", [(JWT_BEARER, "assertion")]),
    Row("service user gone", _unknown_client, "invalid_grant", [(JWT_BEARER, "assertion")], changes_service=True),
    # invalid_client: unknown client, no authentication, unsupported method
    Row("client unknown", _unknown_client, "invalid_client", AUTHENTICATED, 401, changes_service=True),
    Row("no authentication", _no_authentication, "invalid_client", AUTHENTICATED, 401),
    Row("wrong secret", _wrong_secret, "invalid_client", WITH_SECRET, 401),
    Row("another method than the registered one", _another_method, "invalid_client", APPS, 401, changes_service=True),
    Row("only the id", _only_the_id, "invalid_client", WITH_PROOF, 401),
    Row("unsupported method", _unsupported_method, "invalid_client", AUTHENTICATED, 401),
    Row("wrong key", _foreign_key, "invalid_client", [c for c in APPS if c[1] == "private_key_jwt"], 401),
    Row("assertion used", _used_assertion, "invalid_client", [(AUTHORIZATION_CODE, "private_key_jwt")], 401),
)


async def test_base_request_is_valid(signing_keys: tuple[SigningKey, ...]) -> None:
    async with _new_service(signing_keys) as (service, grants):
        for call in EVERY_CALL:
            answer = await (await good(service, grants, *call)).send()
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store"), (call, answer.text)


@pytest.mark.slow
async def test_every_error(signing_keys: tuple[SigningKey, ...]) -> None:
    """Every grant and method gets the status, body and headers of its row (RFC 6749 §5.2)."""
    found = []
    async with _new_service(signing_keys) as (service, grants):
        for row in MATRIX:
            if not row.changes_service:
                found += [await _refused(row, service, grants, call) for call in row.calls]
    for row in MATRIX:
        if row.changes_service:
            for call in row.calls:
                async with _new_service(signing_keys) as (service, grants):
                    found.append(await _refused(row, service, grants, call))

    assert len(found) == sum(len(row.calls) for row in MATRIX)
    assert [wrong for wrong in found if wrong] == []


@asynccontextmanager
async def _new_service(signing_keys: tuple[SigningKey, ...]) -> AsyncIterator[tuple[TokenService, MemoryGrants]]:
    clock, grants = FrozenClock(), MemoryGrants()
    service = token_service_in_memory(clock, MemoryBus(), grants, signing_keys, assertions=MemoryAssertions(clock))
    register_everybody(service)
    async with service.running():
        yield service, grants


async def _refused(row: Row, service: TokenService, grants: MemoryGrants, of: tuple[str, str]) -> str:
    """Sends a faulty request; returns the row, request and response unless the response matches the row."""
    with noted(row.condition, *of):
        call = await good(service, grants, *of)
        spoiling = row.spoil(call)
        if spoiling is not None:
            await spoiling
        await service.publish_app_changed()
        await service.publish_user_changed()
        answer = await call.send()
        print(_line(row, call, answer))  # noqa: T201 - the matrix is there to be read
        is_right = _is_of(row, call, answer)
    return "" if is_right else f"{row.condition}, {of}: {answer.status_code} {answer.headers} {answer.text}"


def _is_of(row: Row, call: Call, answer: httpx.Response) -> bool:
    headers, challenge = answer.headers, answer.headers.get("www-authenticate", "")
    return (
        (answer.status_code, answer.json()["error"]) == (row.status, row.error)
        and set(answer.json()) == {"error", "error_description"}
        and (headers["cache-control"], headers["pragma"]) == ("no-store", "no-cache")
        and headers["content-type"] == "application/json"
        and ("retry-after" in headers) == (row.status == 503)
        and challenge.startswith("Basic ") == (row.status == 401 and "Authorization" in call.headers)
    )


def test_matrix_is_complete() -> None:
    """Every error of the specification's table is covered for every grant it applies to."""
    errors = {row.error for row in MATRIX}
    met = {error: {grant for row in MATRIX if row.error == error for grant, _method in row.calls} for error in errors}
    everybody = {AUTHORIZATION_CODE, REFRESH_TOKEN, CLIENT_CREDENTIALS, JWT_BEARER}

    assert {grant for grant, _method in EVERY_CALL} == everybody
    assert met["invalid_request"] == met["unsupported_grant_type"] == met["server_error"] == everybody
    assert met["invalid_scope"] == everybody - {AUTHORIZATION_CODE}
    assert met["unauthorized_client"] == met["invalid_client"] == everybody - {JWT_BEARER}
    assert met["invalid_grant"] == everybody - {CLIENT_CREDENTIALS}
    assert len(errors) == 7


def _line(row: Row, call: Call, answer: httpx.Response) -> str:
    challenge = answer.headers.get("www-authenticate", "")
    where = f"{call.grant.rpartition(':')[2]:19} {call.method:20}"
    outcome = f"{answer.status_code} {answer.json()['error']:23}"
    headers = [f"{name}" for name in ("retry-after", "www-authenticate") if name in answer.headers]
    return f"{row.condition:42} {where} {outcome} no-store {' '.join(headers)} {challenge[:5]}".rstrip()
