"""The package whose ``locale/`` translates every text of the service."""

from __future__ import annotations

from typing import Final

PACKAGE: Final = "portico_users"
