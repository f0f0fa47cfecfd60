from __future__ import annotations

import pytest
from portico_oauth.redirect_uris import is_registered, may_register, needs_plain_schemes, origin_of, start_address

REGISTERED = "https://rp.example.test/cb"

LOOK_ALIKES = [
    "https://rpXexample.test/cb",
    "https://rp.example.test/cbx",
    "https://rp.example.test/c",
    "https://rp.example.test/cb/",
    "https://rp.example.test/cb?",
    "https://rp.example.test/cb#",
    "https://rp.example.test/cb?a=b",
    "https://rp.example.test/CB",
    "https://RP.example.test/cb",
    "HTTPS://rp.example.test/cb",
    "https://rp.example.test:443/cb",
    "https://rp.example.test.evil.test/cb",
    "https://evil.test/rp.example.test/cb",
    "https://rp.example.test@evil.test/cb",
    "https://rp.example.test/../cb",
    "https://rp.example.test/./cb",
    "https://rp.example.test//cb",
    "https://rp.example.test/%63b",
    "https://rp.example.test/cb%00",
    "http://rp.example.test/cb",
    "https://rp.example.test/cb ",
    "\thttps://rp.example.test/cb",
]


def test_similar_redirect_uri_is_refused() -> None:
    """Redirect URIs are compared by code point, without normalization, patterns or prefixes (AZ-01, AZ-03)."""
    assert [asked for asked in LOOK_ALIKES if is_registered(asked, [REGISTERED])] == []


@pytest.mark.parametrize("asked", ["http://127.0.0.1:9999/cb", "http://localhost:8080/cb", "http://127.0.0.1/cb"])
def test_loopback_addresses_get_no_exception(asked: str) -> None:
    """Port and host of a loopback redirect URI are compared exactly (AZ-03)."""
    assert not is_registered(asked, ["http://127.0.0.1:8080/cb"])


LOOPBACK = ("http://127.0.0.1:8080/cb", "http://[::1]/", "http://localhost:8080/cb")
WITH_ANY_PORT = {
    "http://127.0.0.1:9999/cb": True,
    "http://127.0.0.1/cb": True,
    "http://[::1]:9999/": True,
    "http://127.0.0.1:9999/cb/": False,
    "http://127.0.0.1:9999/cb?a=b": False,
    "http://127.0.0.2:9999/cb": False,
    "http://localhost:9999/cb": True,
    "http://localhost/cb": True,
    "http://localhost:9999/": False,
    "http://localhost:9999/cb/": False,
    "http://localhost:9999/cb?a=b": False,
    "http://localhost:9999/CB": False,
    "http://LOCALHOST:9999/cb": False,
    "http://localhost.:9999/cb": False,
    "http://localhost.evil.test:9999/cb": False,
    "http://localhost:1@evil.test/cb": False,
    "https://localhost:9999/cb": False,
    "https://127.0.0.1:9999/cb": False,
    "http://127.0.0.1:1@evil.test/cb": False,
    "http://127.0.0.1:9999.evil.test/cb": False,
    "http://127.0.0.1:0/cb": False,
    "https://rp.example.test:9999/cb": False,
}


def test_only_port_of_loopback_host_may_differ() -> None:
    """With any port, everything but the port of a loopback host is compared (RFC 8252 section 7.3)."""
    registered = [*LOOPBACK, "https://localhost/cb", REGISTERED]
    found = {asked: is_registered(asked, registered, any_port=True) for asked in WITH_ANY_PORT}

    assert found == WITH_ANY_PORT


def test_loopback_hosts_are_not_exchanged() -> None:
    """A URI that is registered for an address of the machine is not registered for its name, and the reverse."""
    hosts = ("localhost", "127.0.0.1", "[::1]")
    found = {
        (one, other): is_registered(f"http://{other}:9999/cb", [f"http://{one}/cb"], any_port=True)
        for one in hosts
        for other in hosts
    }

    assert [pair for pair, registered in found.items() if registered] == [(one, one) for one in hosts]


def test_registered_redirect_uri_matches() -> None:
    assert is_registered(REGISTERED, ["https://other.example.test/cb", REGISTERED])


