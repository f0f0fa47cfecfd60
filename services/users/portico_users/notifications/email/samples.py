"""Sample values of the emails, for a look at them before a user gets one."""

from __future__ import annotations


def sample_values(*, issuer: str, organization: str, login_name: str) -> dict[str, str]:
    """Returns what all templates need. Neither the code nor the link does anything."""
    return {
        "issuer": issuer,
        "organization": organization,
        "application": organization,
        "login_name": login_name,
        "inviter": "Ada Lovelace",
        "code": "12345678",
        "link": f"{issuer}/",
        "changes": "password passkey_added",
        "new_mail": "",
        "when": "2026-09-21 14:13 UTC",
    }
