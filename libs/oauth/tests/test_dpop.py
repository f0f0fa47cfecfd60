from __future__ import annotations

import pytest
from portico_oauth.dpop import comparable_uri, is_thumbprint, thumbprint, token_digest

TOKEN = "https://id.example/oauth/v2/token"


@pytest.mark.parametrize(
    "uri",
    [
        "HTTPS://ID.EXAMPLE/oauth/v2/token",
        "https://id.example:443/oauth/v2/token",
        "https://id.example/oauth/v2/token?a=b#c",
        "https://id.example/oauth/./v2/x/../token",
        "https://id.example/oauth/v2/%74oken",
    ],
)
def test_equivalent_uris_are_equal(uri: str) -> None:
    """RFC 3986 sections 6.2.2 and 6.2.3, without query and fragment (RFC 9449 section 4.3)."""
    assert comparable_uri(uri) == TOKEN


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("https://id.example", "https://id.example/"),
        ("http://[::1]:80/a%2fb", "http://[::1]/a%2Fb"),
        ("https://id.example:8443/a/.", "https://id.example:8443/a/"),
        ("https://id.example/oauth/V2/token", "https://id.example/oauth/V2/token"),
        ("https://user@id.example/", None),
        ("https://id.example:99999/", None),
        ("urn:portico", None),
        ("//id.example/", None),
        ("https:///path", None),
    ],
)
def test_other_uris(uri: str, expected: str | None) -> None:
    assert comparable_uri(uri) == expected


def test_thumbprint_is_of_the_required_members() -> None:
    """The example of RFC 7638 section 3.1 is too long to copy; this is the one of RFC 8037 appendix A.3."""
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "kid": "ignored"}

    assert thumbprint(jwk) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    assert is_thumbprint(thumbprint(jwk))
    assert not is_thumbprint(thumbprint(jwk) + "=")


def test_digest_of_a_token() -> None:
    """The example of RFC 9449 section 7.1."""
    token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    assert token_digest(token) == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"
