"""The settings of the instance in MongoDB."""

from __future__ import annotations

from typing import Final

from portico_contracts.events import INSTANCE_CHANGED
from portico_runtime.mongo import Database

from portico_users.directory.instance.instance import Instance
from portico_users.kernel.entry import Table
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.reader import Reader

INSTANCES: Final[Table[Instance]] = Table("instances", Instance, INSTANCE_CHANGED)


class MongoInstance(Reader[Instance]):
    """Finds the instance."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, INSTANCES)

    async def find_settings(self) -> Instance | None:
        """What was set; None as long as nothing was."""
        return await self.find(INSTANCE)
