from __future__ import annotations

from typing import Final

from portico_users.management_api.transport.operation import Operation
from portico_users.search.api.search import readable_areas, search

SEARCH: Final[tuple[Operation, ...]] = (
    # The target function decides what the caller may read.
    Operation("portico.management.v1.SearchService.Search", None, readable_areas, search),
)
