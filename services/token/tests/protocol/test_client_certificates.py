"""tls_client_auth and self_signed_tls_client_auth (RFC 8705 section 2, decision 0151)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import httpx
import pytest
from cryptography import x509
from portico_contracts import http
from portico_contracts.users import AuthMethod, Dpop
from portico_fakes.certificates import (
    ALIAS,
    AUTHORITY,
    CERTIFICATE,
    KEY_OF_GATEWAY,
    NOW,
    SELF_SIGNED,
    STRANGE,
    SUBJECT,
    gateway_headers,
    registered_key,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.dpop_proofs import Prover
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import ISSUER, TokenService, token_service_in_memory
from portico_harness.client_certificates import (
    CLIENT_USAGE,
    SERVER_USAGE,
    Issued,
    address,
    new_authority,
    new_certificate,
)
from portico_oauth.grant_types import AUTHORIZATION_CODE, DEVICE_CODE
from portico_oauth.jose import SigningKey
from portico_token.settings import Settings
from pydantic import SecretStr

from .test_diagnostics import diagnostics_of

NAME: Final = x509.DNSName("client.example.test")
NAMES: Final = [NAME]
UNKNOWN: Final = ":" + "bm90IGEgY2VydGlmaWNhdGU=" + ":"


def issue(**changes: Any) -> Issued:
    """A certificate with the registered subject, of the CA that the operator accepts unless given otherwise."""
    return new_certificate("CN=client", **{"by": AUTHORITY, "names": NAMES, "now": NOW, **changes})


async def revoke(service: TokenService, headers: Any, client_id: str = "app") -> httpx.Response:
    """Any call of a client: revocation of a token that does not exist is a success."""
    return await service.http.post(http.REVOKE, data={"token": "x", "client_id": client_id}, headers=headers)


def register(service: TokenService, **fields: Any) -> None:
    service.register("app", AuthMethod.TLS_CLIENT_AUTH, **fields)


GOOD: Final[dict[str, Callable[[], Issued]]] = {
    "usage of clients": lambda: issue(usages=[CLIENT_USAGE]),
    "both usages": lambda: issue(usages=[SERVER_USAGE, CLIENT_USAGE]),
    "any usage": lambda: issue(usages=[x509.oid.ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE]),
    "several names": lambda: issue(names=[x509.DNSName("other.example.test"), x509.DNSName("CLIENT.example.test")]),
}


@pytest.mark.parametrize("name", GOOD)
async def test_certificate_of_the_ca_with_the_subject_is_accepted(token_service: TokenService, name: str) -> None:
    register(token_service)

    assert (await revoke(token_service, gateway_headers(GOOD[name]()))).status_code == 200


BAD: Final[dict[str, tuple[Callable[[], Issued], str]]] = {
    "self-signed": (lambda: STRANGE, "unknown_issuer"),
    "another CA of the same name": (lambda: issue(by=new_authority(now=NOW)), "unknown_issuer"),
    "intermediate CA that is not in the file": (lambda: issue(by=new_authority("CN=b", by=AUTHORITY, now=NOW)), "unknown_issuer"),
    "issued by a certificate": (lambda: issue(by=CERTIFICATE), "unknown_issuer"),
    "expired": (lambda: issue(days=(-9, -1)), "expired"),
    "not yet valid": (lambda: issue(days=(1, 9)), "not_yet_valid"),
    "for servers": (lambda: issue(usages=[SERVER_USAGE]), "wrong_use"),
    "the CA itself": (lambda: AUTHORITY, "wrong_use"),
    "another subject": (lambda: issue(names=[x509.DNSName("other.example.test")]), "wrong_subject"),
    "a wildcard": (lambda: issue(names=[x509.DNSName("*.example.test")]), "wrong_subject"),
    "the name elsewhere": (
        lambda: new_certificate("CN=client.example.test", by=AUTHORITY, now=NOW, names=[x509.UniformResourceIdentifier("client.example.test")]),
        "wrong_subject",
    ),
    "no names": (lambda: issue(names=[]), "wrong_subject"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_other_certificates_are_refused_alike(token_service: TokenService, name: str) -> None:
    """Each fault has the response of an unknown client, byte for byte, and diagnostics that name it (P9)."""
    register(token_service)
    make, hint = BAD[name]
    answer = await revoke(token_service, gateway_headers(make()))
    unknown = await revoke(token_service, gateway_headers(make()), client_id="nothing")
    traces = await diagnostics_of(token_service)

    assert (answer.status_code, answer.content) == (401, unknown.content)
    assert answer.json()["error"] == "invalid_client"
    check = traces[0].checks[-1]
    assert (check.name, check.given, check.wanted, check.hint) == (
        "client_authentication",
        "tls_client_auth",
        (SUBJECT,),
        hint,
    )


SUBJECTS: Final[list[tuple[str, str, list[x509.GeneralName]]]] = [
    ("subject_dn:CN=client,O=Example\\, Inc.,C=DE", "CN=client,O=Example\\, Inc.,C=DE", []),
    ("san_dns:Client.Example.test", "CN=x", [NAME]),
    ("san_dns:orders_v2.mesh_a.example.test", "CN=x", [x509.DNSName("Orders_v2.mesh_a.example.test")]),
    ("san_uri:spiffe://example.test/client", "CN=x", [x509.UniformResourceIdentifier("spiffe://example.test/client")]),
    ("san_ip:2001:db8:0:0::1", "CN=x", [address("2001:db8::1")]),
    ("san_ip:192.0.2.7", "CN=x", [address("192.0.2.7")]),
    ("san_email:Client@Example.test", "CN=x", [x509.RFC822Name("Client@example.TEST")]),
]


@pytest.mark.parametrize("registered", [row[0] for row in SUBJECTS])
async def test_each_kind_of_subject(token_service: TokenService, registered: str) -> None:
    """A certificate passes with the registered subject alone, in the field of its kind (RFC 8705 section 2.1.2)."""
    register(token_service, certificate_subject=registered)
    found = {}
    for wanted, subject, names in SUBJECTS:
        issued = new_certificate(subject, by=AUTHORITY, now=NOW, names=names)
        found[wanted] = (await revoke(token_service, gateway_headers(issued))).status_code

    assert found == {wanted: 200 if wanted == registered else 401 for wanted, _, _ in SUBJECTS}


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("subject_dn:CN=client,O=Example", "CN=Client,O=Example"),
        ("subject_dn:CN=client,O=Example", "O=Example,CN=client"),
        ("subject_dn:CN=client", "CN=client,O=Example"),
        ("subject_dn:CN=client,O=Example", "CN=client"),
    ],
)
async def test_distinguished_name_is_compared_whole(token_service: TokenService, wanted: str, given: str) -> None:
    """Attributes, their order and their values are those of the registered name."""
    register(token_service, certificate_subject=wanted)

    assert (
        await revoke(token_service, gateway_headers(new_certificate(given, by=AUTHORITY, now=NOW)))
    ).status_code == 401


async def test_self_signed_certificate_has_a_registered_key(token_service: TokenService) -> None:
    """The key counts, so that a client can renew its certificate; its dates count as well, its issuer does not."""
    keys = (registered_key(STRANGE), registered_key())
    token_service.register("app", AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH, keys=keys)
    key = SELF_SIGNED.key
    cases = {
        "registered": (SELF_SIGNED, ""),
        "renewed": (new_certificate("CN=new", key=key, now=NOW), ""),
        "of a CA": (new_certificate("CN=new", key=key, by=AUTHORITY, now=NOW), ""),
        "expired": (new_certificate("CN=new", key=key, now=NOW, days=(-9, -1)), "expired"),
        "future": (new_certificate("CN=new", key=key, now=NOW, days=(1, 9)), "not_yet_valid"),
        "other key": (CERTIFICATE, "other_key"),
    }
    for issued, _ in cases.values():
        await revoke(token_service, gateway_headers(issued))
    hints = [trace.checks[-1].hint for trace in await diagnostics_of(token_service)]

    assert hints == [hint for _, hint in cases.values() if hint]


async def test_expired_key_is_refused(token_service: TokenService, clock: FrozenClock) -> None:
    """A registered key with an end works until then."""
    keys = (registered_key(expires_at=clock.now() + 60),)
    token_service.register("app", AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH, keys=keys)
    before = await revoke(token_service, gateway_headers(SELF_SIGNED))
    clock.tick(61)
    after = await revoke(token_service, gateway_headers(SELF_SIGNED))

    assert (before.status_code, after.status_code) == (200, 401)
    assert [trace.checks[-1].hint for trace in await diagnostics_of(token_service)] == ["key_expired"]


GOOD_HEADERS: Final = list(gateway_headers(CERTIFICATE).items())
_, CERTIFIED = GOOD_HEADERS
FORGED: Final = {
    "no key": [CERTIFIED],
    "wrong key": [("Portico-Gateway-Key", KEY_OF_GATEWAY[:-1] + "x"), CERTIFIED],
    "empty key": [("Portico-Gateway-Key", ""), CERTIFIED],
    "two keys": [*GOOD_HEADERS, ("Portico-Gateway-Key", KEY_OF_GATEWAY)],
    "two certificates": [*GOOD_HEADERS, CERTIFIED],
    "key with underscores": [("Portico_Gateway_Key", KEY_OF_GATEWAY), CERTIFIED],
    "certificate with underscores": [GOOD_HEADERS[0], ("Client_Cert", CERTIFIED[1])],
    "not base64": [GOOD_HEADERS[0], ("Client-Cert", ":-:")],
    "no colons": [GOOD_HEADERS[0], ("Client-Cert", CERTIFIED[1].strip(":"))],
    "no certificate": [GOOD_HEADERS[0], ("Client-Cert", "::")],
    "not a certificate": [GOOD_HEADERS[0], ("Client-Cert", UNKNOWN)],
    "too long": [GOOD_HEADERS[0], ("Client-Cert", f":{'A' * 20_000}:")],
    "other headers of proxies": [
        ("X-Client-Cert", CERTIFIED[1]), ("X-SSL-Client-Cert", CERTIFIED[1]), ("X-Forwarded-Client-Cert", CERTIFIED[1]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
async def test_only_the_gateway_presents_a_certificate(token_service: TokenService, name: str) -> None:
    """A service that is called directly believes no header, however it is written."""
    register(token_service)
    assert (await revoke(token_service, GOOD_HEADERS)).status_code == 200

    assert (await revoke(token_service, FORGED[name])).status_code == 401


async def test_key_of_the_gateway_is_accepted_from_a_proxy_alone(token_service: TokenService) -> None:
    """The key does not help who connects from outside PORTICO_TRUSTED_PROXIES."""
    register(token_service)
    headers = {**gateway_headers(CERTIFICATE), "Content-Type": "application/x-www-form-urlencoded"}
    found = []
    for peer in ("127.0.0.1", "203.0.113.9"):
        transport = httpx.ASGITransport(token_service.app, client=(peer, 1))
        async with httpx.AsyncClient(transport=transport, base_url=ISSUER) as client:
            found.append(
                (await client.post(http.REVOKE, data={"token": "x", "client_id": "app"}, headers=headers)).status_code
            )

    assert found == [200, 401]


async def test_turned_off_nothing_is_believed(
    bus: MemoryBus, clock: FrozenClock, signing_keys: tuple[SigningKey, ...]
) -> None:
    """Without PORTICO_MTLS_URL the headers mean nothing, also with an empty key."""
    service = token_service_in_memory(clock, bus, MemoryGrants(), signing_keys, certificates=False)
    register(service)
    async with service.running():
        found = [
            (await revoke(service, gateway_headers(CERTIFICATE, key=key))).status_code for key in (KEY_OF_GATEWAY, "")
        ]

    assert found == [401, 401]


@pytest.mark.parametrize(
    ("url", "key", "refused"),
    [
        ("https://mtls.example.test", "k" * 32, False),
        ("https://mtls.example.test:8444", "k" * 32, False),
        ("https://mtls.example.test", "k" * 31, True),
        ("https://mtls.example.test", "", True),
        ("https://mtls.example.test", "k k" * 20, True),
        ("https://mtls.example.test", "%" * 40, True),
        ("http://mtls.example.test", "k" * 32, True),
        ("https://mtls.example.test/", "k" * 32, True),
        ("https://mtls.example.test/oauth", "k" * 32, True),
        ("", "", False),
    ],
)
def test_settings(url: str, key: str, refused: bool) -> None:
    """The service does not start with a short key, or a URL that is not an https origin."""
    try:
        Settings(mtls_url=url, mtls_gateway_key=SecretStr(key))
    except ValueError:
        assert refused
    else:
        assert not refused


async def test_certificate_is_asked_for_where_it_is_missing(token_service: TokenService) -> None:
    """A call of the ordinary endpoint has no certificate; diagnostics name the aliases."""
    register(token_service)
    answer = await revoke(token_service, {})
    [trace] = await diagnostics_of(token_service)

    assert answer.status_code == 401
    assert (trace.checks[-1].wanted, trace.checks[-1].hint) == (("tls_client_auth",), "no_certificate")


@pytest.mark.parametrize(
    "more", [{"client_secret": "x"}, {"client_assertion": "e30.e30.e30", "client_assertion_type": "x"}]
)
async def test_certificate_does_not_stand_in_for_another_mechanism(
    token_service: TokenService, more: dict[str, str]
) -> None:
    """A client that sends a secret or an assertion is authenticated by it, and refused if it registered a certificate."""
    register(token_service)
    form = {"token": "x", "client_id": "app", **more}
    answer = await token_service.http.post(http.REVOKE, data=form, headers=gateway_headers(CERTIFICATE))

    assert answer.status_code in (400, 401)


@pytest.mark.parametrize("method", [AuthMethod.TLS_CLIENT_AUTH, AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH])
async def test_every_endpoint_accepts_it(token_service: TokenService, method: AuthMethod) -> None:
    """Token, introspection, revocation, pushed requests and devices authenticate the client by its certificate."""
    issued = CERTIFICATE if method is AuthMethod.TLS_CLIENT_AUTH else SELF_SIGNED
    token_service.register("app", method, keys=(registered_key(),), grant_types=(AUTHORIZATION_CODE, DEVICE_CODE))
    forms = {
        http.TOKEN: {"grant_type": AUTHORIZATION_CODE, "code": token_service.issue_code("app"), "redirect_uri": "x"},
        http.INTROSPECT: {"token": "x"},
        http.REVOKE: {"token": "x"},
        http.PUSHED_REQUESTS: {"response_type": "code"},
        http.DEVICE_AUTHORIZATION: {"scope": "openid"},
    }
    found = {}
    for path, form in forms.items():
        sent = {**form, "client_id": "app"}
        with_certificate = await token_service.http.post(path, data=sent, headers=gateway_headers(issued))
        without = await token_service.http.post(path, data=sent)
        found[path] = (
            with_certificate.json()["error"]
            if with_certificate.status_code >= 400 and with_certificate.content
            else "",
            without.json()["error"],
        )

    assert {error for _, error in found.values()} == {"invalid_client"}
    assert all(error != "invalid_client" for error, _ in found.values()), found


async def test_proof_at_the_alias_names_the_alias(token_service: TokenService, clock: FrozenClock) -> None:
    """A DPoP proof is for the URL that the client called, which is the alias for a client with a certificate."""
    register(token_service, dpop=Dpop.REQUIRED)
    found = []
    for base in (ALIAS, ISSUER):
        prover = Prover(base, clock.now())
        code = token_service.issue_code("app")
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": "app",
            "redirect_uri": "https://app.example.test/cb",
        }
        headers = {**gateway_headers(CERTIFICATE), "DPoP": prover.proof(http.TOKEN)}
        answer = await token_service.token(form, headers=headers)
        found.append((answer.status_code, answer.json().get("token_type", answer.json().get("error"))))

    assert found == [(200, "DPoP"), (400, "invalid_dpop_proof")]
