from __future__ import annotations

from datetime import UTC, datetime

import pytest
from portico_web.dates import date_with_zone

EVENING = datetime(2026, 11, 29, 22, 45, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "29 November 2026, 22:45 UTC"),
        ("de", "29. November 2026, 22:45 UTC"),
        ("fr", "29 novembre 2026, 22:45 UTC"),
        ("it", "29 novembre 2026, 22:45 UTC"),
        ("es", "29 de noviembre de 2026, 22:45 UTC"),
        ("pt", "29 de novembro de 2026 22:45 UTC"),
        ("pl", "29 listopada 2026, 22:45 UTC"),
        ("nl", "29 november 2026, 22:45 UTC"),
        ("ja", "2026年11月29日 22:45 UTC"),
        ("zh", "2026年11月29日 22:45 UTC"),
        ("ar", "29 نوفمبر 2026، 10:45 م UTC"),
    ],
)
def test_date_has_the_form_of_the_language(language: str, shown: str) -> None:
    assert date_with_zone(EVENING, language) == shown


def test_date_is_in_the_known_zone_of_its_reader() -> None:
    assert date_with_zone(EVENING, "en", "Europe/Zurich") == "29 November 2026, 23:45 (Europe/Zurich)"
    assert date_with_zone(EVENING, "en", "Asia/Tokyo") == "30 November 2026, 07:45 (Asia/Tokyo)"


@pytest.mark.parametrize("zone", ["", "Zurich", "Europe", "../Europe/Zurich", "/etc/localtime", "Europe/\0", "E" * 200])
def test_unknown_zone_leaves_a_date_in_utc(zone: str) -> None:
    """The zone of a profile is a text that anyone who may write it chooses."""
    assert date_with_zone(EVENING, "en", zone) == "29 November 2026, 22:45 UTC"


def test_noon_and_midnight_have_hours_of_twelve() -> None:
    noon = datetime(2026, 11, 29, 12, 5, tzinfo=UTC).timestamp()

    assert "12:05 م" in date_with_zone(noon, "ar")
    assert "12:05 ص" in date_with_zone(noon - 43_200, "ar")
