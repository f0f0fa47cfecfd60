"""Finds the country of a sign-in in the database of `PORTICO_GEO_DATABASE`; the address itself is not stored."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from portico_runtime.settings.section import InvalidSetting

if TYPE_CHECKING:
    from maxminddb.reader import Reader

SETTING: Final = "PORTICO_GEO_DATABASE"

_EXAMINED: Final = 1_000
"""Records among which one with a country must be: databases of networks or domains have none."""


class CountryDatabase:
    """Reads the file into memory: a mapped one that is overwritten would end the process."""

    def __init__(self, path: str) -> None:
        """Raises InvalidSetting."""
        import maxminddb  # noqa: PLC0415  # allow import-place: few installations have a database

        try:
            self._reader: Reader = maxminddb.open_database(path, maxminddb.MODE_MEMORY)
            has_countries = any(_country(record) for _, record in islice(self._reader, _EXAMINED))
        except Exception as error:  # a damaged file raises more than the documented errors
            raise InvalidSetting(f"{SETTING} is not a readable MMDB file: {type(error).__name__}") from error
        if not has_countries:
            raise InvalidSetting(f"{SETTING} has no countries: {self._reader.metadata().database_type}")

    def find(self, address: str) -> str:
        """Returns the ISO 3166-1 code of an address, or of a network; empty where unknown, such as private ones."""
        try:
            return _country(self._reader.get(address.partition("/")[0]))
        except Exception:  # no address, or a damaged record: a sign-in must not fail for it
            return ""

    @property
    def built(self) -> date:
        return datetime.fromtimestamp(self._reader.metadata().build_epoch, UTC).date()


def _country(record: Any) -> str:
    code = record.get("country", {}).get("iso_code", "") if isinstance(record, dict) else ""
    return code if isinstance(code, str) and len(code) == 2 and code.isascii() and code.isupper() else ""
