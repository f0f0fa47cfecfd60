"""Bad input below the parameters: invalid bodies, methods, headers and paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from portico_contracts.http import GATEWAY, Surface
from portico_journeys.attacker import FORM, Attacker, error_in
from portico_journeys.bad_values import FORWARDED, INTERNAL
from portico_journeys.machine_speed import signature_seconds

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]

FORMS = ("token_endpoint", "introspection_endpoint", "revocation_endpoint")
POSTED = [route.path.replace("*", "something") for route in GATEWAY]
TAKES_FORMS = ("/oauth/v2/token", "/oauth/v2/introspect", "/oauth/v2/revoke", "/oauth/v2/authorize", "/ui/login")
MEDIA = (
    *("", "application/json", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain", "text/xml"),
    *("application/x-www-form-urlencodedx", f"{FORM}, application/json", "application/grpc", "*/*", "; ; ;"),
)


@pytest.mark.parametrize("path", POSTED)
async def test_other_bodies_than_forms_are_refused_unread(attacker: Attacker, path: str) -> None:
    """Multipart is taken nowhere, nothing is decompressed, no content type confuses a service (RX-02, RX-10)."""
    answers = [await attacker.ask("POST", path, content=b"a=b", headers={"Content-Type": media}) for media in MEDIA]
    for encoding in ("gzip", "br", "zstd", "deflate", "gzip, gzip", "identity;q=0"):
        headers = {"Content-Type": FORM, "Content-Encoding": encoding}
        answers.append(await attacker.ask("POST", path, content=b"\x1f\x8b" * 20, headers=headers))

    if path in TAKES_FORMS:
        assert {answer.status_code for answer in answers} == {415}
    else:
        calls = [answer for answer in answers if "grpc-status" in answer.headers]  # gRPC sends its errors with HTTP 200
        assert {answer.headers["grpc-status"] for answer in calls} <= {"12"}
        assert {answer.status_code for answer in answers if answer not in calls} <= {400, 401, 404, 405, 415}


def _bodies() -> Iterator[tuple[str, bytes]]:
    yield "many fields", b"a=b&" * 16_000
    yield "separators", b"&" * 65_000
    yield "escapes", b"a=" + b"%41" * 21_000
    yield "broken escapes", b"%" * 65_000
    yield "one field", b"a=" + b"x" * 65_000
    yield "too large", b"a=" + b"x" * 65_535  # one byte too many


PLACES = {
    "/oauth/v2/token": "token",
    "/oauth/v2/introspect": "token",
    "/oauth/v2/authorize": "authz",
    f"/ui/login?request={'a' * 45}": "login-ui",
}
ROUNDS = 5


@pytest.mark.parametrize(("path", "service"), PLACES.items())
@pytest.mark.parametrize(("what", "body"), _bodies(), ids=[what for what, _ in _bodies()])
async def test_costly_form_costs_little(attacker: Attacker, what: str, body: bytes, path: str, service: str) -> None:
    """A form as large as may be, of the worst kind, is refused with less work than 200 signatures (RX-01, P8)."""
    before = await attacker.measured(service, "process_cpu_seconds_total")
    answers = [await attacker.post(path, body, Origin=attacker.world.issuer) for _ in range(ROUNDS)]
    spent = await attacker.measured(service, "process_cpu_seconds_total") - before

    assert {answer.status_code for answer in answers} <= {400, 401, 403, 413}
    assert spent / ROUNDS < 200 * signature_seconds()


METHODS = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "FOO", "get")


async def test_other_methods_are_refused_and_cannot_be_disguised(attacker: Attacker) -> None:
    """No method override; what is not served is 4xx with Allow where it is 405 (TK-21, RX-12)."""
    disguise = {"X-HTTP-Method-Override": "POST", "X-Method-Override": "POST", "X-HTTP-Method": "POST"}
    urls = [attacker.endpoint(endpoint) for endpoint in FORMS]
    for method in METHODS:
        for url in urls:
            answer = await attacker.ask(method, url, headers=disguise)
            assert answer.status_code in (400, 405), (method, url)
            assert answer.status_code == 400 or "allow" in answer.headers, (method, url)
        for path in POSTED:
            await attacker.ask(method, path, headers=disguise)


@pytest.mark.parametrize("value", ["evil.example.test", "gopher", "a,b", "127.0.0.1", "x" * 500, "é"])
async def test_headers_of_proxies_change_nothing(attacker: Attacker, value: str) -> None:
    """Together and one by one: same discovery document, same redirect, nothing of them in any answer (HH-01, HH-04)."""
    url = "/.well-known/openid-configuration"
    plain = await attacker.ask("GET", url)
    given_by_client: Iterable[tuple[str, ...]] = [(name,) for name in (*FORWARDED, *INTERNAL)]
    for names in (*given_by_client, (*FORWARDED, *INTERNAL)):
        headers = [(name.encode(), value.encode("latin-1")) for name in names]
        document = await attacker.ask("GET", url, headers=headers)
        redirect = await attacker.ask("GET", attacker.authorize(prompt="none"), headers=headers)
        assert document.content == plain.content, names
        assert error_in(redirect) == "login_required", names
        assert value not in str(document.headers) + redirect.headers["location"], names


@pytest.mark.parametrize(
    "value", ["a", "", "::1%eth0", "6.6.6.6, 7.7.7.7", "x" * 20_000, ",".join(["1.1.1.1"] * 1_000)]
)
async def test_forwarded_for_is_the_gateways_own(attacker: Attacker, value: str) -> None:
    """An address a client writes, readable or not, has the outcome of none (HH-03)."""
    for url in (attacker.endpoint("jwks_uri"), attacker.authorize()):
        answer = await attacker.ask("GET", url, headers={"X-Forwarded-For": value})
        assert answer.status_code in (200, 303)


PATHS = (
    *("/oauth/v2/keys/", "//oauth/v2/keys", "/oauth//v2/keys", "/oauth/v2/./keys", "/OAUTH/V2/KEYS", "/oauth/v2/keys."),
    *("/oauth/v2/keys;a", "/oauth/v2/keys%20", "/oauth/v2/keys%00", "/oauth/v2/keys%0a", "/oauth/v2/keys%3fa", "/%ff"),
    *("/ui/login/..;/metrics", "/ui/login/%2e%2e%2fmetrics", "/ui/login/static/..%2f..%2fmetrics", "/v2/../metrics"),
    *("/v2/..%2flogin/v1/requests/a/step", "/ui/login//login/v1/requests/x/step", "/ui/login/static/portico.css/"),
    *("/ui/login/static/%2e%2e/%2e%2e/__init__.py", "/management/v1/%2e%2e/%2e%2e/readyz", "/v2/users/" + "a/" * 2_000),
)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:40])
async def test_a_path_has_one_spelling(attacker: Attacker, path: str) -> None:
    """Dots, slashes, cases, escapes: 404 in the shape of the place, and nothing internal behind them (P4, MG-19)."""
    answer = await attacker.ask("GET", attacker.world.issuer, extensions={"target": path.encode()})

    assert answer.status_code == 404


@pytest.mark.parametrize("path", ["/v2/users/human", "/management/v1/idps/1/jwt_config", "/admin/v1/x", "/v2beta/x"])
async def test_errors_of_the_management_surface_are_statuses(attacker: Attacker, path: str) -> None:
    """google.rpc.Status with an id and nothing about the inside (MG-19)."""
    for content in (b"", b"{", b"[" * 100_000, b'{"a":' * 50_000, b"\xff", b'{"a":1,"a":2}', b"1" * 100_000):
        answer = await attacker.ask("POST", path, content=content, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500
        assert set(answer.json()) == {"code", "message", "details"}
        assert answer.json()["details"][0]["id"] in answer.json()["message"]


def test_every_surface_was_attacked() -> None:
    """The paths above are those of the gateway's map, of all three surfaces."""
    assert {route.surface for route in GATEWAY} == set(Surface)
