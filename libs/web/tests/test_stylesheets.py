from __future__ import annotations

import re

import pytest
from portico_oauth.errors import ErrorCode, Kind
from portico_web.stylesheet import stylesheet
from portico_web.surfaces import html_page
from starlette.requests import Request

CSS = stylesheet().content.decode()
REFUSED = ErrorCode("LOOK-001", Kind.INVALID_REQUEST, "The redirect_uri is not registered.")

# WCAG 2.2: 7 is AAA for text, 4.5 is AA for text, 3 is AA for the outline of a field.
PAIRS = [
    ("ink", "panel", 7.0),
    ("muted", "panel", 7.0),
    ("accent", "panel", 4.5),
    ("on-accent", "accent", 7.0),
    ("on-accent", "accent-strong", 7.0),
    ("alert", "alert-ground", 7.0),
    ("alert", "panel", 4.5),
    ("edge", "panel", 3.0),
]


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


LIGHT = _colours(CSS[: CSS.index("@media (prefers-color-scheme: dark)")])
DARK = _colours(CSS[CSS.index("@media (prefers-color-scheme: dark)") :])


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back", "least"), PAIRS)
def test_colours_have_contrast(scheme: dict[str, str], front: str, back: str, least: float) -> None:
    """Text and controls have the contrast of WCAG 2.2 §1.4.3, §1.4.6 and §1.4.11."""
    assert _contrast(scheme[front], scheme[back]) >= least


def test_both_schemes_define_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()


def test_stylesheet_loads_nothing_and_is_small() -> None:
    """The stylesheet loads no font, image or import (AZ-17)."""
    assert not re.search(r"url\(|@import|@font-face", CSS)
    assert len(CSS) < 12_000


def test_no_motion_with_prefers_reduced_motion() -> None:
    assert "transition" not in CSS[: CSS.index("@media (prefers-reduced-motion: no-preference)")]
    assert re.findall(r"animation[^;]*", CSS) == ["animation: appear 1s step-end both"]  # a delay, no motion


def test_error_page_has_ids_and_links_to_the_start() -> None:
    request = Request({"type": "http", "headers": []})
    text = bytes(html_page(REFUSED.error(), request).body).decode()

    assert all(f'id="{id}"' in text for id in ("error-page", "error-text", "error-code", "error-fact", "error-request"))
    assert "invalid_request" in text
    assert text.index("<details") < text.index('id="error-code"') < text.index("</details>")
    assert 'class="button" id="error-start" href="/"' in text
    assert "error-retry" not in text


def test_error_page_links_to_the_given_path() -> None:
    request = Request({"type": "http", "headers": []})
    text = bytes(html_page(REFUSED.error(), request, retry="/ui/login?request=x&y").body).decode()

    assert 'id="error-retry" href="/ui/login?request=x&amp;y"' in text
    assert "error-start" not in text
