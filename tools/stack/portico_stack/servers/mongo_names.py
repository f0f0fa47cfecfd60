from __future__ import annotations

from typing import Final

USERS: Final = ("users", "keys")
"""Services with a database, each with a user of its name."""

ADMIN: Final = "operator"
REPLICA_SET: Final = "portico"
