from __future__ import annotations

from portico_oauth.errors import ServiceError

from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.schema_version import SchemaVersion, StoredSchema
from portico_runtime.settings.sections.mongo import MongoSection

_NAME = "records"


async def check_schema_version(settings: MongoSection, user: str, form: SchemaVersion) -> Finding:
    client = MongoClient(settings, user)
    try:
        refusal = await StoredSchema(client.database, user, form).find_incompatibility()
    except ServiceError:
        return Finding(_NAME, "warning", "not checked: MongoDB does not respond")
    finally:
        await client.close()
    if refusal:
        fix = "Start the named release, or restore the backup from before the upgrade (docs/guides/backup.md)."
        return Finding(_NAME, "wrong", refusal, fix, "The service starts but never becomes ready.")
    return Finding(_NAME, "ok", f"this release can read their schema version (it writes version {form.writes})")