VALID = (
    REGISTERED,
    "https://rp.example.test/cb?tenant=a",
    "https://rp.example.test:8443/",
    "http://localhost:8080/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:4000/cb",
    "com.example.app:/cb",
    "com.example.app://cb/x",
)


def test_valid_redirect_uris() -> None:
    """https, http on loopback and private-use schemes with a dot may be registered (AZ-06)."""
    assert [uri for uri in VALID if not may_register(uri)] == []


INVALID = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://rp.example.test/1",
    "file:///etc/passwd",
    "myapp:/cb",
    "http://rp.example.test/cb",
    "http://localhost.evil.test/cb",
    "http://127.0.0.1.evil.test/cb",
    "https://user@rp.example.test/cb",
    "https://user:word@rp.example.test/cb",
    "http://localhost@evil.test/cb",
    "https://rp.example.test/cb#part",
    "https:///cb",
    "https:evil.test",
    "https://",
    "//rp.example.test/cb",
    "/cb",
    "",
    "https://rp.example.test/\\evil",
    "https://rp.example.test/c b",
    "https://rp.example.test/cb\r\nSet-Cookie: a=b",
    "https://rp.example.test/é",
    "https://rp.example.test:99999/cb",
    "https://rp.example.test:port/cb",
    "https://[::1/cb",
    'https://rp.example.test/"onload=',
    "https://rp.example.test/<script>",
    " https://rp.example.test/cb",
    "https://rp.example.test/" + "a" * 2_000,
)


def test_invalid_redirect_uris() -> None:
    """Script-capable schemes, user information, fragments and ambiguous URIs cannot be registered (AZ-06)."""
    assert [uri for uri in INVALID if may_register(uri)] == []


def test_dev_mode_allows_http() -> None:
    """An application in development mode may use http on any host, but no further scheme."""
    assert may_register("http://rp.example.test/cb", dev_mode=True)
    assert not may_register("javascript:alert(1)", dev_mode=True)
    assert not may_register("http://user@rp.example.test/cb", dev_mode=True)


def test_origin_of_redirect_uri() -> None:
    """An origin has scheme, host and port; private-use schemes have none."""
    assert origin_of("https://rp.example.test:8443/cb?a=b") == "https://rp.example.test:8443"
    assert origin_of("com.example.app:/cb") is None


@pytest.mark.parametrize(
    ("redirect_uris", "post_logout_uris", "start"),
    [
        (("https://shop.example/cb",), ("https://shop.example/signed-out",), "https://shop.example/"),
        (("https://shop.example/app/cb",), ("https://shop.example/app/",), "https://shop.example/app/"),
        (("https://shop.example/cb",), ("https://evil.example/",), "https://shop.example/"),
        (("com.example.app:/cb", "http://localhost:3000/cb"), ("com.example.app:/",), "http://localhost:3000/"),
        (("com.example.app:/cb",), ("https://shop.example/",), ""),
        (("http://shop.example/cb",), (), ""),
        ((), (), ""),
    ],
)
def test_start_address_is_of_a_registered_origin(
    redirect_uris: tuple[str, ...], post_logout_uris: tuple[str, ...], start: str
) -> None:
    """Only https and loopback, also in development mode."""
    assert start_address(redirect_uris, post_logout_uris) == start


def test_private_use_schemes_without_a_dot_need_a_setting() -> None:
    """Schemes of scripts, content and systems stay refused (AZ-06, RFC 8252 section 8.4)."""
    plain = ("cursor://app/callback", "oc://ios.owncloud.com", "audiobookshelf://oauth", "shop:/cb")
    never = (
        "javascript:alert(1)",
        "JavaScript://a/%0a",
        "data:text/html,x",
        "file:///a",
        "intent://a",
        "tel:1",
        "blob:x",
    )

    assert [uri for uri in plain if may_register(uri) or not may_register(uri, plain_schemes=True)] == []
    assert [uri for uri in plain if not needs_plain_schemes(uri)] == []
    assert [uri for uri in never if may_register(uri, plain_schemes=True) or needs_plain_schemes(uri)] == []
    assert not needs_plain_schemes("com.example.app:/cb")
