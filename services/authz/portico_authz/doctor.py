"""Checks of this service for ``python -m portico_authz doctor``."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from typing import Final

from portico_runtime.doctor.finding import Finding
from portico_runtime.settings.section import InvalidSetting

from portico_authz.countries import CountryDatabase
from portico_authz.settings import AuthzSettings

_NAME: Final = "countries"


async def own_checks(settings: AuthzSettings, _options: argparse.Namespace) -> AsyncIterator[Finding]:
    if not settings.geo_database:
        return
    try:
        built = CountryDatabase(settings.geo_database).built
    except InvalidSetting as error:
        fix = "Set it to a database of countries in the MMDB format that the service can read, or remove the setting."
        yield Finding(_NAME, "wrong", str(error), fix, "The service does not start.")
    else:
        yield Finding(_NAME, "ok", f"the database of countries is of {built}")
