from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class GeoSection(Section):
    """Countries of sign-ins."""

    geo_database: str = Field(
        default="",
        description="MMDB file with the countries of IP addresses, such as DB-IP Lite or GeoLite2 Country. Sign-ins and sessions then store the country, and no IP address. Empty: no countries.",
    )
