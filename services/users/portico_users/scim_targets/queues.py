"""The queues of targets: those of webhooks, in a collection for targets."""

from __future__ import annotations

from typing import ClassVar, Final

from pymongo import ASCENDING, IndexModel

from portico_users.storage.schema import Indexes
from portico_users.webhooks.delivery_queues import DeliveryQueues

TARGET_QUEUES: Final = "scimTargetQueues"
TARGET_QUEUE_INDEXES: Final[Indexes] = {TARGET_QUEUES: (IndexModel([("due", ASCENDING)]),)}


class TargetQueues(DeliveryQueues):
    """Each queue is leased to one replica, so that neither the rate nor the order of changes depends on others."""

    collection: ClassVar[str] = TARGET_QUEUES
