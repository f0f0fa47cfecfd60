"""Replaces modules that libraries import and no service uses (decision 0044).

Deferring does not help: their importers take names from them at once.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Final

UNUSED_MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    # Models of OpenAPI documents, which no service serves.
    "fastapi.openapi.models": ("Example", "OAuth2", "OAuthFlows", "OpenAPI", "SecurityBase"),
    # Motor runs the synchronous client in threads.
    "gridfs.asynchronous.grid_file": (
        "AsyncGridFS", "AsyncGridFSBucket", "AsyncGridIn", "AsyncGridOut", "AsyncGridOutCursor",
    ),
    "pymongo.asynchronous.mongo_client": ("AsyncMongoClient",),
}  # fmt: skip
"""With the names that their importers take: empty classes."""


def leave_out_unused_modules() -> None:
    """Call before importing the importers."""
    for name, taken in UNUSED_MODULES.items():
        module = ModuleType(name)
        for one in taken:
            setattr(module, one, type(one, (), {}))
        sys.modules.setdefault(name, module)
