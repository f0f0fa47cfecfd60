from __future__ import annotations

from typing import Final

from portico_users.api.management_v1.search import readable_areas, search
from portico_users.api.transport.operation import Operation

SEARCH: Final[tuple[Operation, ...]] = (
    # The target function decides what the caller may read.
    Operation("portico.management.v1.SearchService.Search", None, readable_areas, search),
)
