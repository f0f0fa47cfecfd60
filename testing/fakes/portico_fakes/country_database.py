"""Small databases of IP addresses in the MMDB format (not real data)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mmdb_writer import MMDBWriter
from netaddr import IPSet

DUTCH_ADDRESS: Final = "198.51.100.7"
GERMAN_ADDRESS: Final = "2001:db8:5::1"


def write_country_database(folder: Path) -> Path:
    return _write(
        folder / "countries.mmdb",
        "Test-Country",
        {
            "198.51.100.0/24": {"country": {"iso_code": "NL", "names": {"en": "Netherlands"}}},
            "2001:db8:5::/48": {"country": {"iso_code": "DE", "names": {"en": "Germany"}}},
            "203.0.113.0/25": {"registered_country": {"iso_code": "FR"}},
            "203.0.113.128/25": {"country": {"iso_code": "<b>"}},
        },
    )


def write_network_database(folder: Path) -> Path:
    """Has networks without countries."""
    return _write(folder / "networks.mmdb", "Test-ASN", {"198.51.100.0/24": {"autonomous_system_number": 64_496}})


def _write(path: Path, kind: str, records: dict[str, dict[str, Any]]) -> Path:
    writer = MMDBWriter(6, kind, languages=["en"], ipv4_compatible=True)
    for network, record in records.items():
        writer.insert_network(IPSet([network]), record)
    writer.to_db_file(str(path))
    return path
