"""Every error row of the specification's token table, through the gateway, for every grant and method that meets it.

Run with ``-s`` to read the matrix: what was sent, and what was answered with status, error and headers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import httpx
import pytest
from portico_journeys.agent import Agent
from portico_journeys.participants import ALICE, OTHER_REDIRECT
from portico_journeys.programs import ROBOT
from portico_journeys.relying_party import begin
from portico_journeys.token_requests import (
    AUTHENTICATED,
    CODE,
    CREDENTIALS,
    EVERY_CALL,
    JWT_BEARER,
    REFRESH,
    SECRETS,
    Call,
    Spoil,
    asserting,
    be_an_application,
    be_another_client,
    be_unknown,
    be_without_refresh,
    calls,
    good,
    having,
    name_another_id,
    repeating,
    revoke_before,
    send_only_the_id,
    send_several_credentials,
    send_wrong_secret,
    use_another_method,
    use_before,
    use_client_assertion_twice,
    use_strange_key,
    use_two_mechanisms,
    use_unknown_scheme,
    without,
)
from portico_journeys.world import World

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class Row:
    """One way to go wrong, and what is answered to it."""

    condition: str
    spoil: Spoil
    error: str
    calls: Sequence[tuple[str, str]] = EVERY_CALL

    @property
    def status(self) -> int:
        """RFC 6749 §5.2."""
        return 401 if self.error == "invalid_client" else 400


MATRIX: Final = (
    # invalid_request: missing, unsupported value, repeated, several credentials or mechanisms, otherwise malformed
    Row("grant_type missing", without("grant_type"), "invalid_request"),
    Row("grant_type empty", having(grant_type=""), "invalid_request"),
    Row("code missing", without("code"), "invalid_request", calls(CODE)),
    Row("redirect_uri missing", without("redirect_uri"), "invalid_request", calls(CODE)),
    Row("code_verifier missing", without("code_verifier"), "invalid_request", calls(CODE)),
    Row("code_verifier malformed", having(code_verifier="short"), "invalid_request", calls(CODE)),
    Row("refresh_token missing", without("refresh_token"), "invalid_request", calls(REFRESH)),
    Row("scope missing", without("scope"), "invalid_request", calls(CREDENTIALS, JWT_BEARER)),
    Row("assertion missing", without("assertion"), "invalid_request", calls(JWT_BEARER)),
    Row(
        "client_assertion_type unsupported",
        having(client_assertion_type="other"),
        "invalid_request",
        calls(methods=["private_key_jwt"]),
    ),
    Row("client_assertion_type missing", without("client_assertion_type"), "invalid_request",
        calls(methods=["private_key_jwt"])),
    Row("grant_type repeated", repeating("grant_type"), "invalid_request"),
    Row("scope repeated", repeating("scope", "openid"), "invalid_request"),
    Row("unknown parameter repeated", repeating("anything"), "invalid_request"),
    Row("client_id in the body is another one", name_another_id, "invalid_request",
        calls(methods=["client_secret_basic", "private_key_jwt", "assertion"])),
    Row("two mechanisms", use_two_mechanisms, "invalid_request", calls(never=["none"])),
    Row("several credentials", send_several_credentials, "invalid_request"),
    Row("body unreadable", repeating("%ff"), "invalid_request"),
    # invalid_scope: invalid, unknown, malformed, exceeds what was granted
    Row("scope unknown", having(scope="openid nope"), "invalid_scope", calls(REFRESH, CREDENTIALS, JWT_BEARER)),
    Row("scope malformed", having(scope="openid  email"), "invalid_scope", calls(REFRESH, CREDENTIALS, JWT_BEARER)),
    Row("scope too long", having(scope="a" * 4_001), "invalid_scope", calls(REFRESH, CREDENTIALS, JWT_BEARER)),
    Row("scope wider than granted", having(scope="openid email"), "invalid_scope", calls(REFRESH)),
    Row("scope of an unknown project", having(scope="urn:portico:project:id:nowhere:aud"), "invalid_scope",
        calls(CREDENTIALS, JWT_BEARER)),
    Row("scope of another organization", having(scope="urn:portico:org:id:e2e-other-org"), "invalid_scope",
        calls(CREDENTIALS, JWT_BEARER)),
    # unauthorized_client: the authenticated client may not use this grant type
    Row("application without refresh tokens", be_without_refresh, "unauthorized_client",
        calls(REFRESH, methods=["client_secret_basic"])),
    Row("application asks for client_credentials", be_an_application, "unauthorized_client", calls(CREDENTIALS)),
    # unsupported_grant_type
    Row("grant_type unknown", having(grant_type="password"), "unsupported_grant_type"),
    Row("grant_type in another case", lambda c: c.form.update(grant_type=c.grant.upper()), "unsupported_grant_type"),
    # invalid_grant: invalid, expired, revoked, mismatching the redirect URI, issued to another client
    Row("code unknown", having(code="x"), "invalid_grant", calls(CODE)),
    Row("code used", use_before, "invalid_grant", calls(CODE)),
    Row("code of another client", be_another_client, "invalid_grant", calls(CODE)),
    Row("redirect_uri is another one", having(redirect_uri=OTHER_REDIRECT), "invalid_grant", calls(CODE)),
    Row("code_verifier wrong", having(code_verifier="w" * 43), "invalid_grant", calls(CODE)),
    Row("refresh_token unknown", having(refresh_token="x"), "invalid_grant", calls(REFRESH)),
    Row("refresh_token used", use_before, "invalid_grant", calls(REFRESH)),
    Row("refresh_token revoked", revoke_before, "invalid_grant", calls(REFRESH)),
    Row("refresh_token of another client", be_another_client, "invalid_grant", calls(REFRESH)),
    Row("assertion expired", asserting(iat=1_700_000_000, exp=1_700_000_060), "invalid_grant", calls(JWT_BEARER)),
    Row("assertion lives too long", asserting(exp=4_000_000_000), "invalid_grant", calls(JWT_BEARER)),
    Row("assertion without exp", asserting(exp=...), "invalid_grant", calls(JWT_BEARER)),
    Row("assertion for somebody else", asserting(aud="https://other.example.test"), "invalid_grant",
        calls(JWT_BEARER)),
    Row("assertion about somebody else", asserting(sub=ROBOT.user_id), "invalid_grant", calls(JWT_BEARER)),
    Row("assertion used", use_before, "invalid_grant", calls(JWT_BEARER)),
    Row("assertion that is none", having(assertion="a.b.c"), "invalid_grant", calls(JWT_BEARER)),
    Row("assertion of an unknown user", asserting(iss="e2e-nobody", sub="e2e-nobody"), "invalid_grant",
        calls(JWT_BEARER)),
    # invalid_client: unknown client, no authentication, unsupported method
    Row("client unknown", be_unknown, "invalid_client", AUTHENTICATED),
    Row("no authentication", Call.no_authentication, "invalid_client", AUTHENTICATED),
    Row("secret wrong", send_wrong_secret, "invalid_client", calls(methods=SECRETS)),
    Row("another method than the registered one", use_another_method, "invalid_client", calls(CODE, REFRESH)),
    Row("only the id", send_only_the_id, "invalid_client", calls(never=["none", "assertion"])),
    Row("scheme of the header unknown", use_unknown_scheme, "invalid_client", AUTHENTICATED),
    Row("key unknown", use_strange_key, "invalid_client", calls(CODE, REFRESH, methods=["private_key_jwt"])),
    Row("client_assertion used", use_client_assertion_twice, "invalid_client",
        calls(CODE, REFRESH, methods=["private_key_jwt"])),
)  # fmt: skip
"""Of server_error, the 503 is in test_faults: a store or the bus has to be away for it."""


def cells() -> Iterator[tuple[Row, str, str]]:
    """Every row with every grant and method it covers."""
    for row in MATRIX:
        for grant, method in row.calls:
            yield row, grant, method


@pytest.fixture(scope="module")
async def alice(world: World) -> AsyncIterator[Agent]:
    """A browser Alice is signed in at."""
    async with world.agent() as agent:
        await agent.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        yield agent


@pytest.mark.parametrize(("grant", "method"), EVERY_CALL)
async def test_the_request_that_is_spoilt_is_good(world: World, alice: Agent, grant: str, method: str) -> None:
    """Without anything wrong: 200 and no-store, so each row below is refused for its own reason."""
    answer = await (await good(world, alice, grant, method)).send()

    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["pragma"] == "no-cache"


@pytest.mark.parametrize(
    ("row", "grant", "method"), cells(), ids=[f"{row.condition}, {g.split(':')[-1]}, {m}" for row, g, m in cells()]
)
async def test_every_error(world: World, alice: Agent, row: Row, grant: str, method: str) -> None:
    """Status, body and headers of one cell (RFC 6749 §5.2)."""
    call = await good(world, alice, grant, method)
    spoiling = row.spoil(call)
    if spoiling is not None:
        await spoiling

    answer = await call.send()

    print(_line(row, grant, method, answer))  # noqa: T201 - the matrix is there to be read
    assert (answer.status_code, answer.json()["error"]) == (row.status, row.error), answer.text
    assert set(answer.json()) == {"error", "error_description"}
    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    assert answer.headers["content-type"] == "application/json"
    challenge = answer.headers.get("www-authenticate", "")
    assert challenge.startswith("Basic ") == (row.status == 401 and "Authorization" in call.headers)


def test_the_matrix_is_whole() -> None:
    """Every error of the specification's table is in it, and every grant meets the ones it can meet."""
    everybody = {grant for grant, _method in EVERY_CALL}
    met = {row.error: {grant for one, grant, _m in cells() if one.error == row.error} for row in MATRIX}

    assert met["invalid_request"] == met["unsupported_grant_type"] == everybody
    assert met["invalid_scope"] == everybody - {CODE}
    assert met["unauthorized_client"] == {REFRESH, CREDENTIALS}
    assert met["invalid_grant"] == everybody - {CREDENTIALS}
    assert met["invalid_client"] == everybody - {JWT_BEARER}
    assert len(met) == 6


def _line(row: Row, grant: str, method: str, answer: httpx.Response) -> str:
    where = f"{grant.rpartition(':')[2]:19} {method:20}"
    said = f"{answer.status_code} {answer.json()['error']:23}"
    headers = [answer.headers["cache-control"], answer.headers.get("www-authenticate", "")[:5]]
    return f"{row.condition:42} {where} {said} {' '.join(headers)}".rstrip()
