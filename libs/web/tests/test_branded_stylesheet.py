from __future__ import annotations

import re
from importlib.resources import files

import pytest
from portico_contracts.colors import OWN_DARK, OWN_LIGHT, contrast
from portico_contracts.users import Branding, FontFamily, Palette
from portico_web.branded_stylesheet import FONTS, branded_address, branded_css

UNSET = "0-0-0-0-0-0-0-0"

# Background, text, primary, warn: three dark on light, the others light on dark, some barely allowed.
PALETTES = [
    ("#ffffff", "#000000", "#0000ee", "#b00020"),
    ("#fff8e1", "#3e2723", "#bf360c", "#b71c1c"),
    ("#ffffff", "#767676", "#767676", "#767676"),
    ("#000000", "#ffffff", "#ffeb3b", "#ff8a80"),
    ("#101828", "#e4e7ec", "#7cd4fd", "#fda29b"),
    ("#000000", "#757575", "#757575", "#757575"),
]

GREYS = ["#6f6f6f", "#737373", "#757575", "#767676", "#777777", "#7b7b7b", "#808080", "#ff0000", "#e91e63", "#00bcd4"]


def properties_of(name: str, theme: str = "light") -> dict[str, str]:
    css = (branded_css(name) or b"").decode()
    found = re.search(rf"@media \(prefers-color-scheme: {theme}\){{:root{{([^}}]*)}}}}", css)
    return dict(part.removeprefix("--").split(":") for part in found[1].split(";")) if found else {}


def name_of(background: str, text: str, primary: str, warn: str) -> str:
    return "-".join(color.removeprefix("#") for color in (primary, background, warn, text)) + "-0-0-0-0-system"


def test_no_branding_needs_no_stylesheet() -> None:
    assert branded_address(Branding(tos_link="https://a.example/")) == ""


@pytest.mark.parametrize(
    ("branding", "name"),
    [
        (Branding(light=Palette(primary="#AABBCC")), "aabbcc-0-0-0-0-0-0-0-system"),
        (Branding(dark=Palette(warn="#112233", font="#445566")), "0-0-0-0-0-0-112233-445566-system"),
        (Branding(font_family=FontFamily.SLAB), f"{UNSET}-slab"),
    ],
)
def test_address_contains_colours_font_and_version(branding: Branding, name: str) -> None:
    """The version is a hash of the content, so that it changes with a release that changes the stylesheet."""
    address = branded_address(branding)

    assert re.fullmatch(rf"/ui/login/branding/{name}\.css\?v=[0-9a-f]{{12}}", address)
    assert branded_css(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "system",
        UNSET,
        f"{UNSET}-comic",
        f"{UNSET}-system\n",
        f"{UNSET}-0-system",
        "red-0-0-0-0-0-0-0-system",
        "AABBCC-0-0-0-0-0-0-0-system",
        "aabbc-0-0-0-0-0-0-0-system",
        "aabbccd-0-0-0-0-0-0-0-system",
        "}*{x-0-0-0-0-0-0-0-system",
        "../portico",
    ],
)
def test_invalid_stylesheet_names_are_refused(name: str) -> None:
    assert branded_css(name) is None


@pytest.mark.parametrize(("background", "text", "primary", "warn"), PALETTES)
def test_readable_colours_give_readable_pages(background: str, text: str, primary: str, warn: str) -> None:
    """Text, muted text, links, buttons, warnings and field borders have enough contrast."""
    colors = properties_of(name_of(background, text, primary, warn))

    assert (colors["panel"], colors["ink"], colors["accent"], colors["alert"]) == (background, text, primary, warn)
    for front, behind, least in (
        ("ink", "panel", 4.5),
        ("ink", "bay", 4.5),
        ("muted", "panel", 4.5),
        ("muted", "bay", 4.5),
        ("accent", "panel", 4.5),
        ("alert", "alert-ground", 4.5),
        ("on-accent", "accent", 4.5),
        ("on-accent", "accent-strong", 4.5),
        ("edge", "panel", 3.0),
    ):
        assert contrast(colors[front], colors[behind]) >= least, (front, behind)


@pytest.mark.parametrize("primary", GREYS)
def test_button_text_is_readable_on_every_colour(primary: str) -> None:
    """Button text is black or white, whichever has more contrast."""
    colors = properties_of(f"{primary[1:]}-0-0-0-0-0-0-0-system")

    assert set(colors) == {"accent", "accent-strong", "on-accent"}
    assert contrast(colors["on-accent"], primary) >= 4.5


def test_each_theme_has_its_own_colours() -> None:
    assert properties_of("0-0-0-0-aabbcc-0-0-0-system", "light") == {}
    assert properties_of("0-0-0-0-aabbcc-0-0-0-system", "dark")["accent"] == "#aabbcc"


@pytest.mark.parametrize("primary", [*GREYS, "#b3261e", "#00308f", "#ffee00"])
def test_dark_theme_without_a_primary_colour_has_a_tone_of_the_light_one(primary: str) -> None:
    """A brand that names one colour does not change to Portico's green at night; the tone is readable there."""
    colors = properties_of(f"{primary[1:]}-0-0-0-0-0-0-0-system", "dark")

    assert contrast(colors["accent"], OWN_DARK.background) >= 4.5
    assert contrast(primary, OWN_DARK.background) < 4.5 or colors["accent"] == primary


@pytest.mark.parametrize(("background", "text", "primary", "warn"), PALETTES)
def test_success_is_readable_and_not_in_the_accent(background: str, text: str, primary: str, warn: str) -> None:
    """A red brand would make "Your account is protected" look like an alarm."""
    colors = properties_of(name_of(background, text, primary, warn))

    assert contrast(colors["good"], colors["panel"]) >= 4.5
    assert contrast(colors["good"], colors["good-ground"]) >= 4.5
    assert colors["good"] in (OWN_LIGHT.primary, OWN_DARK.primary, text)


def test_only_system_fonts_are_used() -> None:
    """No font is downloaded, and each stack ends in a generic family."""
    assert set(FONTS) == set(FontFamily) - {FontFamily.SYSTEM}
    for family, stack in FONTS.items():
        css = (branded_css(f"{UNSET}-{family.value}") or b"").decode()
        assert f"--text:{stack};--display:{stack}" in css
        assert stack.endswith(("sans-serif", "serif", "monospace"))
        assert "url(" not in css


@pytest.mark.parametrize(("own", "at"), [(OWN_LIGHT, 0), (OWN_DARK, 1)])
def test_default_colours_are_those_of_the_pages(own: Palette, at: int) -> None:
    """The contrast check fills in missing colours with those of the pages' stylesheet."""
    css = files("portico_web").joinpath("static", "portico.css").read_text()
    found = [re.findall(rf"--{name}: (#[0-9a-f]{{6}});", css)[at] for name in ("accent", "panel", "alert", "ink")]

    assert found == [own.primary, own.background, own.warn, own.font]
