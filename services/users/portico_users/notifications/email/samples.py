"""Sample values of the emails, for a look at them before a user gets one."""

from __future__ import annotations

from typing import Final

from portico_web.dates import date_with_zone

from portico_users.notifications.email.message import EmailTemplate
from portico_users.values.code_forms import new_digits, new_letters

_OF_DIGITS: Final = frozenset(
    {EmailTemplate.SIGN_IN_CODE, EmailTemplate.EMAIL_CODE_SIGN_IN, EmailTemplate.ENROLMENT_CODE}
)
_WHEN: Final = 1_789_999_980.0


def sample_values(
    template: EmailTemplate, language: str, *, issuer: str, organization: str, login_name: str
) -> dict[str, str]:
    """Returns what the template needs. Neither the code, which has the form of a real one, nor the link does anything."""
    return {
        "issuer": issuer,
        "organization": organization,
        "application": organization,
        "login_name": login_name,
        "inviter": "Ada Lovelace",
        "code": (new_digits if template in _OF_DIGITS else new_letters)(_same_each_time),
        "link": f"{issuer}/",
        "changes": "password passkey_added",
        "new_mail": "",
        "when": date_with_zone(_WHEN, language),
    }


def _same_each_time(length: int) -> bytes:
    return bytes((37 * number + 11) % 256 for number in range(length))
