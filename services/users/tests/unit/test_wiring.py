"""The parts of a service find each other."""

from __future__ import annotations

import secrets

import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_runtime.mongo.client import MongoClient
from portico_runtime.settings.sections.mongo import MongoSection
from portico_users.assembly.externals import Externals
from portico_users.assembly.service import Service
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.notifications.email.transport import SmtpTransport
from portico_users.settings import Settings


@pytest.mark.parametrize("sends_email", [False, True], ids=["with as little as possible", "with a mail server"])
async def test_every_operation_finds_its_parts(sends_email: bool, clock: FrozenClock, cheap_hashing: Settings) -> None:
    """The parts of an operation are found with its first call, so a missing one does not stop the start."""
    settings = cheap_hashing if sends_email else Settings()
    transport = SmtpTransport(settings) if sends_email else None
    mongo = MongoClient(MongoSection(mongo_url="mongodb://127.0.0.1:1"), "users")
    externals = Externals(mongo, MemoryBus(), clock, secrets.token_bytes, MemoryVersions(clock), transport)
    service = Service(settings, externals)

    for operation in OPERATIONS:
        operation.bound(service.parts.bind)

    await mongo.close()
