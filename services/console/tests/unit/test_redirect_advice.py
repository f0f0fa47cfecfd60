from __future__ import annotations

import pytest
from portico_console.console_app.new_app import redirect_advice as texts
from portico_console.console_app.new_app.redirect_advice import advise

CASES = [
    ("https://app.example.com/callback", True, texts.GOOD),
    ("https://app.example.com", True, texts.GOOD),
    ("http://localhost:3000/cb", True, texts.LOCAL),
    ("http://127.0.0.1/cb", True, texts.LOCAL),
    ("http://[::1]:8080/cb", True, texts.LOCAL),
    ("com.example.app:/callback", True, texts.PRIVATE),
    ("http://app.example.com/cb", False, texts.HTTP),
    ("app.example.com/cb", False, texts.NO_SCHEME),
    ("javascript:alert(1)", False, texts.NO_SCHEME),
    ("https://*.example.com/cb", False, texts.STAR),
    ("https://app.example.com/*", False, texts.STAR),
    ("https://app.example.com/#/cb", False, texts.FRAGMENT),
    ("https://user@app.example.com/cb", False, texts.CREDENTIALS),
    ("https://app.example.com/" + "a" * 2_000, False, texts.TOO_LONG),
    ("https:///cb", False, texts.BAD),
    ("https://[::1/cb", False, texts.BAD),
    ("myapp://cb", False, texts.PLAIN),
    ("", False, texts.NO_SCHEME),
]


@pytest.mark.parametrize(("uri", "good", "text"), CASES)
def test_each_redirect_uri_is_judged_with_its_reason(uri: str, good: bool, text: str) -> None:
    assert advise(uri) == (good, text)
