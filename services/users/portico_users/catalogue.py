"""The package whose ``locale/`` has the translations of the service."""

from __future__ import annotations

from typing import Final

PACKAGE: Final = "portico_users"
