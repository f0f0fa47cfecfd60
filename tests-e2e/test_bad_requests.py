"""Bad input below the parameters: invalid bodies, methods, headers and paths."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from portico_scenarios.attacker import FORM, Attacker, error_in
from portico_scenarios.bad_values import FORWARDED, INTERNAL
from portico_scenarios.machine_speed import signature_seconds

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]

FORMS = ("token_endpoint", "introspection_endpoint", "revocation_endpoint")
TAKES_FORMS = (
    "/oauth/v2/token",
    "/oauth/v2/introspect",
    "/oauth/v2/revoke",
    "/oauth/v2/par",
    "/oauth/v2/authorize",
    "/ui/login",
)
OTHERS = (
    *(
        "/.well-known/openid-configuration",
        "/oauth/v2/keys",
        "/oidc/v1/userinfo",
        "/oidc/v1/end_session",
        "/ui/console",
    ),
    *(
        "/oauth/v2/authorize/resume",
        "/ui/login/something",
        "/ui/console",
        "/ui/account",
        "/v2/something",
        "/v2beta/something",
        "/management/v1/something",
        "/admin/v1/something",
    ),
    *("/portico.something", "/nothing"),
)
MEDIA = (
    *("", "application/json", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain", "text/xml"),
    *("application/x-www-form-urlencodedx", f"{FORM}, application/json", "application/grpc", "*/*", "; ; ;"),
)


async def test_non_form_bodies_are_refused_unread(attacker: Attacker) -> None:
    """Multipart is refused, nothing is decompressed, and content types cannot confuse a service (RX-02, RX-10)."""
    encodings = ("gzip", "br", "zstd", "deflate", "gzip, gzip", "identity;q=0")
    sent = [
        *((b"a=b", {"Content-Type": media}) for media in MEDIA),
        *((b"\x1f\x8b" * 20, {"Content-Type": FORM, "Content-Encoding": encoding}) for encoding in encodings),
    ]
    wrong = {}
    for path in (*TAKES_FORMS, *OTHERS):
        for content, headers in sent:
            answer = await attacker.ask("POST", path, content=content, headers=headers)
            call = answer.headers.get("grpc-status")  # gRPC sends its errors with HTTP 200
            expected = {415} if path in TAKES_FORMS else {400, 401, 404, 405, 415}
            if call not in (None, "12") or (call is None and answer.status_code not in expected):
                wrong[path, *headers.values()] = (answer.status_code, call)

    assert wrong == {}


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
ROUNDS = 3


async def test_worst_case_form_is_cheap(attacker: Attacker) -> None:
    """The largest and worst form is refused with less work than 200 signatures (RX-01, P8)."""
    most, wrong = 200 * signature_seconds(), {}
    for path, service in PLACES.items():
        for what, body in _bodies():
            before = await attacker.measured(service, "process_cpu_seconds_total")
            answers = [await attacker.post(path, body, Origin=attacker.world.issuer) for _ in range(ROUNDS)]
            spent = (await attacker.measured(service, "process_cpu_seconds_total") - before) / ROUNDS
            statuses = {answer.status_code for answer in answers}
            if spent >= most or not statuses <= {303, 400, 401, 403, 413}:  # 303: a browser without a cookie begins
                wrong[what, path] = (statuses, spent)

    assert wrong == {}


METHODS = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "FOO", "get")


async def test_method_override_is_refused(attacker: Attacker) -> None:
    """Methods cannot be overridden, and unsupported ones get 4xx, with Allow where it is 405 (TK-21, RX-12)."""
    disguise = {"X-HTTP-Method-Override": "POST", "X-Method-Override": "POST", "X-HTTP-Method": "POST"}
    urls = [attacker.endpoint(endpoint) for endpoint in FORMS]
    for method in METHODS:
        for url in urls:
            answer = await attacker.ask(method, url, headers=disguise)
            assert answer.status_code in (400, 405), (method, url)
            assert answer.status_code == 400 or "allow" in answer.headers, (method, url)
        for path in OTHERS:
            await attacker.ask(method, path, headers=disguise)


async def test_proxy_headers_are_ignored(attacker: Attacker) -> None:
    """Proxy headers change neither discovery nor redirects and appear in no response (HH-01, HH-04)."""
    url = "/.well-known/openid-configuration"
    plain = await attacker.ask("GET", url)
    every = (*FORWARDED, *INTERNAL)
    values = ("evil.example.test", "gopher", "a,b", "127.0.0.1", "x" * 500, "é")
    sent = [*(((name,), "evil.example.test") for name in every), *((every, value) for value in values)]
    for names, value in sent:
        headers = [(name.encode(), value.encode("latin-1")) for name in names]
        document = await attacker.ask("GET", url, headers=headers)
        redirect = await attacker.ask("GET", attacker.authorize(prompt="none"), headers=headers)
        assert document.content == plain.content, (names, value)
        assert error_in(redirect) == "login_required", (names, value)
        assert value not in str(document.headers) + redirect.headers["location"], (names, value)


async def test_x_forwarded_for_of_a_client_is_ignored(attacker: Attacker) -> None:
    """An address sent by a client, well-formed or not, has no effect (HH-03)."""
    values = ("a", "", "::1%eth0", "6.6.6.6, 7.7.7.7", "x" * 20_000, ",".join(["1.1.1.1"] * 1_000))
    urls = (attacker.endpoint("jwks_uri"), attacker.authorize())
    answers = {
        (value[:20], url): await attacker.ask("GET", url, headers={"X-Forwarded-For": value})
        for value in values
        for url in urls
    }

    assert {what: one.status_code for what, one in answers.items() if one.status_code not in (200, 303)} == {}


PATHS = (
    *("/oauth/v2/keys/", "//oauth/v2/keys", "/oauth//v2/keys", "/oauth/v2/./keys", "/OAUTH/V2/KEYS", "/oauth/v2/keys."),
    *("/oauth/v2/keys;a", "/oauth/v2/keys%20", "/oauth/v2/keys%00", "/oauth/v2/keys%0a", "/oauth/v2/keys%3fa", "/%ff"),
    *("/ui/login/..;/metrics", "/ui/login/%2e%2e%2fmetrics", "/ui/login/static/..%2f..%2fmetrics", "/v2/../metrics"),
    *("/v2/..%2flogin/v1/requests/a/step", "/ui/login//login/v1/requests/x/step", "/ui/login/static/portico.css/"),
    *("/ui/login/static/%2e%2e/%2e%2e/__init__.py", "/management/v1/%2e%2e/%2e%2e/readyz", "/v2/users/" + "a/" * 2_000),
)


async def test_path_has_one_spelling(attacker: Attacker) -> None:
    """Other spellings with dots, slashes, cases or escapes get 404 and reach no internal path (P4, MG-19)."""
    answers = {
        path: await attacker.ask("GET", attacker.world.issuer, extensions={"target": path.encode()}) for path in PATHS
    }

    assert {path: answer.status_code for path, answer in answers.items() if answer.status_code != 404} == {}


async def test_management_errors_are_google_rpc_status(attacker: Attacker) -> None:
    """Errors of the management API are google.rpc.Status with an id and no internal details (MG-19)."""
    json = {"Content-Type": "application/json"}
    for path in ("/v2/users/human", "/management/v1/idps/1/jwt_config", "/admin/v1/x", "/v2beta/x"):
        for content in (b"", b"{", b"[" * 100_000, b'{"a":' * 50_000, b"\xff", b'{"a":1,"a":2}', b"1" * 100_000):
            answer = await attacker.ask("POST", path, content=content, headers=json)
            assert 400 <= answer.status_code < 500, (path, content[:20])
            assert set(answer.json()) == {"code", "message", "details"}, (path, content[:20])
            assert answer.json()["details"][0]["id"] in answer.json()["message"], (path, content[:20])
