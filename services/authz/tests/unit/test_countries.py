from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from portico_authz.countries import CountryDatabase
from portico_authz.doctor import own_checks
from portico_authz.settings import AuthzSettings
from portico_fakes.country_database import (
    DUTCH_ADDRESS,
    GERMAN_ADDRESS,
    write_country_database,
    write_network_database,
)
from portico_runtime.settings.section import InvalidSetting


def test_country_of_an_address(tmp_path: Path) -> None:
    """Unknown, private and unreadable addresses have none, and a value that is not a country is ignored."""
    found = CountryDatabase(str(write_country_database(tmp_path)))
    expected = {
        DUTCH_ADDRESS: "NL",
        GERMAN_ADDRESS: "DE",
        "2001:db8:5::/64": "DE",
        "203.0.113.9": "",
        "203.0.113.200": "",
        "192.0.2.1": "",
        "10.1.2.3": "",
        "127.0.0.1": "",
        "::1": "",
        "unknown": "",
        "": "",
    }

    assert {address: found.find(address) for address in expected} == expected


def _unusable_files(folder: Path) -> dict[str, Path]:
    whole = write_country_database(folder).read_bytes()
    (folder / "text.mmdb").write_text("not a database")
    (folder / "cut.mmdb").write_bytes(whole[-(len(whole) // 2) :])
    return {
        "FileNotFoundError": folder / "missing.mmdb",
        "IsADirectoryError": folder,
        "InvalidDatabaseError": folder / "text.mmdb",
        "Error": folder / "cut.mmdb",
        "has no countries: Test-ASN": write_network_database(folder),
    }


async def test_unusable_file_prevents_the_start(tmp_path: Path) -> None:
    """The message names the setting; the doctor has the same."""
    for problem, path in _unusable_files(tmp_path).items():
        with pytest.raises(InvalidSetting, match=f"^PORTICO_GEO_DATABASE .*{problem}"):
            CountryDatabase(str(path))
        settings = AuthzSettings(login_api_key="x" * 32, geo_database=str(path))
        [finding] = [one async for one in own_checks(settings, argparse.Namespace())]
        assert (finding.level, problem in finding.text) == ("wrong", True), path


async def test_doctor_has_the_date_of_the_database(tmp_path: Path) -> None:
    settings = AuthzSettings(login_api_key="x" * 32, geo_database=str(write_country_database(tmp_path)))
    built = CountryDatabase(settings.geo_database).built
    [finding] = [one async for one in own_checks(settings, argparse.Namespace())]

    assert (finding.level, finding.text) == ("ok", f"the database of countries is of {built}")
    assert [
        one async for one in own_checks(settings.model_copy(update={"geo_database": ""}), argparse.Namespace())
    ] == []
