from __future__ import annotations

import pytest
from portico_contracts.colors import LEGIBLE, OWN_DARK, OWN_LIGHT, contrast
from portico_contracts.users import Palette

# Ratios from the W3C's technique G18 and its examples, rounded to two places.
RATIOS = [
    ("#000000", "#ffffff", 21.0),
    ("#ffffff", "#ffffff", 1.0),
    ("#777777", "#ffffff", 4.48),
    ("#767676", "#ffffff", 4.54),
    ("#595959", "#ffffff", 7.0),
    ("#949494", "#ffffff", 3.03),
    ("#ff0000", "#ffffff", 4.0),
    ("#0000ff", "#ffffff", 8.59),
    ("#008000", "#ffffff", 5.14),
    ("#ffff00", "#ffffff", 1.07),
    ("#0000ff", "#000000", 2.44),
]


@pytest.mark.parametrize(("one", "other", "ratio"), RATIOS)
def test_contrast_matches_wcag(one: str, other: str, ratio: float) -> None:
    """Contrast is symmetric and independent of how the digits are written."""
    assert round(contrast(one, other), 2) == ratio
    assert round(contrast(other.upper(), one.upper()), 2) == ratio


@pytest.mark.parametrize("own", [OWN_LIGHT, OWN_DARK])
@pytest.mark.parametrize("name", ["primary", "warn", "font"])
def test_default_colours_are_readable(own: Palette, name: str) -> None:
    """The default colours meet the contrast rule that is applied to an organization's colours."""
    assert contrast(getattr(own, name), own.background) >= LEGIBLE
