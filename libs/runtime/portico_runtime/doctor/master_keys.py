from __future__ import annotations

from portico_oauth.errors import ServiceError
from portico_oauth.master_keys import MasterKeys

from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.sealed_secrets import find_secrets, unreadable
from portico_runtime.settings.sections.mongo import MongoSection

_NAME = "master keys"
_FIX = "Add the master key to PORTICO_MASTER_KEYS, after the newest one, and restart the service."


async def check_master_keys(settings: MongoSection, user: str, master_keys: str) -> Finding:
    readable = MasterKeys.read(master_keys).fingerprints if master_keys else frozenset[str]()
    client = MongoClient(settings, user)
    try:
        found = await find_secrets(client.database, user, readable)
    except ServiceError:
        return Finding(_NAME, "warning", "not checked: MongoDB does not respond")
    finally:
        await client.close()
    if missing := unreadable(found, readable):
        return Finding(
            _NAME,
            "wrong",
            missing.text,
            _FIX,
            "Users whose authenticator app or identity provider needs one of them cannot sign in.",
        )
    return Finding(_NAME, "ok", "they decrypt every stored secret")
