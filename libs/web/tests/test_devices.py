from __future__ import annotations

import pytest
from portico_web.devices import device_of

KNOWN = (
    ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox, Linux"),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36", "Chrome, Windows"),
    (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0",
        "Edge, Windows",
    ),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15", "Safari, macOS"),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1", "Safari, iOS"),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1", "Chrome, iOS"),
    ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
    ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox, Android"),
    ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36", "Chrome, ChromeOS"),
)  # fmt: skip
OTHERS = ("", "curl/8.5.0", "<script>alert(1)</script>", "x" * 600 + "Firefox/145.0 Linux")


@pytest.mark.parametrize(("header", "device"), KNOWN)
def test_browser_and_system_are_named(header: str, device: str) -> None:
    """Current browsers of phones and computers are recognized, and imitations are not confused with them."""
    assert device_of(header) == device


@pytest.mark.parametrize("header", OTHERS)
def test_unlisted_browser_has_no_name(header: str) -> None:
    """The name comes from a closed list, so that nothing the browser sent is stored."""
    assert device_of(header) == ""
