"""Whether this release can work with the records that are there."""

from __future__ import annotations

from portico_oauth.errors import ServiceError

from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo import MongoClient
from portico_runtime.settings import MongoSection
from portico_runtime.stored_form import Form, StoredForm

_NAME = "records"


async def examine_form(settings: MongoSection, user: str, form: Form) -> Finding:
    """The form of a service's records against the one of this release; nothing is noted.

    Args:
        user: the service.
        form: of this release.
    """
    client = MongoClient(settings, user)
    try:
        refusal = await StoredForm(client.database, user, form).find_refusal()
    except ServiceError:
        return Finding(_NAME, "warning", "not seen: MongoDB does not answer")
    finally:
        await client.close()
    if refusal:
        fix = "Start the release that is named, or put the backup of before the upgrade back (docs/guides/backup.md)."
        return Finding(_NAME, "wrong", refusal, fix, "The service starts and is never ready.")
    return Finding(_NAME, "ok", f"their form is one that this release works with (it stores form {form.writes})")
