from __future__ import annotations

from portico_runtime.doctor.finding import Finding
from portico_runtime.mongo.client import Database, guarded

from portico_users.credentials.webauthn.options import RelyingParty
from portico_users.credentials.webauthn.stored_credentials import KEYS


async def check_passkeys(database: Database, party: RelyingParty) -> list[Finding]:
    """Reports passkeys of another domain: browsers offer none of them before the user has entered a name."""
    async with guarded():
        domains = await database[KEYS].distinct("rpId")
    others = sorted(set(domains) - {party.id})
    if not others:
        return []
    text = f"passkeys were registered for {', '.join(others)}, and new ones are for {party.id}"
    fix = "Set PORTICO_PASSKEY_DOMAIN to the domain of the first ones, or let their owners register passkeys again."
    return [Finding("passkeys", "warning", text, fix, "They work only after the login name, or not at all.")]
