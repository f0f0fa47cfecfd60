"""Everything the management API does with credentials but passwords."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.credentials.otp_mail import MailFactor
from portico_users.credentials.passkey_links import PasskeyLinks
from portico_users.credentials.recovery_codes import RecoveryCodes
from portico_users.credentials.totp import Generators
from portico_users.credentials.webauthn.registration import KeyRegistration


@dataclass(frozen=True, slots=True)
class Credentials:
    """What changes them."""

    keys: KeyRegistration
    links: PasskeyLinks
    generators: Generators
    recovery_codes: RecoveryCodes
    mail: MailFactor
